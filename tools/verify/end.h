/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One of the two ends of the test: a port of a device, and its memory region. */
#ifndef HCAVERIFY_END_H
#define HCAVERIFY_END_H

#include <infiniband/verbs.h>
#include "arena.h"

#define END_NAME_SIZE 80

struct end {
	char name[END_NAME_SIZE]; /* DEVICE/PORT */
	/* name of the end in error messages: "first end (DEVICE/PORT)" or "second ..." */
	char label[END_NAME_SIZE + 16];
	struct ibv_context *context;
	struct ibv_device_attr attr;
	uint8_t port_num;
	struct ibv_port_attr port;
	bool is_ethernet;
	uint8_t gid_index;
	union ibv_gid gid;
	struct ibv_pd *pd;
	struct ibv_mr *mr; /* MR of the whole arena, with all access rights */
	struct arena arena;
};

/*
 * Opens both ends by name. If a name is NULL, the function chooses a device. Return: true; or false
 * after printing an error.
 */
bool ends_open(struct end ends[2], const char *const names[2]);

/*
 * Allocates and registers memory of @size octets at both ends. Return: true; or false after
 * printing an error.
 */
bool ends_register(struct end ends[2], const struct pattern *pattern, size_t size);

void ends_close(struct end ends[2]);

bool end_has_atomics(const struct end *end);
bool end_has_atomic_write(const struct end *end);
bool end_has_windows(const struct end *end);
bool end_has_xrc(const struct end *end);

/* Returns the port's active MTU in octets. */
uint32_t end_mtu(const struct end *end);

#endif
