# SPDX-License-Identifier: GPL-3.0-or-later
"""The case of the atlas with Hertz's impact."""
import math

from figure import diagram
from record import Page
from reference import bisect, elliptic


def hertz_stiffness(modulus, k1, k2):
    """k of f = k d^(3/2) for principal relative curvatures k1 > k2 [1/m] (Johnson, Contact Mechanics, section 4.2)."""
    def axes(c):
        K, E = elliptic(1 - 1 / (c * c))
        return (c * c * E - K) / (K - E) - k1 / k2
    c = bisect(axes, 1 + 1e-6, 1e3)
    K, _ = elliptic(1 - 1 / (c * c))
    return 2 * math.pi / 3 * modulus * c / K * math.sqrt(2 / (k1 + c * c * k2))


def restitution(x):
    """e of Hunt and Crossley's law, x = a v: x - ln(1 + x) + e x + ln(1 - e x) = 0. Here the work of the force, the
    integral of u/(1 + u) du, is equal on the way in and out."""
    if x == 0:
        return 1.0
    return bisect(lambda e: -(x - math.log1p(x) + e * x + math.log1p(-e * x)), 1e-9, min(1.0, (1 - 1e-15) / x))


def impact(bench):
    netlist = "examples/atlas/impact.xml"
    page = Page("Impact", netlist,
                "An ellipsoid strikes a wall squarely with v = 2 m/s, f = k d^(3/2) (1 + a d'). Hertz's k follows from E, nu and the "
                "curvatures by complete elliptic integrals (Johnson, Contact Mechanics, 1985, section 4.2), here by the "
                "arithmetic-geometric mean. Without damping d_max = (5 m v^2/4k)^(2/5) and the contact lasts "
                "2 sqrt(pi) Gamma(7/5)/Gamma(9/10) d_max/v. With it the body leaves with e v, where "
                "x - ln(1 + x) + e x + ln(1 - e x) = 0, x = a v, whatever k and the exponent (Hunt and Crossley, J. Appl. "
                "Mech. 42, 440, 1975).",
                "Exact for this model: limits of the integration at rtol 1e-11.")
    m, v = 1.0, 2.0
    k = hertz_stiffness(5e6 / (1 - 0.47 ** 2), 0.04 / 0.06 ** 2, 0.04 / 0.1 ** 2)
    depth = (5 * m * v * v / (4 * k)) ** 0.4
    lasts = 2 * math.sqrt(math.pi) * math.gamma(1.4) / math.gamma(0.9) * depth / v
    curves, marks = [], []
    for a in (0.0, 0.1, 0.5, 2.0):
        run = bench.run(netlist, a=repr(a))
        e = restitution(a * v)
        page.compare(f"a = {a:g} s/m: e", e, run["egg.velocity.z"][-1] / v, 1e-9)
        page.compare(f"a = {a:g} s/m: energy dissipated", m * v * v / 2 * (1 - e * e), run.audit["energy"]["dissipated"], 1e-8)
        if a == 0:
            page.compare("touch", 0.01, run.events("touch")[0], 1e-12)
            page.compare("contact lasts", lasts, run.events("release")[0] - run.events("touch")[0], 1e-10)
            page.compare("deepest, at a sample", depth, -min(run["hit.gap"]), 1e-7)
            page.compare("largest force, at a sample", k * depth ** 1.5, max(run["hit.normal-force"]), 5e-2)
        curves.append((f"a = {a:g} s/m", [(1e3 * t, w) for t, w in zip(run.t, run["egg.velocity.z"]) if t > 0.008]))
        marks.append(("e v", [(1e3 * t, e * v) for t in run.t if t > 0.025]))
    page.picture = diagram("time [ms]", "speed [m/s]", curves, [(name, points[::50]) for name, points in marks])
    return page
