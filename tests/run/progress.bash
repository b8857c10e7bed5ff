# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Where commands that take turns (turns.bash) have got to. Each line that is read is one of
#
#     more N                               so many turns will be taken, beside those that were announced before
#     begin TITLE                          one has begun
#     end SECONDS PASSED FAILED TITLE      it has ended, with so many results
#     stop                                 that was all
#
# For each end a line is written, which begins with #, and so is no result. On a terminal there is besides, below all that
# is written, a line of what goes on. To be sourced; follow reads standard input until that stops, or this shell is gone.

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# Those that run, each with its time, the longest first.
runners() {
	local title
	for title in "${!began[@]}"; do
		printf '%d %s\n' $((SECONDS - began[$title])) "$title"
	done | sort -rn | while read -r seconds title; do
		printf ', %s (%s)' "$title" "$(clock "$seconds")"
	done
}

# live LINE: in place, as wide as the terminal; what is written next overwrites it
live() { printf '\r\e[K%.*s\r' $((${COLUMNS:-80} - 1)) "$1"; }

write_event() {
	local what=$1 rest=$2 seconds passed failed title now
	case $what in
	more)
		((total += rest))
		echo "# $rest groups of tests are to run, $total in all"
		;;
	begin)	began[$rest]=$SECONDS ;;
	end)
		read -r seconds passed failed title <<<"$rest"
		unset "began[$title]"
		((++ended))
		now=$(runners)
		[[ ! $is_terminal ]] || printf '\r\e[K'
		echo "# $title: $passed passed, $failed failed, $(clock "$seconds"); $ended of $total after $(clock $SECONDS)${now:+, running: ${now:2}}"
		;;
	esac
}

follow() {
	local total=0 ended=0 is_terminal='' patience=10 line='' more now
	local -A began=()
	SECONDS=0
	[[ ! -t 1 ]] || is_terminal=yes patience=1
	while kill -0 $$; do
		# Patience may end amid a line, whose rest comes with the next turn.
		if IFS= read -rt $patience more; then
			line+=$more
			[[ $line != stop ]] || break
			write_event "${line%% *}" "${line#* }"
			line=''
		else
			line+=$more
		fi
		if [[ $is_terminal ]]; then
			now=$(runners)
			live "$ended of $total after $(clock $SECONDS)${now:+, running: ${now:2}}"
		fi
	done 2>/dev/null
	[[ ! $is_terminal ]] || printf '\e[K'
}
