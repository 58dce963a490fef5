# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of the atlas without friction: an ellipsoid that bounces, two ellipsoids, Newton's cradle."""
import math

from figure import diagram
from record import Page
from reference import add, cross, dot, rk4, root_in_step, times, to_matrix, turn, unit

G = 9.81


def solid(mass, axes):
    """Principal moments of inertia of the uniform ellipsoid."""
    a, b, c = (x * x for x in axes)
    return [mass / 5 * (b + c), mass / 5 * (a + c), mass / 5 * (a + b)]


def bouncing(bench):
    netlist = "examples/atlas/bouncing.xml"
    page = Page("Ellipsoid that bounces", netlist,
                "Nothing takes energy. Whenever the body flies its energy is m v^2/2 + w.J w/2 + m g z, which is computed here from "
                "its motion, not from the ledger, and must be what it was at the start, though Hertz's stiffness changes with "
                "the curvature where it touches.",
                "What is left is the error of the integration: the limit is 20 rtol and falls with it over five decades.")
    mass, axes = 1.0, (0.15, 0.12, 0.08)
    J, curve = solid(mass, axes), []
    for rtol in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11):
        run = bench.run(netlist, options=["--rtol", f"{rtol:g}"])
        energies = []
        for v, w, q, z, gap in zip(run.vector("egg.velocity"), run.vector("egg.angular-velocity"), run.quaternion("egg.rotation"),
                                   run["egg.position.z"], run["c.gap"]):
            if gap > 0:
                body = [dot(column, w) for column in zip(*to_matrix(q))]
                energies.append(mass * dot(v, v) / 2 + sum(j * x * x for j, x in zip(J, body)) / 2 + mass * G * z)
        worst = max(energies, key=lambda e: abs(e - energies[0]))
        page.compare(f"rtol {rtol:.0e}: energy after {len(run.events('touch'))} touches", energies[0], worst, 20 * rtol, True)
        curve.append((rtol, max(abs(worst / energies[0] - 1), 1e-16)))
    page.picture = diagram("rtol", "error of the energy, relative", [("screwbond", curve)],
                           [("limit", [(r, 20 * r) for r, _ in curve])], logarithmic=True)
    return page


class Ellipsoid:
    """A rigid ellipsoid; its state is position, velocity, rotation (quaternion) and spin in the world, 13 numbers."""

    def __init__(self, mass, axes):
        self.mass, self.J, self.squares = mass, solid(mass, axes), [a * a for a in axes]

    def pose(self, x):
        """The matrix A of its shape, h(n)^2 = n.A n, and its rotation."""
        R = to_matrix([c / math.sqrt(sum(d * d for d in x[6:10])) for c in x[6:10]])
        return [[sum(R[i][k] * s * R[j][k] for k, s in enumerate(self.squares)) for j in range(3)] for i in range(3)], R

    def rate(self, x, R, force, moment):
        w = times(R, [l / j for l, j in zip([dot(c, x[10:13]) for c in zip(*R)], self.J)])
        q = x[6:10]
        dq = [-dot(w, q[1:]) / 2] + [c / 2 for c in add([q[0] * a for a in w], cross(w, q[1:]))]
        return x[3:6] + [force[0] / self.mass, force[1] / self.mass, force[2] / self.mass - G] + dq + moment


