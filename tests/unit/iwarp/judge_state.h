/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Ways of the judged RNIC into a state: as the peer and its consumer bring it there. */
#ifndef HCA_TESTS_UNIT_IWARP_JUDGE_STATE_H
#define HCA_TESTS_UNIT_IWARP_JUDGE_STATE_H

#include "tests/unit/iwarp/judge.h"

/* A start-up frame's words in which both ends can have four Reads, and RTR is a Write. */
#define JUDGE_ENHANCED "crc enhanced rev=2 p2p rtr-write ird=4 ord=4"

/* Modify the queue pair to a state. Return: the result. */
int judge_modify(enum ib_qp_state state);

/* The same, and octets flow both ways until nothing happens any more. */
int judge_modify_settled(enum ib_qp_state state);

/* The RNIC is an initiator that has sent its request. */
void judge_request(void);

/* The RNIC is an initiator in Full Operation, which has sent its RTR message. */
void judge_initiate(void);

/* The RNIC is a responder in RTS. */
void judge_respond(void);

/* The consumer of a responder has closed: the queue pair is in Closing. */
void judge_close_in_rts(void);

/* The consumer of a responder has terminated: the queue pair is in Terminate. */
void judge_terminate_in_rts(void);

#endif
