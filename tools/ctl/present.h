/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads the devices and links that exist. */
#ifndef HCACTL_PRESENT_H
#define HCACTL_PRESENT_H

struct setup;

/*
 * Reads a consistent state of all devices and links: devices sorted by name; each link once, its
 * lesser end first, sorted by that end; faults sorted by the port that sends. @what is the command,
 * for messages.
 * Return: 0, or an exit status after printing a message.
 */
int present_read(const char *what, struct setup *setup);

#endif
