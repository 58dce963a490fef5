// SPDX-License-Identifier: GPL-3.0-or-later
// A point to count places from that are far from the world's origin.
#ifndef SB_NEAR_POINT_H
#define SB_NEAR_POINT_H

/** The world's origin, unless the middle [m] of what extends so far [m] is many of its extents away; then a point near the middle, of few
 *  binary digits, so that a difference to it is exact.
 *  @param point  [m] out */
void sb_near_point(const double middle[3], double extent, double point[3]);

#endif
