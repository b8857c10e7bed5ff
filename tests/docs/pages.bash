# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# Manual pages by themselves, and what refers to them.

# Without what is said of a page's own lines, which are wide here so that none is broken.
text_of() { MANROFFSEQ='' MANWIDTH=300 man -P cat -E ascii -l "$1" 2>/dev/null; }

# Names of macros in a page's text: each was written where it is none. Two quotes in a row are one that was closed too late.
stray_macros() {
	grep -oE "(.{0,20} )?\<(Ap|Ar|Bq|Cm|Dq|Dv|Em|Ev|Fa|Fl|Fn|Ic|Li|Nm|Ns|Oc|Oo|Op|Pa|Pc|Po|Pq|Ql|Qq|Sq|Sy|Va|Vt|Xc|Xo|Xr) .{0,20}" "$1" |
		sed 's/^/has the name of a macro in its text: /'
	grep -o ".\{0,20\}''.\{0,20\}" "$1" | sed 's/^/has two quotes in a row: /'
}

page_faults() {
	local section
	# Lines are not adjusted: newer releases of groff warn of one that is a single word.
	# shellcheck disable=SC2069 # what goes to standard error, and nothing else
	MANROFFSEQ='' MANROFFOPT=-dAD=l man --warnings -E UTF-8 -l "$1" 2>&1 >/dev/null
	text_of "$1" >"$tmp/text"
	stray_macros "$tmp/text"
	awk -f "$docs/columns.awk" "$1"
	for section in NAME SYNOPSIS DESCRIPTION 'SEE ALSO'; do
		grep -qx "$section" "$tmp/text" || echo "has no section $section"
	done
}

# A page that is only another name of one: `.so man3/hcadv_create_eec.3`, as it is found where it is installed.
is_other_name() { grep -q '^\.so ' "$1"; }

# Pages that there are other names for, and that are not there or do not have that name.
missing_pages() {
	local page name
	for page in man/*.[1-9]; do
		is_other_name "$page" || continue
		name=$(sed 's|^\.so man[1-9]/||' "$page")
		grep -qsE "^\.Nm $(basename "$page" ".${page##*.}")( ,)?$" "man/$name" ||
			echo "$page is another name of man/$name, which does not have it"
	done
}

# Pages of ours that the file names, as `.Xr hcactl 8` or `man:hcactl(8)`, and that are not there.
missing_references() {
	local page
	grep -oE '(^\.Xr |man:)(lib)?hca[^ (]*[ (][1-9]' "$1" | sed -E 's/^(\.Xr |man:)//; s/[ (]/./' | sort -u |
		while read -r page; do
			[[ -e man/$page ]] || echo "$1 refers to $page, which is not in man/"
		done
}

if command -v man >/dev/null; then
	for page in man/*.[1-9]; do
		! is_other_name "$page" || continue
		page_faults "$page" | holds "$page: well-formed, with all sections"
	done
else
	echo 'there is no man; on Debian: apt-get install --no-install-recommends man-db' | holds 'manual pages'
fi

for file in man/*.[1-9] system/*; do
	missing_references "$file"
done | holds 'pages that are referred to are there'
missing_pages | holds 'pages with other names are there, and have them'

# Prints the references of pages in the folder $1 to what is not there.
dangling() {
	local page reference
	for page in "$1"/*.html; do
		grep -o 'href="[^"]*"' "$page" | cut -d '"' -f 2 | sort -u | while read -r reference; do
			case $reference in
			https://*) ;;
			'#'*) grep -q "id=\"${reference#'#'}\"" "$page" || echo "${page##*/}: $reference" ;;
			*) [[ -s $1/$reference ]] || echo "${page##*/}: $reference" ;;
			esac
		done
	done
}

if command -v mandoc >/dev/null; then
	man/html "$tmp/html" 2>&1 | holds 'manual pages become HTML'
	{
		for page in man/*.[1-9]; do [[ -s $tmp/html/${page##*/}.html ]] || echo "$page is missing"; done
		for page in man/*.[1-9]; do
			is_other_name "$page" || grep -q "\"${page##*/}.html\"" "$tmp/html/index.html" || echo "$page is not in the index"
		done
		dangling "$tmp/html"
	} | holds '... all of them, in an index, with references to what is there'
else
	echo 'skip - manual pages become HTML # there is no mandoc; on Debian: apt-get install mandoc'
fi
