# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# See ./gate. Reads lines COLUMN ROW INSTRUCTIONS, with `side` recorded, where the best figure follows, and measured; and,
# with `side` allowed, the rows of a table: | DATE | ROW | INSTRUCTIONS | WHY |.

function result(good, what) {
	results = results (good ? "ok" : "not ok") " - " what "\n"
	if (!good)
		status = 1
}

function wrong(why) {
	result(0, "line # " FILENAME ":" FNR ": " why)
}

# Lines are in the order of time: the newest of a row is the last one.
side == "allowed" {
	if (!/^\| *20/)
		next
	if (split($0, cell, / *\| */) != 6 || cell[5] == "" || cell[4] !~ /^[1-9][0-9,]*$/) {
		wrong("'" $0 "' is not | DATE | ROW | INSTRUCTIONS | WHY |")
		next
	}
	if (!(("recorded", cell[3]) in figure))
		wrong("'" cell[3] "' is not recorded")
	if (cell[2] < last_date)
		wrong(cell[2] " stands below " last_date)
	last_date = cell[2]
	gsub(",", "", cell[4])
	allowed[cell[3]] = cell[4]
	next
}

/^#/ || !NF || $1 == "cpu" { next }
$1 == "kernel" { kernel[side] = $2; next }

!($1 ~ /^(hca|own|rxe|machine)$/ && $3 ~ /^[1-9][0-9]*$/ && (NF == 3 || NF == 4 && $1 == "hca" && side == "recorded")) ||
(NF == 4 && ($4 !~ /^[1-9][0-9]*$/ || $4 + 0 > $3 + 0)) {
	wrong("'" $0 "' is not {hca|own|rxe|machine} ROW INSTRUCTIONS" (side == "recorded" ? " [BEST]" : ""))
	next
}

# Only hca between two adapters has limits; the other columns are for comparison.
$1 != "hca" { next }

(side, $2) in figure {
	wrong($1 " " $2 " for the second time")
	next
}

{
	figure[side, $2] = $3
	if (side == "recorded")
		best[$2] = $NF
	if (!seen[$2]++)
		rows[++n] = $2
}

function series(release) {
	match(release, /^[0-9]+\.[0-9]+/)
	return substr(release, 1, RLENGTH)
}

# Integer arithmetic makes the bound exact.
function bound(row, usual) {
	usual = int(best[row] * 103 / 100)
	return row in allowed && allowed[row] + 0 > usual ? allowed[row] + 0 : usual
}

function compare(row, old, new, change, risen, remark) {
	old = figure["recorded", row]
	new = figure["measured", row]
	change = (new / old - 1) * 100
	risen = new > bound(row)
	if (risen)
		remark = "  above its bound"
	else if (new * 100 < old * 95 || new < best[row]) {
		fallen = 1
		remark = new < best[row] ? "  the best ever" : "  fell by more than 5 %"
	}
	printf "%-22s%11d%11d%11d%11d%+9.1f %%%s\n", "hca " row, best[row], bound(row), old, new, change, remark
	result(!risen, "hca " row (risen ? sprintf(" # %d, and %d are allowed: %.1f %% above the best, which is %d",
		new, bound(row), (new / best[row] - 1) * 100, best[row]) : ""))
}

function lonely(row, side, other) {
	printf "%-22s%11s%11s%11s%11s%11s  not %s\n", "hca " row, "-", "-", side == "recorded" ? figure[side, row] : "-",
		side == "measured" ? figure[side, row] : "-", "-", other
	result(0, "hca " row " # " side ", but not " other)
}

END {
	printf "%-22s%11s%11s%11s%11s%11s\n", "", "best", "bound", "recorded", "measured", "change"
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
		printf "What fell is worth recording: tests/bench/run --record, and a line in docs/bench/REGRESSIONS.md that allows less\n"
	if (status)
		printf "What is meant to rise gets a line in docs/bench/REGRESSIONS.md, which says what was bought for it\n"
	printf "%s", results
	exit status
}
