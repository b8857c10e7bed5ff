# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Directed graphs, as {node: nodes it has an arrow to}.


def reached(graph, start):
    found, ahead = set(), [start]
    while ahead:
        for node in graph.get(ahead.pop(), ()):
            if node not in found:
                found.add(node)
                ahead.append(node)
    return found


def circles(graph):
    """The strongly connected components of more than one node, each a frozenset."""
    after = {node: reached(graph, node) for node in graph}
    found = set()
    for node in graph:
        circle = {other for other in after[node] if other == node or node in after.get(other, ())}
        if len(circle) > 1:
            found.add(frozenset(circle))
    return found
