# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# See ./gate. Reads lines COLUMN ROW INSTRUCTIONS, with `side` recorded and then measured.

function result(good, what) {
	results = results (good ? "ok" : "not ok") " - " what "\n"
	if (!good)
		status = 1
}

/^#/ || !NF || $1 == "cpu" { next }
$1 == "kernel" { kernel[side] = $2; next }

!($1 ~ /^(hca|own|rxe|machine)$/ && NF == 3 && $3 ~ /^[1-9][0-9]*$/) {
	result(0, "line # " FILENAME ":" FNR ": '" $0 "' is not {hca|own|rxe|machine} ROW INSTRUCTIONS")
	next
}

# Only hca between two adapters has limits; the other columns are for comparison.
$1 != "hca" { next }

(side, $2) in figure {
	result(0, "line # " FILENAME ":" FNR ": " $1 " " $2 " for the second time")
	next
}

{
	figure[side, $2] = $3
	if (!seen[$2]++)
		rows[++n] = $2
}

function series(release) {
	match(release, /^[0-9]+\.[0-9]+/)
	return substr(release, 1, RLENGTH)
}

function compare(row, old, new, change, risen, remark) {
	old = figure["recorded", row]
	new = figure["measured", row]
	change = (new / old - 1) * 100
	# Integer arithmetic makes the limit of 5 % exact.
	risen = new * 100 > old * 105
	if (new * 100 < old * 95) {
		fallen = 1
		remark = "  fell by more than 5 %"
	}
	printf "%-22s%11d%11d%+9.1f %%%s\n", "hca " row, old, new, change, risen ? "  rose by more than 5 %" : remark
	result(!risen, "hca " row (risen ? sprintf(" # rose by %.1f %%, from %d to %d", change, old, new) : ""))
}

function lonely(row, side, other) {
	printf "%-22s%11s%11s%11s  not %s\n", "hca " row, side == "recorded" ? figure[side, row] : "-",
		side == "measured" ? figure[side, row] : "-", "-", other
	result(0, "hca " row " # " side ", but not " other)
}

END {
	printf "%-22s%11s%11s%11s\n", "", "recorded", "measured", "change"
	for (i = 1; i <= n; i++) {
		if (!(("measured", rows[i]) in figure))
			lonely(rows[i], "recorded", "measured")
		else if (!(("recorded", rows[i]) in figure))
			lonely(rows[i], "measured", "recorded")
		else
			compare(rows[i])
	}
	if (!n)
		result(0, "figures # none of hca, recorded or measured")
	if (series(kernel["recorded"]) != series(kernel["measured"]))
		result(0, "kernel # recorded on Linux '" kernel["recorded"] "', measured on '" kernel["measured"] "'")
	else if (kernel["recorded"] != kernel["measured"])
		printf "Recorded on Linux %s, measured on %s\n", kernel["recorded"], kernel["measured"]
	if (fallen && !status)
		printf "What fell is worth recording: tests/bench/run --record\n"
	if (status)
		printf "What is meant to rise is recorded by tests/bench/run --record, and explained where it is committed\n"
	printf "%s", results
	exit status
}
