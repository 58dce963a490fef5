# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of the atlas with friction: incline, sliding ball, disc that slides and spins, block on wood."""
import math

from figure import diagram
from record import Page
from reference import bisect

G = 9.81


def creep(load, mass, stiffness, damping, limit):
    """A block at rest takes a load on its skin: m x'' + B x' + K x = load, overdamped, until K x + B x' is the limit.
    Returns the time, place and speed there, or None if it holds."""
    half, w2 = damping / mass / 2, stiffness / mass
    root = math.sqrt(half * half - w2)
    l1, l2 = half - root, half + root

    def speed(t):
        return load / mass * (math.exp(-l1 * t) - math.exp(-l2 * t)) / (l2 - l1)

    def held(t):
        return load - load * (l2 * math.exp(-l2 * t) - l1 * math.exp(-l1 * t)) / (l2 - l1)

    longest = math.log((l2 / l1) ** 2) / (l2 - l1)  # where the load of the skin is largest
    if held(longest) < limit:
        return None
    t = bisect(lambda t: held(t) - limit, 0.0, longest)
    return t, (held(t) - damping * speed(t)) / stiffness, speed(t)


def incline(bench):
    page = Page("Incline", "examples/atlas/incline.xml",
                "A block on a slope holds below the friction angle, atan 0.3 = 16.699 deg, and above slides with "
                "a = g (sin - mu cos). While it holds its skin yields by m g sin/K. Expected are the overdamped creep of the skin, "
                "m x'' + B x' + K x = m g sin, up to the time where K x + B x' reaches mu m g cos, and from there the "
                "parabola.",
                "Both are exact for this skin, so that the limits are those of the integration at rtol 1e-11, with 100 m of way.")
    m, K, B, mu = 1.3, 3170.0, 0.2 * 3170.0, 0.3
    curves, marks = [], []
    for degrees in (10, 16, 16.5, 17, 20, 25, 30):
        slope = math.radians(degrees)
        run = bench.run("examples/atlas/incline.xml", slope=repr(slope))
        way, speed = run["block.position.x"], run["block.velocity.x"]
        start = creep(m * G * math.sin(slope), m, K, B, mu * m * G * math.cos(slope))
        if start is None:
            page.compare(f"{degrees} deg: holds at", m * G * math.sin(slope) / K, way[-1], 1e-12)
            still = way[run.t.index(5.0)]
            page.compare(f"{degrees} deg: creeps from 5 s to 10 s by", 0, way[-1] - still, 1e-9)
            continue
        t0, x0, v0 = start
        a = G * (math.sin(slope) - mu * math.cos(slope))
        page.compare(f"{degrees} deg: acceleration", a, (speed[-1] - speed[-21]) / (run.t[-1] - run.t[-21]), 1e-9)
        page.compare(f"{degrees} deg: way in 10 s", x0 + v0 * (10 - t0) + a / 2 * (10 - t0) ** 2, way[-1], 1e-8)
        curves.append((f"{degrees} deg", list(zip(run.t, speed))))
        marks.append(("g (sin - mu cos) t", [(t, a * t) for t in run.t]))
    page.picture = diagram("time [s]", "speed [m/s]", curves, marks)
    return page


def sliding_ball(bench):
    netlist = "examples/atlas/sliding_ball.xml"
    page = Page("Ball that slides, then rolls", netlist,
                "A ball that starts with v0 and without spin ends with v0/(1 + J/(m a^2)), whatever the friction: the moment "
                "of momentum about the point of contact is kept (Sommerfeld, Mechanics, section 27). With a rigid ball "
                "a = r, and it keeps 5/7 of its speed; on a yielding one a = r - d, d = m g/k.",
                "The first rows are exact for the yielding ball: limits of the integration at rtol 1e-10. The others show what "
                "yielding does: the difference from 5/7 is (20/49) d/r, so its limit falls as 1/k.")
    r, m, v0, k0 = 0.05, 1.3, 1.7, 5230.0
    for factor in (1, 10, 100):
        k = k0 * factor
        run = bench.run(netlist, k=repr(k))
        speed, a = run["ball.velocity.x"], r - m * G / k
        page.compare(f"k = {k:.3g} N/m: speed in the end", v0 / (1 + 0.4 * r * r / (a * a)), speed[-1], 1e-8)
        page.compare(f"k = {k:.3g} N/m: share of v0, rigid", 5 / 7, speed[-1] / v0, 0.45 * (m * G / k0 / r) / factor)
    slide = [(t, v) for t, v in zip(run.t, speed) if t < 0.5]
    turn = [(t, r * w) for t, w in zip(run.t, run["ball.angular-velocity.y"]) if t < 0.5]
    end = (v0 - 5 / 7 * v0) / (0.23 * G)
    marks = [(t, v0 - 0.23 * G * t if t < end else 5 / 7 * v0) for t, _ in slide]
    spins = [(t, 2.5 * 0.23 * G * t if t < end else 5 / 7 * v0) for t, _ in slide]
    page.picture = diagram("time [s]", "[m/s]", [("speed", slide), ("spin times radius", turn)],
                           [("rigid ball", marks), ("", spins)])
    return page


