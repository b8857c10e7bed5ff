/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Requests to the kernel about cables. */
#ifndef HCACTL_LINK_H
#define HCACTL_LINK_H

#include "grammar.h"
#include "setup.h"

struct nlattr;
struct request;

/* Creates a link. Return: 0, or an exit status after printing a message. */
int link_make(const struct link *link);
/* Parses a port. Return: 0, or an exit status after printing a message. */
int link_parse_end(const struct command *command, const char *text, struct end *end);
int link_parse(const struct command *command, char ***args, struct link *link);

/* Puts the attributes that name a link's ends, or only the first end if link->b.text is NULL. */
void link_put(struct request *request, const struct link *link);

/* Parses the width and speed that a port supports, as in 4x and EDR. NULL is the default. */
int link_parse_rate(const struct command *command, const char *width, const char *speed,
		    struct rate *rate);
void link_put_rate(struct request *request, int type, const struct rate *rate);

/* Parses a nest of enum hca_nl_rate from a reply; NULL yields empty masks. */
struct rate_masks link_read_masks(struct nlattr *nest);

/*
 * Deletes a link. If link->b.text is NULL, the peer of port a may be any port.
 * Return: 0, or an exit status after printing a message.
 */
int link_delete(const struct link *link);

#endif
