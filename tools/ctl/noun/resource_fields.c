// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The values of each type of object, in the order in which they are printed. */
#include <rdma/hca-abi.h>
#include <stddef.h>
#include "tools/ctl/noun/resource.h"

/* Names of the types of queue pairs, as rdma(8) prints them */
static const struct resource_name qp_types[] = {
	{ 0, "SMI" }, { 1, "GSI" }, { 2, "RC" }, { 3, "UC" }, { 4, "UD" }, { 7, "RD" },
	{ 9, "XRC_INI" }, { 10, "XRC_TGT" }, { 255, "DRIVER" }, {},
};

static const struct resource_name qp_states[] = {
	{ 0, "RESET" }, { 1, "INIT" }, { 2, "RTR" },
	{ 3, "RTS" }, { 4, "SQD" }, { 5, "SQE" },
	{ 6, "ERR" }, {},
};

static const struct resource_name migration_states[] = {
	{ 0, "MIGRATED" }, { 1, "REARM" }, { 2, "ARMED" }, {},
};

static const struct resource_name timers[] = {
	{ HCA_NL_TIMER_NONE, "none" },
	{ HCA_NL_TIMER_ACK, "ack" },
	{ HCA_NL_TIMER_RNR, "rnr" },
	{},
};

static const struct resource_name nak_reasons[] = {
	{ HCA_NAK_REASON_OPCODE, "OPCODE" },
	{ HCA_NAK_REASON_ORDER, "ORDER" },
	{ HCA_NAK_REASON_PACKET_LENGTH, "PACKET_LENGTH" },
	{ HCA_NAK_REASON_MESSAGE_LENGTH, "MESSAGE_LENGTH" },
	{ HCA_NAK_REASON_WRITE_LENGTH, "WRITE_LENGTH" },
	{ HCA_NAK_REASON_RECV_LENGTH, "RECV_LENGTH" },
	{ HCA_NAK_REASON_QP_ACCESS, "QP_ACCESS" },
	{ HCA_NAK_REASON_RD_ATOMIC, "RD_ATOMIC" },
	{ HCA_NAK_REASON_ALIGNMENT, "ALIGNMENT" },
	{ HCA_NAK_REASON_ATOMIC_LENGTH, "ATOMIC_LENGTH" },
	{ HCA_NAK_REASON_FLUSH, "FLUSH" },
	{ HCA_NAK_REASON_XRC_SRQ, "XRC_SRQ" },
	{ HCA_NAK_REASON_RKEY, "RKEY" },
	{ HCA_NAK_REASON_RKEY_INVALID, "RKEY_INVALID" },
	{ HCA_NAK_REASON_RKEY_PD, "RKEY_PD" },
	{ HCA_NAK_REASON_RKEY_QP, "RKEY_QP" },
	{ HCA_NAK_REASON_RKEY_ACCESS, "RKEY_ACCESS" },
	{ HCA_NAK_REASON_RKEY_BOUNDS, "RKEY_BOUNDS" },
	{ HCA_NAK_REASON_RKEY_CHANGED, "RKEY_CHANGED" },
	{ HCA_NAK_REASON_PAGE, "PAGE" },
	{ HCA_NAK_REASON_INVALIDATE, "INVALIDATE" },
	{ HCA_NAK_REASON_XRC_SRQ_GONE, "XRC_SRQ_GONE" },
	{ HCA_NAK_REASON_RECV_SGE, "RECV_SGE" },
	{ HCA_NAK_REASON_RECV_QUEUE, "RECV_QUEUE" },
	{ HCA_NAK_REASON_CQ, "CQ" },
	{ HCA_NAK_REASON_ATOMIC_MEMORY, "ATOMIC_MEMORY" },
	{ HCA_NAK_REASON_RD_QP, "RD_QP" },
	{},
};

static const struct resource_name roles[] = {
	{ 0, "responder" }, { 1, "initiator" }, {},
};

static const struct resource_name origins[] = {
	{ HCA_TERMINATE_UNSENT, "unsent" },
	{ HCA_TERMINATE_LOCAL, "local" },
	{ HCA_TERMINATE_REMOTE, "remote" },
	{},
};

static const struct resource_name armed[] = {
	{ HCA_NL_ARMED_NOT, "no" },
	{ HCA_NL_ARMED_SOLICITED, "solicited" },
	{ HCA_NL_ARMED_NEXT, "next" },
	{},
};

