# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Prints the cells of manual pages' lists of columns that are wider than their columns, so that the next cell would begin
# within their words. Macros have two letters; what follows a comma of its own is beside it.

/^\.Bl -column / {
	columns = split($0, widths, "\"")
	next
}

/^\.El/ { columns = 0 }

columns && /^\.It / {
	cells = split(substr($0, 5), cell, / Ta /)
	for (i = 1; i < cells; i++) {
		text = " " cell[i] " "
		while (match(text, / (Ar|Cm|Dv|Er|Ev|Fl|Fn|Ic|Li|Nm|Ns|Pa|Ql|Sy|Em|Va|Vt|Xr) /))
			text = substr(text, 1, RSTART) substr(text, RSTART + 4)
		gsub(/ ,/, ",", text)
		gsub(/\\&|^ +| +$/, "", text)
		gsub(/\\[(]../, "x", text)
		if (2 * i in widths && length(text) > length(widths[2 * i]))
			printf "%s:%d: '%s' is wider than '%s'\n", FILENAME, FNR, text, widths[2 * i]
	}
}
