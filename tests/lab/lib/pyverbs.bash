# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of pyverbs, rdma-core's tests for all adapters: those of this system or, where LAB_SYSTEM is the folder of another
# one (tests/provider/suite), those of that system, which run in it, with the provider that was built there in /hca/build.

# shellcheck source=tests/lab/lib/ip.bash
. "$lab/lib/ip.bash"

system=${LAB_SYSTEM-}
# Debian has the tests among its documents.
pyverbs_from=/usr/share/doc/rdma-core/tests

# in_system COMMAND...: runs it in that system. What is mounted there is gone afterwards.
in_system() { enter unshare --mount -- "$@"; }

# enter BEFORE... -- COMMAND...: runs `BEFORE... COMMAND...`, with the COMMAND in that system. BEFORE makes a name space for
# mounts, in which the system gets what is mounted here then.
enter() {
	local before=()
	while [[ $1 != -- ]]; do before+=("$1"); shift; done
	shift
	if [[ $system ]]; then
		# shellcheck disable=SC2016 # that shell's
		before+=(bash -c 'for dir in dev sys proc tmp; do mount --rbind "/$dir" "$0/$dir" || exit; done
			exec chroot "$0" env -u LD_LIBRARY_PATH PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$system")
	fi
	"${before[@]}" "$@"
}

# Makes $tmp/tests, or skips the case.
pyverbs_begins() {
	if ! in_system python3 -c 'import pyverbs.device' 2>/dev/null || [[ ! -e $system$pyverbs_from/__init__.py ]]; then
		skip 'pyverbs' "there is no python3-pyverbs, or no $pyverbs_from"
		exit
	fi
	cp -r "$system$pyverbs_from" "$tmp/tests" && gunzip -q "$tmp"/tests/*.gz
	cp "$lab"/programs/pyverbs_{suite,skips} "$tmp"
	[[ ! $system ]] || echo 'driver /hca/build/libhca/libhca' >"$system/etc/libibverbs.d/hca.driver" || exit
	# Some tests register huge pages.
	echo 16 >/proc/sys/vm/nr_hugepages
}

# Makes the fabric, and $tmp/tests, or skips the case.
pyverbs_fabric() {
	pyverbs_begins
	ip_fabric
}

# pyverbs DEVICE SKIPS BEFORE...: runs the tests of DEVICE, those of $pyverbs_names if it is set, and sets $status, $out and the
# file $tmp/DEVICE. BEFORE is as of `enter`.
pyverbs() {
	out=$(enter "${@:3}" -- timeout $((${limit:-190} * slowness)) "$tmp/pyverbs_suite" "$1" "$tmp/tests" "$2" "$tmp/$1" \
		${pyverbs_names+"$pyverbs_names"} 2>&1 </dev/null 3>&-)
	status=$?
	log "$out"
}

# Address handles are left out, which IPoIB makes and drops for neighbors.
objects_but_ah() { sed 's/ ah [0-9]*//'; }

others_are() { [[ $(objects hca0 | objects_but_ah) == "$1" ]]; }

# pyverbs_of_hca LEAST: the tests of hca0 pass, or skip for a reason that is known, and LEAST of them pass. The network namespace
# is that of the device's IPoIB interface, which the tests of librdmacm use.
pyverbs_of_hca() {
	local before
	before=$(settled_objects hca0 | objects_but_ah)
	pyverbs hca0 "$tmp/pyverbs_skips" ip netns exec hca0
	sed -n 's/^\(ok\|not ok\) - tests\./\1 - /p' <<<"$out" >&3
	is 'all tests of pyverbs pass, or skip for a reason that is known' $status 0
	holds "those that pass are $1 at least" test "$(grep -c '^passed ' "$tmp/hca0")" -ge "$1"
	holds 'nothing is left of their objects at hca0 (V3-304)' within 10 others_are "$before"
}
