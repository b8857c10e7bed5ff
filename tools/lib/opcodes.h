/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Lists of opcodes, as hcactl and the filters of hcadump have them: tokens with a comma between two
 * of them. A token is
 *   - the name of an opcode, as in rc-send-only
 *   - the beginning of names, as in rc-send or rc, which stands for all opcodes whose names begin
 *     so, unless an opcode has this name
 *   - a number or a range of numbers, as in 0x9f or 0x8c-0x9f
 *   - the name of a class of packets, if the program has classes
 * A letter equals the capital letter, and '-' equals a blank: "RC SEND Only" is rc-send-only. Blanks
 * before and behind a token are no part of it.
 */
#ifndef HCA_TOOLS_OPCODES_H
#define HCA_TOOLS_OPCODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPCODES_OCTETS 32

/**
 * struct opcodes - a list of opcodes, or of classes of packets; an empty list is all 0
 * @octets: bitmap of opcodes: the bit of opcode n is bit n % 8 of octet n / 8
 * @classes: bitmap of classes of packets; not 0 only if @octets is all 0
 */
struct opcodes {
	uint8_t octets[OPCODES_OCTETS];
	uint32_t classes;
};

/**
 * struct opcode_class - a class of packets, which can be in the place of opcodes
 * @name: name of the class; NULL at the end of a table
 * @bit: the bit of the class in &struct opcodes.classes
 */
struct opcode_class {
	const char *name;
	uint32_t bit;
};

/**
 * struct opcodes_error - an error in the text of a list
 * @what: what is wrong with the token, to be printed after it
 * @at: offset of the token in the text
 * @length: length of the token; may be 0
 * @is_unknown: the token is not known; opcodes_suggest() tells the nearest ones that are
 */
struct opcodes_error {
	const char *what;
	size_t at, length;
	bool is_unknown;
};

/**
 * opcodes_has() - query whether an opcode is in a list
 * @opcodes: the list
 * @opcode: the opcode
 *
 * Return: whether it is.
 */
static inline bool opcodes_has(const struct opcodes *opcodes, uint8_t opcode)
{
	return opcodes->octets[opcode / 8] >> opcode % 8 & 1;
}

/**
 * opcodes_is_empty() - query whether a list has no opcodes
 * @opcodes: the list
 *
 * Return: whether it has none; it may have classes.
 */
bool opcodes_is_empty(const struct opcodes *opcodes);

/**
 * opcodes_parse() - convert the text of a list
 * @text: the text, which need not end with a 0 octet
 * @length: number of octets of the text
 * @classes: the names of classes that the text may have; NULL: none
 * @opcodes: set to the list, which is not empty
 * @error: set to the first error
 *
 * Return: whether the text is correct.
 */
bool opcodes_parse(const char *text, size_t length, const struct opcode_class *classes,
		   struct opcodes *opcodes, struct opcodes_error *error);

/**
 * opcodes_text() - convert a list to its canonical text, which opcodes_parse() converts to the list
 * @opcodes: the list
 * @classes: names of the classes that the list may have; NULL: none
 *
 * Opcodes are in the order of their numbers. The shortest beginning of names that ends before a '-'
 * stands for its opcodes if all of them are in the list and there are two or more. A number stands
 * for an opcode without a name.
 * Return: the text, which the caller frees; empty if the list is.
 */
char *opcodes_text(const struct opcodes *opcodes, const struct opcode_class *classes);

/**
 * opcodes_suggest() - tell which tokens are nearest to one that is not known
 * @token: the token, which need not end with a 0 octet
 * @length: number of octets of the token
 * @classes: names of classes; NULL: none
 *
 * Return: a text to be printed after an error's @what, which the caller frees. It has the tokens
 * that differ by one or two letters, as in "; did you mean rc-send?". If there are none, it has
 * those that begin as @token does and are longer by one part, as in "; there are rc-flush, rc-send".
 */
char *opcodes_suggest(const char *token, size_t length, const struct opcode_class *classes);

#endif
