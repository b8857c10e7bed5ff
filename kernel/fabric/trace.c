// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Definition of the tracepoints that trace/hca.h declares. The definition is here because it reads
 * nodes, ports and packets, while every layer from the link on uses the tracepoints.
 */
#include "fabric/node.h"
#include "link/packet.h"
#include "link/serialize.h"
#include "wire/opcode.h"
#define CREATE_TRACE_POINTS
#include "trace/hca.h"
