# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# Parses options by a table.

# The options of 'run' and 'shell'. A row has the forms of an option, the name of its value (- if it does not have one)
# and the variable that gets the value, or 1. A variable that ends in [] is a list, to which values are added.
readonly machine_options=(
	'--kernel     VERSION    kernel'
	'--kernels    DIR        modules_root'
	'--build      DIR        build'
	'--pair       -          pair'
	'--sanitize   -          sanitize'
	'--nodes      N          nodes'
	'--join       -          join'
	'--topology   FILE       topology'
	'--output     DIR        output'
	'--publish    PORT       publish[]'
	'--no-module  -          bare'
	'--name       NAME       name'
	'--env        NAME=VALUE env_extra[]'
	'--cpus       N          cpus'
	'--memory     SIZE       memory'
	'--timeout    SECONDS    timeout'
	'--icount     -          icount'
	'--accel      KIND       accel'
	'--log        FILE       log'
	'--append     WORD       append[]'
	'--qemu       WORD       qemu_extra[]'
	'-v,--verbose -          verbose'
	'-h,--help    -          help'
)

# The options of 'kernel build' and 'kernel list'.
readonly build_options=(
	'--sanitize   -          sanitize'
	'--kernel     VERSION    kernel'
	'-j           N          jobs'
	'-h,--help    -          help'
)
readonly list_options=(
	'--build      DIR        build'
	'--kernels    DIR        modules_root'
	'-h,--help    -          help'
)

# Prints the options of a table, as in "--pair, --nodes, --verbose". $1: the name of the table
option_names() {
	local -n rows=$1
	local row names list=''
	for row in "${rows[@]}"; do
		names=${row%% *}
		list+=", ${names##*,}"
	done
	echo "${list#, }"
}

# Finds an option. Sets value_name and variable from its row; fails if there is none. $1: the name of a table, $2: the
# option
find_option() {
	local -n rows=$1
	local row names
	for row in "${rows[@]}"; do
		read -r names value_name variable <<< "$row"
		[[ ,$names, != *",$2,"* ]] || return 0
	done
	return 1
}

# Sets the variable of an option. $1: the variable of a row, $2: its value
set_option() {
	if [[ $1 == *'[]' ]]; then
		local -n list=${1%'[]'}
		list+=("$2")
	else
		printf -v "$1" %s "$2"
	fi
}

# Parses arguments. Sets the variables of the options, and argv to the remaining arguments. $1: the name of a table; the
# rest: arguments
parse_options() {
	local table=$1 option value value_name variable
	shift
	while [[ ${1-} == -* && $1 != -- ]]; do
		option=$1 value=''
		case $option in
		--*=*)	option=${1%%=*} value=${1#*=} ;;
		-[!-]?*) option=${1::2} value=${1:2} ;;
		esac
		find_option "$table" "$option" || usage "'$1': no such option; there are $(option_names "$table")"
		if [[ $value_name == - ]]; then
			[[ $1 == "$option" ]] || usage "'$1': takes no value"
			value=1
		elif [[ $1 == "$option" ]]; then
			value=${2-}
			[[ $# -eq 1 ]] || shift
		fi
		[[ $value ]] || usage "'$option': needs a value: $option $value_name"
		[[ $variable != help ]] || { help_for "$mode"; exit 0; }
		set_option "$variable" "$value"
		shift
	done
	[[ ${1-} != -- ]] || shift
	argv=("$@")
}
