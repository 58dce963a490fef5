# SPDX-License-Identifier: GPL-3.0-or-later
"""A pile of fifty balls in a bowl: what rests is judged by statics, energy and geometry."""
import math

from figure import diagram
from record import Page
from reference import add, dot

COUNT, RADIUS, BOWL, MASS, G = 50, 0.05, 0.45, 0.5, 9.81
INERTIA = 2 / 5 * MASS * RADIUS ** 2


def gaps(places):
    """The gaps of all pairs, bowl first, by their names."""
    out = {f"contact(bowl,b{i})": BOWL - RADIUS - math.sqrt(dot(p, p)) for i, p in enumerate(places)}
    for i, p in enumerate(places):
        for j in range(i + 1, COUNT):
            d = add(places[j], p, -1)
            out[f"contact(b{i},b{j})"] = math.sqrt(dot(d, d)) - 2 * RADIUS
    return out


def touching_at(run, t):
    """The contacts that have touched and not been released."""
    touching = set()
    for event in run.audit["events"]:
        if event["t"] <= t and event["kind"] in ("touch", "release"):
            (touching.add if event["kind"] == "touch" else touching.discard)(event["element"])
    return touching


def mechanical(places, speeds, spins):
    """Energy of motion and of place."""
    return sum(MASS * dot(v, v) / 2 + INERTIA * dot(w, w) / 2 + MASS * G * p[2] for p, v, w in zip(places, speeds, spins))


def pile(bench):
    netlist = "examples/atlas/pile_of_fifty.xml"
    page = Page("Pile of fifty", netlist,
                "Fifty balls fall into a bowl and pile up, with friction. Of the 1,275 pairs those that are near have a contact. At "
                "eight times the gaps of all pairs are computed here from the centres: those below zero must be the contacts that "
                "touched last and have not been released. What has left the energy of motion and place must be what dampers and slips took "
                "and events lost, and what the springs hold.",
                "Pairs agree exactly; a gap within 1e-9 m of zero would be left out. The energy is limited to 10 rtol of what was lost.")
    run = bench.run(netlist, ("--t-end", "0.2 s") if bench.brief else ())
    bodies = [f"b{i}" for i in range(COUNT)]
    places = list(zip(*(run.vector(f"{b}.position") for b in bodies)))
    speeds = list(zip(*(run.vector(f"{b}.velocity") for b in bodies)))
    spins = list(zip(*(run.vector(f"{b}.angular-velocity") for b in bodies)))
    for k in range(1, 9):
        at = (len(run.t) - 1) * k // 8
        touching = touching_at(run, run.t[at])
        found = gaps(places[at])
        wrong = [name for name, gap in found.items() if abs(gap) > 1e-9 and (gap < 0) != (name in touching)]
        page.compare(f"{run.t[at]:.2f} s: {len(touching)} contacts, pairs that are not as computed", 0, len(wrong), 0)
    energies = [mechanical(*state) for state in zip(places, speeds, spins)]
    ledger = run.audit["elements"]
    springs = sum(e["stored_end"] for e in ledger if e["kind"].startswith("contact"))
    taken = sum(e["dissipated"] + e["event_loss"] for e in ledger)
    page.compare("energy that left motion and place [J]", energies[0] - energies[-1], taken + springs, 1e-5, True)
    page.picture = diagram("time [s]", "pairs", [("contacts that touch", [(t, len(touching_at(run, t))) for t in run.t])],
                           [("gaps below zero", [(t, sum(gap < 0 for gap in gaps(p).values()))
                                                 for t, p in list(zip(run.t, places))[::3]])])
    return page
