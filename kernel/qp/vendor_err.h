/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The completion status that belongs to the reason (enum hca_vendor_err) for which a request fails.
 */
#ifndef HCA_QP_VENDOR_ERR_H
#define HCA_QP_VENDOR_ERR_H

#include <rdma/hca-abi.h>
#include <rdma/ib_verbs.h>

/**
 * hca_vendor_err_status() - return the status of a request's completion
 * @error: the reason for which the request has failed, or HCA_VENDOR_ERR_NONE
 *
 * Context: any.
 * Return: the status for @error; IB_WC_SUCCESS for HCA_VENDOR_ERR_NONE.
 */
enum ib_wc_status hca_vendor_err_status(enum hca_vendor_err error);

#endif
