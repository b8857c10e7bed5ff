# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The tables of the file words, against identifiers, paths, comments, messages and documents, and what scripts name.

import os
import re

from known import Rule

HERE = os.path.dirname(os.path.realpath(__file__))
CODE = ('kernel', 'sma', 'lib', 'libhca', 'tools', 'tests')
# This folder names the words, and a list of what changed or was demanded has those of its time.
NOT_READ = ('tests/structure/', 'docs/requirements/', 'docs/GLOSSARY.md', 'tests/golden/') # GLOSSARY translates them
IDENTIFIER = re.compile(r'[A-Za-z_]\w*')
SENTENCE = re.compile(r'START_TEST\(\s*(\w+)')


class Row:
    """One line of a table; its columns are parted by | between blanks."""

    def __init__(self, kind, line):
        tokens, self.instead, exceptions, folders = (column.strip() for column in re.split(r'\s\|(?=\s|$)', line))
        self.folders = tuple(folder + '/' for folder in folders.split())
        self.rule = Rule('words', f'{kind}.{re.match(r"[a-z_]+[a-z]", tokens)[0]}',
                         f'{", ".join(tokens.split())}: {self.instead}')
        if kind == 'id':
            self.pattern = re.compile(rf'(?:^|_)(?:{"|".join(tokens.split())})(?:_|$)', re.I)
            self.exceptions = re.compile('|'.join(exceptions.split()) or r'(?!)', re.I)
        else:
            def phrases(words):
                return '|'.join(words.split()).replace('_', r'[\s*]+')
            self.pattern = re.compile(rf'(?<![\w-])(?:{phrases(tokens)})(?![\w(-])', re.I)
            self.exceptions = re.compile(rf'\b(?:{phrases(exceptions)})\b' if exceptions else r'(?!)', re.I)

    def reads(self, path):
        return not self.folders or path.startswith(self.folders)


def table():
    """The rows of the file words, and which of them scripts have a right to: {section: rows}"""
    kinds, rows = {'[identifiers]': 'id', '[prose]': 'prose', '[scripts]': 'scripts'}, {'id': [], 'prose': [], 'scripts': set()}
    with open(os.path.join(HERE, 'words'), encoding='utf-8') as stream:
        for line in stream:
            line = line.strip()
            if line in kinds:
                kind = kinds[line]
            elif line and not line.startswith('#'):
                if kind == 'scripts':
                    rows[kind].add('id.' + line.split()[0])
                else:
                    rows[kind].append(Row(kind, line))
    return rows


def sentences(files):
    """The names of unit tests."""
    return {name for file in files for name in SENTENCE.findall(file.text)}


class Judge:
    """Which rows an identifier is against; each is asked once."""

    def __init__(self, rows, exempt):
        self.rows, self.exempt, self.answers = rows, exempt, {}

    def against(self, identifier):
        if identifier not in self.answers:
            self.answers[identifier] = [] if identifier in self.exempt else [
                row for row in self.rows
                if row.pattern.search(identifier) and not row.exceptions.fullmatch(identifier)]
        return self.answers[identifier]


def check_paths(files, judge):
    """Each name of a file and of a folder once."""
    seen = set()
    for file in files:
        parts = file.path.split('/')
        for depth in range(1, len(parts) + 1):
            path = '/'.join(parts[:depth])
            if path in seen:
                continue
            seen.add(path)
            for row in judge.against(re.sub(r'[-.]', '_', parts[depth - 1])):
                if row.reads(file.path):
                    row.rule.add(file.folder, f'{path}: the name; instead: {row.instead}')


def check_code(files, judge):
    for file in files:
        for match in IDENTIFIER.finditer(file.code):
            for row in judge.against(match[0]):
                if row.reads(file.path):
                    row.rule.add(file.folder, f'{file.at(match.start())}: {match[0]}; instead: {row.instead}')


def check_scripts(files, judge, terms):
    for file in files:
        for offset, name in file.named:
            for row in judge.against(name):
                if row.rule.key.split()[-1] not in terms and row.reads(file.path):
                    row.rule.add(file.folder, f'{file.at(offset)}: {name}; instead: {row.instead}')


def check_prose(files, rows):
    for file in files:
        for row in rows:
            if not row.reads(file.path):
                continue
            right = [match.span() for match in row.exceptions.finditer(file.prose)]
            for match in row.pattern.finditer(file.prose):
                if not any(start <= match.start() < end for start, end in right):
                    row.rule.add(file.folder, f'{file.at(match.start())}: "{match[0]}"; instead: {row.instead}')


def is_prose(file):
    return file.is_c or file.is_script or file.path.endswith(('.md', *'12345678'))


def rules(tree):
    rows = table()
    files = [file for file in tree.files if not file.path.startswith(NOT_READ)]
    c_files = [file for file in files if file.is_c]
    judge = Judge(rows['id'], sentences(c_files))
    check_paths([file for file in files if file.path.startswith(tuple(folder + '/' for folder in CODE))], judge)
    check_code(c_files, judge)
    check_scripts([file for file in files if file.is_script], judge, rows['scripts'])
    check_prose([file for file in files if is_prose(file)], rows['prose'])
    return [row.rule for kind in ('id', 'prose') for row in rows[kind]]
