# shellcheck shell=bash disable=SC2154 # what guest.bash has set
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases of programs and modules that may not be there: such a case is skipped then.

# Programs that are not installed here.
lay_programs() {
	[[ ! -d ${LAB_PROGRAMS-} ]] || "$lab/lib/lay-programs" "$LAB_PROGRAMS" || { not_ok 'programs are laid over the system' "not so: $LAB_PROGRAMS"; exit 1; }
}

# wants WHAT PROGRAM...: the case is about WHAT, and uses these
wants() {
	local program
	lay_programs
	for program in "${@:2}"; do
		command -v "$program" >/dev/null || { skip "$1" "there is no $program"; exit; }
	done
}

# wants_modules WHAT MODULE...
wants_modules() {
	local module
	for module in "${@:2}"; do
		modprobe -q "$module" || { skip "$1" "this kernel has no $module"; exit; }
	done
}
