# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Which file of a folder calls functions of which: for the portable core as the compiler has it (-fcallgraph-info); for the rest
# of the kernel's modules, the provider and the tools by the names that stand in their functions.
# A file and the header of its name are one. Calls through pointers are not among them: that is how a lower file calls a higher.

import concurrent.futures
import glob
import os
import re
import subprocess
import tempfile

from graph import circles
from known import Rule

FLAGS = ['-std=gnu11', '-O0', '-w', '-fcallgraph-info', '-S', '-Ilib/shim', '-Ikernel', '-I.', '-Ikernel/uapi']
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


def folder_of(file):
    """kernel/link of kernel/link/tx/timing, sma of sma/agent: a folder includes those that are in it."""
    return '/'.join(os.path.dirname(file).split('/')[:2])


def within(graph, folder):
    """The part of a graph that is in one folder, by names without it."""
    prefix = folder + '/'
    return {file.removeprefix(prefix): {other.removeprefix(prefix) for other in called if folder_of(other) == folder}
            for file, called in graph.items() if folder_of(file) == folder}


ATTRIBUTE = re.compile(r'\b__attribute__\(\((?:[^()]|\([^()]*\))*\)\)')
FUNCTION = re.compile(r'^(?:(static)\b(?! inline)|(?!static\b(?! inline)|\s))(?![#/}]|typedef)[^;\n={]*?\b(\w+)\([^;{]*\)[^;{=]*\n\{$', re.M)
BODY = re.compile(r'^\{\n(.*?)^\}', re.M | re.S)
CALLED = re.compile(r'(?<![\w.>])(\w+)\(')  # not by a pointer that a structure has
BY_NAME = ('kernel', 'libhca', 'tools')


def graph_by_name(tree, compiled):
    """{file: files it calls functions of}, without their extensions, of folders with files that are not compiled here."""
    defined, own, graph = {}, {}, {}
    files = tree.c_files(*BY_NAME)
    folders = {folder_of(file.path) for file in files if file.path.endswith('.c') and file.path not in compiled}
    files = [file for file in files if folder_of(file.path) in folders]
    for file in files:
        graph.setdefault(stem(file.path), set())
        for match in FUNCTION.finditer(ATTRIBUTE.sub('', file.code)):
            own.setdefault(stem(file.path), set()).add(match[2])
            if not match[1]:
                defined.setdefault((folder_of(file.path), match[2]), set()).add(stem(file.path))
    for file in files:
        for body in BODY.findall(file.code):
            for name in {*CALLED.findall(body)} - own.get(stem(file.path), set()):
                graph[stem(file.path)] |= defined.get((folder_of(file.path), name), set())
    return graph


def add_circles(rule, graph):
    for place in sorted({folder_of(file) for file in graph}):
        part = within(graph, place)
        rule.graphs[place] = part
        found = circles(part)
        if found:
            rule.circles[place] = found


def by_name(tree, compiled):
    rule = Rule('calls', 'circle-by-name', 'files of a folder call each other in no circle, by the names of functions')
    graph = graph_by_name(tree, compiled)
    add_circles(rule, graph)
    rule.notes.append(f'{len(graph)} files, {sum(map(len, graph.values()))} pairs of which one calls the other')
    return rule


def rules(tree):
    return [by_compiler(tree), by_name(tree, {*sources(tree)})]


def by_compiler(tree):
    rule = Rule('calls', 'circle', 'files of a folder call each other in no circle')
    with tempfile.TemporaryDirectory() as folder:
        rule.skip = unsupported(folder)
        if rule.skip:
            return rule
        files = sources(tree)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            messages = pool.map(lambda source: compile_one(tree.top, source, folder), files)
            rule.wrong = [line for message in messages for line in message.splitlines()]
        graph = call_graph(folder)
    if not any(graph.values()):
        rule.wrong.append(f'of {len(files)} files none calls another')
    add_circles(rule, graph)
    rule.notes.append(f'{len(files)} files, {sum(map(len, graph.values()))} pairs of which one calls the other')
    return rule
