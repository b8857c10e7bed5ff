/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What hcactl serve has: a table of paths, and nothing else. */
#ifndef HCACTL_SERVE_RESOURCE_H
#define HCACTL_SERVE_RESOURCE_H

#include "serve_exchange.h"

struct resource {
	const char *path;
	const char *method; /* GET, which shows; or POST, which is of --control */
	const char *type; /* of what is sent if all is well */
	const char *const *arguments; /* of hcactl, which prints it; or NULL */
	enum MHD_Result (*answer)(const struct exchange *exchange);
};

/* Return: NULL if there is none. */
const struct resource *resource_find(const char *path);

#endif
