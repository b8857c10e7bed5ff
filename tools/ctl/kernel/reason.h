/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Words the kernel's reasons for refusing a request. */
#ifndef HCACTL_REASON_H
#define HCACTL_REASON_H

/*
 * Returns what to print for the message of an extended acknowledgment: the message itself, unless
 * netlink did not know an attribute, as it is when the module is older than hcactl.
 */
const char *reason_of(const char *message);

#endif
