// SPDX-License-Identifier: GPL-3.0-or-later
// The R, and its law by an expression.
#ifndef SB_ELEMENTS_RESISTANCE_PRIVATE_H
#define SB_ELEMENTS_RESISTANCE_PRIVATE_H

#include "core/expression/expression.h"
#include "core/graph/element.h"

/** Jumps of a law. */
enum { SB_JUMPS_MAX = 16 };

typedef struct resistance {
  int dim;
  sb_list r;
  double exponent;
  sb_list flows, efforts;
  sb_expression *law;
  int signals;                 // that it may name
  bool jumps;                  // the law does
  double places[SB_JUMPS_MAX]; // [flow or effort] there, rising
  int jump_count;
  bool staircase; // of more jumps than that
  double place, before,
      after;   // of the jump that is looked at, and those beside it; infinite: there are none
  bool rises;  // everywhere, as far as samples tell
  bool flat;   // beside that it does not depend on its argument
  bool heated; // the heat port has a bond
  double flow_limit, effort_limit; // [flow], [effort] what the law is judged on
} resistance;

/** Slots of the variables of a law. */
enum { FLOW, EFFORT, SIGNALS };

static inline bool sb_resistance_is_table(const resistance *s) {
  return s->flows.count > 0 || s->efforts.count > 0;
}
/** The slot of the variable that the law is an expression of. */
static inline int sb_resistance_slot(const resistance *s) {
  return sb_expression_uses(s->law, EFFORT) ? EFFORT : FLOW;
}
/** The variable itself. */
static inline sb_variable sb_resistance_slot_variable(const resistance *s) {
  return sb_resistance_slot(s) == EFFORT ? SB_EFFORT : SB_FLOW;
}

/** Its events. */
extern const sb_switching_hooks sb_resistance_switching;

/** The law and its slope at a flow or effort, whichever it is an expression of, and at signals. */
sb_dual sb_resistance_at(const resistance *s, const double signals[], double u);
/** The variables of a law: at u with the signals, and where the branch of one side of its jump is taken. */
typedef struct sb_law_variables {
  double now[SB_EXPRESSION_VARIABLES_MAX], beside[SB_EXPRESSION_VARIABLES_MAX];
} sb_law_variables;
sb_law_variables sb_resistance_variables(const resistance *s, const double signals[], double u,
                                         int side);
/** The law at u on the branch of one side of its jump, 1 or -1; 0: of none. */
double sb_resistance_beside(const resistance *s, const double signals[], double u, int side);
/** The values of the law on both sides of its jump. */
void sb_resistance_limits(const resistance *s, const double signals[], double *low, double *high);
/** How far an argument is from the jump; zero within its rounding: what slips off sets out without an acceleration, and is there for a while. */
double sb_resistance_from_place(const resistance *s, double u);
/** The same as of one side, with its slope, on the branches that are held; that of its jump is by the mode. A law that rises does so on them: where one would
 *  fall beyond its kink, as |f| f beyond zero, the present arguments decide. */
sb_dual sb_resistance_held(const resistance *s, const sb_at *at, const double signals[]);
/** d/dt of a flat law by the rates of its signals. */
double sb_resistance_rate(const resistance *s, const sb_at *at);
/** The law with the jump that a mode is about, in `view` if it has several. */
const resistance *sb_resistance_view(const resistance *s, int mode, resistance *view);
/** A mode of the jump that is nearest to u. */
int sb_resistance_nearest(const resistance *s, double u);
/** A mode of the jump that y is inside; -1: it is inside none. */
int sb_resistance_holding(const resistance *s, const double signals[], double y);
/** Whether the law jumps at zero, or upwards elsewhere, for some values of the signals; then its branches there are
 *  claimed. Sets the places. */
bool sb_resistance_claim_jump(resistance *s);
/** Judges a law by samples: SB_ERR_RANGE if it could give power. Sets whether it jumps, and is flat beside that. @param invertible  out */
sb_status sb_resistance_check_law(resistance *s, bool *invertible, sb_error *err);
/** Whether the slope of a law is infinite at zero, as that of c sign(e) sqrt|e| or r |f|^n with n < 1: its chord grows without end towards it, in any unit. Near rest what it
 *  reads is a small difference of others, of which the inverse law loses no digit. */
bool sb_resistance_is_steep(const resistance *s);
/** Whether a law grows as an exponential: of numbers that others reach it is none. The logarithm has digits everywhere. */
bool sb_resistance_is_exponential(const resistance *s);
/** The argument of the law at which it is y, on the branches that are held, and its slope over y. @param branches  NULL: none are held
 *  @return 0; 1 if the law does not reach y */
int sb_resistance_invert(const resistance *s, const double signals[], const sb_branches *branches,
                         double y, sb_dual *result);
/** The same for a law that jumps: on the branch of the mode, whose tangent goes on inside the jump. */
int sb_resistance_invert_beside(const resistance *s, const double signals[],
                                const sb_branches *branches, int mode, double y, double *result);

/** A table is passive if it rises and passes through (0, 0). @param invertible  out: it rises strictly */
sb_status sb_table_check(const resistance *s, bool *invertible, sb_error *err);
/** Its value and slope over the variable that it is given, on the present piece. */
sb_dual sb_table_at(const resistance *s, const sb_at *at, sb_variable assigned, double u);
/** How far the input is inside the piece that discrete[0] tells, from point k - 1 to k; 0: not known yet. @return how many indicators */
int sb_table_indicators(const resistance *s, const sb_at *at, double g[], double gdot[]);
/** The next piece. */
void sb_table_fire(const resistance *s, const sb_at *at, int indicator, double discrete[],
                   sb_transition *out);
void sb_table_accept(const resistance *s, const sb_at *at, double discrete[]);

#endif
