/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads the devices and links that exist. */
#ifndef HCACTL_PRESENT_H
#define HCACTL_PRESENT_H

struct setup;

/*
 * Reads a consistent state of all devices, links and faults. Devices are sorted by name. Each link
 * occurs once. Its end a is the port whose name comes first, and links are sorted by end a. Faults
 * are sorted by the sending port. @what is the command, for messages. Return: 0, or an exit status
 * after printing a message.
 */
int present_read(const char *what, struct setup *setup);

#endif
