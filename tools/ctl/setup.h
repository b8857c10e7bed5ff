/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Setups. A setup is a set of devices, links and faults: either the existing ones, or the ones that
 * a file requests.
 */
#ifndef HCACTL_SETUP_H
#define HCACTL_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/ctl/index.h"
#include "tools/ctl/noun/rnic.h"
#include "tools/ctl/noun/rnic_fault.h"
#include "tools/ctl/portname.h"
#include "tools/lib/opcodes.h"
#include "tools/topology/rate.h"

#define MAX_DESCRIPTION 64 /* largest number of octets of a NodeDescription */

struct device {
	const char *name;
	uint32_t type; /* enum hca_nl_type */
	uint32_t ports;
	uint64_t guid;
	bool has_guid; /* the GUID is given; otherwise it is derived from the name */
	uint64_t system_image_guid; /* system image GUID; 0: it is the device's GUID */
	bool enhanced; /* the device is a switch with an enhanced port 0 */
	bool random; /* the device is a switch with a random forwarding table */
	const char *description; /* NodeDescription; NULL: the kernel's default */
	struct rnic rnic; /* interface and options of an RNIC */
	unsigned int line; /* line of the file that requests the device */
	bool made; /* this program has created the device */
	bool going; /* the deletion of the device has begun */
};

struct end {
	const char *text; /* name of the port as the user has given it, as in hca0/1 */
	struct port_name name; /* parsed name of the port */
};

struct network;

struct link {
	struct end a, b;
	/* remote end of a link through a network; NULL: the link is a cable to b */
	struct network *network;
	struct rate rate; /* rate that both ports are set to support; width 0: it is not changed */
	struct rate_masks supported; /* rates that port a of an existing link supports */
	unsigned int line;
	bool made;
};

#define NUM_FAULT_KINDS 3 /* number of rows of fault_kinds[] in fault.h */

/*
 * The shape of one direction of a cable: rate limit, reordering, delay and interruptions of the
 * signal. If all fields are 0, the shape has no effect.
 */
struct shape {
	uint32_t rate; /* rate limit in Mb/s; 0: none; UINT32_MAX: the link's own rate */
	uint32_t reorder; /* probability of reordering, in units of 2^-32 */
	uint64_t delay, jitter; /* delay of packets in ns, and variation of the delay in ns */
	/* every @flap_every ns, the signal is interrupted for @flap_for ns; 0: never */
	uint64_t flap_every, flap_for;
};

/*
 * The faults of one direction of a cable (lost, damaged and duplicated packets, a slow VL), and its
 * shape (such as delay and rate limit)
 */
struct fault {
	struct link link;
	bool from_b; /* true: direction from port b to port a; false: from port a to port b */
	uint32_t chance[NUM_FAULT_KINDS]; /* probability of each kind of fault, in units of 2^-32 */
	/* number of the slow VL, and its rate in Mb/s; rate 0: there is no slow VL */
	uint32_t slow_vl, slow_rate;
	struct shape shape;
	/*
	 * Criteria that a packet must meet to be hit. A criterion is ignored if @opcodes is empty,
	 * or if the has_... field is false.
	 */
	struct opcodes opcodes;
	uint32_t qpn, psn, nth;
	bool has_qpn, has_psn, has_nth;
	uint32_t count; /* largest number of packets that are hit */
	bool has_count;
	uint32_t seed; /* seed of the random numbers of faults and shape */
	bool has_seed;
	unsigned int line;
	bool made;
};

/* The faults of what all queue pairs of an RNIC send */
struct rnic_setting {
	const char *name; /* of the RNIC */
	struct rnic_fault fault;
	unsigned int line;
	bool made;
};

/* A set of devices, links and faults. If all fields are zero, it is empty. */
struct setup {
	struct device *devices;
	size_t num_devices;
	struct link *links;
	size_t num_links;
	struct fault *faults;
	size_t num_faults;
	struct rnic_setting *rnic_settings;
	size_t num_rnic_settings;
	/* Indexes that find devices by name, links by either end, and faults by direction */
	struct index devices_by_name, links_by_end, faults_by_direction;
	/* number of the current line of the file; setup_add_...() stores it in new objects */
	unsigned int line;
};

/* Functions that add a copy of an object, including its strings. */
void setup_add_device(struct setup *setup, const struct device *device);
void setup_add_link(struct setup *setup, const struct link *link);
void setup_add_fault(struct setup *setup, const struct fault *fault);
void setup_add_rnic_setting(struct setup *setup, const struct rnic_setting *setting);

/* Frees all objects. The setup is empty afterwards. */
void setup_clear(struct setup *setup);

/*
 * Finds the device whose name is the first @length octets of @name. Return: NULL if there is none.
 */
const struct device *setup_find_device(const struct setup *setup, const char *name, size_t length);

/* Finds the first link that has the end @end. Return: NULL if there is none. */
const struct link *setup_find_link(const struct setup *setup, const struct end *end);

/* Finds the first fault with the cable and direction of @fault. Return: NULL if there is none. */
const struct fault *setup_find_fault(const struct setup *setup, const struct fault *fault);

/* Finds the first faults of the RNIC of this name. Return: NULL if there are none. */
const struct rnic_setting *setup_find_rnic_setting(const struct setup *setup, const char *name);

/* Returns the end of the cable whose packets a fault affects. */
const struct end *fault_sender(const struct fault *fault);

bool same_end(const struct end *one, const struct end *other);

/*
 * Returns whether two links have the same two ends in any order; for links through networks,
 * whether they have the same end a and equal networks.
 */
bool same_link(const struct link *one, const struct link *other);

/* Functions that print an object as a line of a file that hca.conf(5) describes. */
void print_device_line(FILE *file, const struct device *device);
void print_link_line(FILE *file, const struct link *link);

#endif
