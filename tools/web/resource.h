/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The resources of hcactl serve: a table of paths. */
#ifndef HCACTL_SERVE_RESOURCE_H
#define HCACTL_SERVE_RESOURCE_H

#include "serve_exchange.h"

struct resource {
	const char *path;
	const char *method; /* GET, which shows; or POST, which needs --control */
	const char *type; /* media type of a successful answer */
	const char *const *arguments; /* arguments of hcactl, which prints the resource; or NULL */
	enum MHD_Result (*answer)(const struct exchange *exchange);
};

/* Finds the resource at a path. Return: NULL if there is no such resource. */
const struct resource *resource_find(const char *path);

#endif
