# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of the atlas that turn: a top, a ball that rolls in a tube, tippe-top, rattleback."""
import math

from figure import diagram
from record import Page
from reference import add, bisect, cross, dot, elliptic, rattleback, times, to_matrix, turn

G = 9.81


def top(bench):
    netlist = "examples/atlas/top.xml"
    page = Page("Spinning top", netlist,
                "A heavy top stands with a round tip on a floor without friction. Its centre of mass stays, the floor bears "
                "m g, and its axis goes round evenly, Phi, where J1 cos(tilt) Phi^2 - J3 w3 Phi + m g l = 0 (Goldstein, "
                "Classical Mechanics, section 5.7). The radius of the tip and how far it presses in do not matter.",
                "Exact for this model: limits of the integration at rtol 1e-11 after 5 s.")
    tilt, Phi, l, m = math.radians(30), 7.0, 0.04, 0.5
    run = bench.run(netlist)
    height = l * math.cos(tilt) + 0.005 - m * G / 5e4
    axes = [[row[2] for row in to_matrix(q)] for q in run.quaternion("top.rotation")]
    expected = [[math.sin(tilt) * math.cos(Phi * t), math.sin(tilt) * math.sin(Phi * t), math.cos(tilt)] for t in run.t]
    for i, name in enumerate("xyz"):
        j = max(range(len(axes)), key=lambda j, i=i: abs(axes[j][i] - expected[j][i]))
        page.compare(f"{name} of the axis where it is furthest off, at {run.t[j]:.3g} s", expected[j][i], axes[j][i], 1e-8)
    page.compare("height of the centre of mass where it is furthest off", height,
                 max(run["top.position.z"], key=lambda z: abs(z - height)), 1e-10)
    page.picture = diagram("x of the axis", "y of the axis", [("screwbond", [(a[0], a[1]) for a in axes[:180]])],
                           [("steady precession", [(a[0], a[1]) for a in expected[:90]])])
    return page


def zeros(t, y):
    """Times where y passes zero, by the cubic through four samples."""
    found = []
    for i in range(1, len(t) - 2):
        if (y[i] > 0) != (y[i + 1] > 0):
            p = y[i - 1:i + 3]

            def cubic(s, p=p):
                return math.copysign(1, p[2]) * (
                    -s * (s - 1) * (s - 2) / 6 * p[0] + (s + 1) * (s - 1) * (s - 2) / 2 * p[1]
                    - (s + 1) * s * (s - 2) / 2 * p[2] + (s + 1) * s * (s - 1) / 6 * p[3])
            found.append(t[i] + bisect(cubic, 0.0, 1.0) * (t[i + 1] - t[i]))
    return found


def rolling_in_tube(bench):
    netlist = "examples/atlas/rolling_in_tube.xml"
    page = Page("Ball that rolls in a tube", netlist,
                "A solid ball, r = 5 cm, rolls at the bottom of a level tube, R = 25 cm, as a pendulum of the length "
                "(7/5)(R - r): T = 2 pi sqrt(7 (R - r)/(5 g)) for small swings, and 4 K(m) sqrt(7 (R - r)/(5 g)) with "
                "m = sin^2(swing/2) = 7 v0^2/(20 g (R - r)) for those that start with v0 at the bottom.",
                "The closed form is that of rigid bodies. The ball yields by d = m g/k: it turns about a radius of r - d, the swing is "
                "longer by d, and the tangential spring gives way, 9e-4 of the period for d/r = 2e-3. This is of first order in 1/k, "
                "and so the limits fall. The last row has swings of 0.05 deg.")
    L, v0 = 0.2, 0.2
    root = math.sqrt(7 * L / (5 * G))
    m = 7 * v0 * v0 / (20 * G * L)
    for k in (1e4, 1e5) if bench.brief else (1e4, 1e5, 1e6):
        run = bench.run(netlist, k=repr(k), beta=repr(1e-3 * math.sqrt(1e5 / k)))
        passed = zeros(run.t, run["ball.position.y"])
        page.compare(f"k = {k:.0e} N/m: period, swings of {math.degrees(2 * math.asin(math.sqrt(m))):.3g} deg",
                     4 * elliptic(m)[0] * root, 2 * (passed[-1] - passed[0]) / (len(passed) - 1), 1e-3 * 1e4 / k)
    curve = list(zip(run.t, run["ball.position.y"]))
    run = bench.run(netlist, k="1e6", beta=repr(1e-3 * math.sqrt(0.1)), v0="1e-3")
    passed = zeros(run.t, run["ball.position.y"])
    page.compare("k = 1e+06 N/m: period, small swings", 2 * math.pi * root,
                 2 * (passed[-1] - passed[0]) / (len(passed) - 1), 1e-5)
    rate = math.pi / (2 * elliptic(m)[0]) / root
    top_place = 2 * math.asin(math.sqrt(m))
    page.picture = diagram("time [s]", "y [m]", [("screwbond", curve)],
                           [("pendulum", [(t, L * math.sin(top_place * math.sin(rate * t))) for t, _ in curve])])
    return page


