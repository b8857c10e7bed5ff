/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads counters of ports of RDMA devices. */
#ifndef HCACTL_COUNTERS_H
#define HCACTL_COUNTERS_H

#include <json-c/json.h>

/*
 * Return an object of the counters that sysfs has of a port, by name: of errors, or of what was
 * carried; NULL if the device is no RDMA device, as switches are not.
 */
struct json_object *counters_errors(const char *device, unsigned int port);
struct json_object *counters_traffic(const char *device, unsigned int port);

#endif
