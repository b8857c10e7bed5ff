/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files of rules. */
#ifndef HCA_TOOLS_SDP_FILE_H
#define HCA_TOOLS_SDP_FILE_H

#include "tools/sdp/rules.h"

/**
 * file_read() - read a file of rules; the program ends with a message if it is wrong
 * @path: its name
 * @rules: where the rules are stored
 *
 * Return: its text, which the caller frees.
 */
char *file_read(const char *path, struct sdp_rules *rules);

#endif
