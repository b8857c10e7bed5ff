/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Compares names of opcodes. Letters are compared regardless of case, and '-' equals a blank: "RC
 * SEND Only" equals "rc-send-only".
 */
#ifndef HCA_TOOLS_OPCODE_NAME_H
#define HCA_TOOLS_OPCODE_NAME_H

/**
 * opcode_name_fold() - convert a character of an opcode's name for comparison
 * @c: the character
 *
 * Return: the character in lower case; '-' for a blank.
 */
static inline char opcode_name_fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 'a';
	return c == ' ' ? '-' : c;
}

#endif
