# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For cases that run perftest's whole family: which services and options its programs allow for an operation.

declare -A services=([send]='RC UC UD XRC' [write]='RC UC XRC' [read]='RC XRC' [atomic]='RC XRC')

# Longest message of all sizes (-a), octets.
longest() { if [[ $1 = UD ]]; then echo 4096; else echo 8388608; fi; }

# allowed OPERATION SERVICE OPTION: perftest has no events for Writes, SRQs for Sends alone (with XRC always), and one size
# of atomics, which it does not do on pages on demand; these are for connections that repeat what is lost.
allowed() {
	case $3 in
	-e) [[ $1 != write ]] ;;
	--use-srq) [[ $1 = send && $2 != XRC ]] ;;
	-a) [[ $1 != atomic ]] ;;
	--odp) [[ $1 != atomic && $2 = @(RC|XRC) ]] ;;
	esac
}

# family FIGURE COUNT OPTION...: runs ib_OPERATION_FIGURE of each operation and service with each OPTION that it allows.
# An OPTION may be several words, of which the first decides.
family() {
	local figure=$1 count=$2 operation service option
	shift 2
	for operation in send write read atomic; do
		for service in ${services[$operation]}; do
			for option; do
				! allowed "$operation" "$service" "${option%% *}" ||
					one_of_family "$operation" "$figure" "$service" "$count" "$option"
			done
		done
	done
}

# one_of_family OPERATION FIGURE SERVICE COUNT OPTION
one_of_family() {
	local name="ib_$1_$2 by $3 $5" size=(-s 4096)
	[[ $1 != atomic && $5 != -a ]] || size=()
	# shellcheck disable=SC2086 # an option may be several words
	perftest "$name" hca0 hca1 "ib_$1_$2" -c "$3" -n "$4" "${size[@]}" $5
	[[ $5 != -a ]] || has "$name: up to $(longest "$3") octets" "$(longest "$3")\s.*"
}
