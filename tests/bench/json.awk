# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Prints the figures that rows.awk has read, as JSON. A missing figure is null.

function number(key) {
	return key in figure ? figure[key] : "null"
}

END {
	printf "{\n  \"kernel\": \"%s\",\n  \"cpu\": \"%s\",\n", kernel, cpu
	printf "  \"unit\": \"instructions per operation\",\n"
	printf "  \"getppid\": %s,\n  \"rows\": [", number("machine getppid")
	for (i = 1; i <= n; i++) {
		name = rows[i]
		printf "%s\n    { \"operation\": \"%s\", \"rxe\": %s, \"hca\": %s, \"ratio\": %s, ", i == 1 ? "" : ",",
			titles[name], number(of("rxe", name)), number(of("hca", name)),
			ratio(name) < 0 ? "null" : sprintf("%.4f", ratio(name))
		printf "\"hca_own_port\": %s, \"machine\": %s, \"machine_is\": \"%s\" }", number(of("own", name)),
			number(of("machine", name)), machines[name]
	}
	printf "\n  ]\n}\n"
}
