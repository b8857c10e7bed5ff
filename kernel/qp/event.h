/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Affiliated events of queue pairs, EE contexts and shared receive queues. */
#ifndef HCA_QP_EVENT_H
#define HCA_QP_EVENT_H

enum hca_qp_event {
	HCA_QP_FATAL,
	HCA_QP_REQUEST_ERROR,
	HCA_QP_ACCESS_ERROR,
	HCA_QP_COMM_ESTABLISHED,
	HCA_QP_SQ_DRAINED,
	HCA_QP_PATH_MIG,
	HCA_QP_PATH_MIG_ERROR,
	/* the queue pair is in Error and does not consume requests of its SRQ any more */
	HCA_QP_LAST_WQE_REACHED,
};

enum hca_srq_event {
	HCA_SRQ_LIMIT_REACHED, /* the number of posted requests is below the armed limit */
	HCA_SRQ_ERROR, /* the SRQ has failed; its requests are lost */
};

#endif
