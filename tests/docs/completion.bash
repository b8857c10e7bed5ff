# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# What programs say of themselves is completed.

# complete PROGRAM WORD...: what is offered for the last word, in $tmp/cwd, with the commands of $tmp/bin
complete() { (cd "$tmp/cwd" && PATH=$tmp/bin:$PATH "$docs/complete" "$OLDPWD/tools/completion/$1" "$@"); }

# completed PROGRAM WORD...: as complete, and when it is asked again, what it has offered
completed() {
	local file=$tmp/completed/${*//\//%}
	[[ -e $file ]] || complete "$@" >"$file"
	cat "$file"
}

# offers WANTED PROGRAM WORD...
offers() {
	completed "${@:2}" | grep -qxF -e "$1" || echo "does not offer '$1' for '${*:2}'"
}

# completes WANTED PROGRAM WORD...: that, and no more
completes() {
	local got
	got=$(complete "${@:2}" | sort | paste -sd ' ')
	[[ $got = "$1" ]] || echo "offers '$got' instead of '$1' for '${*:2}'"
}

# Options of each of the commands, which may have a word and another.
options_of() {
	local program=$1 commands command words
	IFS=, read -ra commands <<<"$2,"
	for command in "${commands[@]}"; do
		read -ra words <<<"$command"
		completed "$program" "${words[@]}" -
	done
}

not_completed() {
	local program=$1 kind commands word words
	while IFS='|' read -r kind commands word; do
		read -ra words <<<"$commands"
		case $kind in
		command)
			offers "${words[0]}" "$program" ''
			[[ ${#words[@]} = 1 ]] || offers "${words[1]}" "$program" "${words[0]}" '' ;;
		keyword) # behind one name, or two
			[[ ! $(offers "$word" "$program" "${words[@]}" x x '') ]] ||
				offers "$word" "$program" "${words[@]}" x '' ;;
		option)	options_of "$program" "$commands" | grep -qxF -e "$word" ||
			echo "does not offer $word with any of: $commands" ;;
		esac
	done <"$tmp/$program" | sort -u
}

mkdir "$tmp/bin" "$tmp/cwd" "$tmp/completed"
for program in $built; do
	[[ -e tools/completion/$program ]] || continue # which has been told
	not_completed "$program" | holds "$program: what --help tells of is completed"
done
