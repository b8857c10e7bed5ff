// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Definition of the tracepoints that trace/hca.h declares. */
#define CREATE_TRACE_POINTS
#include "trace/hca.h"