static const struct resource_name mr_kinds[] = {
	{ HCA_NL_MR_KIND_PINNED, "pinned" }, { HCA_NL_MR_KIND_SHARED, "shared" },
	{ HCA_NL_MR_KIND_ODP, "odp" },	     { HCA_NL_MR_KIND_DMABUF, "dmabuf" },
	{ HCA_NL_MR_KIND_DM, "dm" },	     { HCA_NL_MR_KIND_FAST, "fast" },
	{ HCA_NL_MR_KIND_ALL, "all" },	     {},
};

/* Names of the bits of enum ib_uverbs_access_flags */
static const struct resource_name access[] = {
	{ 1 << 0, "local_write" }, { 1 << 1, "remote_write" }, { 1 << 2, "remote_read" },
	{ 1 << 3, "remote_atomic" }, { 1 << 4, "mw_bind" }, { 1 << 5, "zero_based" },
	{ 1 << 8, "flush_global" }, { 1 << 9, "flush_persistent" }, {},
};

#define NUMBER(key, attr, group, title) { key, attr, group, title, FORMAT_NUMBER, NULL }

static const struct resource_field qp_fields[] = {
	{ "type", HCA_NL_QP_TYPE, "state", "TYPE", FORMAT_NAME, qp_types },
	{ "state", HCA_NL_QP_STATE, "state", "STATE", FORMAT_NAME, qp_states },
	NUMBER("port", HCA_NL_QP_PORT, "state", "PORT"),
	{ "vendor_err", HCA_NL_QP_VENDOR_ERR, "state", "ERROR", FORMAT_CODE, NULL },
	{ "nak_reason", HCA_NL_QP_NAK_REASON, "state", NULL, FORMAT_NAME, nak_reasons },
	NUMBER("peer_lid", HCA_NL_QP_PEER_LID, "peer", "LID"),
	{ "peer_gid", HCA_NL_QP_PEER_GID_PREFIX, "peer", NULL, FORMAT_GID, NULL },
	NUMBER("peer_qpn", HCA_NL_QP_PEER_QPN, "peer", "PEER"),
	NUMBER("path_mtu", HCA_NL_QP_PATH_MTU, "peer", NULL),
	{ "migration", HCA_NL_QP_MIGRATION, "peer", NULL, FORMAT_NAME, migration_states },
	/* The names of an RNIC's values are those of rdma-resource(8), without drv_. */
	{ "local", HCA_NL_QP_LOCAL_PREFIX, "connection", NULL, FORMAT_ADDRESS, NULL },
	{ "remote", HCA_NL_QP_REMOTE_PREFIX, "connection", NULL, FORMAT_ADDRESS, NULL },
	{ "role", HCA_NL_QP_INITIATOR, "connection", NULL, FORMAT_NAME, roles },
	NUMBER("mpa", HCA_NL_QP_MPA, "agreement", NULL),
	{ "crc", HCA_NL_QP_CRC, "agreement", NULL, FORMAT_FLAG, NULL },
	{ "markers_in", HCA_NL_QP_MARKERS_IN, "agreement", NULL, FORMAT_FLAG, NULL },
	{ "markers_out", HCA_NL_QP_MARKERS_OUT, "agreement", NULL, FORMAT_FLAG, NULL },
	NUMBER("ird", HCA_NL_QP_IRD, "agreement", NULL),
	NUMBER("ord", HCA_NL_QP_ORD, "agreement", NULL),
	NUMBER("reads_in", HCA_NL_QP_READS_IN, "stream", NULL),
	NUMBER("reads_out", HCA_NL_QP_READS_OUT, "stream", NULL),
	NUMBER("send_msn_in", HCA_NL_QP_SEND_MSN_IN, "stream", NULL),
	NUMBER("send_msn_out", HCA_NL_QP_SEND_MSN_OUT, "stream", NULL),
	NUMBER("read_msn_in", HCA_NL_QP_READ_MSN_IN, "stream", NULL),
	NUMBER("read_msn_out", HCA_NL_QP_READ_MSN_OUT, "stream", NULL),
	NUMBER("octets_in", HCA_NL_QP_OCTETS_IN, "stream", NULL),
	NUMBER("octets_out", HCA_NL_QP_OCTETS_OUT, "stream", NULL),
	{ "terminate_origin", HCA_NL_QP_TERMINATE_ORIGIN, "end", NULL, FORMAT_NAME, origins },
	{ "terminate_error", HCA_NL_QP_TERMINATE_ERROR, "end", NULL, FORMAT_CODE, NULL },
	{ "terminate", HCA_NL_QP_TERMINATE, "end", NULL, FORMAT_TEXT, NULL },
	NUMBER("send_cq", HCA_NL_QP_SEND_CQ, "send queue", NULL),
	NUMBER("sq_entries", HCA_NL_QP_SQ_ENTRIES, "send queue", NULL),
	NUMBER("sq_posted", HCA_NL_QP_SQ_POSTED, "send queue", "POSTED"),
	NUMBER("sq_outstanding", HCA_NL_QP_SQ_OUTSTANDING, "send queue", "OUTSTANDING"),
	NUMBER("next_psn", HCA_NL_QP_NEXT_PSN, "requester", NULL),
	NUMBER("sent_psn", HCA_NL_QP_SENT_PSN, "requester", NULL),
	NUMBER("unacked_psn", HCA_NL_QP_UNACKED_PSN, "requester", NULL),
	NUMBER("window", HCA_NL_QP_WINDOW, "requester", NULL),
	NUMBER("reads", HCA_NL_QP_READS, "requester", NULL),
	NUMBER("max_reads", HCA_NL_QP_MAX_READS, "requester", NULL),
	NUMBER("credits", HCA_NL_QP_CREDITS, "requester", "CREDITS"),
	NUMBER("credit_limit", HCA_NL_QP_CREDIT_LIMIT, "requester", NULL),
	NUMBER("retry_cnt", HCA_NL_QP_RETRY_CNT, "retries", NULL),
	NUMBER("retries_left", HCA_NL_QP_RETRIES_LEFT, "retries", "RETRIES"),
	NUMBER("rnr_retry", HCA_NL_QP_RNR_RETRY, "retries", NULL),
	NUMBER("rnr_retries_left", HCA_NL_QP_RNR_RETRIES_LEFT, "retries", "RNR"),
	NUMBER("ack_timeout_us", HCA_NL_QP_ACK_TIMEOUT, "timer", NULL),
	{ "timer", HCA_NL_QP_TIMER, "timer", "TIMER", FORMAT_NAME, timers },
	NUMBER("timer_left_us", HCA_NL_QP_TIMER_LEFT, "timer", "US"),
	NUMBER("recv_cq", HCA_NL_QP_RECV_CQ, "receive queue", NULL),
	NUMBER("srq", HCA_NL_QP_SRQ, "receive queue", NULL),
	NUMBER("rq_entries", HCA_NL_QP_RQ_ENTRIES, "receive queue", NULL),
	NUMBER("rq_posted", HCA_NL_QP_RQ_POSTED, "receive queue", "RECEIVES"),
	NUMBER("expected_psn", HCA_NL_QP_EXPECTED_PSN, "responder", NULL),
	NUMBER("msn", HCA_NL_QP_MSN, "responder", NULL),
	{ "nak_sent", HCA_NL_QP_NAK_SENT, "responder", NULL, FORMAT_FLAG, NULL },
	NUMBER("responses", HCA_NL_QP_RESPONSES, "responder", NULL),
	NUMBER("credits_offered", HCA_NL_QP_CREDITS_OFFERED, "responder", NULL),
	{ "credit_stalled", HCA_NL_QP_CREDIT_STALLED, "responder", NULL, FORMAT_FLAG, NULL },
	/* The names of these counters are the same as in rdma-statistic(8). */
	NUMBER("duplicate_request", HCA_NL_QP_DUPLICATE_REQUESTS, "counters", NULL),
	NUMBER("out_of_sequence", HCA_NL_QP_OUT_OF_SEQUENCE, "counters", NULL),
	NUMBER("send_rnr_err", HCA_NL_QP_RNR_NAKS_SENT, "counters", NULL),
	NUMBER("rcvd_rnr_err", HCA_NL_QP_RNR_NAKS_RCVD, "counters", NULL),
	NUMBER("packet_seq_err", HCA_NL_QP_SEQUENCE_NAKS_RCVD, "counters", NULL),
	NUMBER("implied_nak_seq_err", HCA_NL_QP_IMPLIED_NAKS, "counters", NULL),
	NUMBER("local_ack_timeout_err", HCA_NL_QP_ACK_TIMEOUTS, "counters", NULL),
	NUMBER("retransmitted_packets", HCA_NL_QP_RETRANSMITTED_PACKETS, "counters", NULL),
	NUMBER("retry_exceeded_err", HCA_NL_QP_RETRIES_EXCEEDED, "counters", NULL),
	NUMBER("retry_rnr_exceeded_err", HCA_NL_QP_RNR_RETRIES_EXCEEDED, "counters", NULL),
	NUMBER("odp_faults", HCA_NL_QP_ODP_FAULTS, "counters", NULL),
	NUMBER("out_of_buffer", HCA_NL_QP_OUT_OF_BUFFER, "counters", NULL),
	NUMBER("recv_too_short", HCA_NL_QP_RECV_TOO_SHORT, "counters", NULL),
	{},
};

