# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Which folder includes headers of which, against the arrows of docs/structure.dot.

import os
import re

from graph import circles
from known import Rule, names
from tree import PARTED

PICTURE = 'docs/structure.dot'
ANYBODYS = 'compat.h'  # stands for other versions of Linux
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+["<]([^">]+)[">]', re.M)
UAPI = re.compile(r'(linux/hca_|rdma/hca-)')
CARRIERS = ('transport/', 'fabric/', 'link/', 'iwarp/', 'verbs/ib/', 'verbs/rnic/')
# Where, but not there.
BORDERS = (('kernel/qp/', ()), ('kernel/verbs/', ('kernel/verbs/ib/', 'kernel/verbs/rnic/')), ('tests/consumer/', ()),
           ('tests/unit/qp/toy_carrier.', ()))
ARROW = re.compile(r'^\s*"?([\w./]+)"?\s*->\s*"?([\w./]+)"?\s*(?:\[[^]]*\])?\s*;?\s*$')


def room(path):
    """link of kernel/link/rx/rx.c, main.c of kernel/main.c, sma of sma/agent.c, sdp/link of kernel/sdp/link/cm.c."""
    parts = path.removeprefix('kernel/').split('/')
    return '/'.join(parts[:2 if parts[0] == os.path.basename(PARTED) and len(parts) > 2 else 1])


def included_room(file, name, rooms):
    """Of an included header; None if that is not of this tree."""
    if UAPI.match(name):
        return 'uapi'
    if '/' not in name:
        return name if name in rooms else room(file.path)
    return room(name) if room(name) in rooms else None


def arrows(tree):
    """{(from, to): where that is included}"""
    files = tree.c_files('kernel', 'sma')
    rooms = {room(file.path) for file in files}
    found = {}
    for file in files:
        for match in INCLUDE.finditer(file.text):
            arrow = (room(file.path), included_room(file, match[1], rooms))
            if arrow[1] not in (None, arrow[0], ANYBODYS):
                found.setdefault(arrow, []).append(f'{file.at(match.start(1))} includes {match[1]}')
    return rooms - {ANYBODYS}, found


def drawn(tree):
    path = os.path.join(tree.top, PICTURE)
    if not os.path.exists(path):
        return set()
    with open(path, encoding='utf-8') as stream:
        return {match.groups() for match in map(ARROW.match, stream) if match}


def graph_of(pairs):
    graph = {}
    for start, end in pairs:
        graph.setdefault(start, set()).add(end)
        graph.setdefault(end, set())
    return graph


def border(tree):
    rule = Rule('includes', 'border', 'what every carrier uses includes no header of one carrier')
    for file in tree.c_files('kernel', 'tests'):
        if not any(file.path.startswith(where) and not file.path.startswith(but) for where, but in BORDERS):
            continue
        for match in INCLUDE.finditer(file.text):
            if match[1].startswith(CARRIERS):
                rule.add(file.folder, f'{file.at(match.start(1))} includes {match[1]}')
    return rule


def rules(tree):
    rooms, found = arrows(tree)
    allowed = drawn(tree)

    drawing = Rule('includes', 'picture', f'{PICTURE} has each folder and no circle')
    drawing.wrong = [f'{PICTURE}: a circle of {names(circle)}' for circle in circles(graph_of(allowed))]
    nodes = {*graph_of(allowed)}
    drawing.wrong += [f'{PICTURE}: {node} is not drawn' for node in sorted(rooms - nodes)]
    drawing.wrong += [f'{PICTURE}: there is no {node} in kernel/, nor beside it' for node in sorted(nodes - rooms)]

    true = Rule('includes', 'drawn', f'what {PICTURE} has is included')
    true.wrong = [f'{PICTURE}: nothing in {start} includes a header of {end}' for start, end in sorted(allowed - {*found})]

    kept = Rule('includes', 'arrows', f'what is included is an arrow of {PICTURE}')
    for arrow in sorted(arrow for arrow in {*found} - allowed if arrow[0] != ANYBODYS):
        kept.add('->'.join(arrow), '\n      '.join([f'{PICTURE} has no such arrow:', *found[arrow]]))

    anybodys = Rule('includes', ANYBODYS, 'it includes nothing of this tree, for all may include it')
    for (start, end), where in found.items():
        if start == ANYBODYS:
            anybodys.wrong += where
    return [drawing, true, kept, anybodys, border(tree)]
