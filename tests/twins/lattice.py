"""The MaxMatch edit lattice, slow and obvious: the twin of kernel/core/src/lattice.

Written from the description of the algorithm (Dahlmeier and Ng 2012, section 4) step by step, without a thought for
speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

Node = tuple[int, int]
Arc = tuple[Node, Node]


@dataclass(frozen=True)
class Gold:
    """One gold edit: source tokens [start, end) become one of the alternatives (texts)."""

    start: int
    end: int
    alternatives: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """One edit of the hypothesis."""

    start: int
    end: int
    source: str
    text: str


@dataclass
class Part:
    """What an arc stands for: how many basic arcs, how many of them unchanged, and of which kind."""

    length: int
    unchanged: int
    kind: str


def optimal_arcs(source: list[str], hypothesis: list[str], substitution: int) -> set[Arc]:
    """The arcs of all cheapest paths from (0, 0) to (n, m)."""
    cost: dict[Node, int] = {(0, 0): 0}
    before: dict[Node, list[Node]] = {(0, 0): []}
    for i in range(len(source) + 1):
        for j in range(len(hypothesis) + 1):
            ways = []
            if i and j:
                same = source[i - 1] == hypothesis[j - 1]
                ways.append((cost[i - 1, j - 1] + (0 if same else substitution), (i - 1, j - 1)))
            if i:
                ways.append((cost[i - 1, j] + 1, (i - 1, j)))
            if j:
                ways.append((cost[i, j - 1] + 1, (i, j - 1)))
            if ways:
                cost[i, j] = min(ways)[0]
                before[i, j] = [node for price, node in ways if price == cost[i, j]]
    arcs: set[Arc] = set()
    todo, seen = [(len(source), len(hypothesis))], set()
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            arcs |= {(previous, node) for previous in before[node]}
            todo += before[node]
    return arcs


def basic_kind(arc: Arc, source: list[str], hypothesis: list[str]) -> str:
    (i, j), (i2, j2) = arc
    if i == i2:
        return "ins"
    if j == j2:
        return "del"
    return "noop" if source[i] == hypothesis[j] else "sub"


def lattice(
    source: list[str], hypothesis: list[str], max_unchanged: int
) -> tuple[list[Node], list[Arc], dict[Arc, Part]]:
    """Nodes in order, the arc list with its repetitions, and what each arc stands for."""
    single, double = (optimal_arcs(source, hypothesis, substitution) for substitution in (1, 2))
    entries = sorted([*single, *double])
    nodes = sorted({node for arc in entries for node in arc} | {(0, 0)})
    parts: dict[Arc, Part] = {}
    for arc in entries:
        kind = basic_kind(arc, source, hypothesis)
        parts[arc] = Part(1, int(kind == "noop"), kind)
    for k in nodes:
        for i in nodes:
            for j in nodes:
                if (i, k) in parts and (k, j) in parts:
                    left, right = parts[i, k], parts[k, j]
                    length = left.length + right.length
                    unchanged = left.unchanged + right.unchanged
                    old = parts[i, j].length if (i, j) in parts else float("inf")
                    if length < old and unchanged <= max_unchanged:
                        kind = left.kind if left.kind == right.kind else "sub"
                        parts[i, j] = Part(length, unchanged, kind)
                        entries.append((i, j))
    at = 0
    while at < len(entries):
        part = parts[entries[at]]
        if part.kind == "noop" and part.length > 1:
            del entries[at]  # and so the next entry is never looked at
        at += 1
    return nodes, entries, parts


def span(arc: Arc) -> tuple[int, int]:
    return arc[0][0], arc[1][0]


def weigh(entries: list[Arc], parts: dict[Arc, Part], hypothesis: list[str], gold: list[Gold]) -> dict[Arc, float]:
    """The weight of every arc for one annotator."""
    weight = {arc: float(part.length) for arc, part in parts.items()}
    reward = -float(len(entries))

    def matches(arc: Arc, edit: Gold) -> bool:
        text = " ".join(hypothesis[arc[0][1] : arc[1][1]])
        return span(arc) == (edit.start, edit.end) and text in edit.alternatives

    for start, end in sorted({span(arc) for arc in entries}):
        here = sorted(arc for arc in entries if span(arc) == (start, end))
        wanted = [edit for edit in gold if (edit.start, edit.end) == (start, end)]
        if start < end:
            for arc in here:
                if any(matches(arc, edit) for edit in wanted):
                    weight[arc] = reward
                elif parts[arc].kind != "noop":
                    weight[arc] += 0.001
            continue
        left, right = 0, len(here) - 1
        first, last = 0, len(wanted) - 1
        current = left
        while left <= right:
            arc = here[current]
            from_left = current == left
            order = range(first, last + 1) if from_left else range(last, first - 1, -1)
            match = next((i for i in order if matches(arc, wanted[i])), None)
            if match is None:
                weight[arc] += 0.001
                if from_left:
                    left += 1
                    current = right
                else:
                    right -= 1
                    current = left
            elif from_left:
                weight[arc] = reward
                first = match + 1
                left += 1
                while left < len(here) and here[left][0] != arc[1]:
                    weight[here[left]] += 0.001
                    left += 1
                current = left
            else:
                weight[arc] = reward
                last = match - 1
                right -= 1
                while right >= 0 and here[right][1] != arc[0]:
                    weight[here[right]] += 0.001
                    right -= 1
                current = right
    return weight


def best_path(nodes: list[Node], entries: list[Arc], weight: dict[Arc, float]) -> list[Arc]:
    """Bellman-Ford in list order, strict improvement only, until nothing changes."""
    distance = {node: float("inf") for node in nodes}
    distance[nodes[0]] = 0.0
    before: dict[Node, Node] = {}
    changed = True
    while changed:
        changed = False
        for arc in entries:
            if distance[arc[0]] + weight[arc] < distance[arc[1]]:
                distance[arc[1]] = distance[arc[0]] + weight[arc]
                before[arc[1]] = arc[0]
                changed = True
    path = [nodes[-1]]
    while path[-1] in before:
        path.append(before[path[-1]])
    return list(pairwise(reversed(path)))


def edits(
    source: list[str],
    hypothesis: list[str],
    gold: list[list[Gold]],
    max_unchanged: int = 2,
    ignore_whitespace_casing: bool = False,
) -> list[list[Found]]:
    """The hypothesis' edits, left to right, as each annotator's gold makes them: ``edits[a][e]``."""
    nodes, entries, parts = lattice(source, hypothesis, max_unchanged)
    proposed = []
    for annotator in gold:
        path = best_path(nodes, entries, weigh(entries, parts, hypothesis, annotator))
        proposed_edits = [
            Found(i, i2, " ".join(source[i:i2]), " ".join(hypothesis[j:j2]))
            for (i, j), (i2, j2) in path
            if parts[(i, j), (i2, j2)].kind != "noop"
        ]
        if ignore_whitespace_casing:
            proposed_edits = [edit for edit in proposed_edits if squeezed(edit.source) != squeezed(edit.text)]
        proposed.append(proposed_edits)
    return proposed


def squeezed(text: str) -> str:
    return text.replace(" ", "").lower()


def correct(proposed: list[Found], gold: list[Gold]) -> int:
    """Matches in order. An edit counts once for every equal gold edit after the last match."""
    count = cursor = 0
    for edit in proposed:
        for at in range(cursor, len(gold)):
            target = gold[at]
            if (edit.start, edit.end) == (target.start, target.end) and edit.text in target.alternatives:
                count += 1
                cursor = at + 1
    return count


def counts(
    source: list[str],
    hypothesis: list[str],
    gold: list[list[Gold]],
    max_unchanged: int = 2,
    ignore_whitespace_casing: bool = False,
) -> list[tuple[int, int, int]]:
    """(correct, proposed, gold) for every annotator."""
    proposed = edits(source, hypothesis, gold, max_unchanged, ignore_whitespace_casing)
    return [
        (correct(path, reference), len(path), len(reference)) for path, reference in zip(proposed, gold, strict=True)
    ]
