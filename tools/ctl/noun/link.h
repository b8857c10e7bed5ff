/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Requests to the kernel about cables. */
#ifndef HCACTL_LINK_H
#define HCACTL_LINK_H

#include "tools/ctl/grammar.h"
#include "tools/ctl/setup.h"

struct nlattr;
struct request;

/* Creates a link. Return: 0, or an exit status after printing a message. */
int link_make(const struct link *link);
/* Parses a port. Return: 0, or an exit status after printing a message. */
int link_parse_end(const struct command *command, const char *text, struct end *end);
int link_parse(const struct command *command, char ***args, struct link *link);

/*
 * Puts the attributes of a link's ends into a request. If link->b.text is NULL, only end a is put.
 */
void link_put(struct request *request, const struct link *link);

/*
 * Parses the width and speed that ports are set to support, as in "4x" and "EDR". NULL stands for
 * the default. Return: 0, or an exit status after printing a message.
 */
int link_parse_rate(const struct command *command, const char *width, const char *speed,
		    struct rate *rate);
void link_put_rate(struct request *request, int type, const struct rate *rate);

/*
 * Returns the width and speed masks of a port. @nest is a nested attribute with attributes of enum
 * hca_nl_rate. The masks are 0 if @nest is NULL.
 */
struct rate_masks link_read_masks(struct nlattr *nest);

/*
 * Deletes a link. If link->b.text is NULL, the link of port a is deleted, and its other end does
 * not matter. Return: 0, or an exit status after printing a message.
 */
int link_delete(const struct link *link);

/* The command "link show". */
int link_show(const struct command *command, char **args, const struct options *options);

#endif
