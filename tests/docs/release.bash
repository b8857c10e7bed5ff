# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# What says which release this is.

{
	version=$(sed -n 's/^Version: *//p' hca.spec)
	[[ $version = "$(<VERSION)" ]] || echo "Version: $version, but VERSION is $(<VERSION)"
	grep -q "^\* .* - $(<VERSION)-" hca.spec || echo "%changelog: nothing of $(<VERSION)"
} | holds 'hca.spec: its version is that of VERSION'
