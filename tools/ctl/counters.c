// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads counters of ports of RDMA devices. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "counters.h"
#include "tools/lib/memory.h"

/* Those of PortCounters that count what should not happen. */
static const char *const errors[] = {
	"symbol_error",
	"link_error_recovery",
	"link_downed",
	"port_rcv_errors",
	"port_rcv_remote_physical_errors",
	"port_rcv_switch_relay_errors",
	"port_xmit_discards",
	"port_xmit_constraint_errors",
	"port_rcv_constraint_errors",
	"local_link_integrity_errors",
	"excessive_buffer_overrun_errors",
	"VL15_dropped",
	NULL
};

/* Those that count what was carried; data in units of four octets. */
static const char *const traffic[] = {
	"port_xmit_data", "port_rcv_data", "port_xmit_packets", "port_rcv_packets", NULL
};

static bool read_counter(const char *device, unsigned int port, const char *name, uint64_t *count)
{
	char *path = need_text("/sys/class/infiniband/%s/ports/%u/counters/%s", device, port, name);
	FILE *file = fopen(path, "re");
	bool good = file && fscanf(file, "%" SCNu64, count) == 1;

	if (file)
		fclose(file);
	free(path);
	return good;
}

/* Returns the counters of these names; null if none is there. */
static struct json_object *read_counters(const char *device, unsigned int port,
					 const char *const *names)
{
	struct json_object *object = NULL;
	uint64_t count;

	for (; *names; names++) {
		if (!read_counter(device, port, *names, &count))
			continue;
		object = object ?: json_object_new_object();
		json_object_object_add(object, *names, json_object_new_int64(count));
	}
	return object;
}

struct json_object *counters_errors(const char *device, unsigned int port)
{
	return read_counters(device, port, errors);
}

struct json_object *counters_traffic(const char *device, unsigned int port)
{
	return read_counters(device, port, traffic);
}
