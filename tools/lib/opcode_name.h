/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Folds names of opcodes for comparison: "RC SEND Only" equals "rc-send-only". */
#ifndef HCA_TOOLS_OPCODE_NAME_H
#define HCA_TOOLS_OPCODE_NAME_H

/**
 * opcode_name_fold() - a character of a name in lower case; '-' for a blank
 * @c: the character
 */
static inline char opcode_name_fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 'a';
	return c == ' ' ? '-' : c;
}

#endif