static const struct resource_field cq_fields[] = {
	NUMBER("entries", HCA_NL_CQ_ENTRIES, "completions", "ENTRIES"),
	NUMBER("used", HCA_NL_CQ_USED, "completions", "USED"),
	{ "armed", HCA_NL_CQ_ARMED, "completions", "ARMED", FORMAT_NAME, armed },
	{ "overflow", HCA_NL_CQ_OVERFLOW, "completions", "OVERFLOW", FORMAT_FLAG, NULL },
	NUMBER("users", HCA_NL_CQ_USERS, "completions", "USERS"),
	NUMBER("moderation_count", HCA_NL_CQ_MODERATION_COUNT, "moderation", NULL),
	NUMBER("moderation_us", HCA_NL_CQ_MODERATION_USECS, "moderation", NULL),
	{},
};

static const struct resource_field srq_fields[] = {
	NUMBER("entries", HCA_NL_SRQ_ENTRIES, "receive queue", "ENTRIES"),
	NUMBER("posted", HCA_NL_SRQ_POSTED, "receive queue", "POSTED"),
	NUMBER("limit", HCA_NL_SRQ_LIMIT, "receive queue", "LIMIT"),
	{ "failed", HCA_NL_SRQ_FAILED, "receive queue", "FAILED", FORMAT_FLAG, NULL },
	NUMBER("users", HCA_NL_SRQ_USERS, "receive queue", "USERS"),
	NUMBER("xrc_srqn", HCA_NL_SRQ_XRC_SRQN, "receive queue", "XRC"),
	{},
};

