# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the atlas, in the order of their page."""
import bouncing
import damped
import friction
import impact
import pile
import turning

CASES = {
    "incline": friction.incline,
    "sliding_ball": friction.sliding_ball,
    "spinning_disc": friction.spinning_disc,
    "block_on_wood": friction.block_on_wood,
    "impact": impact.impact,
    "bouncing": bouncing.bouncing,
    "two_ellipsoids": bouncing.two_ellipsoids,
    "damped_ellipsoids": damped.damped_ellipsoids,
    "cradle": bouncing.cradle,
    "pile_of_fifty": pile.pile,
    "top": turning.top,
    "rolling_in_tube": turning.rolling_in_tube,
    "tippe_top": turning.tippe_top,
    "rattleback": turning.rattleback_page,
}
