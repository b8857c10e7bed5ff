# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For ./coverage. Reads what gcov says of each file of each program:
#     -:    0:Source:kernel/transport/file.c
#     7:  123:	text
# with - for 7 where there is no code and ##### or ===== where it has not run. Prints how many lines have run,
# and with `lines` those that have not. Exit status: 1 if fewer than `least` percent have.

{
	line = $0
	sub(/^[^:]*: */, "", line)
	number = line + 0
	sub(/^[0-9]*:/, "", line)
	count = $1
	sub(/:.*/, "", count)
}

number == 0 && line ~ /^Source:/ {
	file = substr(line, 8)
	sub(/^.*\/kernel\//, "kernel/", file) # some compilers are told of it by a longer way
	next
}

number == 0 || count == "-" || file !~ /^kernel\/(qp|transport|tpt)\// {
	next
}

{
	place = file ":" number
	if (!(place in text)) {
		text[place] = line
		owner[++num_places] = file
		places[num_places] = place
		have[file]++
	}
	if (count !~ /^[#=]/)
		reached[place] = 1
}

function show(what, part, whole) {
	return sprintf("%6.1f %% %5d of %5d  %s", 100 * part / whole, part, whole, what)
}

END {
	for (i = 1; i <= num_places; i++)
		if (places[i] in reached)
			hit[owner[i]]++
	for (file in have) {
		print show(file, hit[file], have[file]) | "sort -k 6"
		all += have[file]
		all_hit += hit[file]
	}
	close("sort -k 6")
	if (!all) {
		print "tests/coverage: gcov has said nothing" >"/dev/stderr"
		exit 1
	}
	print show("together", all_hit, all)
	if (lines)
		print ""
	for (i = 1; lines && i <= num_places; i++)
		if (!(places[i] in reached))
			print places[i] ":" text[places[i]]
	if (100 * all_hit < least * all) {
		print "tests/coverage: less than " least " %" >"/dev/stderr"
		exit 1
	}
}
