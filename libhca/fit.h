/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The check that the process has the libibverbs that the provider was built for. */
#ifndef HCA_FIT_H
#define HCA_FIT_H

#include "ibverbs_abi.h"

/**
 * hca_ibverbs_fits() - compare libibverbs' structures with those the provider was built for
 *
 * The provider calls this function before it registers itself.
 *
 * Return: true if the structures agree; otherwise a message on stderr describes the difference and
 * the remedy.
 */
bool hca_ibverbs_fits(void);

#endif
