/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef HCA_FIT_H
#define HCA_FIT_H

#include "ibverbs_abi.h"

/**
 * hca_ibverbs_fits() - compare libibverbs' structures with those the provider was built for
 *
 * The provider calls this before it registers itself.
 *
 * Return: true if they agree; else a line on stderr says what differs and what to do.
 */
bool hca_ibverbs_fits(void);

#endif