def spinning_disc(bench):
    netlist = "examples/atlas/disc.xml"
    page = Page("Disc that slides and spins", netlist,
                "Friction with the limit surface f^2 + (m_n/rho)^2 = (mu N)^2 and its normal as direction of slip: f = mu N v/S, "
                "m_n = mu N rho^2 w/S, S^2 = v^2 + rho^2 w^2. So dv/dw = (J/(m rho^2)) v/w: v = v0 (w/w0)^q with "
                "q = J/(m rho^2). Sliding and spinning end together, after the time of dw/dt = -mu N rho^2 w/(J S), and "
                "sliding goes further with the spin than without. (Farkas, Bartels, Unger, Wolf, Phys. Rev. Lett. 90, 248302, 2003, "
                "have a disc under uniform pressure, whose limit surface is another one: there v/(R w) ends at 0.653.)",
                "The closed form is that of a rigid skin. A skin of stiffness k stores (mu N)^2/2k first and its load lags "
                "behind the direction of slip, which is of first order in 1/k: the limits fall so.")
    m, v0, rho, mu = 0.5, 1.5, 0.02, 0.25
    curves, marks = [], []
    for J, spin in ((2e-4, 75.0), (3e-4, 60.0), (1e-4, 90.0)):
        q = J / (m * rho * rho)
        end, way = stop(q, v0, rho * spin, mu * G)
        for k in (1e5, 1e6, 1e7):
            run = bench.run(netlist, k=f"{k!r}", J=f"{J!r}", spin=f"{spin!r}", beta=f"{1e-3 * math.sqrt(1e5 / k)!r}")
            vx = run["disc.velocity.x"]
            label = f"q = {q:.2g}, k = {k:.0e} N/m"
            page.compare(f"{label}: way", way, run["disc.position.x"][-1], 1.5e-5 * 1e5 / k)
            pairs = [(v / v0, w / spin) for v, w in zip(vx, run["disc.angular-velocity.z"]) if v > 0.05 * v0]
            worst = max(pairs, key=lambda p: abs(p[0] - p[1] ** q))
            page.compare(f"{label}: v/v0 at w/w0 = {worst[1]:.3f}", worst[1] ** q, worst[0], 2e-4 * 1e5 / k)
            sticks = run.events("stick")
            page.compare(f"{label}: sticks after", end, sticks[-1], 2e-5 * 1e5 / k)
        curves.append((f"q = {q:.2g}", [(b, a) for a, b in pairs]))
        marks.append(("(w/w0)^q", [(b, b ** q) for _, b in pairs]))
    page.picture = diagram("spin w/w0", "speed v/v0", curves, marks)
    return page


def stop(q, v0, u0, a):
    """Time and way of a disc to its stop, by s = (w/w0): dt = -(q/a) S d(ln s), Simpson's rule."""
    n, lowest = 4000, -40.0 / min(q, 1.0)
    time = way = 0.0
    for i in range(n + 1):
        y = lowest * i / n
        s = math.exp(y)
        weight = (1 if i in (0, n) else 4 if i % 2 else 2) * -lowest / n / 3
        dt = q / a * math.hypot(v0 * s ** q, u0 * s) * weight
        time += dt
        way += dt * v0 * s ** q
    return time, way


def block_on_wood(bench):
    netlist = "examples/wood_grain.xml"
    page = Page("Block on wood returns", netlist,
                "A block that does not rock is pushed at 30 deg to the grain of its floor. Along and across the grain it swings as "
                "(u/w) sin w t, with w^2 = k/m of the springs in series (Stramigioli and Duindam, section 4.2.1): it "
                "leaves the line of the push and comes back.",
                "Exact for this model, so that the limit is that of the integration at rtol 1e-10.")
    m, u, angle = 1.3, 0.02, math.radians(30)
    run = bench.run(netlist)
    c, s = math.cos(angle), math.sin(angle)

    def place(t):
        along, across = (math.sqrt(1 / (1 / k + 1 / 2000) / m) for k in (900.0, 300.0))
        p, q = u * c / along * math.sin(along * t), -u * s / across * math.sin(across * t)
        return p * c - q * s, p * s + q * c

    for i, name in enumerate("xy"):
        off = max(range(len(run.t)), key=lambda j: abs(run[f"stone1.position.{name}"][j] - place(run.t[j])[i]))
        page.compare(f"{name} where it is furthest off, at {run.t[off]:.3g} s", place(run.t[off])[i],
                     run[f"stone1.position.{name}"][off], 1e-11)
    page.picture = diagram("x [mm]", "y [mm]", [("screwbond", [(1e3 * x, 1e3 * y) for x, y in zip(
        run["stone1.position.x"], run["stone1.position.y"])])], [("closed form", [
            tuple(1e3 * p for p in place(t)) for t in run.t])])
    return page
