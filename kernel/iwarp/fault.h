/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Faults of what a queue pair sends, by which its peer is tested: wrong octets in its FPDUs and
 * start-up frames, a stream that ends in the middle of an FPDU, and silence. They follow from their
 * description alone, so that a test can repeat them.
 */
#ifndef HCA_IWARP_FAULT_H
#define HCA_IWARP_FAULT_H

#include <linux/types.h>

enum hca_iwarp_fault_kind {
	HCA_IWARP_FAULT_NONE,
	HCA_IWARP_FAULT_CORRUPT, /* one bit of an octet is inverted, and the CRC is as before */
	HCA_IWARP_FAULT_BAD_CRC, /* one bit of the CRC is inverted */
	HCA_IWARP_FAULT_FIELD, /* a field of the header has another value, and the CRC is right */
	/* A marker is wrong, and the CRC is right. FPDUs without one are not selected. */
	HCA_IWARP_FAULT_BAD_MARKER,
	/* A reset follows the octet @value of the FPDU, or its last one if it has not so many. */
	HCA_IWARP_FAULT_CUT,
	HCA_IWARP_FAULT_STALL, /* the FPDU is followed by @value ms without sending and receiving */
	/* A start-up frame is not valid, by @value, an enum hca_iwarp_refusal. */
	HCA_IWARP_FAULT_REFUSE,
};

/* The part of a start-up frame that is wrong. */
enum hca_iwarp_refusal {
	HCA_IWARP_REFUSE_KEY,
	HCA_IWARP_REFUSE_REVISION,
	HCA_IWARP_REFUSE_LENGTH,
	HCA_IWARP_REFUSALS,
};

/* The fields of DDP's and RDMAP's headers. Those of the other form of a segment have no effect. */
enum hca_iwarp_field {
	HCA_IWARP_FIELD_TAGGED,
	HCA_IWARP_FIELD_LAST,
	HCA_IWARP_FIELD_DV,
	HCA_IWARP_FIELD_RV,
	HCA_IWARP_FIELD_OPCODE,
	HCA_IWARP_FIELD_STAG, /* tagged */
	HCA_IWARP_FIELD_TO,
	HCA_IWARP_FIELD_QN, /* untagged */
	HCA_IWARP_FIELD_MSN,
	HCA_IWARP_FIELD_MO,
	HCA_IWARP_FIELDS,
};

struct hca_iwarp_fault_spec {
	u8 kind; /* enum hca_iwarp_fault_kind */
	u8 field; /* enum hca_iwarp_field */
	bool has_opcode; /* only FPDUs with the RDMAP opcode are selected */
	bool once; /* only one FPDU gets the fault */
	u8 opcode; /* enum hca_rdmap_opcode */
	u32 nth; /* only every nth selected FPDU gets the fault; 0 or 1: each of them */
	u32 seed; /* chooses the octet and the bit that are inverted */
	u64 value; /* as the kind says; FIELD: of the field */
};

/* Faults of a queue pair; guarded by its send_lock. */
struct hca_iwarp_fault {
	struct hca_iwarp_fault_spec spec;
	u32 selected; /* FPDUs that the specification selects, whatever nth and once say */
	u32 happened; /* FPDUs that got the fault */
	u32 random;
	u8 opcode; /* of the FPDU that is being written */
	bool strikes; /* the FPDU that is being written gets the fault */
	bool is_stalled; /* until @stalled_until */
	unsigned long stalled_until; /* jiffies */
	bool is_common; /* the faults are those of the RNIC */
};

/**
 * hca_iwarp_fault_init() - describe faults
 * @fault: the faults
 * @spec: their description; copied
 *
 * Context: any.
 */
void hca_iwarp_fault_init(struct hca_iwarp_fault *fault, const struct hca_iwarp_fault_spec *spec);

/**
 * hca_iwarp_fault_header() - begin an FPDU, and change its header if that is the fault
 * @fault: the faults
 * @head: the DDP header in wire format, which the CRC does not contain yet
 *
 * Context: BH disabled; send_lock of the queue pair held.
 */
void hca_iwarp_fault_header(struct hca_iwarp_fault *fault, u8 *head);

/**
 * hca_iwarp_fault_marker() - change a marker of an FPDU if that is the fault
 * @fault: the faults
 * @marker: the marker, which the CRC does not contain yet; NULL: the FPDU has none
 *
 * Context: BH disabled; send_lock of the queue pair held.
 */
void hca_iwarp_fault_marker(struct hca_iwarp_fault *fault, u8 *marker);

/**
 * hca_iwarp_fault_cuts() - return whether the stream is to be reset in the middle of an FPDU
 * @fault: the faults; called before hca_iwarp_fault_end()
 * @length: octets of the FPDU; reduced to those that are to be sent
 *
 * Context: BH disabled; send_lock of the queue pair held.
 */
bool hca_iwarp_fault_cuts(const struct hca_iwarp_fault *fault, u32 *length);

/**
 * hca_iwarp_fault_end() - end an FPDU, and change its octets if that is the fault
 * @fault: the faults
 * @octets: the whole FPDU
 * @length: its octets
 *
 * Context: BH disabled; send_lock of the queue pair held.
 */
void hca_iwarp_fault_end(struct hca_iwarp_fault *fault, u8 *octets, u32 length);

/**
 * hca_iwarp_fault_stalls() - return whether a queue pair is to send and to receive nothing now
 * @fault: the faults
 *
 * Context: BH disabled; send_lock of the queue pair held.
 */
bool hca_iwarp_fault_stalls(struct hca_iwarp_fault *fault);

/**
 * hca_iwarp_fault_frame() - change a start-up frame if that is the fault
 * @fault: the faults
 * @frame: the frame in wire format
 *
 * Context: BH disabled; send_lock of the queue pair held.
 */
void hca_iwarp_fault_frame(struct hca_iwarp_fault *fault, u8 *frame);

#endif
