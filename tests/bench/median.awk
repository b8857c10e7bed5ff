# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Prints the median of the figures of each name, an integer: disturbances mostly increase a figure, and sometimes decrease it.

$1 == "kernel" || $1 == "cpu" {
	if (!seen[$0]++)
		print
	next
}

{
	name = $1 " " $2
	if (!(name in count))
		names[++n] = name
	values[name, ++count[name]] = $3
}

function median(name, i, j, k, x, sorted) {
	k = count[name]
	for (i = 1; i <= k; i++) {
		x = values[name, i]
		for (j = i; j > 1 && sorted[j - 1] > x; j--)
			sorted[j] = sorted[j - 1]
		sorted[j] = x
	}
	return (sorted[int((k + 1) / 2)] + sorted[int(k / 2) + 1]) / 2
}

END {
	for (i = 1; i <= n; i++)
		printf "%s %.0f\n", names[i], median(names[i])
}
