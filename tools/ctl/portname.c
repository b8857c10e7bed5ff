// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Names of ports, such as hca0/1. The name hca0 stands for the only port of hca0. */
#include "tools/ctl/portname.h"
#include <string.h>
#include "tools/lib/number.h"

const char *port_name_parse(const char *text, struct port_name *name)
{
	const char *slash = strchr(text, '/');

	name->device_length = slash ? (size_t)(slash - text) : strlen(text);
	name->has_number = slash;
	name->number = 1;
	if (!name->device_length)
		return slash ? "has no device before the '/'" : "is empty";
	if (slash && !slash[1])
		return "has no port number behind the '/'";
	if (slash && !number_parse(slash + 1, &name->number))
		return "has something else than a port number behind the '/'";
	return NULL;
}
