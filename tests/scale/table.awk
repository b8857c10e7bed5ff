# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# From lines of figures, "# figures: FABRIC ENGINE" with load [ms], memory [kB], sweep [ms], and the same three and the engine
# that it was in the end of ibsim, the rows of a table.

function s(ms) { return sprintf("%.1f", ms / 1000) }
function mb(kb) { return sprintf("%.0f", kb / 1024) }

/^# figures: / {
	if (!rows++) {
		print "| fabric | engine | load [s] | memory [MB] | OpenSM [s] | ibsim: load [s] | memory [MB] | OpenSM [s] |"
		print "|---|---|--:|--:|--:|--:|--:|--:|"
	}
	beside = "- | - | -"
	engine = $4
	sub(/\+.*/, "", engine)
	if ($8 != "-")
		beside = s($8) " | " mb($9) " | " s($10) ($11 == engine ? "" : " (" $11 ")")
	print "| " $3 " | " $4 " | " s($5) " | " mb($6) " | " s($7) " | " beside " |"
}
