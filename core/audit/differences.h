// SPDX-License-Identifier: GPL-3.0-or-later
// A stated rate against differences of f at five points, f(-2h) ... f(2h). With the central differences
//   near = (f1 - f-1)/2h     error h^2 f'''/6
//   far  = (f2 - f-2)/4h     four times that
//   best = near + (near - far)/3     error h^4 f'''''/30
// the error of `near` is best - near to the leading order. It is subtracted in place of that of `best`, which
// it exceeds by a factor 1/h^2 where f changes over times of 1. Where f'' jumps by J at the point itself the error of
// `best` is twice that, J h/6; where it jumps elsewhere, at most as large. Twice is subtracted. Values known to r leave
// 3 r/2h in `best`.
// With h = 1e-4 of the time over which f changes, what is left of a sound rate is zero, and an error in a rate
// is seen if it is larger than about 1e-8 of the rate and 1.5e4 r over that time.
// Where f can be asked at any time, differences D of orders 4, 6 and 8 over 16 h know the rate 16 times as well, to 1e3 r over
// that time, if they agree:
//   |D4 - f'| <= 100 (|D4 - D6| + |D6 - D8|) + 1.5 r/h
// |D4 - D6| is the error of D4, h^4 f'''''/30, to the leading order. Where a derivative of f jumps the three differ: of
// f = max(t - a, 0)^p with p from 2 on the factor is at most 41 for any a, of hyperbolas, waves and steps of any width at most 20.
// Of several jumps it is 100 and more in one of 1e4 arrangements; so the same is asked over 8 h and 4 h before a rate is
// wrong. A rate that D4 confirms is not looked at any further. At a kink, where the differences S of the two sides do not meet, it
// may be that of one side:
//   |S4 - f'| <= 10 |S4 - S3| + 10.7 r/h
// Of |t - a|^p with p from 1 to 2 no order is more accurate than another as a -> 0: f' ~ a^(p-1), and what central differences
// over h >> a give, and what they differ by, go like a h^(p-2), which is less by any factor. Where f' rises, or falls, all along,
// it lies between the chords C of both sides; as f'' has no limit there, those of the least step s that tells them apart from
// rounding are the closest:
//   |(C- + C+)/2 - f'| <= |C+ - C-| + 2 r/s
// They are asked where |C+ - C-|/s rises by a third or more from 16 h to s, as it does not where f'' has a limit, and
// |C+ - C-| falls by a fifth from 256 s to s, as it does not at a corner: of p from 1.05 to 1.98.
// Inside of a step of f far below h the orders agree on the slope outside. What is wrong by all of these is asked over h/16, h/256 and so on:
// where D4 is known there to a sixteenth of the error and misses f' by no more, it is that which it misses at the best of these.
#ifndef SB_CORE_AUDIT_DIFFERENCES_H
#define SB_CORE_AUDIT_DIFFERENCES_H

enum { SB_DIFFERENCE_POINTS = 5 };
/** Step h of the differences, relative to a time over which little changes. */
static const double sb_difference_step = 1e-4;
/** Relative error of a one-sided difference. */
static const double sb_side_tol = 3e-8;

/** The error of a rate, less what the differences explain; 0: none.
 *  @param f         values at distances h
 *  @param size      what the rate is computed from
 *  @param rounding  to which the values of f are known */
double sb_rate_error(const double f[SB_DIFFERENCE_POINTS], double h, double rate, double size,
                     double rounding);

/** A value after a time h; not a number: it has none. */
typedef double (*sb_value_after)(const void *context, double h);

/** The same of a value that can be asked at any time.
 *  @param rounding  to which the value is known, beside the noise that it shows */
double sb_value_rate_error(sb_value_after value, const void *context, double h, double rate,
                           double size, double rounding);

/** The same of a value that may have kinks nearby, as a gap where the closest point leaps past a flat side. These show as noise
 *  above rounding: the times are made shorter until they are out of sight.
 *  @param rounding  to which the value is known */
double sb_rate_error_between_kinks(sb_value_after value, const void *context, double h, double rate,
                                   double size, double rounding);

/** The noise in values that their rounding does not tell, by their fourth difference. */
double sb_difference_noise(const double f[SB_DIFFERENCE_POINTS]);

#endif
