# SPDX-License-Identifier: GPL-3.0-or-later
"""The paper's scenario with damping and with springs that hold tangentially and about the normal."""
import math

from bouncing import Drop
from figure import diagram
from record import Page
from reference import add, cross, dot, times, unit

NAMES = ("floor,grey", "grey,black", "floor,black")
STILL = [0.0] * 13


class DampedDrop(Drop):
    """Scenario D1: per contact V = k d^2/2 + k_t |s|^2/2 + k_theta theta^2/2 and B = 4 s/m d diag(k_t, k_t, k, k_theta).
    Behind the two bodies the state has s (in the world) and theta of each contact, which lasts until its gap opens."""
    factor = 4.0  # [s/m]
    springs = ((1000.0, 4000.0 / 3, 1.2, 1.0 / 3), (750.0, 1000.0, 1.0, 0.5), (1000.0, 4000.0 / 3, 1.2, 1.0 / 3))

    def __init__(self):
        super().__init__()
        self.start = list(self.start) + [0.0] * 12
        self.touching = [False] * 3

    def switch(self, i, x):
        self.touching[i] = not self.touching[i]
        return x[:26 + 4 * i] + [0.0] * 4 + x[30 + 4 * i:]

    def spins(self, x, poses):
        bodies = ((self.grey, x[10:13], poses[0][1]), (self.black, x[23:26], poses[1][1]))
        return [times(R, [l / j for l, j in zip([dot(c, L) for c in zip(*R)], body.J)]) for body, L, R in bodies]

    def turning(self, n, velocity, spins, A, B):
        """ndot: the normal is where n.d - h1(n) - h2(n) is largest, and stays there."""
        e = unit(cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.7 else [0.0, 1.0, 0.0]))
        f = cross(n, e)
        slope_rate, form = list(velocity), [[0.0, 0.0], [0.0, 0.0]]
        for M, w in ((A, spins[0]), (B, spins[1])):
            u = times(M, n)
            h = math.sqrt(dot(n, u))
            rate = add(cross(w, u), times(M, cross(w, n)), -1)  # of M n with n held
            slope_rate = add(add(slope_rate, rate, -1 / h), u, dot(n, rate) / (2 * h ** 3))
            for i, p in enumerate((e, f)):
                for k, q in enumerate((e, f)):
                    form[i][k] += (dot(p, times(M, q)) - dot(p, u) * dot(q, u) / h ** 2) / h
        return e, f, slope_rate, form

    def normal_rate(self, n, x, spins, poses, gap):
        velocity = add(x[16:19], x[3:6], -1)
        e, f, slope_rate, form = self.turning(n, velocity, spins, poses[0][0], poses[1][0])
        r, s = dot(slope_rate, e), dot(slope_rate, f)
        a, b, c = form[0][0] + gap, form[0][1], form[1][1] + gap  # the slope is gap n there
        det = a * c - b * b
        return add([(c * r - b * s) / det * k for k in e], f, (a * s - b * r) / det)

    def rate(self, _, x):
        gaps, poses, down, (_, n, at1, at2) = self.gaps(x)
        spins, loads, rates = self.spins(x, poses), [], []
        bodies = (STILL, x[:13], x[13:26])
        pairs = ((0, 1, [0.0, 0.0, 1.0]), (1, 2, n), (0, 2, [0.0, 0.0, 1.0]))
        total = [[[0.0] * 3, [0.0] * 3] for _ in range(3)]
        for i, (one, two, normal) in enumerate(pairs):
            if not self.touching[i]:
                rates += [0.0] * 4
                continue
            k_t, k_n, k_theta, alpha = self.springs[i]
            p2 = add(bodies[two][:3], at2 if i == 1 else down[i // 2][1])
            p1 = add(bodies[one][:3], at1) if i == 1 else [p2[0], p2[1], 0.0]
            point = add([(1 - alpha) * c for c in p1], p2, alpha)
            w1, w2 = [0.0] * 3 if one == 0 else spins[one - 1], spins[two - 1]
            v = add(add(bodies[two][3:6], cross(w2, add(point, bodies[two][:3], -1))),
                    add(bodies[one][3:6], cross(w1, add(point, bodies[one][:3], -1))), -1)
            across, about = add(v, normal, -dot(v, normal)), dot(add(w2, w1, -1), normal)
            s, theta = x[26 + 4 * i:29 + 4 * i], x[29 + 4 * i]
            drag = self.factor * max(0.0, -gaps[i])
            push = k_n * (-gaps[i]) - drag * k_n * dot(v, normal)
            force = add(add([push * c for c in normal], s, -k_t), across, -k_t * drag)
            moment = [-k_theta * (theta + drag * about) * c for c in normal]
            turn = self.normal_rate(normal, x, spins, poses, gaps[i]) if i == 1 else [0.0] * 3
            carried = add(cross(normal, turn), normal, 0.5 * dot(add(w1, w2), normal))
            rates += add(cross(carried, s), across) + [about]
            for body, sign in ((two, 1), (one, -1)):
                arm = add(point, bodies[body][:3], -1)
                total[body][0] = add(total[body][0], force, sign)
                total[body][1] = add(total[body][1], add(cross(arm, force), moment), sign)
        out = []
        for body, solid, R in ((1, self.grey, poses[0][1]), (2, self.black, poses[1][1])):
            out += solid.rate(bodies[body], R, *total[body])
        return out + rates


def damped_ellipsoids(bench):
    netlist = "examples/two_ellipsoids.xml"
    page = Page("Two ellipsoids that are damped", netlist,
                "Stramigioli and Duindam, section 5: both fall, grey meets the floor, black meets grey, rolls over it, drives it "
                "deeper into the floor, falls and meets the floor; then the two part. Springs hold tangentially and about the "
                "normal, s' = Omega x s + v_t; damping is that of Hunt and Crossley, 4 s/m d K. The integration beside it is that of the "
                "case before, with the normal's rate from the condition that n.d - h1(n) - h2(n) is largest.",
                "Both integrate: screwbond at rtol 1e-11, the other to about 1e-9 s. The figures of the paper have no numbers.")
    run = bench.run(netlist, options=["--rtol", "1e-11", "--method", "fehlberg-8"])
    end = 0.7 if bench.brief else run.t[-1]  # behind the last release
    events, curves = DampedDrop().events(end)
    found = [(e["t"], e["kind"], e["element"]) for e in run.audit["events"] if e["kind"] in ("touch", "release")]
    page.compare("touches and releases", len(events), len(found), 0)
    for (t, what, pair), (seen, kind, element) in zip(events, found):
        page.compare(f"{what} {pair}", t, seen if kind == what and pair in element else math.nan, 1e-8)
    last = sum(t < end for t in run.t) - 1
    late = run.t[last]
    gaps = min(curves, key=lambda curve: abs(curve[0] - late))[1]
    for i, pair in enumerate(NAMES):
        page.compare(f"gap {pair} at {late:.4g} s", gaps[i], run[f"contact({pair}).gap"][last], 1e-8)
    page.picture = diagram("time [s]", "gap [m]", [(pair, list(zip(run.t, run[f"contact({pair}).gap"]))) for pair in NAMES],
                           [("own integration", [(t, g[i]) for t, g in curves]) for i in range(3)])
    return page
