# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034
# A cache of files that take long to make. A file is made again when its sources change.

cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/hca

# Makes a file, or finds it in the cache. Sets cached_file to its path.
# $1: name, $2: text with everything that the file depends on, $3: function that makes the file, with the path as its
# argument
# The file is made under another name and renamed, since other runs may make it at the same time. Without a cache, it is
# made for this run only.
cached() {
	local key made
	key=$(sha256sum <<< "$2")
	cached_file=$cache/$1-$release-${key:0:16}
	# The cache of another user may not be readable.
	if [[ -s $cached_file && -r $cached_file ]]; then return; fi
	mkdir -p "$cache" 2>/dev/null
	made=$(mktemp "$cache/making.XXXXXXXX" 2>/dev/null) || made=''
	if [[ ! $made ]] || ! "$3" "$made" 2>/dev/null; then
		rm -f "$made"
		cached_file=$dir/made-$1
		"$3" "$cached_file"
		return
	fi
	find "$cache" -maxdepth 1 -type f \( -name "$1-$release-*" -mtime +7 -o -name 'making.*' -mmin +60 \) -delete
	mv -f "$made" "$cached_file"
}
