# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# hca-errors(7) has each value of vendor_err, each status that one belongs to, and each reason to drop a packet.

python3 -B "$docs/errors.py" 2>&1 | holds 'hca-errors.7 has all values of vendor_err, with their statuses, and all drop reasons'
