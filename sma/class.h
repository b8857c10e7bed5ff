/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Descriptor of a management class. Each class defines one in a file of its own, and sma/agent.c
 * lists them. sma/agent.c also does the common work of all classes: it finds the managed port,
 * checks versions and methods, and sets the status.
 */
#ifndef HCA_SMA_CLASS_H
#define HCA_SMA_CLASS_H

#include "sma/attribute.h"

struct hca_class {
	u8 code; /* IB_MGMT_CLASS_* */
	u8 version;
	u8 data_offset; /* octet of the MAD where the attribute data begins */
	u8 data_bytes; /* octets of attribute data */
	bool shared; /* clients above QP1 receive requests for attributes that are not listed */
	const struct hca_attribute *attributes;
	unsigned int num_attributes;
	/* Returns whether the port has the class. NULL: every port has it. */
	bool (*exists)(const struct hca_port *home);
	/*
	 * Handles a request that has no response, or returns false. NULL: the class has no such
	 * request.
	 */
	bool (*consume)(const struct hca_mad_request *rq, const struct hca_mad *in);
	/*
	 * Checks the requester's key; on false the agent does not send a response. NULL: without a
	 * key.
	 */
	bool (*permits)(const struct hca_mad_request *rq, const struct hca_mad *in);
};

extern const struct hca_class hca_subnet_class;
extern const struct hca_class hca_subnet_directed_class;
extern const struct hca_class hca_performance_class;
extern const struct hca_class hca_communication_class;

/**
 * hca_class_answer() - process a request of one class
 * @class: class of the request
 * @rq: node, port and header values; the members that depend on the class are filled in here
 * @in: received MAD
 * @out: complete response if the result is HCA_AGENT_REPLY; must not overlap @in
 *
 * Context: bottom halves disabled; acquires port->lock; raises port events.
 * Return: enum hca_agent_result.
 */
enum hca_agent_result hca_class_answer(const struct hca_class *class, struct hca_mad_request *rq,
				       const struct hca_mad *in, struct hca_mad *out);

#endif
