# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Rules for how a file of C is laid out: its first comment, its includes, the length of its functions.

import os
import re

from known import Rule

PRODUCT = ('kernel', 'sma', 'libhca', 'tools')
ALL_C = (*PRODUCT, 'lib', 'tests')
LINES = 45

FIRST = re.compile(r'/[/*] SPDX-License-Identifier[^\n]*\n(?:/\* Copyright[^\n]*\n)?\s*/\*')
INCLUDE = re.compile(r'^#include ([<"])([^>"\n]+)[>"]', re.M)
BLOCK = re.compile(r'(?:^#include [^\n]+\n)+', re.M)
UPWARDS = re.compile(r'^[ \t]*#[ \t]*include[ \t]+["<][^">\n]*\.\./', re.M)
# A comment that ends as a statement or a directive does, a block that begins or ends on a line of its own, and #if 0.
STATEMENT = re.compile(r'/\*(?:(?!\*/).)*?(?:(?:\)|\w\]?|\+\+|--);|^[\s*]*\}|\{)\s*\*/|/\*\s*#[ \t]*(?:define|include|if|endif)\b'
                       r'|^[ \t]*#[ \t]*if[ \t]+0\b', re.S | re.M)
NAMES_A_LINE = re.compile(r'\.[ch]:\w+;\s*\*/')
FUNCTION = re.compile(r'^(?!#|\s|/|\}|typedef)[^;\n=]*\([^;{]*\)[^;{=]*\n\{\n(.*?)^\}', re.M | re.S)


def own_header(file):
    """The path of the file's own header, if there is one."""
    header = file.path[:-2] + '.h'
    return header if file.path.endswith('.c') and os.path.exists(file.full[:-2] + '.h') else None


def is_own(match, own):
    """Whether an include is that of the own header: its path from the top, from kernel/, or beside the file."""
    if own is None or match[1] != '"':
        return False
    return match[2] in (own, own.removeprefix('kernel/'), own.removeprefix('kernel/sdp/'), os.path.basename(own))


def upwards(tree):
    rule = Rule('layout', 'upwards', 'an include names a header from the top of the tree, without ..')
    for file in tree.c_files(*ALL_C):
        for match in UPWARDS.finditer(file.text):
            rule.add(file.folder, f'{file.at(match.start())}: includes {match[0].split()[-1]}')
    return rule


def own_first(tree):
    rule = Rule('layout', 'own-first', 'a file includes its own header first, which thereby includes what it needs')
    for file in tree.c_files(*PRODUCT):
        own = own_header(file)
        first = INCLUDE.search(file.text)
        if own and not (first and is_own(first, own)):
            rule.add(file.folder, f'{file.path}: {own} is not the first include')
    return rule


def order(block, own):
    """The includes of a block in order: the file's own header, <...>, "..."; each sorted."""
    def rank(line):
        match = INCLUDE.match(line)
        return not is_own(match, own), match[1] != '<', match[2]
    return sorted(block, key=rank)


def is_sorted(tree):
    rule = Rule('layout', 'sorted', 'includes are sorted: first <...>, then "..."')
    for file in tree.c_files(*PRODUCT):
        own = own_header(file)
        for match in BLOCK.finditer(file.text):
            block = [line for line in match[0].splitlines() if INCLUDE.match(line)]
            if block != order(block, own):
                rule.add(file.folder, f'{file.at(match.start())}: {block[0]} ...')
    return rule


def first_comment(tree):
    rule = Rule('layout', 'first-comment', 'a file says what it is in a comment below its license')
    for file in tree.c_files(*PRODUCT):
        if not FIRST.match(file.text):
            rule.add(file.folder, f'{file.path}: does not')
    return rule


def no_code_in_comments(tree):
    rule = Rule('layout', 'commented-out', 'no comment has code that has been taken out')
    for file in tree.c_files(*ALL_C):
        for match in STATEMENT.finditer(file.text):
            if not NAMES_A_LINE.search(match[0]):
                rule.add(file.folder, f'{file.at(match.start())}: {match[0].splitlines()[-1].strip()}')
    return rule


def length(tree):
    rule = Rule('layout', 'length', f'a function has at most {LINES} lines')
    for file in tree.c_files(*PRODUCT):
        for match in FUNCTION.finditer(file.text):
            lines = match[1].count('\n')
            if lines > LINES:
                rule.add(file.folder, f'{file.at(match.start())}: {lines} lines')
    return rule


def rules(tree):
    return [rule(tree) for rule in (upwards, own_first, is_sorted, first_comment, no_code_in_comments, length)]
