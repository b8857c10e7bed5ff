/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Cables: what the kernel is asked to do with them. */
#ifndef HCACTL_LINK_H
#define HCACTL_LINK_H

#include "grammar.h"
#include "setup.h"

struct nlattr;
struct request;

/* Return: 0; or exit status, and it has been said why. */
int link_make(const struct link *link);
/* Of arguments, a port and the two that there must be first. Return: 0, or exit status likewise. */
int link_parse_end(const struct command *command, const char *text, struct end *end);
int link_parse(const struct command *command, char ***args, struct link *link);

/* The attributes that name its ends; without link->b.text only the one. */
void link_put(struct request *request, const struct link *link);

/* What a port is to be built for. @width, @speed: as in 4x and EDR; NULL: as usual. */
int link_parse_rate(const struct command *command, const char *width, const char *speed,
		    struct rate *rate);
void link_put_rate(struct request *request, int type, const struct rate *rate);

/* Of an answer, a nest of enum hca_nl_rate, or NULL: nothing. */
struct rate_masks link_read_masks(struct nlattr *nest);

int link_delete(const struct link *link); /* without link->b.text: wherever it leads */

#endif
