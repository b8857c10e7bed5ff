# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Tests that CPython and libraries of Python have of their own sockets and of what is built on them, by SDP. To be sourced by
# cases, which say which modules.

# shellcheck source=tests/lab/lib/sdp.bash
. "$lab/lib/sdp.bash"
# shellcheck source=tests/lab/lib/above.bash
. "$lab/lib/above.bash"

# suite FILE COMMAND...: runs the tests of MODULES, as COMMAND's arguments, and sets $status
suite() { limit=150 run ip netns exec hca0 "${@:2}" /usr/bin/python3 "$lab/programs/socket_suite" "$1" "${modules[@]}"; }

# see_connection: makes the file `seen` once a socket of SDP is connected there
see_connection() {
	until [[ $(established hca0) != 0 ]]; do nap 0.1; done
	: >"$tmp/seen"
}

# pass_by_sdp WHAT LEAST MODULE...: each test of these modules of WHAT that passes by TCP passes by SDP, and LEAST of them do. A
# module that a release of WHAT does not have is left out. The regular expression $hasty names tests that may differ: those that fail
# by either on a slow machine, since they have short limits of time that cannot be set.
pass_by_sdp() {
	local modules=() module wrong watcher
	lay_programs
	for module in "${@:3}"; do
		run /usr/bin/python3 -c "import $module"
		[[ $status != 0 ]] || modules+=("$module")
	done
	[[ ${#modules[@]} != 0 ]] || { skip "tests of $1" "there is no $3"; exit; }
	sdp_fabric
	at hca0 ip link set lo up
	sdp_before=$(sdp_objects)
	cd "$tmp" || exit
	see_connection &
	watcher=$!
	suite by_sdp sdprun
	kill "$watcher" 2>/dev/null
	worked 'its tests come to an end by SDP'
	[[ $status = 0 ]] || exit
	holds 'they have connections of SDP' test -e seen
	mapfile -t wrong < <(sed -En 's/^(failed|hung) //p' by_sdp)
	# What fails by TCP as well, here and now, is no difference.
	if [[ ${#wrong[@]} != 0 ]]; then
		modules=("${wrong[@]}")
		suite by_tcp env
		worked 'those that fail come to an end by TCP'
		mapfile -t wrong < <(sed -n 's/^passed //p' by_tcp | grep -Evx "${hasty-}")
	fi
	echo "# $1, by SDP:$(cut -d ' ' -f 1 by_sdp | sort | uniq -c | tr -s ' \n' ' ')" >&3
	is 'what passes by TCP passes by SDP' "${wrong[*]}" ''
	# S2-T48
	holds "that is $2 tests at least" test "$(grep -c '^passed ' by_sdp)" -ge "$2"
	holds 'no object is left' sdp_rests
}
