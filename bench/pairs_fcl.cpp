// SPDX-License-Identifier: GPL-3.0-or-later
// FCL: signed distance by its default solver, at its own tolerance; of a half-space, which its
// distance does not take, the depth of its collision. It is handed the cores of boxes and cylinders,
// which have sharp edges there, and the gap is less by the balls that sweep them: an easier question.
#include <cmath>
#include <exception>
#include <fcl/fcl.h>
#include <memory>

#include "bench/pairs.h"

namespace {

struct query {
  std::shared_ptr<fcl::CollisionGeometryd> shape[2];
  fcl::Transform3d pose[2];
  double sweep; // [m] of what FCL is not told
  bool plane;
};

std::shared_ptr<fcl::CollisionGeometryd> shape_of(const pairs_body &b) {
  switch (b.kind) {
  case PAIRS_ELLIPSOID:
    return std::make_shared<fcl::Ellipsoidd>(b.a[0], b.a[1], b.a[2]);
  case PAIRS_BALL:
    return std::make_shared<fcl::Sphered>(b.sweep);
  case PAIRS_PLANE:
    return std::make_shared<fcl::Halfspaced>(fcl::Vector3d(0, 0, 1), 0);
  case PAIRS_BOX:
    return std::make_shared<fcl::Boxd>(2 * b.a[0], 2 * b.a[1], 2 * b.a[2]);
  case PAIRS_SEGMENT:
    return std::make_shared<fcl::Capsuled>(b.sweep, 2 * b.a[2]);
  default:
    return std::make_shared<fcl::Cylinderd>(b.a[0], 2 * b.a[2]);
  }
}

void *make(const pairs_body body[2]) {
  query *q = new query{};
  for (int k = 0; k < 2; k++) {
    const pairs_body &b = body[k];
    q->shape[k] = shape_of(b);
    q->pose[k] = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        q->pose[k].linear()(i, j) = b.R[i][j];
      }
      q->pose[k].translation()(i) = b.p[i];
    }
    q->sweep += b.kind == PAIRS_BOX || b.kind == PAIRS_CYLINDER ? b.sweep : 0;
    q->plane = q->plane || b.kind == PAIRS_PLANE;
  }
  return q;
}

double depth_below(const query &q) {
  fcl::CollisionRequestd request(1, true);
  fcl::CollisionResultd result;
  fcl::collide(q.shape[0].get(), q.pose[0], q.shape[1].get(), q.pose[1], request, result);
  return result.isCollision() ? -result.getContact(0).penetration_depth : NAN;
}
double gap(const void *context) {
  const query &q = *static_cast<const query *>(context);
  try {
    if (q.plane) {
      return depth_below(q);
    }
    fcl::DistanceRequestd request(true, true);
    fcl::DistanceResultd result;
    fcl::distance(q.shape[0].get(), q.pose[0], q.shape[1].get(), q.pose[1], request, result);
    return result.min_distance - q.sweep;
  } catch (const std::exception &) { // it throws where its iteration comes to no end
    return NAN;
  }
}
void destroy(void *context) {
  delete static_cast<query *>(context);
}

} // namespace

const pairs_library pairs_fcl = {"FCL", true, true, make, gap, destroy};
