// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Opens one of the two ends. */
#include "end.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "outcome.h"
#include "tools/lib/message.h"

#define WINDOWS (IBV_DEVICE_MEM_WINDOW_TYPE_2A | IBV_DEVICE_MEM_WINDOW_TYPE_2B)

static bool is_active(struct ibv_context *context, uint8_t port)
{
	struct ibv_port_attr attr;

	return !ibv_query_port(context, port, &attr) && attr.state == IBV_PORT_ACTIVE;
}

static uint8_t first_active(struct ibv_context *context, uint8_t num_ports)
{
	unsigned int port;

	for (port = 1; port <= num_ports; port++)
		if (is_active(context, port))
			return port;
	return 0;
}

static bool is_ipv4(const union ibv_gid *gid)
{
	static const uint8_t prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(gid->raw, prefix, sizeof(prefix));
}

/*
 * Chooses a GID. A port of InfiniBand uses its first GID, and so does iWARP, which has one. Another
 * Ethernet port uses the RoCE v2 GID of its first IPv4 address, or of its first IPv6 address if it
 * does not have an IPv4 address.
 */
static bool choose_gid(struct end *end)
{
	struct ibv_gid_entry entry;
	bool found = false;
	int i;

	if (!end->is_ethernet || end->is_iwarp)
		return !ibv_query_gid(end->context, end->port_num, 0, &end->gid);
	for (i = 0; i < end->port.gid_tbl_len; i++) {
		if (ibv_query_gid_ex(end->context, end->port_num, i, &entry, 0) ||
		    entry.gid_type != IBV_GID_TYPE_ROCE_V2 || (found && !is_ipv4(&entry.gid)))
			continue;
		found = true;
		end->gid = entry.gid;
		end->gid_index = i;
		if (is_ipv4(&entry.gid))
			break;
	}
	return found;
}

/* Opens a port. @port 0 is the first active one. */
static bool open_port(struct end *end, struct ibv_device *device, unsigned int port)
{
	const char *name = ibv_get_device_name(device);

	end->context = ibv_open_device(device);
	if (!end->context || ibv_query_device(end->context, &end->attr))
		return print_message("%s cannot be opened: %s", name, error_name(errno));
	if (port > end->attr.phys_port_cnt)
		return print_message("%s has ports 1 to %u", name, end->attr.phys_port_cnt);
	end->port_num = port ? port : first_active(end->context, end->attr.phys_port_cnt);
	if (!end->port_num)
		return print_message("%s has no active port", name);
	if (!is_active(end->context, end->port_num))
		return print_message("port %u of %s is not active", port, name);
	if (ibv_query_port(end->context, end->port_num, &end->port))
		return print_message("port %u of %s cannot be queried", end->port_num, name);
	end->is_ethernet = end->port.link_layer == IBV_LINK_LAYER_ETHERNET;
	end->is_iwarp = device->transport_type == IBV_TRANSPORT_IWARP;
	snprintf(end->name, sizeof(end->name), "%s/%u", name, end->port_num);
	if (!choose_gid(end))
		return print_message("%s has no GID that can be used", end->name);
	return true;
}

/* Opens a port by name: DEVICE[/PORT]. */
static bool open_named(struct end *end, struct ibv_device **devices, const char *name)
{
	size_t length = strcspn(name, "/");
	unsigned long port = 0;
	char *rest = "";

	if (name[length])
		port = strtoul(name + length + 1, &rest, 10);
	if (*rest || (name[length] && (port < 1 || port > 255)))
		return print_message("'%s' has something else than a port number behind the '/'",
				     name);
	for (; *devices; devices++)
		if (strlen(ibv_get_device_name(*devices)) == length &&
		    !strncmp(ibv_get_device_name(*devices), name, length))
			return open_port(end, *devices, port);
	return print_message("there is no RDMA device '%.*s'", (int)length, name);
}

/* Finds the first device, other than that of @other, with an active port. */
static struct ibv_device *find_active(struct ibv_device **devices, const struct end *other)
{
	struct ibv_context *context;
	struct ibv_device_attr attr;
	bool good;

	for (; *devices; devices++) {
		if (other && !strcmp(ibv_get_device_name(*devices),
				     ibv_get_device_name(other->context->device)))
			continue;
		context = ibv_open_device(*devices);
		if (!context)
			continue;
		good = !ibv_query_device(context, &attr) &&
		       first_active(context, attr.phys_port_cnt);
		ibv_close_device(context);
		if (good)
			return *devices;
	}
	return NULL;
}

static bool open_both(struct end ends[2], struct ibv_device **devices, const char *const names[2])
{
	struct ibv_device *device;

	if (names[0]) {
		if (!open_named(&ends[0], devices, names[0]))
			return false;
	} else {
		device = find_active(devices, NULL);
		if (!device)
			return print_message("there is no RDMA device with an active port");
		if (!open_port(&ends[0], device, 0))
			return false;
	}
	if (names[1])
		return open_named(&ends[1], devices, names[1]);
	device = names[0] ? NULL : find_active(devices, &ends[0]);
	if (device)
		return open_port(&ends[1], device, 0);
	return open_named(&ends[1], devices, ends[0].name);
}

