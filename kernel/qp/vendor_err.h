/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The reasons for which requests fail; in the core, each determines a completion status. */
#ifndef HCA_QP_VENDOR_ERR_H
#define HCA_QP_VENDOR_ERR_H

#include <rdma/ib_verbs.h>
#include <rdma/hca-abi.h>

/**
 * hca_vendor_err_status() - return the status of a completion
 * @error: the check that has failed, or HCA_VENDOR_ERR_NONE
 *
 * Context: any.
 * Return: the status to which the value belongs, IB_WC_SUCCESS for none.
 */
enum ib_wc_status hca_vendor_err_status(enum hca_vendor_err error);

#endif
