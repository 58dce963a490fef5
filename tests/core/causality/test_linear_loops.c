// SPDX-License-Identifier: GPL-3.0-or-later
// Linear algebraic loops that are solved at compilation, against closed forms.
#include "tests/fixture.h"

/** An inductance l behind a transformer n is n^2 l beside another, M = L + n^2 l, and moves as that does; R behind the ratio m damps by
 *  d = m^2 R. A current F into the capacitor between:
 *    M f' = -d f - q/C,  q' = f + F,  from rest:
 *    q = C d F + e^(-a t) (-C d F cos w t + b sin w t),  a = d/(2 M),  w^2 = 1/(M C) - a^2,  b w = F - a C d F.
 *  Behind n are a gyrator and a transformer on the same current, whose efforts cancel. The effort of C counts in what acts on l
 *  by n l/M, and before the transformer by n^2 l/M: a coupling, as small as it may be. */
static void couplings_behind_a_ratio(void **state) {
  (void)state;
  static const double ratios[] = {-1244,     -1.244e-2, -1.244e-5,  -1.244e-6, -1.244e-7,
                                  -1.244e-8, -1.244e-9, -1.244e-10, -1.244e-18};
  const double L = 53.5195, l = 9.6237e-6, C = 21.6907, R = 7.1708e-6, m = 4.4083, F = 2.0659e-6;
  for (int k = 0; k < (int)(sizeof ratios / sizeof *ratios); k++) {
    char text[1500];
    const double n = ratios[k], t = 45.50467;
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'><J1 id='n0'/><J0 id='n1'/><J0 id='n2'/><J1 id='n3'/>"
        "<J0 id='n4'/><J0 id='n5'/><TF id='m' ratio='%.17g'/><TF id='n' ratio='%.17g'/>"
        "<GY id='g' ratio='-2.5658'/><TF id='h' ratio='34480'/><I id='l' l='%.17g'/>"
        "<Sf id='F' flow='%.17g'/><I id='L' l='%.17g'/><C id='C' c='%.17g'/><R id='R' r='%.17g'/>"
        "<bond from='n0' to='m'/><bond from='m' to='n1'/><bond from='n0' to='n2'/>"
        "<bond from='n0' to='n'/><bond from='n' to='n3'/><bond from='n3' to='n4'/>"
        "<bond from='n4' to='g'/><bond from='g' to='n5'/><bond from='n5' to='h'/>"
        "<bond from='h' to='n3'/><bond from='n3' to='l'/><bond from='F' to='n2'/>"
        "<bond from='n0' to='L'/><bond from='n2' to='C'/><bond from='n1' to='R'/></network>",
        m, n, l, F, L, C, R);
    const double M = L + n * n * l, d = m * m * R, a = d / (2 * M), w = sqrt(1 / (M * C) - a * a);
    const double end = C * d * F, b = (F - a * end) / w, fade = exp(-a * t);
    const double q = end + fade * (-end * cos(w * t) + b * sin(w * t));
    const double rate = fade * ((a * end + b * w) * cos(w * t) + (end * w - a * b) * sin(w * t));
    const double f = rate - F, f_rate = (-d * f - q / C) / M;
    run r = go(text, t);
    assert_near_relative(value(&r, "C.q"), q, 1e-8);
    assert_near_relative(value(&r, "C.e"), q / C, 1e-8);
    assert_near_relative(value(&r, "L.p"), L * f, 1e-8);
    assert_near_relative(value(&r, "l.p"), l * n * f, 1e-8);
    assert_near_relative(value(&r, "l.e"), l * n * f_rate, 1e-8);
    assert_near_relative(value(&r, "n.from.e"), l * n * n * f_rate, 1e-8);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(couplings_behind_a_ratio),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
