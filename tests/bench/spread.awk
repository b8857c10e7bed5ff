# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Prints by how much the figures of several boots differ. Exit status: 1 if any differs by more than 2 %.

$1 == "kernel" || $1 == "cpu" { next }

{
	name = $1 " " $2
	if (!(name in count)) {
		names[++n] = name
		low[name] = high[name] = $3
	}
	count[name]++
	all[name] = all[name] sprintf("%10d", $3)
	if ($3 < low[name])
		low[name] = $3
	if ($3 > high[name])
		high[name] = $3
}

END {
	printf "%-22s%8s  %s\n", "", "spread", "each boot"
	for (i = 1; i <= n; i++) {
		name = names[i]
		remark = ""
		if (high[name] * 100 > low[name] * 102) {
			remark = "  differ by more than 2 %"
			status = 1
		}
		printf "%-22s%6.2f %%  %s%s\n", name, (high[name] / low[name] - 1) * 100, all[name], remark
	}
	exit status
}
