/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The AETH syndrome (IBA 9.7.5.1.1). Bits 6:5 are the kind (ACK, RNR NAK, NAK). Bits 4:0 are a
 * value, which means something different for each kind.
 */
#ifndef HCA_TRANSPORT_AETH_H
#define HCA_TRANSPORT_AETH_H

enum hca_syndrome {
	HCA_SYNDROME_ACK = 0x00,
	HCA_SYNDROME_RNR = 0x20,
	HCA_SYNDROME_NAK = 0x60,
	HCA_SYNDROME_KIND = 0x60,
	HCA_SYNDROME_VALUE = 0x1f,
	/*
	 * An ACK with credit count 31, whose sender does not use end-to-end flow control (IBA
	 * C9-150).
	 */
	HCA_ACK_NO_CREDITS = HCA_SYNDROME_ACK | 31,
	HCA_NAK_PSN_SEQUENCE = HCA_SYNDROME_NAK | 0,
	HCA_NAK_INVALID_REQUEST = HCA_SYNDROME_NAK | 1,
	HCA_NAK_REMOTE_ACCESS = HCA_SYNDROME_NAK | 2,
	HCA_NAK_REMOTE_OPERATION = HCA_SYNDROME_NAK | 3,
	HCA_NAK_INVALID_RD_REQUEST = HCA_SYNDROME_NAK | 4,
};

#endif
