/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Accesses to memory by STags that the peer names, and the errors of those that are refused. */
#ifndef HCA_IWARP_ACCESS_H
#define HCA_IWARP_ACCESS_H

#include "iwarp/iwarp_qp.h"
#include "tpt/copy.h"

/**
 * hca_access_get() - check an access and get memory
 * @it: the queue pair; send_lock held
 * @stag: STag
 * @access: the right that is needed, of the STag and of the queue pair
 * @to: TO of the first octet
 * @octets: number of octets, above 0
 * @segment: set to the memory, which hca_segments_put() releases
 *
 * Context: BH disabled until the memory is released.
 * Return: HCA_VENDOR_ERR_NONE, or why the access is refused.
 */
enum hca_vendor_err hca_access_get(const struct hca_iwarp_qp *it, u32 stag, u32 access, u64 to,
				   u32 octets, struct hca_segment *segment);

/**
 * hca_access_check() - check an access, as hca_access_get() does
 * @it: the queue pair; send_lock held
 * @stag: STag
 * @access: the right that is needed
 * @to: TO of the first octet
 * @octets: number of octets, above 0
 *
 * Context: BH disabled.
 * Return: HCA_VENDOR_ERR_NONE, or why the access is refused.
 */
enum hca_vendor_err hca_access_check(const struct hca_iwarp_qp *it, u32 stag, u32 access, u64 to,
				     u32 octets);

/**
 * hca_access_error() - the error of an access that is refused
 * @refusal: result of hca_access_get() or hca_access_check()
 * @to: TO of the first octet
 * @octets: number of octets
 * @is_tagged: whether a tagged segment has accessed the memory, so that DDP names the error;
 *             otherwise RDMAP does, for a Read Request
 *
 * Context: any.
 * Return: the error.
 */
enum hca_iwarp_error hca_access_error(enum hca_vendor_err refusal, u64 to, u32 octets,
				      bool is_tagged);

#endif
