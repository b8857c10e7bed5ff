/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads files of commands. hca.conf(5) documents their syntax. */
#ifndef HCACTL_CONF_H
#define HCACTL_CONF_H

struct setup;

/* Returns the name of a file for messages: @path, or a name for standard input if @path is "-". */
const char *conf_name(const char *path);

/*
 * Adds the objects that a file requests to @setup, without creating them. "-" is standard input.
 * Return: 0, or an exit status after printing a message for each wrong line.
 */
int conf_read(const char *path, struct setup *setup);

#endif
