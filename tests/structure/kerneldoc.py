# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Functions that headers of kernel/ and sma/ declare: what another folder calls has kernel-doc, which scripts/kernel-doc
# of Linux finds nothing wrong with.

import glob
import os
import re
import subprocess

from known import Rule

# At the beginning of a line: a type, a name and a bracket.
DECLARED = re.compile(r'^(?!return\b|else\b|typedef\b|if\b)(?:[A-Za-z_]\w*[ \t\n*]+)+?\**([a-z_]\w*)\(', re.M)
DIRECTIVE = re.compile(r'^[ \t]*#(?:\\\n|[^\n])*', re.M)
SCRIPTS = ('/usr/lib/linux-kbuild-*/scripts/kernel-doc', '/usr/src/linux-*/scripts/kernel-doc',
           '/lib/modules/*/build/scripts/kernel-doc', '/lib/modules/*/source/scripts/kernel-doc')
WARNING = re.compile(r'^(?:\w+: )?(?P<path>[^:\s]+):\d+:? ')


def declarations(file):
    code = DIRECTIVE.sub(lambda match: re.sub(r'[^\n]', ' ', match[0]), file.code)
    return DECLARED.finditer(code)


def comment_above(file, offset):
    """The comment that ends in the line before, or ''."""
    before = file.text[:offset]
    if not before.endswith('*/\n'):
        return ''
    comment = before[before.rfind('/*'):]
    return '' if 'SPDX-License-Identifier' in comment else comment


def users(tree):
    """{identifier: folders that have it, unless it is a function of one file's own}"""
    found = {}
    for file in tree.c_files('kernel', 'sma'):
        own = {match[1] for match in declarations(file) if match[0].startswith('static')} if file.path.endswith('.c') else set()
        for name in set(re.findall(r'\b[a-z_]\w*', file.code)) - own:
            found.setdefault(name, set()).add(file.folder)
    return found


def newest_script():
    def version(path):
        return [int(number) for number in re.findall(r'\d+', os.path.dirname(path))], path
    return max((path for pattern in SCRIPTS for path in glob.glob(pattern)), key=version, default=None)


def silent(tree):
    rule = Rule('kerneldoc', 'silent', "Linux's scripts/kernel-doc finds nothing wrong")
    script = newest_script()
    if not script:
        rule.skip = 'there is no scripts/kernel-doc of Linux; linux-kbuild-* has it'
        return rule
    rule.notes.append(script)
    files = {file.path: file for file in tree.c_files('kernel', 'sma')}
    done = subprocess.run([script, '-none', *files], cwd=tree.top, capture_output=True, text=True)
    for line in done.stderr.splitlines():
        match = WARNING.match(line)
        if match and match['path'] in files:
            rule.add(files[match['path']].folder, line)
        elif ' warnings as ' not in line:
            rule.wrong.append(line)
    return rule


def rules(tree):
    present = Rule('kerneldoc', 'comment', 'what another folder calls has a comment above its declaration')
    formal = Rule('kerneldoc', 'form', 'such a comment is kernel-doc')
    used = users(tree)
    total, without = 0, 0
    for file in tree.c_files('kernel', 'sma'):
        if not file.path.endswith('.h') or file.folder == 'kernel/uapi':
            continue
        for match in declarations(file):
            name, comment = match[1], comment_above(file, match.start())
            total += 1
            without += not comment
            others = used.get(name, set()) - {file.folder}
            if not others:
                continue
            what = f'{file.at(match.start(1))}: {name}() is of use to {", ".join(sorted(others))}'
            if not comment:
                present.add(file.folder, f'{what}, and has no comment: write /** {name}() - ... */ above it')
            elif not re.match(rf'/\*\*\s*\n \* {name}\(\) - ', comment):
                formal.add(file.folder, f'{what}, and its comment does not begin with /** {name}() - ')
    present.notes.append(f'{total} functions in headers, {without} without any comment')
    return [present, formal, silent(tree)]
