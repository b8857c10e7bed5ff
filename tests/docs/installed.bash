# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# What there is of documentation is installed, and what is installed has its documentation.

# not_in VARIABLE FILE...: those of the files that it does not name
not_in() {
	local file
	for file in "${@:2}"; do
		variable "$1" | grep -qxF "$file" || echo "Makefile.am: $1 lacks $file"
	done
}

not_installed() {
	local unit
	not_in dist_man_MANS man/*.[1-9]
	not_in dist_completion_DATA tools/completion/*
	not_in dist_udevrules_DATA system/*.rules
	not_in dist_doc_DATA system/*.example
	for unit in system/*.service.in; do
		not_in nodist_systemdsystemunit_DATA "${unit%.in}"
	done
}

# Of the version script: what is listed as global.
exported_symbols() {
	tr -s '\n\t' ' ' <libhca/libhca.map | grep -oE 'global:[^:}]*' | grep -oE '\w+ ?;' | tr -d ' ;'
}

not_documented() {
	local name file
	for name in $programs; do
		[[ $(page_of "$name") ]] || echo "there is no man/$name.8"
		[[ -e tools/completion/$name ]] || echo "there is no tools/completion/$name"
	done
	for file in system/*.example; do
		name=$(basename "$file" .example)
		[[ -e man/$name.5 ]] || echo "there is no man/$name.5, for $file"
	done
	for name in $(exported_symbols); do
		[[ -e man/$name.3 ]] || echo "there is no man/$name.3, for a symbol of libhca/libhca.map"
	done
}

not_installed | holds 'pages, completions, rules and units are installed'
not_documented | holds 'each program has a page and a completion; each file format and library function, a page'
