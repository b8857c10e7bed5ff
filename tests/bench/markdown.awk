# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Prints the figures that rows.awk has read as docs/bench/results.md. A missing figure is "-".

END {
	printf "<!-- SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause -->\n"
	printf "<!-- Made of tests/bench/limits by tests/bench/publish. -->\n"
	printf "# Instructions an operation\n\nLinux %s, one CPU: %s.\n\n", kernel, cpu
	printf "| | rdma_rxe | hca | hca / rxe | hca, own port | the machine itself |\n|---|--:|--:|--:|--:|--:|\n"
	for (i = 1; i <= n; i++)
		printf "| %s | %s | %s | %s | %s | %s |\n", titles[rows[i]], text_of("rxe", rows[i]), text_of("hca", rows[i]),
			ratio(rows[i]) < 0 ? "-" : sprintf("%.3f", ratio(rows[i])), text_of("own", rows[i]),
			text_of("machine", rows[i])
	printf "\nA system call (getppid): %s.\n",
		"machine getppid" in figure ? thousands(figure["machine getppid"]) : "-"
}
