# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Shared by table, JSON and picture: reads figures, in the format of limits, into figure[COLUMN " " ROW].

# The corresponding operation of the machine itself, and the columns that lack this row.
function row(name, title, machine, without) {
	rows[++n] = name
	columns_without[name] = without
	titles[name] = title
	machines[name] = machine
}

BEGIN {
	row("write-64", "RDMA WRITE, 64 B", "writev-64")
	row("write-4096", "RDMA WRITE, 4 KiB", "writev-4096")
	row("write-65536", "RDMA WRITE, 64 KiB", "writev-65536")
	row("send-64", "SEND, 64 B, received", "writev-64")
	row("send-64-sender", "SEND, 64 B, sent", "writev-64")
	row("pingpong", "RC ping-pong, 8 B", "eventfd")

	# These rows are for the gate alone.
	row("read-64", "RDMA READ, 64 B", "writev-64", "rxe own")
	row("read-65536", "RDMA READ, 64 KiB", "writev-65536", "rxe own")
	row("atomic-8", "FETCH_ADD, 8 B", "writev-64", "rxe own")
	row("uc-write-64", "UC RDMA WRITE, 64 B", "writev-64", "rxe own")
	row("uc-write-65536", "UC RDMA WRITE, 64 KiB", "writev-65536", "rxe own")
	row("ud-pingpong", "UD ping-pong, 8 B", "eventfd", "rxe own")
	row("rd-pingpong", "RD ping-pong, 8 B", "eventfd", "rxe own")
	row("rd-pingpong-65536", "RD ping-pong, 64 KiB", "eventfd", "rxe own")
	row("write-64-qps-100", "RDMA WRITE, 64 B, by 100 queue pairs in turn", "writev-64", "rxe own")
	row("write-64-qps-1000", "RDMA WRITE, 64 B, by 1,000 queue pairs in turn", "writev-64", "rxe own")
	row("flush", "32,768 requests to be flushed, per call", "getppid", "rxe own")
	row("sdp-round-trip", "SDP, an octet there and back", "tcp-round-trip", "rxe own")
	row("sdp-write-65536", "SDP, write of 64 KiB", "tcp-write-65536", "rxe own")
	row("sdp-write-1048576", "SDP, write of 1 MiB", "tcp-write-1048576", "rxe own")
	row("switch-write-65536", "by a switch: RDMA WRITE, 64 KiB", "writev-65536", "rxe own")
	row("switch-pingpong", "by a switch: RC ping-pong, 8 B", "eventfd", "rxe own")
	row("rnic-write-64", "RNIC: RDMA WRITE, 64 B", "tcp-round-trip", "rxe own")
	row("rnic-write-64-list-16", "RNIC: RDMA WRITE, 64 B, 16 a doorbell", "tcp-round-trip", "rxe own")
	row("rnic-write-64-active-1-of-1000", "RNIC: RDMA WRITE, 64 B, one of 1,000 connections active", "tcp-round-trip", "rxe own")
	row("rnic-write-64-active-100-of-1000", "RNIC: RDMA WRITE, 64 B, 100 of 1,000 connections in turn", "tcp-round-trip", "rxe own")
	row("rnic-write-64-active-1000-of-1000", "RNIC: RDMA WRITE, 64 B, by 1,000 connections in turn", "tcp-round-trip", "rxe own")
	row("rnic-write-65536", "RNIC: RDMA WRITE, 64 KiB", "tcp-write-65536", "rxe own")
	row("rnic-read-65536", "RNIC: RDMA READ, 64 KiB", "tcp-write-65536", "rxe own")
	row("rnic-pingpong", "RNIC: RC ping-pong, 8 B", "tcp-round-trip", "rxe own")
}

/^#/ || !NF { next }
$1 == "kernel" { kernel = $2; next }
$1 == "cpu" { sub(/^cpu /, ""); cpu = $0; next }
{ figure[$1 " " $2] = $3 }

function of(column, name) {
	return column " " (column == "machine" ? machines[name] : name)
}

# Formats 13600 as 13,600.
function thousands(x, text, tail) {
	text = sprintf("%d", x + 0.5)
	while (length(text) > 3) {
		tail = "," substr(text, length(text) - 2) tail
		text = substr(text, 1, length(text) - 3)
	}
	return text tail
}

# A figure as text, "-" if it is missing.
function text_of(column, name) {
	return of(column, name) in figure ? thousands(figure[of(column, name)]) : "-"
}

# Whether the column has the row.
function is_measured(column, name) {
	return index(" " columns_without[name] " ", " " column " ") == 0
}

# The quotient of hca and rxe; -1 if one of them is missing.
function ratio(name) {
	if (!(of("rxe", name) in figure) || !(of("hca", name) in figure))
		return -1
	return figure[of("hca", name)] / figure[of("rxe", name)]
}
