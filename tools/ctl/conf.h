/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files of commands, as hca.conf(5) describes them. */
#ifndef HCACTL_CONF_H
#define HCACTL_CONF_H

struct setup;

/* How a file is called in messages: that, or what "-" means. */
const char *conf_name(const char *path);

/*
 * Read all of it; "-" is standard input. Nothing is done of what it says.
 * Return: 0; or exit status, and it has been said what is wrong with which line.
 */
int conf_read(const char *path, struct setup *setup);

#endif
