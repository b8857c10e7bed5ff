/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads files of rules. */
#ifndef HCA_TOOLS_SDP_FILE_H
#define HCA_TOOLS_SDP_FILE_H

#include "tools/sdp/rules.h"

/**
 * file_read() - read a file of rules, or end the program with a message
 * @path: path of the file
 * @rules: where the rules are stored
 *
 * Return: the text of the file, which the caller frees.
 */
char *file_read(const char *path, struct sdp_rules *rules);

#endif
