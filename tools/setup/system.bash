# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2034
# Identifies this system, and finds missing programs and files and the packages to install. Sourced by a script that
# defines say and die.

setup=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly setup
# The root folder of another system to examine; empty: this system.
root=''

# Maps the names in ID and ID_LIKE of os-release to package managers. The first match counts.
declare -rA managers=([debian]=apt [ubuntu]=apt [fedora]=dnf [rhel]=dnf [suse]=zypper [opensuse]=zypper [arch]=pacman)
declare -rA columns=([apt]=0 [dnf]=1 [zypper]=2 [pacman]=3)
declare -rA installers=(
	[apt]='apt-get install --no-install-recommends'
	[dnf]='dnf install'
	[zypper]='zypper install --no-recommends'
	[pacman]='pacman -S --needed'
)

# Sets system, the name of the system; manager, the package manager, or empty; and flavour, the flavor of Debian's and
# Ubuntu's kernels.
know_system() {
	local ID='' ID_LIKE='' PRETTY_NAME='' name
	# shellcheck disable=SC1091 # of whatever system
	[[ ! -r $root/etc/os-release ]] || . "$root/etc/os-release"
	system=${PRETTY_NAME:-${ID:-this system, which has no /etc/os-release,}}
	manager='' flavour=generic
	for name in $ID $ID_LIKE; do
		manager=${managers[${name%%-*}]-}
		[[ ! $manager ]] || break
	done
	if [[ $manager = apt && $name = debian ]]; then
		flavour=$(dpkg --print-architecture 2>/dev/null) || flavour=amd64
	fi
}

kernel_releases() { "$setup/../../kernel/releases" ${root:+--root "$root"} "$@" 2>/dev/null; }

# Prints the path of an installed command.
program() {
	local PATH=$PATH
	[[ ! $root ]] || PATH=$root/usr/bin:$root/usr/sbin
	type -P "$1"
}

is_there() {
	local path
	case $1 in
	command) program "$2" ;;
	static) path=$(program "$2") && ! grep -qa '/ld-linux' "$path" ;;
	library) env ${root:+"PKG_CONFIG_LIBDIR=$root/usr/lib/pkgconfig"} pkg-config --exists "$2" ;;
	header) compgen -G "$root/usr/include/$2" || compgen -G "$root/usr/include/*/$2" ;;
	file) compgen -G "$root$2" ;;
	kernel) kernel_releases ;;
	esac >/dev/null 2>&1
}

# missing LIST...: prints a line for each missing program or file of these lists: LIST PACKAGE WHAT NAME. PACKAGE is a
# dash if there is none, or if the system is unknown.
missing() {
	local list what name packages package
	while read -r list what name packages; do
		[[ " $* " = *" $list "* ]] || continue
		! is_there "$what" "$name" || continue
		read -ra packages <<<"$packages"
		package=${packages[${columns[${manager:-none}]:-9}]--}
		echo "$list ${package/@ARCH@/$flavour} $what $name"
	done < <(grep -v '^#' "$setup/needs")
}

# Prints the series of the kernel that the system itself offers, which is the lowest one if there are several suites.
# Prints nothing if it is unknown.
own_series() {
	[[ $manager != apt ]] ||
		apt-cache show "linux-image-$flavour" 2>/dev/null | sed -n 's/^Depends:.*linux-image-\([0-9]*\.[0-9]*\)\..*/\1/p' |
		sort -V | head -n 1
}

# Lists the newest installed kernel of each series. The system's own kernel is first: that of the series it offers;
# otherwise the newest.
usable_kernels() {
	local all own series
	all=$(kernel_releases --series) || return 0
	series=$(own_series)
	own=$(grep "^${series//./\\.}[^0-9]" <<<"$all" || tail -n 1 <<<"$all")
	echo "$own"
	grep -vFx "$own" <<<"$all" || :
}
