/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One of the two ends of the test: a port of a device, and its memory region. */
#ifndef HCAVERIFY_END_H
#define HCAVERIFY_END_H

#include <infiniband/verbs.h>
#include "arena.h"

#define END_NAME_SIZE 80

struct rdma_cm_id;
struct rdma_event_channel;

struct end {
	char name[END_NAME_SIZE]; /* DEVICE/PORT */
	/* name of the end in error messages: "first end (DEVICE/PORT)" or "second ..." */
	char label[END_NAME_SIZE + 16];
	struct ibv_context *context;
	struct ibv_device_attr attr;
	uint8_t port_num;
	struct ibv_port_attr port;
	bool is_ethernet;
	/*
	 * The device carries RDMA over TCP: it has reliable connections only, whose messages are
	 * not acknowledged, and an error of its peer arrives as a Terminate message.
	 */
	bool is_iwarp;
	uint8_t gid_index;
	union ibv_gid gid;
	struct ibv_pd *pd;
	struct ibv_mr *mr; /* MR of the whole arena, with all access rights */
	struct arena arena;
	uint32_t max_inline; /* octets of inline data that a queue pair can have */
	/* Only of an end whose reliable connections rdma_cm makes; otherwise NULL and 0. */
	struct rdma_event_channel *channel;
	struct rdma_cm_id *listener; /* listens at the end's address; the device is its context */
	uint64_t scratch; /* memory for RDMA Reads that only wait for what precedes them */
	struct ibv_mr *scratch_mr;
};

/*
 * Opens both ends by name. If a name is NULL, the function chooses a device. rdma_cm makes the
 * reliable connections if @by_cm is true, and always between iWARP devices. Return: true; or false
 * after printing an error.
 */
bool ends_open(struct end ends[2], const char *const names[2], bool by_cm);

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

/*
 * Functions of listen.c. end_listen() finds an IP address of the end's port, and has rdma_cm listen
 * there. The context of the end becomes that of librdmacm, which stays open. Return: true; or false
 * after printing an error.
 */
bool end_listen(struct end *end);
void end_unlisten(struct end *end);

#endif
