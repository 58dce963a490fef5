// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes by Simbody (peer.h), written as its users would, by its recommended integrator.
#include <SimTKsimbody.h>

#include "bench/peer.h"

using SimTK::Inertia;
using SimTK::MassProperties;
using SimTK::MobilizedBody;
using SimTK::Rotation;
using SimTK::State;
using SimTK::Transform;
using SimTK::Vec3;

namespace {

/** Calls the forces of a C program. */
class contact_forces : public SimTK::Force::Custom::Implementation {
public:
  contact_forces(const SimTK::SimbodyMatterSubsystem &matter, peer_contacts function)
      : matter_(matter), function_(function) {}

  void calcForce(const State &state, SimTK::Vector_<SimTK::SpatialVec> &forces,
                 SimTK::Vector_<Vec3> &, SimTK::Vector &) const override {
    double force[PEER_BODIES][PEER_POSITION], moment[PEER_BODIES][PEER_POSITION];
    call(state, force, moment);
    for (int k = 0; k < PEER_BODIES; k++) {
      const Vec3 f(force[k][0], force[k][1], force[k][2]);
      const Vec3 m(moment[k][0], moment[k][1], moment[k][2]);
      body(k).applyBodyForce(state, SimTK::SpatialVec(m, f), forces);
    }
  }
  SimTK::Real calcPotentialEnergy(const State &state) const override {
    double force[PEER_BODIES][PEER_POSITION], moment[PEER_BODIES][PEER_POSITION];
    return call(state, force, moment);
  }
  bool dependsOnlyOnPositions() const override { return true; }

private:
  const MobilizedBody &body(int k) const {
    return matter_.getMobilizedBody(SimTK::MobilizedBodyIndex(1 + k));
  }
  double call(const State &state, double force[][PEER_POSITION],
              double moment[][PEER_POSITION]) const {
    double R[PEER_BODIES][9], x[PEER_BODIES][PEER_POSITION];
    for (int k = 0; k < PEER_BODIES; k++) {
      const Transform &pose = body(k).getBodyTransform(state);
      for (int i = 0; i < 3; i++) {
        x[k][i] = pose.p()[i];
        for (int j = 0; j < 3; j++) {
          R[k][3 * i + j] = pose.R()[i][j];
        }
      }
    }
    return function_(R, x, force, moment);
  }

  const SimTK::SimbodyMatterSubsystem &matter_;
  peer_contacts function_;
};

/** Axes with z along an axis, for a pin. */
Transform pin_at(const Vec3 &place, const Vec3 &axis) {
  return Transform(Rotation(SimTK::UnitVec3(axis), SimTK::ZAxis), place);
}

} // namespace

struct peer {
  peer(const Vec3 &g) : matter(system), forces(system), gravity(forces, matter, g) {}

  /** Ready to run. */
  void finish() {
    system.realizeTopology();
    start = system.getDefaultState();
    system.realize(start, SimTK::Stage::Acceleration);
  }

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::Force::Gravity gravity;
  State start;
};

peer *peer_chain(int links, double thickness) {
  peer *p = new peer(Vec3(0, 0, -9.81));
  const double length = 1. / links, mass = 1. / links, j = mass * length * length / 12;
  const double thin = mass * thickness * thickness / 12;
  const Inertia own = Inertia(thin, j, j).shiftFromMassCenter(Vec3(length / 2, 0, 0), mass);
  const SimTK::Body::Rigid rod(MassProperties(mass, Vec3(length / 2, 0, 0), own));
  MobilizedBody before = p->matter.Ground();
  for (int i = 0; i < links; i++) {
    const Vec3 axis = i % 2 == 0 ? Vec3(0, 1, 0) : Vec3(0, 0, 1);
    before = MobilizedBody::Pin(before, pin_at(Vec3(i > 0 ? length : 0, 0, 0), axis), rod,
                                pin_at(Vec3(0), axis));
  }
  p->finish();
  p->matter.getMobilizedBody(SimTK::MobilizedBodyIndex(2)).setOneU(p->start, 0, 1);
  p->system.realize(p->start, SimTK::Stage::Acceleration);
  return p;
}

