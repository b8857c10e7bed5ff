/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What is verified: services, operations, and which operations a service has. */
#ifndef HCAVERIFY_MATRIX_H
#define HCAVERIFY_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <infiniband/verbs.h>

enum service_flag {
	SERVICE_SRQ = 1 << 0, /* receives come from a shared receive queue */
	SERVICE_DATAGRAM = 1 << 1,
	SERVICE_MULTICAST = 1 << 2, /* the datagrams go to a group */
	SERVICE_RELIABLE = 1 << 3, /* nothing may be lost */
	SERVICE_ONLY_NAMED = 1 << 4, /* not verified unless asked for */
};

struct service {
	const char *name;
	enum ibv_qp_type type;
	unsigned int flags;
	const char *about;
};

enum verb_flag {
	VERB_RECEIVES = 1 << 0, /* takes a receive request of the peer */
	VERB_MESSAGE = 1 << 1, /* and its data go there */
	VERB_IMM = 1 << 2,
	VERB_INVALIDATES = 1 << 3,
	VERB_WRITES = 1 << 4, /* data go to memory that the request names */
	VERB_READS = 1 << 5, /* or come from there */
	VERB_ATOMIC = 1 << 6,
};

/* A kind of work request. */
struct verb {
	enum ibv_wr_opcode opcode;
	enum ibv_wc_opcode completion, receive_completion;
	unsigned int flags;
};

enum operation_flag {
	OPERATION_RELIABLE = 1 << 0, /* only of reliable services */
	OPERATION_RDMA = 1 << 1, /* not of datagrams */
	OPERATION_FENCE = 1 << 2, /* the second request sends what the first has read */
	OPERATION_SAME_PLACE = 1 << 3, /* the second request is for where the first was */
	OPERATION_WINDOW = 1 << 4, /* through a memory window, which the second request invalidates
				    */
	OPERATION_ANY = 1 << 5, /* for each message another of them */
	OPERATION_MAY_FAIL = 1 << 6, /* can be used with --expect */
};

#define OPERATION_REQUESTS 2

/* What is done with a message: one request or two. */
struct operation {
	const char *name;
	const struct verb *requests[OPERATION_REQUESTS];
	unsigned int flags;
	const char *about;
};

extern const struct service services[];
extern const size_t num_services;

extern const struct operation operations[];
extern const size_t num_operations;

bool service_has(const struct service *service, const struct operation *operation);

#endif
