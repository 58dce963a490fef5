// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers that are the same on every machine: splitmix64 (Steele, Lea, Flood 2014).
#ifndef SB_TESTS_CAMPAIGN_RANDOM_H
#define SB_TESTS_CAMPAIGN_RANDOM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct chance {
  uint64_t state;
} chance;

static inline uint64_t draw(chance *c) {
  uint64_t z = c->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/** Uniform in [low, high). */
static inline double between(chance *c, double low, double high) {
  return low + (high - low) * (double)(draw(c) >> 11) * 0x1p-53;
}

/** An integer of [0, count). */
static inline int pick(chance *c, int count) {
  return (int)(draw(c) % (uint64_t)count);
}

static inline bool happens(chance *c, double probability) {
  return between(c, 0, 1) < probability;
}

/** Uniform in the logarithm. */
static inline double spread(chance *c, double low, double high) {
  return exp(between(c, log(low), log(high)));
}

#endif
