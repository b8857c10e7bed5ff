# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2016 # what ./run has set; backticks that are meant

# In backticks, one a line.
named() { grep -oE '`[^`]+`' "$1" | tr -d '`' | sort -u; }

# A file or folder, of the tree or below kernel/, or a unit test: SUITE/TEST is START_TEST(TEST) in SUITE*.c, wherever that is
# in tests/unit/.
is_there() {
	local suite=${1%%/*} test=${1#*/}
	[[ -e $1 || -e kernel/$1 ]] ||
		grep -qs "^START_TEST($test)$" tests/unit/{,*/}"$suite"*.c
}

# Paths and unit tests; files without their folder; functions, which have (); what begins with hca_ or HCA_, fields included.
missing_names() {
	local name word
	while read -r name; do
		if [[ $name =~ ^[a-z_]+(/[A-Za-z0-9_.-]+)+/?$ ]]; then
			is_there "$name" || echo "$name: no such file or unit test"
		elif [[ $name =~ ^[a-z_0-9]+\.[ch]$ ]]; then
			[[ ${sources[$name]-} ]] || echo "$name: no such file"
		elif [[ $name =~ ^[a-z_0-9]+\(\)$ || $name =~ ^(struct\ |enum\ )?(hca|HCA)_[A-Za-z_0-9.]+$ ]]; then
			name=${name#* }
			for word in ${name//[.()]/ }; do
				[[ ${words[$word]-} ]] || echo "$name: nothing is called so"
			done
		fi
	done < <(named "$1")
}

declare -A words sources
while read -r word; do
	words[$word]=yes
done < <(grep -rhoE '\w+' --include='*.[ch]' --include='*.mk' kernel sma lib libhca tools tests system | sort -u)
while read -r file; do
	sources[$file]=yes
done < <(find kernel sma lib libhca tools tests -name '*.[ch]' -printf '%f\n')
for document in CONTRIBUTING.md docs/{ARCHITECTURE,GLOSSARY,INTERFACES,LIMITS,LINK,MEMORY,PHY,PLATFORMS,RELIABILITY,RINGS,SMA,STATUS,TESTS,TRANSPORTS}.md; do
	missing_names "$document" | holds "$document: what it names is there"
done
