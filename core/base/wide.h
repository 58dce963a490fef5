// SPDX-License-Identifier: GPL-3.0-or-later
// SB_WIDE: a function compiled twice, for processors with and without 256-bit vectors, chosen when
// the program is loaded. The order of additions is the same, and so are the results. And what else a loop, or a
// step, needs to cost little.
#ifndef SB_CORE_WIDE_PRIVATE_H
#define SB_CORE_WIDE_PRIVATE_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define SB_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SB_WIDE
#endif

/** A function whose constant arguments are known to the compiler: into each of the two compilations. */
#if defined(__GNUC__)
#define SB_INLINE __attribute__((always_inline)) static inline
#else
#define SB_INLINE static inline
#endif

/** The larger one; a value b that is not a number is none. fmax() would be a call. */
static inline double sb_larger(double a, double b) {
  return b > a ? b : a;
}

/** Before a loop over the lanes of a sum, or a maximum, that is taken in several parts one beside the other:
 *  it becomes one operation on a register. Unrolled first, as GCC does, it takes three times as long. */
#if defined(__GNUC__) && !defined(__clang__)
#define SB_LANES _Pragma("GCC unroll 1")
#else
#define SB_LANES
#endif

#endif