peer *peer_ring(void) {
  static const Vec3 corner[] = {Vec3(0, 0, 0),  Vec3(1, 0, 0),  Vec3(1, -1, 0),
                                Vec3(1, -1, 1), Vec3(0, -1, 1), Vec3(0, 0, 1)};
  static const Vec3 axes[] = {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 0, 0)};
  peer *p = new peer(Vec3(0, -9.81, 0));
  MobilizedBody before = p->matter.Ground();
  for (int i = 0; i < 5; i++) {
    const Vec3 along = corner[i + 1] - corner[i], place = i > 0 ? corner[i] - corner[i - 1] : Vec3(0);
    const Inertia own = Inertia::pointMassAt(along / 2, 1. / 3) + Inertia::pointMassAt(along / 2, 1);
    const SimTK::Body::Rigid rod(MassProperties(1, along / 2, own));
    before = MobilizedBody::Pin(before, pin_at(place, axes[i % 3]), rod, pin_at(Vec3(0), axes[i % 3]));
  }
  // the sixth pin, along x at (0, 0, 1) m
  SimTK::Constraint::Ball(p->matter.Ground(), corner[5], before, Vec3(0, 1, 0));
  SimTK::Constraint::ConstantAngle(p->matter.Ground(), SimTK::YAxis, before, SimTK::XAxis);
  SimTK::Constraint::ConstantAngle(p->matter.Ground(), SimTK::ZAxis, before, SimTK::XAxis);
  p->finish();
  return p;
}

peer *peer_ellipsoids(const peer_ellipsoid body[PEER_BODIES], peer_contacts contacts) {
  peer *p = new peer(Vec3(0, 0, -9.81));
  for (int k = 0; k < PEER_BODIES; k++) {
    const peer_ellipsoid &b = body[k];
    const Vec3 a(b.semi_axes[0], b.semi_axes[1], b.semi_axes[2]);
    const SimTK::Body::Rigid solid(
        MassProperties(b.mass, Vec3(0), b.mass * SimTK::UnitInertia::ellipsoid(a)));
    MobilizedBody::Free free(p->matter.Ground(), Transform(), solid, Transform());
    const Vec3 axis(b.axis[0], b.axis[1], b.axis[2]);
    free.setDefaultTransform(
        Transform(Rotation(b.angle, SimTK::UnitVec3(axis)), Vec3(0, 0, b.height)));
  }
  SimTK::Force::Custom(p->forces, new contact_forces(p->matter, contacts));
  p->finish();
  return p;
}

void peer_destroy(peer *p) { delete p; }

long peer_run(peer *p, double t_end, double accuracy, double places[][PEER_POSITION]) {
  SimTK::RungeKuttaMersonIntegrator integrator(p->system);
  integrator.setAccuracy(accuracy);
  const int before = p->system.getNumRealizationsOfThisStage(SimTK::Stage::Acceleration);
  integrator.initialize(p->start);
  while (integrator.getTime() < t_end) {
    integrator.stepTo(t_end);
  }
  const State &end = integrator.getState();
  p->system.realize(end, SimTK::Stage::Position);
  for (SimTK::MobilizedBodyIndex k(1); k < p->matter.getNumBodies(); k++) {
    const Vec3 &at = p->matter.getMobilizedBody(k).getBodyOriginLocation(end);
    for (int i = 0; i < PEER_POSITION; i++) {
      places[k - 1][i] = at[i];
    }
  }
  return p->system.getNumRealizationsOfThisStage(SimTK::Stage::Acceleration) - before;
}

void peer_evaluate(peer *p, long calls) {
  for (long k = 0; k < calls; k++) {
    p->start.updQ(); // else what follows from these is known
    p->system.realize(p->start, SimTK::Stage::Acceleration);
  }
}
