/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The resources of hcaweb, which are found by their paths. */
#ifndef HCAWEB_RESOURCE_H
#define HCAWEB_RESOURCE_H

#include "tools/web/exchange.h"

struct resource {
	const char *path;
	const char *method; /* GET, which shows something; or POST, which requires --control */
	const char *type; /* media type of a successful answer */
	/* arguments of the hcactl process that outputs the resource; or NULL */
	const char *const *arguments;
	enum MHD_Result (*answer)(const struct exchange *exchange);
};

/* Finds the resource at a path. Return: NULL if there is no such resource. */
const struct resource *resource_find(const char *path);

#endif
