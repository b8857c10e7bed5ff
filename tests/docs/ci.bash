# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2016 # what ./run has set; backticks that are meant
# examples/ci/ and its document: what they call and name is there. tests/ci/run does what they say.

example=examples/ci
workflows=("$example/.gitlab-ci.yml" "$example/.github/workflows/rdma.yml")

if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
	tests/ci/steps check "$example/ci/Containerfile" "${workflows[@]}" 2>&1 |
		holds "$example: its recipe and workflows are what they seem"
else
	echo "skip - $example: its recipe and workflows are what they seem # python3-yaml is not installed"
fi

# Paths that begin with ci/ are of the user's project, except those of tests/ci/; hcalab's options are those of its help.
{
	for path in $(grep -ohE '\b(tests/)?ci/[a-zA-Z-]+' docs/CI.md "${workflows[@]}" "$example"/ci/* | grep -v '^tests/' | sort -u); do
		[[ -e $example/$path ]] || echo "$path: no such file"
	done
	for path in $(grep -oE '^\| `[^`]+`' docs/CI.md | tr -d '|` ' | grep -v '^results/'); do
		[[ -e $example/$path ]] || echo "docs/CI.md: $path: no such file"
	done
	tools/hcalab run --help >"$tmp/hcalab-help"
	for option in $(grep -hE '(hca-run|hcalab run) ' docs/CI.md "${workflows[@]}" "$example/ci/hca-run" | sed 's/ -- .*//' |
		grep -oE ' --[a-z]+' | grep -vE -- '--(file|tag|rm|user|volume|workdir)$' | sort -u); do
		grep -qE -- "^ +(-v, )?$option\b" "$tmp/hcalab-help" || echo "$option: hcalab run has no such option"
	done
} | holds 'docs/CI.md, examples/ci: what they name is there'
