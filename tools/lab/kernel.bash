# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# The kernel with sanitizers: User Mode Linux from Debian's source (uml/build), built once and kept in the cache until
# the source, its configuration or the compiler changes.

# The number of objects, to show the progress of a build.
readonly uml_objects=1500

# Prints the versions whose source is installed, oldest first. The first one is Debian's own release, since its
# backports are newer.
uml_versions() {
	local source
	for source in /usr/src/linux-source-*.tar.xz; do
		source=${source#*/linux-source-}
		[[ ! -r /usr/src/linux-source-$source ]] || echo "${source%.tar.xz}"
	done | sort -V
}

# Sets uml_version to the version that --kernel names; otherwise to the first one. Fails if its source is not installed.
choose_source() {
	local version
	while read -r version; do
		[[ ! $kernel || $(matching "$version" <<< "$kernel") ]] || continue
		uml_version=$version uml_source=/usr/src/linux-source-$version.tar.xz
		return
	done < <(uml_versions)
	return 1
}

# Sets kernel_dir to the path of the kernel, whether it is built or not. Fails if its source is not installed.
find_sanitize_kernel() {
	local key
	choose_source || return
	key=$({
		stat -L -c '%n %s' "$uml_source"
		dpkg-query -W "linux-source-$uml_version"
		cat "$lab"/uml/* "$lab/uml/$uml_version"/*
		gcc --version
	} 2> /dev/null | sha256sum)
	kernel_dir=$cache/kernel-$uml_version-sanitize-${key:0:16}
}

built() { [[ -s $kernel_dir/release ]]; }

choose_sanitize_kernel() {
	choose_source || fail_no_source
	find_sanitize_kernel && built ||
		fail "the kernel with sanitizers is not built (yet, or for what is installed by now):" \
			"'hcalab kernel build --sanitize${kernel:+ --kernel $kernel}'"
	release=$(< "$kernel_dir/release")
	modules_root=$kernel_dir
}

# --- building it -----------------------------------------------------------------------------------------------------

fail_no_source() {
	local has
	has=$(uml_versions | words)
	fail "the source of Linux${kernel:+ $kernel} is not installed (has: ${has:-none});" \
		"on Debian: apt-get install --no-install-recommends linux-source${kernel:+-$kernel}"
}

# Prints one apt-get line with the packages that are missing.
check_packages() {
	local entry missing=()
	for entry in "gcc gcc" "make make" "bc bc" "bison bison" "flex flex" "patch patch" "xz xz-utils" "depmod kmod" "ld binutils"; do
		type -P "${entry% *}" > /dev/null || missing+=("${entry#* }")
	done
	[[ -e /usr/include/stdio.h ]] || missing+=(libc6-dev)
	choose_source || missing+=("linux-source${kernel:+-$kernel}")
	[[ ${#missing[@]} -eq 0 ]] ||
		fail "packages are missing; on Debian: apt-get install --no-install-recommends ${missing[*]}"
}

# Waits for process $1 and shows the progress of log $2: in place on a terminal, otherwise every minute.
show_progress() {
	local start=$SECONDS shown=-60 objects text
	while kill -0 "$1" 2> /dev/null; do
		objects=$(grep -cE '^  (AS|CC|LD|AR|HOSTCC) ' "$2")
		text="$objects of about $uml_objects objects, $(((SECONDS - start) / 60)) min $(((SECONDS - start) % 60)) s"
		if [[ -t 2 ]]; then
			printf '\r\e[K%s' "hcalab: $text" >&2
		elif ((SECONDS - shown >= 60)); then
			say "$text"
			shown=$SECONDS
		fi
		sleep 1
	done
	[[ ! -t 2 ]] || printf '\r\e[K' >&2
}

# Locks the cache, since another build may be running.
lock_cache() {
	mkdir -p "$cache" && exec {lock}> "$cache/kernel.lock" || fail "$cache cannot be written"
	if ! flock -n "$lock"; then
		say "another build is under way; waiting for it"
		start flock "$lock" &
		children=($!)
		wait $!
		children=()
	fi
}

remove_unfinished() { rm -rf "$cache/making-kernel"; }

# Builds the kernel with sanitizers. $1: number of jobs
build_sanitize_kernel() {
	local work=$cache/making-kernel log=$cache/kernel-build.log start=$SECONDS
	check_packages
	find_sanitize_kernel
	lock_cache
	if built; then
		say "it is there already: $(< "$kernel_dir/release"), in $kernel_dir"
		return
	fi
	say "building Linux $uml_version with sanitizers, which takes some minutes; its log: $log"
	remove_unfinished
	mkdir -p "$work/to" || fail "$work cannot be written"
	# The build is a process group, so that all its processes can be killed.
	(cd "$work" && exec setsid "$lab/uml/build" "$uml_source" "$work/to" "$1") > "$log" 2>&1 < /dev/null &
	group=$!
	trap 'kill -KILL -- -$group 2> /dev/null; remove_unfinished; cleanup' EXIT
	show_progress "$group" "$log"
	if ! wait "$group"; then
		tail -n 30 "$log" >&2
		fail "the build failed; all that it said is in $log"
	fi
	mv -T "$work/to" "$kernel_dir" || fail "cannot write $kernel_dir"
	find "$cache" -maxdepth 1 -type d -name "kernel-$uml_version-*" ! -path "$kernel_dir" -mtime +30 -exec rm -rf {} +
	say "built in $(((SECONDS - start + 30) / 60)) min: $(< "$kernel_dir/release"), $(du -sh "$kernel_dir" | cut -f 1) in $kernel_dir"
}

# --- listing -----------------------------------------------------------------------------------------------------------

list_kernels() {
	local each has
	has=$(built_kernels)
	{
		installed_kernels | while read -r each; do echo "$each installed"; done
		uml_versions | while read -r kernel; do
			if find_sanitize_kernel && built; then echo "$(< "$kernel_dir/release") sanitizers"; fi
		done
	} | while read -r each what; do
		if grep -qxF "$each" <<< "$has"; then what+=', hca.ko'; fi
		printf '%-28s %s\n' "$each" "$what"
	done
}

# --- the command -------------------------------------------------------------------------------------------------------

kernel_command() {
	local sanitize='' jobs
	jobs=$(nproc)
	case ${1-} in
	--help|-h) help_for kernel; exit 0 ;;
	build|list) mode="kernel $1" ;;
	'') usage "kernel: what to do? 'build' or 'list'" ;;
	*)  usage "kernel: no such thing to do: '$1'; there are 'build' and 'list'" ;;
	esac
	parse_options "$1_options" "${@:2}"
	[[ ${#argv[@]} -eq 0 ]] || usage "$mode takes no arguments but options (got '${argv[0]}')"
	if [[ $mode == 'kernel list' ]]; then
		choose_build
		choose_kernels
		list_kernels
		return
	fi
	[[ $sanitize ]] || usage "kernel build: only the kernel with sanitizers is built here: hcalab kernel build --sanitize"
	[[ $jobs =~ ^[1-9][0-9]{0,3}$ ]] || usage "-j '$jobs': not a number of jobs"
	clean_up_at_exit
	build_sanitize_kernel "$jobs"
}
