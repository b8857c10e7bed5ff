/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a management class is to the agent. Each is a structure in a file of its own, which
 * sma/agent.c lists; what holds for all of them is there: who is asked, versions, methods, statuses.
 */
#ifndef HCA_SMA_CLASS_H
#define HCA_SMA_CLASS_H

#include "sma/attribute.h"

struct hca_class {
	u8 code; /* enum hca_mad_class */
	u8 version;
	u8 data_offset; /* of the attribute in the MAD */
	u8 data_bytes;
	bool shared; /* with who is above QP1: what is not of these attributes is theirs */
	const struct hca_attribute *attributes;
	unsigned int num_attributes;
	/* Whether the port has the class. NULL: all have. */
	bool (*exists)(const struct hca_port *home);
	/* A request that has no answer: whether it was for the agent, and is done. NULL: none is. */
	bool (*takes)(const struct hca_mad_request *rq, const struct hca_mad *in);
	/* Whether who asks may, by a key; else there is no answer. NULL: all may. */
	bool (*permits)(const struct hca_mad_request *rq, const struct hca_mad *in);
};

extern const struct hca_class hca_subnet_class;
extern const struct hca_class hca_subnet_directed_class;
extern const struct hca_class hca_performance_class;
extern const struct hca_class hca_communication_class;

/**
 * hca_class_answer() - answer a request of a class
 * @class: the class
 * @rq: who is asked; filled in here as far as it depends on the class
 * @in: the request
 * @out: the answer, if there is one
 *
 * Context: bottom halves disabled; see hca_agent_process(). Return: enum hca_agent_result.
 */
enum hca_agent_result hca_class_answer(const struct hca_class *class, struct hca_mad_request *rq,
				       const struct hca_mad *in, struct hca_mad *out);

#endif
