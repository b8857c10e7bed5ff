# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Prints the limits that follow from figures: those of hca with the best that was ever measured. Reads the old limits, and then
# the figures.

/^#/ || !NF { if (NR == FNR && !begun) print; next }
NR == FNR { begun = 1; if ($1 == "hca") best[$2] = $4; next }
$1 == "hca" { print $1, $2, $3, $2 in best && best[$2] < $3 ? best[$2] : $3; next }
{ print }
