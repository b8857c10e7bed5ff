# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# Where documents lead: files that there are, and headings in them.

# A heading's anchor: small letters and digits, a hyphen for each space, other marks left out.
anchors() { sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'; }

# FILE#ANCHOR of each link that is no other site's; lines of code, which are indented, have none.
links() { grep -v '^    ' "$1" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -v '^[a-z]*:' | sort -u; }

missing_links() {
	local document=$1 link file
	while read -r link; do
		file=${link%%#*}
		[[ $file ]] && file=$(dirname "$document")/$file || file=$document
		if [[ ! -e $file ]]; then
			echo "$document leads to $link, which is not there"
		elif [[ $link = *#* ]] && ! anchors "$file" | grep -qx -- "${link#*#}"; then
			echo "$document leads to $link, and there is no such heading"
		fi
	done < <(links "$document")
}

for document in *.md docs/*.md docs/*/*.md tests/*/*.md; do
	missing_links "$document"
done | holds 'documents lead to what is there'

# The picture of folders is made by hand (CONTRIBUTING.md), and has what its source has: a title for each node and arrow.
nodes_and_arrows() {
	tr -d '";' <docs/structure.dot | sed -nE 's|^\s*([a-z_./]+) -> ([a-z_./]+)$|\1\n\2\n\1\&#45;\&gt;\2|p' | sort -u
}

missing_in_picture() {
	nodes_and_arrows >"$tmp/picture"
	[[ -s $tmp/picture ]] || echo 'docs/structure.dot: has no arrow'
	sed -n 's|^<title>\(.*\)</title>$|\1|p' docs/structure.svg | grep -vx structure | sort -u | diff "$tmp/picture" -
}
missing_in_picture | holds 'docs/structure.svg: has what docs/structure.dot has (<), and nothing else (>)'