def tippe_top(bench):
    netlist = "examples/atlas/tippe_top.xml"
    page = Page("Tippe-top", netlist,
                "A ball of the radius R, its centre of mass l below its middle, spins on an oiled floor, and its friction turns it upside "
                "down. Whatever the friction, Jellett's product of the angular momentum and the lever, L.(R z - l e), is kept "
                "(Jellett, A Treatise on the Theory of Friction, 1872, chapter VIII). So it ends, upright, with the spin "
                "w1 = w0 (R cos(tilt) - l)/(R + l), and friction has taken J (w0^2 - w1^2)/2 - m g l (1 + cos(tilt)). The friction "
                "here is viscous. Coulomb's friction brings a tilted top to roll without slip, and then turns it no more.",
                "The lever of a yielding ball is shorter by the depth m g/k and less: the limits fall as 1/k.")
    R, l, J, m, w0, tilt = 0.02, 0.005, 3.2e-6, 0.02, 200.0, math.radians(6)
    for k in (2e3,) if bench.brief else (2e3, 2e4, 2e5):
        run = bench.run(netlist, k=repr(k))
        axes = [[row[2] for row in to_matrix(q)] for q in run.quaternion("top.rotation")]
        kept = [dot(L, add([0, 0, R], e, -l)) for L, e in zip(run.vector("top.spin"), axes)]
        start = J * w0 * (R * math.cos(tilt) - l)
        page.compare(f"k = {k:.0e} N/m: Jellett's product where it is furthest off", start,
                     max(kept, key=lambda x: abs(x - start)), 5e-3 * 2e3 / k, True)
        page.compare(f"k = {k:.0e} N/m: spin in the end", w0 * (R * math.cos(tilt) - l) / (R + l),
                     run["top.angular-velocity.z"][-1], 5e-3 * 2e3 / k, True)
        page.compare(f"k = {k:.0e} N/m: vertical of its axis in the end", -1, axes[-1][2], 1e-6)
        w1 = w0 * (R * math.cos(tilt) - l) / (R + l)
        page.compare(f"k = {k:.0e} N/m: energy dissipated", J * (w0 * w0 - w1 * w1) / 2 - m * G * l * (1 + math.cos(tilt)),
                     run.audit["energy"]["dissipated"], 5e-3 * 2e3 / k, True)
    curves = [("cos of the tilt", [(t, e[2]) for t, e in zip(run.t, axes)]),
              ("Jellett's product, of its first value", [(t, x / kept[0]) for t, x in zip(run.t, kept)])]
    page.picture = diagram("time [s]", "", curves, [("expected", [(run.t[-1], -1.0)]), ("", [(t, 1.0) for t in run.t])])
    return page


def rattleback_page(bench):
    netlist = "examples/atlas/rattleback.xml"
    page = Page("Rattleback", netlist,
                "An ellipsoid whose axes of inertia are turned against its shape is spun at -5 rad/s, rattles, and turns back "
                "(Kane and Levinson, Int. J. Non-Linear Mechanics 17, 175, 1982, have the problem). Expected are the times "
                "when the spin about its own z axis is zero, of a rigid ellipsoid that rolls without slip: three equations for the "
                "angular velocity, integrated with Runge and Kutta's method, 0.2 ms.",
                "Rolling is the limit of stiff tangential springs. Reversals come in bursts while it rattles, and the times go to "
                "those of the rigid one as k grows; below 1e7 N/m, with the damping here, it leaves the floor and is another story. "
                "The limits are the tenth of each other per factor ten in k.")
    half = math.radians(0.5) / 2
    c, s = math.cos(half), math.sin(half)
    q, tilt = [c * c, c * s, c * s, s * s], 2 * math.acos(c * c)  # about x, then about y
    M = to_matrix(q)
    up, squares = M[2], [0.2 ** 2, 0.03 ** 2, 0.02 ** 2]
    size = math.sqrt(sum(s * x * x for s, x in zip(squares, up)))
    lever = add([-s * x / size for s, x in zip(squares, up)], [0, 0, 0.01])
    v, w = times(M, cross(lever, [0, 0, -5.0])), times(M, [0, 0, -5.0])
    curve, expected = rattleback(q, -5.0, 3.0, 5e-4 if bench.brief else 2e-4)
    for k in (1e7,) if bench.brief else (1e7, 1e8, 1e9):
        run = bench.run(netlist, k=repr(k), damping=repr(3e-6 * math.sqrt(1e7 / k)), tilt=repr(tilt),
                        height=repr(-dot(lever, up) - G / k), vx=repr(v[0]), vy=repr(v[1]), vz=repr(v[2]), wx=repr(w[0]),
                        wy=repr(w[1]), wz=repr(w[2]))
        spin = [dot([row[2] for row in to_matrix(a)], b) for a, b in zip(run.quaternion("stone.rotation"),
                                                                          run.vector("stone.angular-velocity"))]
        for i, (a, b) in enumerate(list(zip(expected, zeros(run.t, spin)))[:4]):
            page.compare(f"k = {k:.0e} N/m: reversal {i + 1}", a, b, 2e-3 * 1e7 / k)
    page.picture = diagram("time [s]", "spin [rad/s]", [("screwbond", list(zip(run.t, spin))[::10])],
                           [("rigid", curve)])
    return page
