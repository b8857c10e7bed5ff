/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An RNIC of the fuzzers, with a queue pair, memory and an end of a stream. There is one at a time.
 * Whatever the peer and the ULP do, certain conditions hold (oracle.h); a violation calls abort().
 */
#ifndef HCA_TESTS_FUZZ_IWARP_RNIC_H
#define HCA_TESTS_FUZZ_IWARP_RNIC_H

#include <stdio.h>
#include <stdlib.h>
#include <linux/mm.h>
#include "iwarp/connect.h"
#include "iwarp/endpoint.h"
#include "iwarp/iwarp_qp.h"
#include "iwarp/rnic.h"
#include "qp/cq.h"
#include "qp/srq.h"
#include "tests/fuzz/iwarp/input.h"
#include "tests/sim/iwarp/stream.h"

#define FUZZ_ENTRIES 16 /* of each queue */
#define FUZZ_REQUESTS 128 /* of each kind at most */
#define FUZZ_PAGES 2 /* of each MR */
#define FUZZ_FIRST 100 /* octets in front of an MR, which nothing may change */
#define FUZZ_LENGTH 5001u /* octets of an MR, behind which nothing may change either */
#define FUZZ_MEMORY (FUZZ_PAGES * PAGE_SIZE)

/* MRs. */
enum fuzz_mr {
	FUZZ_RW, /* all rights */
	FUZZ_RO, /* remote reading */
	FUZZ_WO, /* remote writing */
	FUZZ_LOCAL, /* local writing */
	FUZZ_NONE, /* local reading */
	FUZZ_OTHER, /* all rights, in another protection domain */
	FUZZ_FAST, /* all rights; a fast-registered MR, which the peer may invalidate */
	FUZZ_END, /* all rights; its last octet has the last address there is */
	FUZZ_MRS,
};

/* A request that was posted; its wr_id is its index. */
struct fuzz_request {
	u8 mr; /* enum fuzz_mr */
	bool may_change; /* the range may change until the request completes */
	bool is_read;
	u32 offset, length; /* of a range of the MR */
};

struct fuzz_queue {
	struct fuzz_request request[FUZZ_REQUESTS];
	u32 posted, completed;
	bool has_failed; /* a request has completed with an error, or was flushed */
	u32 errors; /* completions with errors, but for flushed requests */
};

struct fuzz {
	struct hca_rnic rnic; /* first member; it is initialized once */
	struct hca_cq send_cq, recv_cq;
	struct hca_srq srq;
	struct hca_qp *qp;
	struct hca_iwarp_qp *it;
	struct hca_endpoint ep;
	struct sim_stream_pair pair;
	struct sim_stream *core, *model; /* its ends */
	struct hca_tpt_entry *mr[FUZZ_MRS];
	void *page[FUZZ_MRS][FUZZ_PAGES];
	u16 changes[FUZZ_MRS][FUZZ_LENGTH]; /* requests that may change an octet */
	struct fuzz_queue sends, recvs;
	bool (*run)(struct hca_runnable *r, int *budget); /* of the queue pair */
	u32 runs; /* of the queue pair, since fuzz_settle() was called */
	u32 access; /* of the queue pair */
	bool with_srq, has_small_cq;
	bool is_begun; /* the endpoint is in use */
	bool is_initiator, is_accepted; /* a connect, or an accept, has returned 0 */
	bool is_modified; /* the ULP has ended the connection */
	bool is_stalled; /* the peer reads nothing */
	bool is_frozen; /* nothing may change memory */
	bool is_destroyed; /* the queue pair */
	unsigned int reported[8]; /* by enum hca_endpoint_event */
	unsigned int events[8]; /* of the queue pair, by enum hca_qp_event */
	int reply_status, close_status;
	unsigned long octets; /* allocated before the peer has sent anything */
	/* The peer's end. */
	u64 position; /* in Full Operation */
	u32 msn[3], mo; /* of the next segment */
	u32 response; /* octets of the Read Response so far */
	bool is_out_of_step; /* octets were sent that are no FPDU */
};

extern struct fuzz fuzz;

static inline void fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, condition);
	abort();
}

#define fuzz_require(condition) \
	((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

/* Make an RNIC with a queue pair in Init, as the input says. */
void fuzz_begin(struct fuzz_input *in);

/* End the connection, if the input has not, and free all; with the checks of an end. */
void fuzz_end(void);

/* Let the octets on the way arrive, and check what has changed. */
void fuzz_settle(void);

/* The peer sends octets, which arrive in pieces of @cut octets; 0: all at once. */
void fuzz_send(const u8 *octets, u32 length, u8 cut);

/* The address of an MR's octet. */
u64 fuzz_address(u8 mr, u32 offset);

/* The oldest Read that has not completed, or NULL. */
const struct fuzz_request *fuzz_oldest_read(void);

/* The ULP posts a request, as the input says. */
void fuzz_post_send(struct fuzz_input *in);
void fuzz_post_recv(struct fuzz_input *in);

/* Remove an MR from the table. */
void fuzz_deregister(u8 mr);

int fuzz_modify(enum ib_qp_state state);

#endif
