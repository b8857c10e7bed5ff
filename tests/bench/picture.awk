# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Prints a gnuplot program that draws the figures that rows.awk has read. Missing figures are omitted.

BEGIN {
	split("rxe hca", bars)
	color["rxe"] = "#b8c4ce"
	color["hca"] = "#1f6f8b"
	title["rxe"] = "rdma_rxe, to itself"
	title["hca"] = "hca, over a cable"
	width = 0.36
}

# Prints lines X VALUE TEXT of a column, as a data block of gnuplot.
function block(column, shift, i, name) {
	printf "$%s << END\n", column
	for (i = 1; i <= n; i++) {
		name = rows[i]
		if (of(column, name) in figure)
			printf "%.2f %d %s\n", i + shift, figure[of(column, name)], text_of(column, name)
	}
	print "END"
}

# The label below each group: its name and, if both figures exist, the quotient of hca's and rxe's instructions.
function tics(i, name, text) {
	for (i = 1; i <= n; i++) {
		name = titles[rows[i]]
		sub(/, /, "\\n", name)
		text = text sprintf("%s\"%s\\n{/:Bold %s}\" %d", i == 1 ? "" : ", ", name,
			ratio(rows[i]) < 0 ? " " : sprintf("%.0f %%%%", ratio(rows[i]) * 100), i)
	}
	printf "set xtics (%s) scale 0\n", text
}

END {
	# Further rows would be too many for a picture.
	n = split("write-64 write-4096 write-65536 send-64 send-64-sender pingpong", rows)
	block("rxe", -width / 2)
	block("hca", width / 2)
	block("machine", 0)
	print "set terminal svg size 1000,580 font 'DejaVu Sans,Helvetica,sans-serif,13' background 'white'"
	printf "set title \"{/=17 Instructions an operation}\\n" \
		"{/=12 Linux %s, one CPU; logarithmic; in bold, hca's share of rxe's}\" enhanced\n", kernel
	print "set logscale y"
	print "set yrange [1000:2000000]"
	print "set format y '%.0s%c'"
	printf "set xrange [0.4:%.1f]\n", n + 0.6
	print "set grid ytics lc rgb '#e4e4e4' lw 1"
	print "set border 3 lc rgb '#404040'"
	print "set ytics nomirror"
	print "set errorbars 0"
	print "set bmargin 6.5"
	print "set label \"the machine itself: process_vm_writev of as much; for the ping-pong, a round trip of two " \
		"processes over eventfds\" at screen 0.5, 0.03 center font ',11' tc rgb '#c0392b' noenhanced"
	print "set key top right horizontal noenhanced samplen 1.5"
	printf "set boxwidth %.2f\n", width
	print "set style fill solid 1 noborder"
	tics()
	printf "plot "
	for (i = 1; i in bars; i++)
		printf "$%s using 1:2 with boxes lc rgb '%s' title \"%s\", ", bars[i], color[bars[i]], title[bars[i]]
	printf "$machine using 1:2:(%.2f) with xerrorbars pt -1 lw 2.5 lc rgb '#c0392b' " \
		"title 'the machine itself', ", width
	for (i = 1; i in bars; i++)
		printf "$%s using 1:2:3 with labels offset 0,0.7 font ',11' notitle, ", bars[i]
	print "$machine using ($1 + 0.38):2:3 with labels left font ',9' tc rgb '#c0392b' notitle"
}
