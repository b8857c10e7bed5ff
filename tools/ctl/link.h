/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Cables: what the kernel is asked to do with them. */
#ifndef HCACTL_LINK_H
#define HCACTL_LINK_H

#include "grammar.h"
#include "setup.h"

struct request;

/* Return: 0; or exit status, and it has been said why. */
int link_make(const struct link *link);
/* Of arguments, a port and the two that there must be first. Return: 0, or exit status likewise. */
int link_parse_end(const struct command *command, const char *text, struct end *end);
int link_parse(const struct command *command, char ***args, struct link *link);

/* The attributes that name its ends. */
void link_put(struct request *request, const struct link *link);

int link_delete(const struct link *link); /* without link->b.text: wherever it leads */

#endif
