/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One of the two ends: a port of a device, and registered memory. */
#ifndef HCAVERIFY_END_H
#define HCAVERIFY_END_H

#include <infiniband/verbs.h>
#include "arena.h"

#define END_NAME_SIZE 80

struct end {
	char name[END_NAME_SIZE]; /* DEVICE/PORT */
	char label[END_NAME_SIZE + 16]; /* the same, as one of two */
	struct ibv_context *context;
	struct ibv_device_attr attr;
	uint8_t port_num;
	struct ibv_port_attr port;
	bool is_ethernet;
	uint8_t gid_index;
	union ibv_gid gid;
	struct ibv_pd *pd;
	struct ibv_mr *mr; /* all of the arena, with all rights */
	struct arena arena;
};

/*
 * Find and open both ends, of the names asked for or of those there are. What is wrong is told on
 * standard error. Return: false if it is.
 */
bool ends_open(struct end ends[2], const char *const names[2]);

/* Have memory of this @size registered at both ends. Return: as above. */
bool ends_register(struct end ends[2], const struct pattern *pattern, size_t size);

void ends_close(struct end ends[2]);

bool end_has_atomics(const struct end *end);
bool end_has_windows(const struct end *end);

/* Octets. */
uint32_t end_mtu(const struct end *end);

#endif
