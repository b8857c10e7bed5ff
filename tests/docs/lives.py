#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: tests/docs/lives.py
#
# Whether the lists of functions in docs/ARCHITECTURE.md are true: each function is in its file or the header of that name, and
# is called by one that is before it in the list, unless the row says who calls it; and a list has as many files, and returns to
# a file that was left before, as the text above it says. Prints what is wrong.

import os
import re

PAGE = 'docs/ARCHITECTURE.md'
LIST = re.compile(r'^\| \| file \| functions, in the order of their calls \|\n\|---\|---\|---\|\n((?:\|.*\n)+)', re.M)
ROW = re.compile(r'\| (\d+) \| `([^`]+)` \| (.*) \|\n')
NUMBERS = re.compile(r'(\d+)\s+files,\s+and\s+(\d+)\s+returns')
FUNCTION = re.compile(r'(\bcalls )?`(\w+)\(\)`')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def stem(path):
    return path.rsplit('.', 1)[0]


def body(name, path):
    """What is between the braces of a function, or None."""
    definition = re.compile(r'^(?:\w[^;\n=]*)?\b' + name + r'\([^;{]*\)[^;{]*\{\n(.*?)^\}', re.M | re.S)
    for extension in '.c', '.h':
        source = 'kernel/' + stem(path) + extension
        found = os.path.exists(source) and definition.search(read(source))
        if found:
            return found[1]
    return None


def wrong_functions(path, text, called):
    """What is wrong with the functions of a row; called has the names that stand in the bodies of those before."""
    for by_others, name in FUNCTION.findall(text):
        within = body(name, path)
        if within is None:
            yield f'{name}() is not in kernel/{stem(path)}.[ch]'
            continue
        if not by_others and called and name not in called:
            yield f'{name}() is not called by a function before it'
        called.update(re.findall(r'\b(\w+)\(', within))


def wrong(rows, files, returns):
    called, stays = set(), []
    for number, (given, path, text) in enumerate(rows, 1):
        if int(given) != number:
            yield f'row {given} is the {number}th'
        if not os.path.exists('kernel/' + path):
            yield f'there is no kernel/{path}'
        if stays and stays[-1] == stem(path):
            yield f'row {given} is of the file before it'
        stays.append(stem(path))
        yield from wrong_functions(path, text, called)
    if (len({*stays}), len(stays) - len({*stays})) != (files, returns):
        yield f'there are {len({*stays})} files and {len(stays) - len({*stays})} returns'


def main():
    page = read(PAGE)
    lists = [*LIST.finditer(page)]
    for found in lists:
        numbers = [*NUMBERS.finditer(page[:found.start()].rsplit('\n\n', 2)[-2])]
        where = f'{PAGE}:{page[:found.start()].count(chr(10)) + 1}'
        rows = ROW.findall(found[1])
        if len(numbers) != 1 or len(rows) != found[1].count('\n'):
            print(f'{where}: no list below the number of its files and returns')
            continue
        for line in wrong(rows, int(numbers[0][1]), int(numbers[0][2])):
            print(f'{where}: {line}')
    if not lists:
        print(f'{PAGE}: there is no list')


if __name__ == '__main__':
    main()
