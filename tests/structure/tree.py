# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The files of a tree, what of a C file is code and what is prose, and the names and comments of a script.

import functools
import os
import re

FOLDERS = ('docs', 'examples', 'kernel', 'lib', 'libhca', 'man', 'sma', 'system', 'tests', 'tools')
PARTED = 'kernel/sdp'  # each folder in it is one by itself
SINGLE = ('CONTRIBUTING.md', 'README.md', 'run')

# A comment, a string or a character.
PROSE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
# Of a script of Bash or Python: its first line; a comment; what gives a function or a variable its name.
SCRIPT = re.compile(r'#!.*\b(?:bash|sh|python3)\b|(?:#[^\n]*\n)*# shellcheck shell=')
COMMENT = re.compile(r'(?:^|(?<=[\s;]))#[^\n]*')
NAMED = re.compile(r'^[ \t]*([A-Za-z_]\w*)[ \t]*\(\)|(?<![\w$.-])([A-Za-z_]\w*)\+?=(?!=)|\bfor ([A-Za-z_]\w*) in\b|'
                   r'^[ \t]*(?:def|class) (\w+)', re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[^\n]*', re.M)


def blank(match):
    return re.sub(r'[^\n]', ' ', match[0])


class File:
    """One file; its path begins at the top of the tree."""

    def __init__(self, top, path):
        self.path = path
        self.full = os.path.join(top, path)

    @functools.cached_property
    def text(self):
        with open(self.full, encoding='utf-8', errors='replace') as stream:
            return stream.read()

    @property
    def is_c(self):
        return self.path.endswith(('.c', '.h'))

    @functools.cached_property
    def is_script(self):
        return bool(self.path.endswith(('.bash', '.py')) or SCRIPT.match(self.text))

    @property
    def named(self):
        """Where a script names something, and what."""
        for match in NAMED.finditer(COMMENT.sub(blank, self.text)):
            yield match.start(match.lastindex), match[match.lastindex]

    @property
    def folder(self):
        """kernel/link of kernel/link/rx/rx.c, lib/shim of lib/shim/linux/atomic.h, sma of sma/agent.c; each folder of PARTED."""
        folders = self.path.split('/')[:-1]
        return '/'.join(folders[:3 if '/'.join(folders[:2]) == PARTED else 2]) or '.'

    @functools.cached_property
    def code(self):
        """Without comments, strings and the names of included files; each character is where it was."""
        return PROSE.sub(blank, INCLUDE.sub(blank, self.text))

    @functools.cached_property
    def prose(self):
        """Of C comments and strings, of scripts comments, of other files everything; each character is where it was."""
        if not self.is_c and not self.is_script:
            return self.text
        text, kept, end = INCLUDE.sub(blank, self.text) if self.is_c else self.text, [], 0
        for match in (PROSE if self.is_c else COMMENT).finditer(text):
            kept += [re.sub(r'[^\n]', ' ', text[end:match.start()]), match[0]]
            end = match.end()
        return ''.join(kept) + re.sub(r'[^\n]', ' ', text[end:])

    def line(self, offset):
        return self.text.count('\n', 0, offset) + 1

    def at(self, offset):
        return f'{self.path}:{self.line(offset)}'


class Tree:
    def __init__(self, top):
        self.top = top

    @functools.cached_property
    def files(self):
        """Those of FOLDERS that are text, and SINGLE ones."""
        paths = [*SINGLE]
        for folder in FOLDERS:
            for where, folders, names in os.walk(os.path.join(self.top, folder)):
                folders[:] = sorted(set(folders) - {'__pycache__'})
                paths += (os.path.relpath(os.path.join(where, name), self.top) for name in sorted(names))
        return [File(self.top, path) for path in paths if self.is_text(path)]

    def is_text(self, path):
        full = os.path.join(self.top, path)
        if not os.path.isfile(full) or os.path.islink(full):
            return False
        with open(full, 'rb') as stream:
            return b'\0' not in stream.read(1024)

    def below(self, *folders):
        return [file for file in self.files if file.path.startswith(tuple(folder + '/' for folder in folders))]

    def c_files(self, *folders):
        return [file for file in self.below(*folders) if file.is_c]
