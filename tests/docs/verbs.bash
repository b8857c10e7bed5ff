# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# docs/VERBS.md names each function of <infiniband/verbs.h>, once, and programs and cases of the lab that there are.

# The header that the compiler finds. What begins with ibv_cmd or ends with an underscore is not declared there for programs.
header=$(echo '#include <infiniband/verbs.h>' | gcc -E -M - 2>/dev/null | tr -s ' \\' '\n' | grep '/infiniband/verbs\.h$')
named() { grep -oE '`ibv_[a-z0-9_]+`' docs/VERBS.md | tr -d '`' | sort; }

grep -oE '\bibv_[a-z0-9_]+\(' "$header" | tr -d '(' | sort -u | comm -23 - <(named | sort -u) |
	sed 's/$/ is not there/' | holds 'VERBS.md: names all functions of the header'
named | uniq -d | sed 's/$/ is there twice/' | holds 'VERBS.md: ... once each'
grep -oE '`(verbs|direct)_[a-z]+`' docs/VERBS.md | tr -d '`' | sort -u | while read -r program; do
	[[ -e tests/lab/programs/$program.c ]] || echo "there is no tests/lab/programs/$program.c"
done | holds 'VERBS.md: the programs are there'
grep -Eo '\b(pair|control|fabric|scale|manage|ip|long|suites)/[0-9]{2}-[a-z]+' docs/VERBS.md | sort -u | while read -r case; do
	[[ -e tests/lab/cases/$case ]] || echo "there is no case $case"
done | holds 'VERBS.md: the cases are there'
