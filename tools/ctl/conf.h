/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads files of commands, whose syntax is in hca.conf(5). */
#ifndef HCACTL_CONF_H
#define HCACTL_CONF_H

struct setup;

/* Returns the name of a file for messages: @path, or the name of standard input for "-". */
const char *conf_name(const char *path);

/*
 * Reads a file ("-" is standard input) into @setup. No command is carried out.
 * Return: 0, or an exit status after printing a message for each wrong line.
 */
int conf_read(const char *path, struct setup *setup);

#endif
