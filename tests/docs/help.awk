# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# For help.bash. Reads what a program's --help prints, and prints what a user may type:
#     KIND|COMMAND[,COMMAND...]|WORD
#     command|device add|      from "usage: hcactl device add NAME [ports N]", and lines like it that follow; a line with a
#                              deeper indentation continues the one before
#     keyword|device add|ports
#     option|device add|--json from a line "  -j, --json  print JSON": of one of these commands at least
#     letter|device add|-j     stands for the option behind it
#     plain||                  there are no commands: "usage: hcaverify [OPTION]..."

function each(kind, pattern,    line, word) {
	line = $0
	while (match(line, pattern)) {
		word = substr(line, RSTART + 1, RLENGTH - 1)
		line = substr(line, RSTART + RLENGTH)
		sub(/ .*/, "", word)
		print kind "|" command "|" word
	}
}

sub(/^[Uu]sage: /, "") {
	usage = 1
	program = $1
}

usage && $1 != program && !/^        / {
	usage = 0
}

usage && $1 == program {
	command = ""
	for (i = 2; i <= NF && $i ~ /^[a-z]+$/; i++)
		command = command (i > 2 ? " " : "") $i
	if (!command && $2 ~ /^[[]/)
		print "plain||"
	if (command) {
		print "command|" command "|"
		commands = commands (commands ? "," : "") command
	}
}

usage {
	each("keyword", "[[][a-z]+ [A-Z]+\\]")
	# What {build --sanitize | list} stands for has lines of its own where that is explained.
	if (!/[{][a-z]/)
		each("option", "[ [{]--?[a-z][a-z-]*")
}

!usage && /^ +-/ {
	sub(/[[]?=.*/, "", $1)
	sub(/[[]?=.*/, "", $2)
	if (sub(/,$/, "", $1) && $2 ~ /^-/) {
		letters[++num_letters] = $1
		$1 = $2
	}
	options[++num_options] = $1
}

END {
	for (i = 1; i <= num_letters; i++)
		print "letter|" commands "|" letters[i]
	for (i = 1; i <= num_options; i++)
		print "option|" commands "|" options[i]
}
