# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For ./requirements. Reads catalogues, `prefix` being that of their items; with `exempt` the list of items that no
# test can name; and at last, with neither, where items are named: FILE:LINE:ITEM. mode: table, json, missing, cited;
# what: GROUP or ITEM.
# Exit status: 1 if something is wrong with what was read, 2 if `what` is nothing there is.

function complain(text) {
	print text >"/dev/stderr"
	status = 1
}

# --- Reading ---

prefix && FNR == 1 {
	catalogue[prefix] = FILENAME
}

# A group is called what the heading says, without what it adds in parentheses.
prefix && /^#/ {
	title = $0
	sub(/^#+ +/, "", title)
	while (sub(/ *\([^()]*\) *$/, "", title))
		;
	next
}

prefix && match($0, "^[-|] [*]*" prefix "-[0-9]+[a-z]?[*]* ") {
	id = substr($0, 3, RLENGTH - 3)
	gsub(/[*]/, "", id)
	if (id in text)
		complain(FILENAME ":" FNR ": " id " is there already, at " place[id])
	place[id] = FILENAME ":" FNR
	text[id] = substr($0, RLENGTH + 1)
	ids[++num_ids] = id
	last[prefix] = id
	if (!(prefix in first))
		first[prefix] = id

	if (groups[num_groups] != prefix "  " title)
		groups[++num_groups] = prefix "  " title
	group[id] = num_groups

	# How the catalogues mark an item of which there was but a heading.
	kind[id] = /\| H \|/ ? "heading" : "stated"
}

# | GROUP | ITEM, ITEM to ITEM | WHY |, of which the first row and the rule below it name no items.
exempt && /^\|/ {
	split($0, cell, "|")
	num_parts = split(cell[3], part, ",")
	for (p = 1; p <= num_parts; p++)
		except(part[p])
	next
}

