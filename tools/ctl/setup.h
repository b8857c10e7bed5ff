/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sets of devices, links and faults: the existing ones, or the ones that a file asks for. */
#ifndef HCACTL_SETUP_H
#define HCACTL_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "index.h"
#include "portname.h"
#include "tools/topology/rate.h"

#define MAX_DESCRIPTION 64 /* octets of a NodeDescription */

struct device {
	const char *name;
	uint32_t type; /* enum hca_nl_type */
	uint32_t ports;
	uint64_t guid;
	bool has_guid; /* false: it is derived from the name */
	uint64_t system_image_guid; /* 0: the device's own */
	bool enhanced; /* a switch has an enhanced port 0 */
	bool random; /* a switch has a random forwarding table */
	const char *description; /* NodeDescription; NULL: the kernel's default */
	unsigned int line; /* line of the file that asks for it */
	bool made; /* created by this program */
	bool going; /* its deletion has begun */
};

struct end {
	const char *text; /* the text that the user has given, as in hca0/1 */
	struct port_name name; /* the parsed text */
};

struct network;

struct link {
	struct end a, b;
	/* remote end of a link through a network; NULL: the link is a cable to b */
	struct network *network;
	struct rate rate; /* rate that both ports are set to support; width 0: not changed */
	struct rate_masks supported; /* rates that port a of an existing link supports */
	unsigned int line;
	bool made;
};

#define NUM_FAULT_KINDS 3 /* rows of fault_kinds[] in fault.h */

/*
 * Shape of one direction of a cable. If all fields are 0, packets are neither delayed nor limited.
 */
struct shape {
	uint32_t rate; /* Mb/s; UINT32_MAX: the link's own rate */
	uint32_t reorder; /* probability, of 2^32 */
	uint64_t delay, jitter; /* ns */
	uint64_t flap_every, flap_for; /* ns */
};

/* Faults and shape of one direction of a cable. */
struct fault {
	struct link link;
	bool from_b; /* the direction is from port b to port a */
	uint32_t chance[NUM_FAULT_KINDS]; /* probabilities, of 2^32 */
	uint32_t slow_vl, slow_rate; /* slow VL and its rate in Mb/s; 0: none */
	struct shape shape;
	/*
	 * Selection of the packets that can be hit. A field that is not given is 0 or NULL, and
	 * selects all.
	 */
	const char *opcode;
	uint32_t qpn, psn, nth;
	bool has_qpn, has_psn, has_nth;
	uint32_t count; /* number of packets hit after which the faults end */
	bool has_count;
	uint32_t seed; /* seed of the faults and of the shape */
	bool has_seed;
	unsigned int line;
	bool made;
};

/* A set of devices, links and faults. A setup that is all zero is empty. */
struct setup {
	struct device *devices;
	size_t num_devices;
	struct link *links;
	size_t num_links;
	struct fault *faults;
	size_t num_faults;
	/* Devices are found by name, links by each of their ends, faults by direction. */
	struct index devices_by_name, links_by_end, faults_by_direction;
	unsigned int line; /* line of the file that is stored in the next object */
};

/* Add a copy of an object, with its strings. */
void setup_add_device(struct setup *setup, const struct device *device);
void setup_add_link(struct setup *setup, const struct link *link);
void setup_add_fault(struct setup *setup, const struct fault *fault);

/* Frees all objects; the setup is empty. */
void setup_clear(struct setup *setup);

/* Finds a device by the first @length octets of @name. Return: NULL if there is no such device. */
const struct device *setup_find_device(const struct setup *setup, const char *name, size_t length);

/* Finds the first link with this end. */
const struct link *setup_find_link(const struct setup *setup, const struct end *end);

/* Finds the first fault of a direction. */
const struct fault *setup_find_fault(const struct setup *setup, const struct fault *fault);

bool same_end(const struct end *one, const struct end *other);

/* Returns whether two links have the same two ends, in any order, or the same network. */
bool same_link(const struct link *one, const struct link *other);

/* Print an object as a line of a file of commands. */
void print_device_line(FILE *file, const struct device *device);
void print_link_line(FILE *file, const struct link *link);

#endif
