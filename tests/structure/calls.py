# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Which file of a folder calls functions of which, for the portable core, as the compiler has it (-fcallgraph-info).
# A file and the header of its name are one. Calls through pointers are not among them: that is how a lower file calls a higher.

import concurrent.futures
import glob
import os
import re
import subprocess
import tempfile

from graph import circles
from known import Rule

FLAGS = ['-std=gnu11', '-O0', '-w', '-fcallgraph-info', '-S', '-Itests/shim', '-Ikernel', '-I.', '-Ikernel/uapi']
DEFINED = re.compile(r'^node: \{ title: "([^"]*)" label: "[^"]*\\n((?:kernel|sma)/[^":]*):\d+:\d+[^"]*" \}', re.M)
CALL = re.compile(r'^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', re.M)


def sources(tree):
    """HCA_CORE_SOURCES of kernel/sources.mk"""
    path = os.path.join(tree.top, 'kernel/sources.mk')
    with open(path, encoding='utf-8') as stream:
        text = stream.read().replace('\\\n', ' ')
    return re.search(r'^HCA_CORE_SOURCES\s*=(.*)$', text, re.M)[1].split()


def compile_one(top, source, folder):
    out = os.path.join(folder, source.replace('/', '_') + '.s')
    # A compiler that is not called may leave no call graph.
    environment = {**os.environ, 'CCACHE_DISABLE': '1', 'LC_ALL': 'C'}
    done = subprocess.run(['gcc', *FLAGS, '-o', out, source], cwd=top, env=environment, capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else ''


def unsupported(folder):
    """Why there are no call graphs to be had here, if so."""
    try:
        done = subprocess.run(['gcc', '-fcallgraph-info', '-S', '-x', 'c', '-o', os.path.join(folder, 'probe.s'), os.devnull],
                              capture_output=True, check=False)
    except FileNotFoundError:
        return 'there is no gcc'
    return '' if done.returncode == 0 else 'gcc has no -fcallgraph-info (from 10 on it does)'


def stem(path):
    return path.rsplit('.', 1)[0]


def call_graph(folder):
    """{file: files it calls functions of}, without their extensions."""
    defined, called = {}, []
    for path in glob.glob(os.path.join(folder, '*.ci')):
        with open(path, encoding='utf-8') as stream:
            text = stream.read()
        defined.update((title, stem(where)) for title, where in DEFINED.findall(text))
        called += CALL.findall(text)
    graph = {file: set() for file in defined.values()}
    for caller, callee in called:
        start, end = defined.get(caller), defined.get(callee)
        if start and end and start != end:
            graph[start].add(end)
    return graph


def within(graph, folder):
    """The part of a graph that is in one folder, by names without it."""
    prefix = folder + '/'
    return {file.removeprefix(prefix): {other.removeprefix(prefix) for other in called if os.path.dirname(other) == folder}
            for file, called in graph.items() if os.path.dirname(file) == folder}


def rules(tree):
    rule = Rule('calls', 'circle', 'files of a folder call each other in no circle')
    with tempfile.TemporaryDirectory() as folder:
        rule.skip = unsupported(folder)
        if rule.skip:
            return [rule]
        files = sources(tree)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            messages = pool.map(lambda source: compile_one(tree.top, source, folder), files)
            rule.wrong = [line for message in messages for line in message.splitlines()]
        graph = call_graph(folder)
    if not any(graph.values()):
        rule.wrong.append(f'of {len(files)} files none calls another')
    for place in sorted({os.path.dirname(file) for file in graph}):
        part = within(graph, place)
        rule.graphs[place] = part
        found = circles(part)
        if found:
            rule.circles[place] = found
    rule.notes.append(f'{len(files)} files, {sum(map(len, graph.values()))} pairs of which one calls the other')
    return [rule]
