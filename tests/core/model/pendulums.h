// SPDX-License-Identifier: GPL-3.0-or-later
// A double pendulum by modulated transformers, and its equations in minimal coordinates.
#ifndef SB_TESTS_PENDULUMS_H
#define SB_TESTS_PENDULUMS_H

#include "tests/fixture.h"

static const double g = 9.81;

/** A point mass of 2 kg on a rod of 1.5 m. The rest of the netlist is in the arguments: angle and momenta at the
 *  start. */
static const char pendulum_text[] =
    "<network domain='translation'><signal id='th' rate='w' start='%.17g rad'/>"
    "<signal id='w' of='swing.f'/><J1 id='swing' domain='rotation'/>"
    "<MTF id='tx' ratio='1.5[m]*cos(th)'/><MTF id='ty' ratio='1.5[m]*sin(th)'/>"
    "<J1 id='mx'/><I id='Lx' mass='2 kg' p0='%.17g N.s'/><J1 id='my'/>"
    "<I id='Ly' mass='2 kg' p0='%.17g N.s'/><Se id='G' effort='-2*9.81[N]'/>"
    "<bond from='swing' to='tx'/><bond from='tx' to='mx'/><bond from='mx' to='Lx'/>"
    "<bond from='swing' to='ty'/><bond from='ty' to='my'/><bond from='my' to='Ly'/>"
    "<bond from='G' to='my'/></network>";

/** The complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
static inline double elliptic(double modulus) {
  double a = 1, b = sqrt(1 - modulus * modulus);
  for (int i = 0; i < 40; i++) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return pi / (2 * a);
}

#endif
