/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A binding is a way to exchange Hello and HelloAck: by the InfiniBand CM (IBA annex A4) or by
 * rdma_cm. This header declares the operations that each binding defines.
 */
#ifndef HCA_SDP_LINK_BINDING_H
#define HCA_SDP_LINK_BINDING_H

#include "sdp/protocol/hello.h"

struct ib_qp_attr;
struct rdma_cm_id;
struct sdp_ep;
struct sdp_link;

#define SDP_RDMA_READS 4 /* maximum outstanding RDMA Reads of a connection */

/* Events of the CM that a link records, in the order in which they occur. */
enum sdp_setup_event {
	SDP_CM_ANSWERED, /* HelloAck was received */
	SDP_CM_ESTABLISHED, /* the peer has confirmed HelloAck */
	SDP_CM_REFUSED, /* Hello or HelloAck was rejected */
	SDP_CM_TIMED_OUT, /* the CM has not received an answer */
	SDP_CM_ENDED, /* the peer ends the connection, or the connection has ended */
};

/*
 * The operations of a binding. The socket lock is held in all operations except destroy(). A result
 * of type int is 0 or a negative errno.
 */
struct sdp_setup_ops {
	enum sdp_binding binding;
	/*
	 * Brings the queue pair into state Init and sends a Hello along the path of *@id. If the
	 * link takes over the identifier, *@id is set to NULL, even if the operation fails.
	 */
	int (*request)(struct sdp_ep *ep, struct rdma_cm_id **id);
	/*
	 * Gets the attributes for a change of the queue pair's state, like ib_cm_init_qp_attr().
	 * *@mask is set to 0 if the CM itself changes the state.
	 */
	int (*init_qp_attr)(struct sdp_link *link, struct ib_qp_attr *attr, int *mask);
	int (*ready)(struct sdp_link *link); /* confirms the HelloAck to the peer */
	void (*reject)(struct sdp_link *link); /* rejects the HelloAck */
	/* Destroys the identifier after its handler has ended. The CM notifies the peer. */
	void (*destroy)(struct sdp_link *link);
};

#endif