/* Returns whether two ends can be connected. */
static bool are_alike(const struct end ends[2])
{
	if (ends[0].is_ethernet != ends[1].is_ethernet)
		return print_message("%s and %s have different link layers", ends[0].name,
				     ends[1].name);
	if (ends[0].is_iwarp != ends[1].is_iwarp)
		return print_message("%s and %s have different transports", ends[0].name,
				     ends[1].name);
	return true;
}

bool ends_open(struct end ends[2], const char *const names[2], bool by_cm)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	bool good;
	int i;

	if (!devices)
		return print_message("RDMA devices cannot be listed: %s", error_name(errno));
	good = open_both(ends, devices, names);
	ibv_free_device_list(devices);
	good = good && are_alike(ends);
	for (i = 0; good && i < 2 && (by_cm || ends[0].is_iwarp); i++)
		good = end_listen(&ends[i]);
	for (i = 0; i < 2; i++)
		snprintf(ends[i].label, sizeof(ends[i].label), "%s end (%s)",
			 i ? "second" : "first", ends[i].name);
	return good;
}

/*
 * Finds how much inline data a queue pair can have, which no attribute says. Only iWARP devices are
 * asked: some of them refuse what those of InfiniBand are known to have.
 */
static bool probe_inline(struct end *end)
{
	static const uint32_t sizes[] = { 220, 64, 0 };
	struct ibv_cq *cq = ibv_create_cq(end->context, 1, NULL, NULL, 0);
	struct ibv_qp_init_attr init;
	struct ibv_qp *qp = NULL;
	size_t i;

	for (i = 0; cq && !qp && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		init = (struct ibv_qp_init_attr){
			.send_cq = cq,
			.recv_cq = cq,
			.cap = { 1, 1, 1, 1, sizes[i] },
			.qp_type = IBV_QPT_RC,
		};
		end->max_inline = sizes[i];
		qp = ibv_create_qp(end->pd, &init);
	}
	if (qp)
		ibv_destroy_qp(qp);
	if (cq)
		ibv_destroy_cq(cq);
	return qp || print_message("%s: no queue pair: %s", end->name, error_name(errno));
}

static bool register_scratch(struct end *end)
{
	end->scratch_mr = ibv_reg_mr(end->pd, &end->scratch, sizeof(end->scratch),
				     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
					     IBV_ACCESS_REMOTE_READ);
	return end->scratch_mr ||
	       print_message("%s: %zu octets of memory cannot be registered: %s", end->name,
			     sizeof(end->scratch), error_name(errno));
}

static bool register_arena(struct end *end)
{
	int rights = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;

	if (end_has_atomics(end))
		rights |= IBV_ACCESS_REMOTE_ATOMIC;
	if (end_has_windows(end))
		rights |= IBV_ACCESS_MW_BIND;
	end->pd = ibv_alloc_pd(end->context);
	if (!end->pd)
		return print_message("%s: no protection domain: %s", end->name, error_name(errno));
	end->mr = ibv_reg_mr(end->pd, end->arena.memory, end->arena.size, rights);
	if (!end->mr)
		return print_message("%s: %zu octets of memory cannot be registered: %s", end->name,
				     end->arena.size, error_name(errno));
	end->max_inline = UINT32_MAX;
	return !end->is_iwarp || (probe_inline(end) && register_scratch(end));
}

bool ends_register(struct end ends[2], const struct pattern *pattern, size_t size)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (!arena_open(&ends[i].arena, ends[i].label, pattern, i, size))
			return print_message("no memory: %s", error_name(errno));
		if (!register_arena(&ends[i]))
			return false;
	}
	return true;
}

void ends_close(struct end ends[2])
{
	int i;

	for (i = 0; i < 2; i++) {
		if (ends[i].scratch_mr)
			ibv_dereg_mr(ends[i].scratch_mr);
		if (ends[i].mr)
			ibv_dereg_mr(ends[i].mr);
		if (ends[i].pd)
			ibv_dealloc_pd(ends[i].pd);
		if (ends[i].context && !ends[i].listener)
			ibv_close_device(ends[i].context);
		end_unlisten(&ends[i]);
		arena_close(&ends[i].arena);
	}
}

bool end_has_atomics(const struct end *end)
{
	return end->attr.atomic_cap != IBV_ATOMIC_NONE;
}

/*
 * Bit of device_cap_flags_ex for Atomic Write, which older versions of <infiniband/verbs.h> do not
 * define.
 */
#define DEVICE_ATOMIC_WRITE (1ull << 40)

bool end_has_atomic_write(const struct end *end)
{
	struct ibv_device_attr_ex attr = {};

	return !ibv_query_device_ex(end->context, NULL, &attr) &&
	       attr.device_cap_flags_ex & DEVICE_ATOMIC_WRITE;
}

bool end_has_windows(const struct end *end)
{
	return end->attr.device_cap_flags & WINDOWS;
}

bool end_has_xrc(const struct end *end)
{
	return end->attr.device_cap_flags & IBV_DEVICE_XRC;
}

uint32_t end_mtu(const struct end *end)
{
	return 128u << end->port.active_mtu;
}
