# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# What programs say of themselves is in their pages. Leaves what that is (see help.awk) in $tmp/PROGRAM.

# Its own script, or what was built.
run_program() {
	local path
	path=$(grep -x ".*/$1" <<<"$program_paths")
	path=${path#*srcdir)/}
	[[ -x $path ]] || path=$build/$path
	"$path" "${@:2}"
}

# Of its --help, and that of each of its commands, all of which is left in $tmp/help.
facts_of() {
	local command
	run_program "$1" --help | tee "$tmp/help" | awk -f "$docs/help.awk" | tee "$tmp/first"
	sed -n 's/^command|\([a-z]*\).*/\1/p' "$tmp/first" | sort -u | while read -r command; do
		run_program "$1" "$command" --help | tee -a "$tmp/help" | awk -f "$docs/help.awk"
	done
}

not_in_page() {
	local program=$1 kind commands word
	text_of "$(page_of "$program")" >"$tmp/text"
	sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' "$tmp/text" >"$tmp/synopsis"
	while IFS='|' read -r kind commands word; do
		case $kind in
		command) grep -Eq "$program( \[-[a-z]+\])* ${commands/ / \\[?}\>" "$tmp/synopsis" ||
			echo "its SYNOPSIS lacks '$commands'" ;;
		plain)	;;
		keyword) grep -Eq "\<$word [a-z]+" "$tmp/text" || echo "lacks '$word' of '$commands'" ;;
		*)	grep -Eq -e "(^|[^-a-z])$word([^-a-z]|\$)" "$tmp/text" || echo "lacks $word" ;;
		esac
	done <"$tmp/$program" | sort -u
}

for program in $built; do
	facts_of "$program" >"$tmp/$program"
	expand "$tmp/help" | awk 'length > 80' | holds "$program: no line of --help has more than 80 columns"
	for kind in 'command|plain' option; do
		grep -Eq "^($kind)\|" "$tmp/$program" || echo "$program --help: no ${kind%|*}s are found in it"
	done | holds "$program: --help tells of commands and options"
	[[ $(page_of "$program") ]] || continue # which has been told
	not_in_page "$program" | holds "$program: its page has what --help tells of"
done
