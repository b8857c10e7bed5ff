/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Devices and links that there are. */
#ifndef HCACTL_PRESENT_H
#define HCACTL_PRESENT_H

struct setup;

/*
 * Ask the kernel for all of them, as of one moment: devices sorted by name; each link once,
 * the lesser end first, sorted by that; faults sorted by their senders. @what: the command,
 * for messages.
 * Return: 0; or exit status, and it has been said why.
 */
int present_read(const char *what, struct setup *setup);

#endif