class Pair:
    """Distance of two convex bodies: the largest over unit n of n.d - h1(n) - h2(n), by Newton's method from the last n."""

    def __init__(self):
        self.n = [0.0, 0.0, 1.0]

    def gap(self, d, A, B):
        n = self.n
        for _ in range(50):
            u, v = times(A, n), times(B, n)
            h1, h2 = math.sqrt(dot(n, u)), math.sqrt(dot(n, v))
            slope = [c - a / h1 - b / h2 for c, a, b in zip(d, u, v)]
            e = unit(cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.7 else [0.0, 1.0, 0.0]))
            f = cross(n, e)
            radial = dot(slope, n)

            def curve(p, q):
                return (-(dot(p, times(A, q)) - dot(p, u) * dot(q, u) / h1 ** 2) / h1
                        - (dot(p, times(B, q)) - dot(p, v) * dot(q, v) / h2 ** 2) / h2)
            a, b, c = curve(e, e) - radial, curve(e, f), curve(f, f) - radial
            r, s, det = dot(slope, e), dot(slope, f), 0.0
            if a > 0 or a * c - b * b < 0:  # not yet near the maximum: along the slope
                scale = math.sqrt(dot(d, d))
                dx, dy = r / scale, s / scale
            else:
                det = a * c - b * b
                dx, dy = (b * s - c * r) / det, (b * r - a * s) / det
            n = unit(add(add(n, e, dx), f, dy))
            if det and dx * dx + dy * dy < 1e-26:
                break
        self.n = n
        u, v = times(A, n), times(B, n)
        h1, h2 = math.sqrt(dot(n, u)), math.sqrt(dot(n, v))
        return dot(n, d) - h1 - h2, n, [a / h1 for a in u], [-b / h2 for b in v]


class Drop:
    """Scenario D0: two ellipsoids above a floor; normal springs in series, no friction, no damping."""

    def __init__(self):
        self.grey, self.black = Ellipsoid(1.0, (0.15, 0.12, 0.08)), Ellipsoid(0.8, (0.24, 0.16, 0.14))
        self.pair, self.floor, self.between = Pair(), 4000.0 / 3, 1000.0
        self.start = ([0, 0, 0.16, 0, 0, 0] + turn(math.radians(6), [0, 1, 0]) + [0, 0, 0]
                      + [0, 0, 0.45, 0, 0, 0] + turn(math.radians(30), [0.2, 1, 0]) + [0, 0, 0])
        self.names = ("floor,grey", "grey,black", "floor,black")

    def gaps(self, x):
        """Gaps, poses, and the points of contact from the centres."""
        poses = self.grey.pose(x[:13]), self.black.pose(x[13:])
        down = [(body[2] - math.sqrt(A[2][2]), [-A[i][2] / math.sqrt(A[2][2]) for i in range(3)])
                for body, (A, _) in zip((x[:3], x[13:16]), poses)]
        between = self.pair.gap(add(x[13:16], x[:3], -1), poses[0][0], poses[1][0])
        return [down[0][0], between[0], down[1][0]], poses, down, between

    def rate(self, _, x):
        gaps, poses, down, (_, n, at1, at2) = self.gaps(x)
        push = self.between * max(0.0, -gaps[1])
        out = []
        for body, part, i, sign, at in ((self.grey, x[:13], 0, -1, at1), (self.black, x[13:], 1, 1, at2)):
            up = [0.0, 0.0, self.floor * max(0.0, -gaps[2 * i])]
            hit = [sign * push * c for c in n]
            moment = add(cross(down[i][1], up), cross(at, hit))
            out += body.rate(part, poses[i][1], add(up, hit), moment)
        return out

    def switch(self, _, x):
        """The state behind a touch or release of a pair."""
        return x

    def events(self, end, h=5e-4):
        """(t, what, pair) where a gap passes zero; steps end there. Gaps at multiples of h too."""
        x, t, events, curves = self.start, 0.0, [], []
        gaps = self.gaps(x)[0]
        grid = 0
        while t < end - 1e-12:
            if abs(t - grid * h) < 1e-12:
                curves.append((t, gaps))
            step = (grid + 1) * h - t
            if step < 1e-9:
                grid += 1
                continue
            after = rk4(self.rate, t, x, step)
            reached = self.gaps(after)[0]
            crossed = []
            for i in range(3):
                if (gaps[i] > 0) != (reached[i] > 0) and abs(gaps[i]) > 1e-11:
                    crossed.append((root_in_step(self.rate, t, x, step, lambda y, i=i: self.gaps(y)[0][i]), i))
            if crossed:
                part, i = min(crossed)
                events.append((t + part, "touch" if gaps[i] > 0 else "release", self.names[i]))
                x, t = self.switch(i, rk4(self.rate, t, x, part)), t + part
                gaps = self.gaps(x)[0]
                gaps[i] = 0.0
                continue
            x, t, gaps = after, t + step, reached
            if abs(t - (grid + 1) * h) < 1e-12:
                grid += 1
        return events, curves


