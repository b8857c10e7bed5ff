// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Definition of the tracepoints that trace/hca.h declares. The link layer and all layers above it
 * use the tracepoints. This layer defines them, because their code reads nodes, ports and packets.
 */
#include "fabric/node.h"
#include "packet/packet.h"
#include "packet/serialize.h"
#include "wire/opcode.h"
#define CREATE_TRACE_POINTS
#include "trace/hca.h"
