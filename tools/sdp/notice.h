/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Notices that libhca-sdprun.so writes to standard error. */
#ifndef HCA_TOOLS_SDP_NOTICE_H
#define HCA_TOOLS_SDP_NOTICE_H

/**
 * notice() - write a line with the program's name, a text, and an error
 * @text: the text
 * @error: an errno value, whose name is written after the text; 0: there is no error
 *
 * The function does not change errno.
 *
 * Context: any, including signal handlers.
 */
void notice(const char *text, int error);

#endif
