# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Runs the steps of ./run. Each step prints its name, the time it took, and advice if it fails. This file is sourced by
# a script that defines say and die, and sets log, verbose and dry_run.

# Prints the errors that a user can correct: a regular expression of the log, a tab, and the advice.
complaints() {
	sed 's/ \{2,\}/\t/' <<'END'
No space left on device|enough free space  no space is left; a build wants 1 GB here, packages some 3 GB below / (df -h tells)
Release file .*(expired|not valid)  the mirror's list of packages is past its date; to take it all the same: apt-get -o Acquire::Check-Valid-Until=false update
(Temporary failure|Could not) resolv|Unable to connect|Could not connect|Network is unreachable|Connection (failed|timed out)  apt cannot reach its mirror: is there a network, and does /etc/apt/sources.list name one that is there?
Could not get lock|Unable to acquire the dpkg frontend lock  another apt is at work; call this again when it has ended
404 +Not Found  the mirror does not have a package that apt knows of: apt-get update, and again
is not in the sudoers file|a password is required|incorrect password  sudo does not let you; as root, then, or name yourself in /etc/sudoers
you have held broken packages|unmet dependencies  apt finds packages that do not go together: apt-get -f install
libibverbs is of two releases  libibverbs' library and headers are of two releases: install both of one
END
}

explain() {
	local pattern sentence
	while IFS=$'\t' read -r pattern sentence; do
		! grep -Eqi -- "$pattern" <(tail -n 200 "$log") || { echo "; $sentence"; return; }
	done < <(complaints)
}

# Shows the output of a step: all lines with --verbose; otherwise, on a terminal, the latest line with the time, in
# place.
progress() {
	local line
	if [[ $verbose ]]; then
		cat
	elif [[ -t 1 ]]; then
		while IFS= read -r line; do
			printf '\r\e[K%2d:%02d  %.*s' $((SECONDS / 60)) $((SECONDS % 60)) $((${COLUMNS:-80} - 8)) "$line"
		done
		printf '\r\e[K'
	else
		cat >/dev/null
	fi
}

logged() { "$@" 2>&1 </dev/null | tee -a "$log" | progress; }

# Shows the log of a failed command: its errors, which may be far above the end if there are several jobs, and its end.
last_words() {
	grep -Ei -A 3 '(^|[ :])error(:|$| [0-9])|\*\*\*' "$log" | head -n 20 || :
	tail -n 20 "$log"
}

# step WHAT COMMAND...: prints WHAT and runs COMMAND; dies if COMMAND fails
step() {
	local what=$1 before=$SECONDS
	shift
	if [[ $dry_run ]]; then
		say "$what: $*"
		return
	fi
	say "$what"
	if ! logged "$@"; then
		[[ $verbose ]] || last_words >&2
		die "failed: $what$(explain) (all of its output is in $log; ./run $command goes on from here)"
	fi
	((SECONDS - before < 10)) || say "  took $((SECONDS - before)) s"
}

# start COMMAND...: the last step, which replaces this process
start() {
	[[ $dry_run ]] || exec "$@"
	say "then: $*"
}

# as_root COMMAND...: runs COMMAND as root. All users can read the files that it creates, whatever the umask of this
# user is.
as_root() (
	umask 022
	[[ $(id -u) = 0 ]] || set -- sudo "$@"
	exec "$@"
)

refresh_apt() {
	# An interrupted dpkg may have left packages to be configured.
	[[ -z $(dpkg --audit) ]] || step 'finishing what dpkg had begun' as_root dpkg --configure -a
	logged as_root apt-get update || say "apt-get update failed; going on with what apt knows$(explain)"
}

# Prints the packages that apt knows, of those that missing has printed. Unknown packages that only tests need are
# skipped; others are an error. $1: the output of missing
known_to_apt() {
	local list package what name
	sort -u -k2,2 <<<"$1" | while read -r list package what name; do
		if apt-cache show "$package" >/dev/null 2>&1; then
			echo "$package"
		elif [[ $list = check ]]; then
			say "apt knows no package $package; tests that want the $what $name are skipped" >&2
		else
			die "apt knows no package $package, for the $what $name$(explain)"
		fi
	done
}

# Returns whether packages can be installed. sudo asks for a password here, where the question is visible, and not
# during a step.
may_install() {
	type -P apt-get >/dev/null || return
	[[ $(id -u) != 0 ]] || return 0
	type -P sudo >/dev/null || return
	say "packages are missing; sudo may want your password to install them"
	! sudo -n true 2>/dev/null && ! sudo -v || return 0
	if { : </dev/tty; } 2>/dev/null; then
		say "sudo does not let $(id -un) install them"
	else
		say "sudo wants a password, and there is no terminal to ask for it on; call this on a terminal, or as root"
	fi
	return 1
}

install() {
	step "installing with apt: $*" as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends "$@"
}

# Explains why an installed kernel cannot be used, and what can be done.
kernels_seen() {
	local seen
	seen=$(kernel/releases 2>&1 >/dev/null) || echo "; $seen; $system may have a newer one and its headers among its backports"
}

# Dies if the place of the build is not usable, which a step cannot correct.
check_place() {
	[[ ! $PWD =~ [[:space:]] ]] ||
		die "make cannot work below a folder with a blank in its name, which this has: $PWD; move it to another place"
	[[ ! $dry_run ]] || return 0
	{ mkdir -p build && : >"$log"; } 2>/dev/null || die "cannot write to $PWD/build; is it somebody else's? (ls -ld build)"
	local free
	free=$(($(df --output=avail -m build | tail -n 1)))
	[[ -e build/configured ]] || ((free >= 1000)) ||
		die "a build wants 1 GB, and $free MB are free in $PWD/build; make room, or move this to another place"
}
