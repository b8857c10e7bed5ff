# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The attributes that docs/MANAGEMENT.md says the agents answer, with their methods, are those of the tables of sma/, and its
# cases are cases of the lab.

attributes_of_agents() {
	cat sma/{subnet,performance,communication}.c | tr -s '\n\t ' ' ' |
		sed -E 's/HCA_ATTRIBUTE_NOTICE/0x0002/g; s/HCA_ATTRIBUTE_CLASS_PORT_INFO/0x0001/g; s/HCA_COUNTERS\((0x[^"]*"[^"]*"), \w+\)/{ \1, _get, _set }/g' |
		grep -Eo '\{ 0x00[0-9a-f]{2}, [^"}]*"[^}]*\}' |
		sed -E 's/^\{ 0x00(..),[^"]*"([^"]*)"(.*)\}$/\U\1\Eh \2\3/; s/,? \w*_get,?/ Get/; s/,? \w*_set,?/ Set/; s/(Get|Set) .*_view/\1/; s/,? *$//' |
		sort
}

attributes_of_document() {
	sed -En 's/^\| ([0-9A-F]{2}h \w+) \| (x?) ?\| (x?) ?\| .*`sma\/.*/\1 \2 \3/p; s/^\| (20h SMInfo) \|.*/\1/p
		s/^\| ComMgt: ClassPortInfo \| agent \|.*/01h ClassPortInfo x /p' docs/MANAGEMENT.md |
		sed -E 's/ x x$/ Get Set/; s/ x ?$/ Get/; s/ +$//' | sort
}

diff <(attributes_of_agents) <(attributes_of_document) | holds 'MANAGEMENT.md: attributes and methods are those of the agents (<: of agents)'

grep -Eo '\b(pair|control|fabric|scale|manage|ip|long)/[0-9]{2}' docs/MANAGEMENT.md | sort -u | while read -r case; do
	[[ $(compgen -G "tests/lab/cases/$case-*") ]] || echo "there is no case $case"
done | holds 'MANAGEMENT.md: the cases are there'
