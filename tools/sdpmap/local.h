/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The addresses of this host that SDP can use. */
#ifndef HCA_TOOLS_SDPMAP_LOCAL_H
#define HCA_TOOLS_SDPMAP_LOCAL_H

#include <stdbool.h>
#include "tools/sdpmap/endpoint.h"

/**
 * local_has() - whether an address belongs to this host, and not to the loopback interface
 * @address: address and port, of which the port is ignored
 *
 * The list of addresses is read at the first call, and at the first call after local_renew().
 */
bool local_has(const struct sdpmap_endpoint *address);

/**
 * local_renew() - discard the list of addresses, because the addresses may have changed
 */
void local_renew(void);

#endif
