// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions that write and read SDP messages in wire format. */
#include "sdp/protocol/wire.h"
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"

/* Extended header of ModeChange: S (1 bit), Mode (3 bits), reserved (28 bits). */
#define MODE_CHANGE_SEND 0x80
#define MODE_CHANGE_SHIFT 4
#define MODE_CHANGE_MASK 0x7

/* SuspComm contains a service ID: four zero octets, this 16-bit value, and the new port. */
#define SUSPEND_CONSTANT2 1

/* The formats of extended headers, which follow the BSDH. */
enum extension { NONE, SIZE, CHANGE, SUSPEND, SRC, SINK };

static const u8 extension_size[] = {
	[SIZE] = 4, [CHANGE] = 4, [SUSPEND] = 8, [SRC] = 16, [SINK] = 20,
};

static const struct {
	const char *name;
	u8 extension;
	bool established; /* the message may be sent once the connection is set up */
	bool payload; /* the message may have payload */
	bool solicited; /* the message is sent with solicited event */
} kinds[] = {
	[SDP_MID_HELLO] = { "Hello" },
	[SDP_MID_HELLO_ACK] = { "HelloAck", .solicited = true },
	[SDP_MID_DISCONN] = { "DisConn", NONE, true },
	[SDP_MID_ABORT_CONN] = { "AbortConn", NONE, true, .solicited = true },
	[SDP_MID_SEND_SM] = { "SendSm", NONE, true, .solicited = true },
	[SDP_MID_RDMA_WR_COMPL] = { "RdmaWrCompl", SIZE, true, .solicited = true },
	[SDP_MID_RDMA_RD_COMPL] = { "RdmaRdCompl", SIZE, true, .solicited = true },
	[SDP_MID_MODE_CHANGE] = { "ModeChange", CHANGE, true },
	[SDP_MID_SRC_AVAIL_CANCEL] = { "SrcAvailCancel", NONE, true, .solicited = true },
	[SDP_MID_SINK_AVAIL_CANCEL] = { "SinkAvailCancel", NONE, true, .solicited = true },
	[SDP_MID_SINK_CANCEL_ACK] = { "SinkCancelAck", NONE, true, .solicited = true },
	[SDP_MID_CH_RCV_BUF] = { "ChRcvBuf", SIZE, true },
	[SDP_MID_CH_RCV_BUF_ACK] = { "ChRcvBufAck", SIZE, true },
	[SDP_MID_SUSP_COMM] = { "SuspComm", SUSPEND, true, .solicited = true },
	[SDP_MID_SUSP_COMM_ACK] = { "SuspCommAck", NONE, true, .solicited = true },
	[SDP_MID_SINK_AVAIL] = { "SinkAvail", SINK, true, .payload = true },
	[SDP_MID_SRC_AVAIL] = { "SrcAvail", SRC, true, .payload = true },
	[SDP_MID_DATA] = { "Data", NONE, true, .payload = true },
};

static const char *const faults[SDP_FAULTS] = {
	[SDP_OK] = "none",
	[SDP_FAULT_LENGTH] = "length",
	[SDP_FAULT_MID] = "unknown message",
	[SDP_FAULT_FIELD] = "illegal value",
	[SDP_FAULT_MSEQ] = "message out of sequence",
	[SDP_FAULT_MSEQ_ACK] = "illegal acknowledgement",
	[SDP_FAULT_CREDIT] = "credit exceeded",
	[SDP_FAULT_MODE] = "not in this mode",
	[SDP_FAULT_STATE] = "not in this state",
};

const char *sdp_fault_str(enum sdp_fault fault)
{
	return (unsigned int)fault < SDP_FAULTS ? faults[fault] : "unknown";
}

const char *sdp_mid_str(u8 mid)
{
	return kinds[mid].name ? kinds[mid].name : "reserved";
}

u32 sdp_header_size(u8 mid)
{
	return kinds[mid].established ? SDP_BSDH_SIZE + extension_size[kinds[mid].extension] : 0;
}

bool sdp_is_solicited(const struct sdp_bsdh *bsdh)
{
	if (bsdh->mid == SDP_MID_DATA)
		return bsdh->flags & (SDP_FLAG_OOB_PRES | SDP_FLAG_OOB_PEND);
	return kinds[bsdh->mid].solicited;
}

void sdp_bsdh_pack(const struct sdp_bsdh *bsdh, u8 *buf)
{
	buf[0] = bsdh->mid;
	buf[1] = bsdh->flags;
	put_unaligned_be16(bsdh->bufs, buf + 2);
	put_unaligned_be32(bsdh->len, buf + 4);
	put_unaligned_be32(bsdh->mseq, buf + 8);
	put_unaligned_be32(bsdh->mseq_ack, buf + 12);
}

