/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Descriptor of a management class. Each class defines its descriptor in a file of its own.
 * sma/agent.c does the common work of all classes: it finds the managed port, checks versions and
 * methods, and sets the status.
 */
#ifndef HCA_SMA_CLASS_H
#define HCA_SMA_CLASS_H

#include "sma/attribute.h"

struct hca_class {
	u8 code; /* IB_MGMT_CLASS_* */
	u8 version;
	u8 data_offset; /* offset of the attribute data in the MAD, octets */
	u8 data_bytes; /* length of the attribute data, octets */
	bool shared; /* requests for attributes not in @attributes are passed to clients at QP1 */
	const struct hca_attribute *attributes;
	unsigned int num_attributes;
	/* Returns whether the port has the class. NULL: every port has it. */
	bool (*exists)(const struct hca_port *home);
	/*
	 * Handles a request that has no response, and returns true; returns false if it does not
	 * handle the request. NULL: the class has no such requests.
	 */
	bool (*consume)(const struct hca_mad_request *rq, const struct hca_mad *in);
	/*
	 * Returns whether the key in the request is right. If it is not, the agent does not
	 * respond. NULL: the class has no key.
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
 * @rq: the request, with node, ports and values of the MAD header; this function sets class,
 *      attribute, in and out
 * @in: received MAD
 * @out: complete response if the result is HCA_AGENT_REPLY; must not overlap @in
 *
 * Context: bottom halves disabled; acquires port->lock; raises port events.
 * Return: enum hca_agent_result.
 */
enum hca_agent_result hca_class_answer(const struct hca_class *class, struct hca_mad_request *rq,
				       const struct hca_mad *in, struct hca_mad *out);

#endif