static const struct resource_field mr_fields[] = {
	{ "kind", HCA_NL_MR_KIND, "memory", "KIND", FORMAT_NAME, mr_kinds },
	{ "key", HCA_NL_MR_KEY, "memory", "KEY", FORMAT_HEX, NULL },
	{ "address", HCA_NL_MR_ADDRESS, "memory", "ADDRESS", FORMAT_HEX, NULL },
	NUMBER("length", HCA_NL_MR_LENGTH, "memory", "LENGTH"),
	NUMBER("pages", HCA_NL_MR_PAGES, "memory", "PAGES"),
	{ "valid", HCA_NL_MR_VALID, "use", "VALID", FORMAT_FLAG, NULL },
	NUMBER("windows", HCA_NL_MR_WINDOWS, "use", "WINDOWS"),
	{ "access", HCA_NL_MR_ACCESS, "use", "ACCESS", FORMAT_BITS, access },
	{},
};

static const struct resource_field mw_fields[] = {
	NUMBER("type", HCA_NL_MW_TYPE, "window", "TYPE"),
	{ "bound", HCA_NL_MW_BOUND, "window", "BOUND", FORMAT_FLAG, NULL },
	{ "key", HCA_NL_MW_KEY, "window", "KEY", FORMAT_HEX, NULL },
	NUMBER("qpn", HCA_NL_MW_QPN, "window", "QP"),
	{ "mr_key", HCA_NL_MW_MR_KEY, "memory", "MR", FORMAT_HEX, NULL },
	{ "address", HCA_NL_MW_ADDRESS, "memory", "ADDRESS", FORMAT_HEX, NULL },
	NUMBER("length", HCA_NL_MW_LENGTH, "memory", "LENGTH"),
	{ "access", HCA_NL_MW_ACCESS, "memory", "ACCESS", FORMAT_BITS, access },
	{},
};

const struct resource resources[] = {
	[RESOURCE_QP] = { "qp", "QP", "qpn", HCA_CMD_QP_GET, HCA_NL_RESOURCE_QP, HCA_NL_QP_MAX,
			  qp_fields },
	[RESOURCE_CQ] = { "cq", "CQ", "cqn", HCA_CMD_CQ_GET, HCA_NL_RESOURCE_CQ, HCA_NL_CQ_MAX,
			  cq_fields },
	[RESOURCE_SRQ] = { "srq", "SRQ", "srqn", HCA_CMD_SRQ_GET, HCA_NL_RESOURCE_SRQ,
			   HCA_NL_SRQ_MAX, srq_fields },
	[RESOURCE_MR] = { "mr", "MR", "mrn", HCA_CMD_MR_GET, HCA_NL_RESOURCE_MR, HCA_NL_MR_MAX,
			  mr_fields },
	[RESOURCE_MW] = { "mw", "MW", "mwn", HCA_CMD_MW_GET, HCA_NL_RESOURCE_MW, HCA_NL_MW_MAX,
			  mw_fields },
	[RESOURCE_EEC] = { "eec", "EEC", "eecn", HCA_CMD_EEC_GET, HCA_NL_RESOURCE_QP,
			   HCA_NL_QP_MAX, qp_fields },
};
