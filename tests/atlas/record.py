# SPDX-License-Identifier: GPL-3.0-or-later
"""What a case of the atlas consists of: runs of screwbond, comparisons with their limits, and a page."""
import csv
import json
import os
import subprocess
import textwrap
from dataclasses import dataclass, field


@dataclass
class Comparison:
    """One number against what it should be. The deviation is absolute, or relative to `expected`."""
    what: str
    expected: float
    measured: float
    limit: float
    relative: bool = False

    @property
    def deviation(self):
        return abs(self.measured - self.expected) / (abs(self.expected) if self.relative else 1)

    @property
    def holds(self):
        return self.deviation <= self.limit  # false for a NaN


@dataclass
class Page:
    """A case: `text` states equations and sources, `why` the reason of the limits, `picture` is SVG."""
    title: str
    netlist: str
    text: str
    why: str
    rows: list = field(default_factory=list)
    picture: str = ""

    def compare(self, what, expected, measured, limit, relative=False):
        self.rows.append(Comparison(what, expected, measured, limit, relative))

    def markdown(self, name):
        table = [f"| {row.what} | {row.expected:.11g} | {row.measured:.11g} | "
                 f"{row.deviation:.1e}{' of it' if row.relative else ''} | {row.limit:.2g} |" for row in self.rows]
        return "\n".join([f"## {self.title}", "", wrap(f"`{self.netlist}`. {self.text}"), "", f"![{self.title}](atlas/{name}.svg)",
                          "", "| | expected | screwbond | deviation | limit |", "|---|---|---|---|---|", *table, "",
                          wrap(self.why), ""])


def wrap(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


class Run:
    """One run of the command: columns of results.csv by name, without units, and the ledger."""

    def __init__(self, columns, audit):
        self.columns, self.audit = columns, audit
        self.t = columns["t"]

    def __getitem__(self, name):
        return self.columns[name]

    def vector(self, name, parts=("x", "y", "z")):
        """The samples of a quantity as lists of its components."""
        return [list(row) for row in zip(*(self.columns[f"{name}.{part}"] for part in parts))]

    def quaternion(self, name):
        return self.vector(name, "0123")

    def events(self, kind):
        return [event["t"] for event in self.audit["events"] if event["kind"] == kind]


class Bench:
    """Runs netlists of the source tree by a command, in a folder of its own."""

    def __init__(self, command, root, folder, brief=False):
        """brief: a case may leave out the stiffer of runs that differ by nothing but a stiffness, and end a long run early."""
        self.command, self.root, self.folder, self.brief = command, root, folder, brief

    def run(self, netlist, options=(), **values):
        """values: parameters and attributes, `a_b` stands for itself; options go to the command as they are.
        Raises RuntimeError where the run fails."""
        out = os.path.join(self.folder, "out")
        sets = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
        done = subprocess.run([self.command, "run", os.path.join(self.root, netlist), "-o", out, "--quiet", *options, *sets],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{netlist}: exit {done.returncode}: {done.stderr.strip()}")
        with open(os.path.join(out, "results.csv"), encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        with open(os.path.join(out, "audit.json"), encoding="utf-8") as file:
            audit = json.load(file)
        columns = zip(*[[float(cell) for cell in row] for row in rows])
        return Run({name.split(" [")[0]: list(column) for name, column in zip(header, columns)}, audit)
