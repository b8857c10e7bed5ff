/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Devices and links: those that there are, or those that a file asks for. */
#ifndef HCACTL_SETUP_H
#define HCACTL_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "index.h"
#include "portname.h"
#include "tools/topology/rate.h"

#define MAX_DESCRIPTION 64 /* octets */

struct device {
	const char *name;
	uint32_t type; /* enum hca_nl_type */
	uint32_t ports;
	uint64_t guid;
	bool has_guid; /* false: the one that its name makes */
	uint64_t system_image_guid; /* 0: the device's own */
	bool enhanced; /* a switch's port 0 */
	bool random; /* a switch's forwarding table */
	const char *description; /* NodeDescription; NULL: the kernel makes one */
	unsigned int line; /* of the file */
	bool made; /* by this program */
};

struct end {
	const char *text; /* as in hca0/1 */
	struct port_name name; /* what it means */
};

struct network;

struct link {
	struct end a, b;
	struct network *network; /* instead of b; NULL: it is a cable */
	struct rate rate; /* what both ports are built for; width 0: as they are */
	struct rate_masks supported; /* of those that there are: by port a */
	unsigned int line;
	bool made;
};

#define NUM_FAULT_KINDS 3 /* fault.h has which */

/* How packets get from one end of a cable to the other. All zero: at once, and all. */
struct shape {
	uint32_t rate; /* Mb/s; UINT32_MAX: the link's own */
	uint32_t reorder; /* of 2^32 */
	uint64_t delay, jitter; /* ns */
	uint64_t flap_every, flap_for; /* ns */
};

/* What one direction of a cable does to packets. */
struct fault {
	struct link link;
	bool from_b; /* from a to b, unless this is true */
	uint32_t chance[NUM_FAULT_KINDS]; /* of 2^32; all 0, and no drain: there shall be no faults */
	uint32_t drain_vl, drain; /* Mb/s; 0: none */
	struct shape shape;
	const char *opcode; /* NULL: of all packets */
	uint32_t psn;
	bool has_psn;
	uint32_t seed; /* of both, faults and shape */
	bool has_seed;
	unsigned int line;
	bool made;
};

/* All zero: nothing. */
struct setup {
	struct device *devices;
	size_t num_devices;
	struct link *links;
	size_t num_links;
	struct fault *faults;
	size_t num_faults;
	/* By name; by each of the two ends; by direction. */
	struct index devices_by_name, links_by_end, faults_by_direction;
	unsigned int line; /* for what is added next */
};

/* Add a copy, strings included. */
void setup_add_device(struct setup *setup, const struct device *device);
void setup_add_link(struct setup *setup, const struct link *link);
void setup_add_fault(struct setup *setup, const struct fault *fault);

/* Free all of it; what remains is an empty one. */
void setup_clear(struct setup *setup);

/* NULL: it is not there. The device's name is the first @length octets. */
const struct device *setup_find_device(const struct setup *setup, const char *name, size_t length);

/* Whichever of its ends that is; the first if there are several. */
const struct link *setup_find_link(const struct setup *setup, const struct end *end);

/* Of the same direction; the first if there are several. */
const struct fault *setup_find_fault(const struct setup *setup, const struct fault *fault);

bool same_end(const struct end *one, const struct end *other);

/* The same two ends, in any order; or the same network. */
bool same_link(const struct link *one, const struct link *other);

/* As a line of a file, which is a command. */
void print_device_line(FILE *file, const struct device *device);
void print_link_line(FILE *file, const struct link *link);

#endif
