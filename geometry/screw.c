// SPDX-License-Identifier: GPL-3.0-or-later
// The adjoint as a matrix, for proofs and for assembling Dirac structures.
#include "geometry/screw.h"

void sb_adjoint_matrix(sb_pose h, double a[6][6]) {
  const sb_mat3 r = h.rotation;
  const sb_mat3 pr = sb_mat3_mul(sb_mat3_hat(h.position), r);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      a[i][j] = a[i + 3][j + 3] = r.m[i][j];
      a[i][j + 3] = 0;
      a[i + 3][j] = pr.m[i][j];
    }
  }
}
