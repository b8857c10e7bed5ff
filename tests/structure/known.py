# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Rules, what of each is not kept, and the list of what is known of that, which may only shrink. Its lines are
#     CHECK RULE PLACE COUNT            so many violations in a folder
#     CHECK RULE PLACE { FILE... }      these files of a folder call each other in a circle

import os

HEAD = '''# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# What of the rules of tests/structure is not kept yet. This list may only shrink: more than is here fails, and so does
# less, until tests/structure/run --update has written it down. --update adds nothing, but what is known of a folder may be in
# another one then, and files of a circle may have other names.
# After a merge in which both sides changed it, --update reads both and leaves what is still true.
'''
MARKERS = ('<<<<<<<', '|||||||', '=======', '>>>>>>>')
SHOWN = 40


class Rule:
    """One sentence that is to be true of the tree, and where it is not."""

    def __init__(self, check, name, says):
        self.check, self.name, self.says = check, name, says
        self.skip = None
        self.wrong = []  # what no list can excuse
        self.found = {}  # place: messages, one for each violation
        self.circles = {}  # place: a set of frozensets of files
        self.graphs = {}  # place: {file: files it calls}, of all files
        self.notes = []

    def add(self, place, message):
        self.found.setdefault(place, []).append(message)

    @property
    def key(self):
        return f'{self.check} {self.name}'


class Known:
    """The list as it is: counts and circles, by rule and place."""

    def __init__(self, path):
        self.path = path
        self.counts, self.circles, self.wrong, self.unmerged = {}, {}, [], False
        if not os.path.exists(path):
            return
        with open(path, encoding='utf-8') as stream:
            for number, line in enumerate(stream, 1):
                self.read(line.strip(), f'{path}:{number}')

    def read(self, line, where):
        if line.startswith(MARKERS):
            self.unmerged = True
        if not line or line.startswith(('#', *MARKERS)):
            return
        words = line.split()
        if len(words) == 4 and words[3].isdigit() and words[3] != '0':
            at = (f'{words[0]} {words[1]}', words[2])
            self.counts[at] = max(self.counts.get(at, 0), int(words[3]))
        elif len(words) > 5 and (words[3], words[-1]) == ('{', '}'):
            at = (f'{words[0]} {words[1]}', words[2])
            self.circles.setdefault(at, set()).add(frozenset(words[4:-1]))
        else:
            self.wrong.append(f'{where}: neither CHECK RULE PLACE COUNT nor CHECK RULE PLACE {{ FILE... }}')

    def of(self, entries, rule):
        return {place: entry for (key, place), entry in entries.items() if key == rule.key}


def names(files):
    return ' '.join(sorted(files))


def compare_counts(rule, known):
    listed = known.of(known.counts, rule)
    for place in sorted({*listed, *rule.found}):
        there, limit = len(rule.found.get(place, ())), listed.get(place, 0)
        if there > limit:
            yield f'{place}: {there} where {limit} are known{":" if limit else ""}'
            yield from (f'  {message}' for message in rule.found[place][:SHOWN])
            if there > SHOWN:
                yield f'  ... and {there - SHOWN} more'
        elif there < limit:
            yield f'{place}: {there} where {limit} are known: tests/structure/run --update writes that down'


def compare_circles(rule, known):
    listed = known.of(known.circles, rule)
    for place in sorted({*listed, *rule.circles}):
        there, before = rule.circles.get(place, set()), listed.get(place, set())
        for circle in sorted(there - before, key=names):
            around = max(before, key=lambda other: len(circle & other), default=frozenset())
            if circle <= around:
                yield f'{place}: a circle has shrunk to {names(circle)}: tests/structure/run --update writes that down'
            else:
                yield f'{place}: {names(circle)} call each other in a circle; new in it are:'
                graph = rule.graphs[place]
                for file in sorted(circle - around):
                    callers = {other for other in circle if file in graph[other]}
                    yield f'  {file}: calls {names(graph[file] & circle)}; is called by {names(callers)}'
        for circle in sorted(before - there, key=names):
            if not any(other <= circle for other in there):
                yield f'{place}: no circle is left in {names(circle)}: tests/structure/run --update writes that down'


def compare(rule, known):
    """What is wrong with a rule, as lines; none if it is kept but for what is known."""
    return [*rule.wrong, *compare_counts(rule, known), *compare_circles(rule, known)]


def unknown(rules, known):
    """Entries of rules that there are not."""
    keys = {rule.key for rule in rules}
    return [f'{key} {place}: there is no such rule'
            for key, place in sorted({*known.counts, *known.circles}) if key not in keys]


def may_be_written(rule, known):
    """Why a list of what is there would be longer than the one that is known; nothing if it is not."""
    listed = known.of(known.counts, rule)
    there = sum(len(messages) for messages in rule.found.values())
    if there > sum(listed.values()):
        yield f'{rule.key}: {there} where {sum(listed.values())} are known'
    circles = known.of(known.circles, rule)
    for place, found in rule.circles.items():
        before = circles.get(place, set())
        for circle in found:
            around = max(before, key=lambda other: len(circle & other), default=frozenset())
            gone = around - {*rule.graphs[place]}
            if len(circle - around) > len(gone):
                yield f'{rule.key}: {place}: a circle with {names(circle - around)} is not known'


def lines(rule, known, keep):
    """The rule's part of the list: of what is there, or as it is known."""
    if keep:
        for place, count in sorted(known.of(known.counts, rule).items()):
            yield f'{rule.key} {place} {count}'
        for place, circles in sorted(known.of(known.circles, rule).items()):
            yield from (f'{rule.key} {place} {{ {circle} }}' for circle in sorted(map(names, circles)))
        return
    for place, messages in sorted(rule.found.items()):
        yield f'{rule.key} {place} {len(messages)}'
    for place, circles in sorted(rule.circles.items()):
        yield from (f'{rule.key} {place} {{ {circle} }}' for circle in sorted(map(names, circles)))


def write(path, rules, known):
    """The list anew, but for rules of which it would be longer; why those are left as they are."""
    grown = {rule.key: list(may_be_written(rule, known)) for rule in rules if not rule.skip}
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(HEAD)
        for rule in rules:
            for line in lines(rule, known, rule.skip or grown[rule.key]):
                stream.write(line + '\n')
    return [why for reasons in grown.values() for why in reasons]
