/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What libhca-sdprun.so writes on standard error with -v. Signal handlers may call all of it. */
#ifndef HCA_TOOLS_SDP_NOTICE_H
#define HCA_TOOLS_SDP_NOTICE_H

/**
 * notice() - a line with the program's name, a text, and why
 * @text: the text
 * @error: a value of errno; 0: there is none
 *
 * errno stays as it is.
 */
void notice(const char *text, int error);

#endif
