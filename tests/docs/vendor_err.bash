# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# Values of vendor_err.

python3 "$docs/vendor_err.py" 2>&1 | holds 'hcadv_vendor_err_str.3 lists the values of vendor_err, with their statuses and texts'
