/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads the counters of all ports. */
#ifndef HCACTL_COUNTERS_H
#define HCACTL_COUNTERS_H

#include <json-c/json.h>

/*
 * Return an object of the counters of a port, of errors or of what was carried, by the names that
 * sysfs has for them; NULL if there is no such port. All are those of the moment of the first call.
 */
struct json_object *counters_errors(const char *device, unsigned int port);
struct json_object *counters_traffic(const char *device, unsigned int port);

#endif
