/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Why a request has failed: inside of the core a value that also says which status that is. */
#ifndef HCA_QP_VENDOR_ERR_H
#define HCA_QP_VENDOR_ERR_H

#include <rdma/ib_verbs.h>
#include <rdma/hca-abi.h>

/**
 * hca_vendor_err_status() - return the status of a completion
 * @error: which check has failed, or HCA_VENDOR_ERR_NONE
 *
 * Context: any.
 * Return: the status to which the value belongs, IB_WC_SUCCESS for none.
 */
enum ib_wc_status hca_vendor_err_status(enum hca_vendor_err error);

#endif
