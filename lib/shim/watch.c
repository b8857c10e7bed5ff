// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stddef.h>
#include "trace/hca.h"

void (*shim_watch_drops)(const struct hca_port *port, const struct hca_packet *pkt,
			 enum hca_drop_reason reason);
