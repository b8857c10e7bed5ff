# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# For scripts that call hcalab in ways of which nothing shall remain: a folder $work, and in it a TMPDIR and a cache.

work=$(mktemp -d)
scratch=("$work")
trap 'rm -rf "${scratch[@]}"' EXIT

# What is in the cache is worth having; what goes there is not for others.
mkdir -p "$work/tmp" "$work/cache/hca"
find "${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/hca/" -maxdepth 1 -type f -exec ln -st "$work/cache/hca" {} + 2> /dev/null
export TMPDIR=$work/tmp XDG_CACHE_HOME=$work/cache

# Processes that hcalab has started and left.
left_running() { pgrep -f "$TMPDIR/hcalab\."; }
