# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Rules of style that a regular expression can hold, in the manner of Linux's scripts/checkpatch.pl.

import re

from known import Rule

OURS = ('kernel', 'sma')
ALL_C = ('kernel', 'sma', 'lib', 'libhca', 'tools', 'tests')
PRODUCT = ('kernel', 'sma', 'libhca', 'tools')
COLUMNS = 100

# Name, folders, ending of a file's name, of which text, what is wrong, and a sentence of what is right.
PATTERNS = (
    ('trailing', ALL_C, ('.c', '.h', '.mk', '.bash', '.awk', '.py'), 'text', r'[ \t]+$', 'no line ends with blanks'),
    ('blank-before-tab', ALL_C, ('.c', '.h'), 'text', r' \t', 'no blank stands before a tab'),
    ('printk', OURS, ('.c', '.h'), 'code', r'\bprintk\(', 'what the kernel is to log is written by pr_err() and its like'),
    ('typedef', ALL_C, ('.c', '.h'), 'code', r'^[ \t]*typedef\s+(?:struct|union|enum)\b', 'a structure has no second name'),
    ('comment', ALL_C, ('.c', '.h'), 'bare', r'//(?! SPDX-License-Identifier)[^\n]*', 'comments are /* ... */'),
    ('inline', ALL_C, ('.c',), 'code', r'^static inline\b[^\n]*',
     'the compiler is the one to say which function of a .c file is inline, but where a measurement says __always_inline'),
    ('static-prefix', ALL_C, ('.c',), 'code', r'^static\b(?! inline)[^;={}()]*?\b(hca_(?!type_show\b|\w*init\b|\w*exit\b)\w+)\(',
     'a static function has no prefix hca_, which is for what other files see, and for entries of a module and of sysfs'),
    ('append', ('tools', 'libhca'), ('.c', '.h'), 'code', r'\bv?snprintf\([^,;]*\+',
     'text is appended by text_append(): snprintf() returns what it would have written if there were room'),
    ('static-word', PRODUCT, ('.c', '.h'), 'code', r'^static\b[^;={}()]*?\b([a-z0-9]+)\(',
     'the name of a static function has the subject of its file or folder, and so more than one word'),
)

# The shim has Linux's own names; text_append() is in tools/lib.
EXEMPT = {'typedef': ('lib/shim',), 'append': ('tools/lib',)}

LOGS = re.compile(r'\bpr_(?:emerg|alert|crit|err|warn|notice|info|debug)(?:_once|_ratelimited)?\(')
TEXTS = ('.c', '.h', '.mk', '.bash', '.awk', '.py', '.md', '.dot')


def without_strings(file):
    """With comments, and with strings made blank."""
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda match: re.sub(r'[^\n]', ' ', match[0]), file.text, flags=re.S)


def pattern_rules(tree):
    for name, folders, endings, part, wrong, sentence in PATTERNS:
        rule = Rule('style', name, sentence)
        compiled = re.compile(wrong, re.M)
        for file in tree.below(*folders):
            if not file.path.endswith(endings) or file.folder in EXEMPT.get(name, ()):
                continue
            text = without_strings(file) if part == 'bare' else getattr(file, part)
            for match in compiled.finditer(text):
                at = match.start(1) if match.re.groups else match.start()
                rule.add(file.folder, f'{file.at(at)}: {match[match.re.groups].strip() or "here"}')
        yield rule


def is_script(file):
    return file.text.startswith('#!')


def spdx(tree):
    rule = Rule('style', 'spdx', 'one of the first two lines is // SPDX-License-Identifier: LICENSE, in a comment of the language')
    for file in tree.files:
        if file.path.endswith(TEXTS) or is_script(file):
            if not any('SPDX-License-Identifier: ' in line for line in file.text.split('\n', 2)[:2]):
                rule.add(file.folder, f'{file.path}: has none')
    return rule


STRING = re.compile(r'"[^"]{8,}"')  # what is printed stays in one piece, so that it can be searched for


def width(line):
    return len(line.expandtabs(8))


def columns(tree):
    rule = Rule('style', 'columns', f'a line of C without a string has at most {COLUMNS} columns, tabs being 8 wide')
    for file in tree.c_files(*ALL_C):
        for number, line in enumerate(file.text.split('\n'), 1):
            if width(line) > COLUMNS and not STRING.search(line):
                rule.add(file.folder, f'{file.path}:{number}: {width(line)} columns')
    return rule


def author(tree):
    rule = Rule('style', 'author', 'a file with MODULE_LICENSE() has MODULE_AUTHOR()')
    for file in tree.c_files(*OURS):
        at = file.code.find('MODULE_LICENSE(')
        if at >= 0 and 'MODULE_AUTHOR(' not in file.code:
            rule.add(file.folder, f'{file.at(at)}: there is no MODULE_AUTHOR()')
    return rule


def pr_fmt(tree):
    rule = Rule('style', 'pr_fmt', 'what logs by pr_err() and its like says who it is: #define pr_fmt before the first #include')
    for file in tree.c_files(*OURS):
        logs = LOGS.search(file.code)
        head = file.text.split('#include', 1)[0]
        if logs and not re.search(r'^[ \t]*#[ \t]*define[ \t]+pr_fmt\b', head, re.M):
            rule.add(file.folder, f'{file.at(logs.start())}: {logs[0]}) without pr_fmt')
    return rule


COMMENT = re.compile(r'/\*[*\s]*((?:(?!\*/).)*?)\s*\*/', re.S)
FRAGMENT = re.compile(r'(?:What|Who|Whose|Of|By|Else)\b|.*\belse\.?$', re.S)


def sentences(tree):
    rule = Rule('style', 'sentence', 'no comment begins with What, Who, Whose, Of, By or Else, or ends with "else"')
    for file in tree.c_files(*ALL_C):
        for match in COMMENT.finditer(file.text):
            if FRAGMENT.match(match[1]):
                rule.add(file.folder, f'{file.at(match.start())}: {" ".join(match[1].split())[:60]}')
    return rule


def rules(tree):
    return [spdx(tree), sentences(tree), columns(tree), *pattern_rules(tree), author(tree), pr_fmt(tree)]
