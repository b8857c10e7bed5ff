/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * SDP messages in wire format: the Base Sockets Direct Header (BSDH) and the extended headers, all
 * big-endian. Hello and HelloAck, which the bindings lay out differently, are in hello.h.
 */
#ifndef HCA_SDP_PROTOCOL_WIRE_H
#define HCA_SDP_PROTOCOL_WIRE_H

#include <linux/types.h>

#define SDP_BSDH_SIZE 16 /* octets of the BSDH */
#define SDP_HEADER_MAX 36 /* octets of the BSDH and the longest extended header, SinkAvail's */
#define SDP_SIZE_MAX (1u << 31) /* octets of a private buffer or an advertised buffer */

/* Message identifiers (MID). */
enum sdp_mid {
	SDP_MID_HELLO = 0x00,
	SDP_MID_HELLO_ACK = 0x01,
	SDP_MID_DISCONN = 0x02,
	SDP_MID_ABORT_CONN = 0x03,
	SDP_MID_SEND_SM = 0x04,
	SDP_MID_RDMA_WR_COMPL = 0x05,
	SDP_MID_RDMA_RD_COMPL = 0x06,
	SDP_MID_MODE_CHANGE = 0x07,
	SDP_MID_SRC_AVAIL_CANCEL = 0x08,
	SDP_MID_SINK_AVAIL_CANCEL = 0x09,
	SDP_MID_SINK_CANCEL_ACK = 0x0a,
	SDP_MID_CH_RCV_BUF = 0x0b,
	SDP_MID_CH_RCV_BUF_ACK = 0x0c,
	SDP_MID_SUSP_COMM = 0x0d,
	SDP_MID_SUSP_COMM_ACK = 0x0e,
	SDP_MID_SINK_AVAIL = 0xfd,
	SDP_MID_SRC_AVAIL = 0xfe,
	SDP_MID_DATA = 0xff,
};

/* Flags of the BSDH. Receivers ignore other flags. */
#define SDP_FLAG_OOB_PRES 0x01 /* the last octet of the payload is out of band */
#define SDP_FLAG_OOB_PEND 0x02 /* an out-of-band octet is in this message or follows */
#define SDP_FLAG_REQ_PIPE 0x04 /* the sender prefers Pipelined mode */

/* Maximum number of unanswered SrcAvail, and of SinkAvail, that this implementation accepts. */
#define SDP_ADVERTS 2

/* Flow-control modes of a half-connection, as ModeChange numbers them. */
enum sdp_mode {
	SDP_MODE_BUFFERED = 0,
	SDP_MODE_COMBINED = 1,
	SDP_MODE_PIPELINED = 2,
};

struct sdp_bsdh {
	u8 mid;
	u8 flags;
	u16 bufs; /* private buffers that are posted and not yet filled */
	u32 len; /* octets of headers and payload */
	u32 mseq;
	u32 mseq_ack;
};

/* Memory that SrcAvail or SinkAvail advertises. */
struct sdp_advert {
	u32 len; /* octets, 1 to SDP_SIZE_MAX */
	u32 rkey;
	u64 addr;
	u32 non_discards; /* PotentialNonDiscards, in SinkAvail only */
};

/*
 * A message other than Hello and HelloAck, in host byte order. The valid union member depends on
 * the MID.
 */
struct sdp_message {
	struct sdp_bsdh bsdh;
	union {
		u32 size; /* RdmaWrCompl, RdmaRdCompl, ChRcvBuf, ChRcvBufAck: octets */
		struct sdp_advert advert; /* memory that SrcAvail or SinkAvail advertises */
		struct {
			u8 mode; /* an enum sdp_mode, or reserved */
			bool send; /* bit S: the mode for data from ModeChange's receiver */
		} change; /* contents of ModeChange */
		u16 port; /* SuspComm: TCP port number to reconnect to */
	};
	/* These two members are set for RdmaRdCompl and RdmaWrCompl; no header contains them. */
	bool last; /* the message is the last one for an advertisement (S2-176, S2-184) */
	u32 rkey; /* R_Key of the advertisement; if @last is set, the message may invalidate it */
};

/*
 * Reasons to refuse a message. Each except SDP_OK aborts the connection.
 */
enum sdp_fault {
	SDP_OK = 0,
	SDP_FAULT_LENGTH, /* Len differs from the received octets, or is wrong for the MID */
	SDP_FAULT_MID, /* MID is reserved or experimental, or valid during setup only */
	SDP_FAULT_FIELD, /* illegal value of a field */
	SDP_FAULT_MSEQ, /* MSeq does not follow that of the last message */
	SDP_FAULT_MSEQ_ACK, /* MSeqAck is lower than before, or belongs to an unsent message */
	SDP_FAULT_CREDIT, /* message for which the peer had no credit */
	SDP_FAULT_MODE, /* message illegal in the mode of the half-connection */
	SDP_FAULT_STATE, /* answer without a request, or message illegal after DisConn */
	SDP_FAULTS,
};

/**
 * sdp_fault_str() - name of a fault
 * @fault: the fault
 *
 * Context: any.
 * Return: a short description; "unknown" if @fault is not a fault.
 */
const char *sdp_fault_str(enum sdp_fault fault);

/**
 * sdp_mid_str() - name of a message
 * @mid: MID, any octet
 *
 * Context: any.
 * Return: the name in the specification, or "reserved".
 */
const char *sdp_mid_str(u8 mid);

/**
 * sdp_header_size() - octets of the BSDH and the extended header of a message
 * @mid: MID, any octet
 *
 * Context: any.
 * Return: 16 to 36; 0 for a MID that is not valid after the setup.
 */
u32 sdp_header_size(u8 mid);

/**
 * sdp_is_solicited() - whether a message is sent with solicited event
 * @bsdh: BSDH of the message
 *
 * Context: any.
 * Return: true for a message that is to wake the peer (SDP 14.3).
 */
bool sdp_is_solicited(const struct sdp_bsdh *bsdh);

/**
 * sdp_bsdh_pack() - write a BSDH in wire format
 * @bsdh: the header
 * @buf: SDP_BSDH_SIZE octets to write
 *
 * Context: any.
 */
void sdp_bsdh_pack(const struct sdp_bsdh *bsdh, u8 *buf);

/**
 * sdp_bsdh_parse() - read a BSDH
 * @bsdh: header to fill
 * @buf: SDP_BSDH_SIZE octets
 *
 * Context: any.
 */
void sdp_bsdh_parse(struct sdp_bsdh *bsdh, const u8 *buf);

/**
 * sdp_message_pack() - write the headers of a message in wire format
 * @message: a message with a MID that sdp_header_size() knows; bsdh.len is written unchanged
 * @buf: buffer of SDP_HEADER_MAX octets
 *
 * Context: any.
 * Return: octets written, sdp_header_size() of the MID.
 */
u32 sdp_message_pack(const struct sdp_message *message, u8 *buf);

/**
 * sdp_message_parse() - read the headers of a message
 * @message: message to fill
 * @buf: received octets, of which at most SDP_HEADER_MAX are read
 * @received: number of received octets, payload included
 *
 * The function makes all checks that do not depend on the state of a connection.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_LENGTH, SDP_FAULT_MID or SDP_FAULT_FIELD, and @message is undefined.
 */
enum sdp_fault sdp_message_parse(struct sdp_message *message, const u8 *buf, u32 received);

#endif
