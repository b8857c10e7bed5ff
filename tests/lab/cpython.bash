# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# CPython's own tests of sockets and of what is built on them, by SDP. To be sourced by cases, which say which modules.

# shellcheck source=tests/lab/sdp.bash
. "$lab/sdp.bash"
# shellcheck source=tests/lab/above.bash
. "$lab/above.bash"

# suite FILE COMMAND...: the tests of MODULES
suite() { timeout -k 5 $((150 * slowness)) ip netns exec hca0 "${@:2}" /usr/bin/python3 "$lab/socket_suite" "$1" "${modules[@]}"; }

# pass_by_sdp LEAST MODULE...: each test of these that passes by TCP passes by SDP, and LEAST of them do. A release of Python that
# has no such module does without.
pass_by_sdp() {
	local modules=() module wrong
	lay_programs
	if ! /usr/bin/python3 -c 'import test.test_socket' 2>/dev/null; then
		skip "CPython's tests" 'there is no libpython3-testsuite'
		exit
	fi
	sdp_fabric
	at hca0 ip link set lo up
	sdp_before=$(sdp_objects)
	cd "$tmp" || exit
	for module in "${@:2}"; do
		[[ $(/usr/bin/python3 -c "import test.test_$module" 2>&1) ]] || modules+=("test.test_$module")
	done
	log "$(suite by_sdp sdprun 2>&1)"
	mapfile -t wrong < <(sed -En 's/^(failed|hung) //p' by_sdp)
	# What fails by TCP as well, here and now, is no difference.
	if [[ ${#wrong[@]} != 0 ]]; then
		modules=("${wrong[@]}")
		suite by_tcp >tcp.out 2>&1
		mapfile -t wrong < <(sed -n 's/^passed //p' by_tcp)
	fi
	log "$(cut -d ' ' -f 1 by_sdp | sort | uniq -c)"
	is 'what passes by TCP passes by SDP' "${wrong[*]}" ''
	# S2-T48
	holds "that is $1 tests at least" test "$(grep -c '^passed ' by_sdp)" -ge "$1"
	holds 'no object is left' sdp_rests
}
