/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Options and exit statuses of hcaverify. */
#ifndef HCAVERIFY_OPTIONS_H
#define HCAVERIFY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "status.h"

/* Exit statuses, which man/hcaverify.1 documents. */
enum {
	STATUS_GOOD = 0,
	STATUS_BAD = 1, /* an error was found, or nothing could be verified */
	STATUS_USAGE = 2,
};

struct options {
	const char *devices[2]; /* names of the two ends, DEVICE[/PORT]; NULL: not given */
	uint32_t services, operations; /* bits by index of services[] and operations[] */
	/* The user has named services or operations, which the device must support. */
	bool named_services, named_operations;
	uint32_t messages; /* number of messages for each service and operation */
	uint32_t min_size, max_size;
	uint32_t mtu; /* path MTU in octets; 0: any */
	uint32_t depth;
	uint32_t segments; /* most segments of a request or receive */
	uint8_t ack_timeout; /* code of the Local ACK Timeout: 4.096 us * 2^code */
	uint64_t seed;
	bool tolerate_loss;
	const struct status *expect;
	bool cm; /* rdma_cm makes reliable connections */
	bool json, verbose;
};

/* Parses the command line. Exits after --help and --version, and if an argument is wrong. */
void options_parse(int argc, char **argv, struct options *options);

#endif