def two_ellipsoids(bench):
    netlist = "examples/two_ellipsoids_d0.xml"
    page = Page("Two ellipsoids over a floor", netlist,
                "Stramigioli and Duindam, section 5, without friction and damping. The times of all touches and releases are "
                "compared with an integration of its own: Newton and Euler in the world's axes with Runge and Kutta's method, "
                "0.5 ms, ended at every touch; the distance of the ellipsoids as the maximum of n.d - h1(n) - h2(n).",
                "Both integrate: screwbond at rtol 1e-11, the other to about 1e-9 s. The first touch is sqrt(2 d/g) = 0.126835558 s.")
    run = bench.run(netlist, options=["--rtol", "1e-11", "--method", "fehlberg-8"])
    events, curves = Drop().events(run.t[-1])
    found = [(e["t"], e["kind"], e["element"]) for e in run.audit["events"] if e["kind"] in ("touch", "release")]
    page.compare("touches and releases", len(events), len(found), 0)
    for (t, what, pair), (seen, kind, element) in zip(events, found):
        same = kind == what and pair in element
        page.compare(f"{what} {pair}", t, seen if same else math.nan, 1e-8)
    page.picture = diagram("time [s]", "gap [m]", [(pair, list(zip(run.t, run[f"contact({pair}).gap"]))) for pair in Drop().names],
                           [("own integration", [(t, g[i]) for t, g in curves]) for i in range(3)])
    return page


def cradle(bench):
    netlist = "examples/atlas/cradle.xml"
    page = Page("Newton's cradle", netlist,
                "Five balls of steel, R = 12 mm, in a row. With Hertz's k = (4/3) E* sqrt(R/2) each force is k d^(3/2), and "
                "the row is five equations of motion on a line, integrated here with Runge and Kutta's method, 25 ns. The last "
                "ball does not take all: the first flies back, as with real balls (Herrmann and Schmalzle, Am. J. Phys. 49, "
                "761, 1981).",
                "The same equations in space: the limit is 1e-9 of the speed of 0.5 m/s, that of the integrations.")
    run = bench.run(netlist)
    R, apart, m, v0 = 0.012, 1e-8, 0.0564, 0.5
    k = 4 / 3 * 210e9 / (2 * (1 - 0.3 ** 2)) * math.sqrt(R / 2)

    def rate(_, x):
        f = [0.0] + [k * max(0.0, x[i] - x[i + 1]) ** 1.5 for i in range(4)] + [0.0]
        return x[5:] + [(f[i] - f[i + 1]) / m for i in range(5)]

    x, h, curves = [i * apart for i in range(5)] + [v0, 0.0, 0.0, 0.0, 0.0], 2.5e-8, []
    for i in range(16000):
        if i % 320 == 0:
            curves.append((i * h, x[5:]))
        x = rk4(rate, i * h, x, h)
    for i in range(5):
        page.compare(f"speed of ball {i + 1} in the end", x[5 + i], run[f"b{i + 1}.velocity.x"][-1], 5e-10)
    page.compare("sum of the momenta over m", v0, sum(run[f"b{i}.velocity.x"][-1] for i in range(1, 6)), 1e-14)
    page.picture = diagram("time [us]", "speed [m/s]", [(f"ball {i + 1}", [(1e6 * t, v) for t, v in zip(
        run.t, run[f"b{i + 1}.velocity.x"])]) for i in range(5)],
        [("own integration", [(1e6 * t, v[i]) for t, v in curves]) for i in range(5)])
    return page