void sdp_bsdh_parse(struct sdp_bsdh *bsdh, const u8 *buf)
{
	bsdh->mid = buf[0];
	bsdh->flags = buf[1];
	bsdh->bufs = get_unaligned_be16(buf + 2);
	bsdh->len = get_unaligned_be32(buf + 4);
	bsdh->mseq = get_unaligned_be32(buf + 8);
	bsdh->mseq_ack = get_unaligned_be32(buf + 12);
}

static void wire_advert_pack(const struct sdp_advert *advert, u8 *buf)
{
	put_unaligned_be32(advert->len, buf);
	put_unaligned_be32(advert->rkey, buf + 4);
	put_unaligned_be64(advert->addr, buf + 8);
}

static enum sdp_fault wire_advert_parse(struct sdp_advert *advert, const u8 *buf)
{
	advert->len = get_unaligned_be32(buf);
	advert->rkey = get_unaligned_be32(buf + 4);
	advert->addr = get_unaligned_be64(buf + 8);
	return advert->len && advert->len <= SDP_SIZE_MAX ? SDP_OK : SDP_FAULT_FIELD;
}

u32 sdp_message_pack(const struct sdp_message *message, u8 *buf)
{
	u8 mid = message->bsdh.mid, *extension = buf + SDP_BSDH_SIZE;

	sdp_bsdh_pack(&message->bsdh, buf);
	switch (kinds[mid].extension) {
	case SIZE:
		put_unaligned_be32(message->size, extension);
		break;
	case CHANGE:
		memset(extension, 0, extension_size[CHANGE]);
		extension[0] = message->change.mode << MODE_CHANGE_SHIFT |
			       (message->change.send ? MODE_CHANGE_SEND : 0);
		break;
	case SUSPEND:
		put_unaligned_be32(0, extension);
		put_unaligned_be16(SUSPEND_CONSTANT2, extension + 4);
		put_unaligned_be16(message->port, extension + 6);
		break;
	case SINK:
		put_unaligned_be32(message->advert.non_discards, extension + 16);
		fallthrough;
	case SRC:
		wire_advert_pack(&message->advert, extension);
		break;
	default:
		break;
	}
	return sdp_header_size(mid);
}

static enum sdp_fault wire_extension_parse(struct sdp_message *message, const u8 *buf)
{
	switch (kinds[message->bsdh.mid].extension) {
	case SIZE:
		message->size = get_unaligned_be32(buf);
		/* A ChRcvBuf may request any size. */
		return message->size <= SDP_SIZE_MAX || message->bsdh.mid == SDP_MID_CH_RCV_BUF ?
			       SDP_OK :
			       SDP_FAULT_FIELD;
	case CHANGE:
		message->change.send = buf[0] & MODE_CHANGE_SEND;
		message->change.mode = buf[0] >> MODE_CHANGE_SHIFT & MODE_CHANGE_MASK;
		return message->change.mode <= SDP_MODE_PIPELINED ? SDP_OK : SDP_FAULT_FIELD;
	case SUSPEND:
		message->port = get_unaligned_be16(buf + 6);
		if (get_unaligned_be32(buf) ||
		    get_unaligned_be16(buf + 4) != SUSPEND_CONSTANT2 || !message->port)
			return SDP_FAULT_FIELD;
		return SDP_OK;
	case SRC:
		return wire_advert_parse(&message->advert, buf);
	case SINK:
		message->advert.non_discards = get_unaligned_be32(buf + 16);
		return wire_advert_parse(&message->advert, buf);
	default:
		return SDP_OK;
	}
}

enum sdp_fault sdp_message_parse(struct sdp_message *message, const u8 *buf, u32 received)
{
	struct sdp_bsdh *bsdh = &message->bsdh;
	u32 headers, payload;

	if (received < SDP_BSDH_SIZE)
		return SDP_FAULT_LENGTH;
	sdp_bsdh_parse(bsdh, buf);
	headers = sdp_header_size(bsdh->mid);
	if (!headers)
		return SDP_FAULT_MID;
	if (bsdh->len != received || received < headers)
		return SDP_FAULT_LENGTH;
	payload = received - headers;
	if (payload && !kinds[bsdh->mid].payload)
		return SDP_FAULT_LENGTH;
	if (bsdh->flags & SDP_FLAG_OOB_PRES && (bsdh->mid != SDP_MID_DATA || !payload))
		return SDP_FAULT_FIELD;
	return wire_extension_parse(message, buf + SDP_BSDH_SIZE);
}
