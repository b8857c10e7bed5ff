/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Faults of what a queue pair sends: wrong octets in its FPDUs, by which its peer is tested. They
 * follow from their description alone, so that a test can repeat them.
 */
#ifndef HCA_IWARP_FAULT_H
#define HCA_IWARP_FAULT_H

#include <linux/types.h>

enum hca_iwarp_fault_kind {
	HCA_IWARP_FAULT_NONE,
	HCA_IWARP_FAULT_CORRUPT, /* one bit of an octet is inverted, and the CRC is as before */
	HCA_IWARP_FAULT_BAD_CRC, /* one bit of the CRC is inverted */
	HCA_IWARP_FAULT_FIELD, /* a field of the header has another value, and the CRC is right */
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
	u64 value; /* of the field */
};

/* Faults of a queue pair; guarded by its send_lock. */
struct hca_iwarp_fault {
	struct hca_iwarp_fault_spec spec;
	u32 selected; /* FPDUs that the specification selects, whatever nth and once say */
	u32 happened; /* FPDUs that got the fault */
	u32 random;
	bool strikes; /* the FPDU that is being written gets the fault */
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
 * hca_iwarp_fault_end() - end an FPDU, and change its octets if that is the fault
 * @fault: the faults
 * @octets: the whole FPDU
 * @length: its octets
 *
 * Context: BH disabled; send_lock of the queue pair held.
 */
void hca_iwarp_fault_end(struct hca_iwarp_fault *fault, u8 *octets, u32 length);

#endif
