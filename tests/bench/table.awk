# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Prints the table of the figures that rows.awk has read. Exit status: 1 if figures are missing.

function lacks(key) {
	if (!(key in figure) && !named[key]++)
		missing = missing "\n  " key
}

function line(name, quotient) {
	quotient = ratio(name)
	printf "%-33s%11s%11s%9s%11s%11s  %s\n", titles[name], text_of("rxe", name), text_of("hca", name),
		quotient < 0 ? "-" : sprintf("%.3f", quotient), text_of("own", name), text_of("machine", name),
		quotient < 0 ? "" : quotient < 0.5 ? "below half" : "NOT below half"
}

END {
	printf "Instructions per operation (one is 1 ns of guest time)\n"
	printf "Linux %s, one CPU: %s (max,-erms,-fsrm)\n\n", kernel, cpu
	printf "%-33s%11s%11s%9s%11s%11s\n", "", "rxe", "hca", "hca/rxe", "hca, own", "machine"
	for (i = 1; i <= n; i++)
		line(rows[i])
	printf "\nrxe: ib_write_bw, ib_send_bw -e, ibv_rc_pingpong -e (a round trip) and so on, from rxe0 to itself\n"
	printf "hca: the same from hca0 to hca1, over a cable; own: from hca0 to its own port\n"
	printf "received, sent: by the receiver's clock; by the sender's, who also waits for the CPU when all is done\n"
	printf "machine: process_vm_writev of as much; for the ping-pong, a round trip of two processes over eventfds\n"
	printf "A system call (getppid): %s\n",
		"machine getppid" in figure ? thousands(figure["machine getppid"]) : "-"

	split("rxe hca own machine", columns)
	for (i = 1; i <= n; i++)
		for (j = 1; j in columns; j++)
			if (is_measured(columns[j], rows[i]))
				lacks(of(columns[j], rows[i]))
	lacks("machine getppid")
	if (missing) {
		printf "\nNot measured:%s\n", missing
		exit 1
	}
}
