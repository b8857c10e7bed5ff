/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The services and operations that are verified, and the choice of operations for each service. */
#ifndef HCAVERIFY_MATRIX_H
#define HCAVERIFY_MATRIX_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>

enum service_flag {
	SERVICE_SRQ = 1 << 0, /* receives come from a shared receive queue */
	SERVICE_DATAGRAM = 1 << 1,
	SERVICE_MULTICAST = 1 << 2, /* datagrams are sent to a multicast group */
	SERVICE_RELIABLE = 1 << 3, /* messages must not be lost */
	SERVICE_ONLY_NAMED = 1 << 4, /* the service is verified only if the user names it */
	SERVICE_XRC = 1 << 5, /* each direction has an initiator and a target queue pair */
};

struct service {
	const char *name;
	enum ibv_qp_type type;
	unsigned int flags;
	const char *about;
};

enum verb_flag {
	VERB_RECEIVES = 1 << 0, /* the verb consumes a receive of the peer */
	VERB_MESSAGE = 1 << 1, /* the payload goes to a receive of the peer */
	VERB_IMM = 1 << 2,
	VERB_INVALIDATES = 1 << 3,
	VERB_WRITES = 1 << 4, /* the verb writes to memory that the request names */
	VERB_READS = 1 << 5, /* the verb reads from memory that the request names */
	VERB_ATOMIC = 1 << 6,
	VERB_ATOMIC_WRITE = 1 << 7, /* the verb writes eight octets in one atomic step */
};

/* A kind of work request. */
struct verb {
	enum ibv_wr_opcode opcode;
	enum ibv_wc_opcode completion, receive_completion;
	unsigned int flags;
};

enum operation_flag {
	OPERATION_RELIABLE = 1 << 0, /* the operation is for reliable services only */
	OPERATION_RDMA = 1 << 1, /* the operation is for connections only */
	/* the second request sends the data that the first one has read */
	OPERATION_FENCE = 1 << 2,
	OPERATION_SAME_PLACE = 1 << 3, /* both requests access one remote segment */
	/* the first request writes through a memory window, which the second one invalidates */
	OPERATION_WINDOW = 1 << 4,
	OPERATION_ANY = 1 << 5, /* a random operation for each message */
	OPERATION_MAY_FAIL = 1 << 6, /* the operation can be used with --expect */
};

#define OPERATION_REQUESTS 2

/* A kind of message, which consists of one or two requests. */
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