!prefix && !exempt && /./ {
	split($0, part, ":")
	id = part[3]
	if (!(id in text)) {
		complain_unknown(part[1] ":" part[2], id)
	} else if (/^tests\//)
		tested[id] = 1
	else
		coded[id] = 1
	if (id == what)
		where = where part[1] ":" part[2] "\n"
}

function complain_unknown(where, id,    half) {
	split(id, half, "-")
	complain(where ": " id " is in no catalogue; there are " first[half[1]] " to " last[half[1]])
}

# The items of "ITEM" or "ITEM to ITEM".
function except(range,    half, num_halves, begin, end, n) {
	if (range !~ /[A-Z][0-9]-[0-9]/)
		return
	gsub(/ /, "", range)
	num_halves = split(range, half, "to")
	begin = substr(half[1], 4)
	end = num_halves > 1 ? substr(half[2], 4) : begin
	if (begin !~ /^[0-9]+$/ || end !~ /^[0-9]+$/)
		except_one(half[1])
	else
		for (n = begin + 0; n <= end + 0; n++)
			except_one(sprintf("%s%03d", substr(half[1], 1, 3), n))
}

function except_one(id) {
	if (!(id in text))
		complain_unknown(FILENAME ":" FNR, id)
	exempted[id] = FILENAME ":" FNR
}

# An item that a test proves needs no reason why no test can.
function miss_no_reason(    i, id) {
	for (i = 1; i <= num_ids; i++) {
		id = ids[i]
		if (id in exempted && id in tested)
			complain(exempted[id] ": " id " is named by a test")
	}
}

function miss_no_catalogue(    prefix) {
	for (prefix in catalogue)
		if (!(prefix in first))
			complain(catalogue[prefix] ": has no item such as: - **" prefix "-001** ...")
}

# --- Counting ---

function count_all(    i, id, how) {
	for (i = 1; i <= num_ids; i++) {
		id = ids[i]
		how = id in tested ? "test" : id in exempted ? "exempt" : id in coded ? "code" : "none"
		add(group[id], kind[id], how)
		add(substr(id, 1, 2), kind[id], how)
		add("all", kind[id], how)
	}
}

function add(whose, kind, how) {
	count[whose, kind, how]++
	count[whose, kind, "items"]++
}

# --- Printing ---

function cells(whose, kind) {
	if (!count[whose, kind, "items"])
		return ""
	return sprintf("%7d%6d%6d%6d%6d", count[whose, kind, "items"], count[whose, kind, "test"],
		count[whose, kind, "code"], count[whose, kind, "none"], count[whose, kind, "exempt"])
}

# Cut at a word's end, so that no character of several octets is cut.
function shorten(line, limit) {
	if (length(line) > limit) {
		line = substr(line, 1, limit - 3)
		sub(/ [^ ]*$/, " ...", line)
	}
	return line
}

# The width of the first column, which counts no octets that continue a character.
function print_row(title, whose,    line, more) {
	line = shorten(title, 68)
	more = gsub(/[\200-\277]/, "&", line)
	line = sprintf("%-" (68 + more) "s%31s%s", line, cells(whose, "stated"), cells(whose, "heading"))
	sub(/ +$/, "", line)
	print line
}

function print_table(    g, prefix) {
	printf "%-68s%31s%31s\n", "", "stated in the source", "known from its headings"
	printf "%-68s%7s%6s%6s%6s%6s%7s%6s%6s%6s%6s\n", "", "items", "test", "code", "none", "n/a",
		"items", "test", "code", "none", "n/a"
	for (g = 1; g <= num_groups; g++) {
		prefix = substr(groups[g], 1, 2)
		print_row(groups[g], g)
		if (prefix != substr(groups[g + 1], 1, 2)) {
			print_row(prefix "  together", prefix)
			print ""
		}
	}
	print_row("All", "all")
}

function json_counts(whose, kind) {
	return sprintf("{\"items\": %d, \"test\": %d, \"code\": %d, \"none\": %d, \"exempt\": %d}",
		count[whose, kind, "items"], count[whose, kind, "test"],
		count[whose, kind, "code"], count[whose, kind, "none"], count[whose, kind, "exempt"])
}

function print_json(    g, title) {
	print "["
	for (g = 1; g <= num_groups; g++) {
		title = substr(groups[g], 5)
		gsub(/["\\]/, "\\\\&", title)
		printf "  {\"prefix\": \"%s\", \"group\": \"%s\",\n    \"stated\": %s,\n    \"heading\": %s}%s\n",
			substr(groups[g], 1, 2), title, json_counts(g, "stated"),
			json_counts(g, "heading"), g < num_groups ? "," : ""
	}
	print "]"
}

# The first words of an item: without kind, chapter and lines, which stand before them.
function words(line) {
	while (sub(/^ *(\||[A-Z] +\||ch [^|]*\||l\. [^|]*\||\([A-Z]+\) |\[[^]]*\] )/, "", line))
		;
	sub(/^ +/, "", line)
	# The first cell; or, if that is but a number or a name, the next one, too.
	if (match(substr(line, 24), / *\|/))
		line = substr(line, 1, 22 + RSTART)
	sub(/[ |]+$/, "", line)
	return shorten(line, 96)
}

function print_missing(    i, id, g, shown, seen) {
	for (i = 1; i <= num_ids; i++) {
		id = ids[i]
		g = group[id]
		if (!index(tolower(groups[g]), tolower(what)))
			continue
		seen = 1
		if (id in tested || id in coded || id in exempted)
			continue
		if (shown != g)
			print (shown ? "\n" : "") groups[g]
		shown = g
		printf "  %s %s %s\n", id, kind[id] == "heading" ? "H" : " ", words(text[id])
	}
	if (!seen) {
		complain("tests/requirements: no group has '" what "' in its name; without options, all are shown")
		status = 2
	}
}

function print_cited() {
	if (what in text) {
		printf "%s", where
		if (what in exempted)
			print exempted[what]
	} else {
		complain("tests/requirements: '" what "' is in no catalogue; an item is called, for example, " ids[1])
		status = 2
	}
}

END {
	miss_no_catalogue()
	miss_no_reason()
	count_all()
	if (mode == "table") print_table()
	if (mode == "json") print_json()
	if (mode == "missing") print_missing()
	if (mode == "cited") print_cited()
	exit status
}
