# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Reads what ./guest prints; prints the table and writes the file `json`, if any.
# Exit status: 1 if figures are missing.

function row(name, title, limit) {
	rows[++n] = name
	titles[name] = title
	limits[name] = limit
}

BEGIN {
	row("write-64", "RDMA WRITE, 64 B", "writev-64")
	row("write-4096", "RDMA WRITE, 4 KiB", "writev-4096")
	row("write-65536", "RDMA WRITE, 64 KiB", "writev-65536")
	row("send-64", "SEND, 64 B, received", "writev-64")
	row("send-64-sender", "SEND, 64 B, sent", "writev-64")
	row("pingpong", "RC ping-pong, 8 B", "eventfd")
	split("rxe hca own limit", columns)
}

$1 == "kernel" { kernel = $2 }
$1 == "cpu" { sub(/^cpu /, ""); cpu = $0 }

# Of several figures the lowest: whatever interferes, adds.
$1 == "figure" {
	key = $2 " " $3
	if (!(key in low) || $4 < low[key])
		low[key] = $4
	if (!(key in high) || $4 > high[key])
		high[key] = $4
}

function number(key) {
	return key in low ? low[key] : -1
}

# 13600.4 as 13,600
function thousands(x, text, tail) {
	if (x < 0)
		return "-"
	text = sprintf("%d", x + 0.5)
	while (length(text) > 3) {
		tail = "," substr(text, length(text) - 2) tail
		text = substr(text, 1, length(text) - 3)
	}
	return text tail
}

function ratio(name) {
	if (number(name " rxe") < 0 || number(name " hca") < 0)
		return -1
	return number(name " hca") / number(name " rxe")
}

function lacks(key, title) {
	if (key in low)
		return
	missing = missing "\n  " title
}

function remark(name, i, key, text) {
	text = ratio(name) < 0 ? "" : ratio(name) < 0.5 ? "below half" : "NOT below half"
	for (i = 1; i in columns; i++) {
		key = (columns[i] == "limit" ? limits[name] : name) " " columns[i]
		if (key in low && high[key] > low[key] * 1.02)
			text = text sprintf("; %s: runs differ by %.1f %%", columns[i], (high[key] / low[key] - 1) * 100)
	}
	return text
}

function line(name) {
	printf "%-22s%11s%11s%9s%11s%11s  %s\n", titles[name], thousands(number(name " rxe")),
		thousands(number(name " hca")), ratio(name) < 0 ? "-" : sprintf("%.3f", ratio(name)),
		thousands(number(name " own")), thousands(number(limits[name] " limit")), remark(name)
}

function json_number(key) {
	return key in low ? sprintf("[%.1f, %.1f]", low[key], high[key]) : "null"
}

function write_json(i, name) {
	printf "{\n  \"kernel\": \"%s\",\n  \"cpu\": \"%s\",\n", kernel, cpu >json
	printf "  \"unit\": \"instructions per operation, [lowest, highest] of the runs\",\n" >json
	printf "  \"getppid\": %s,\n  \"rows\": [", json_number("getppid limit") >json
	for (i = 1; i <= n; i++) {
		name = rows[i]
		printf "%s\n    { \"operation\": \"%s\", \"rxe\": %s, \"hca\": %s, \"ratio\": %s, ", i == 1 ? "" : ",",
			titles[name], json_number(name " rxe"), json_number(name " hca"),
			ratio(name) < 0 ? "null" : sprintf("%.4f", ratio(name)) >json
		printf "\"hca_own_port\": %s, \"limit\": %s, \"limit_is\": \"%s\" }", json_number(name " own"),
			json_number(limits[name] " limit"), limits[name] >json
	}
	printf "\n  ]\n}\n" >json
}

END {
	printf "Instructions per operation (one is 1 ns of guest time), in one boot\n"
	printf "Linux %s, one CPU: %s (max,-erms,-fsrm)\n\n", kernel, cpu
	printf "%-22s%11s%11s%9s%11s%11s\n", "", "rxe", "hca", "hca/rxe", "hca, own", "limit"
	for (i = 1; i <= n; i++)
		line(rows[i])
	printf "\nrxe: ib_write_bw, ib_send_bw -e, ibv_rc_pingpong -e (a round trip), from rxe0 to itself\n"
	printf "hca: the same from hca0 to hca1, over a cable; own: from hca0 to its own port\n"
	printf "received, sent: by the receiver's clock; by the sender's, who also waits for the CPU when all is done\n"
	printf "limit: process_vm_writev of as much; for the ping-pong, a round trip of two processes over eventfds\n"
	printf "A system call (getppid): %s\n", thousands(number("getppid limit"))

	if (json)
		write_json()

	for (i = 1; i <= n; i++) {
		lacks(rows[i] " rxe", titles[rows[i]] ": rxe")
		lacks(rows[i] " hca", titles[rows[i]] ": hca")
		lacks(rows[i] " own", titles[rows[i]] ": hca, own port")
		if (!named[limits[rows[i]]]++)
			lacks(limits[rows[i]] " limit", "limit " limits[rows[i]])
	}
	lacks("getppid limit", "getppid")
	if (missing) {
		printf "\nNot measured:%s\n", missing
		exit 1
	}
}
