/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads the counters of all ports. */
#ifndef HCACTL_COUNTERS_H
#define HCACTL_COUNTERS_H

#include <json-c/json.h>

/*
 * Functions that return a JSON object with the error counters, or the traffic counters, of a port;
 * NULL if there is no such port. The keys are the counters' names in sysfs. The first call reads
 * the counters of all ports. Later calls return the values of the first call.
 */
struct json_object *counters_errors(const char *device, unsigned int port);
struct json_object *counters_traffic(const char *device, unsigned int port);

#endif
