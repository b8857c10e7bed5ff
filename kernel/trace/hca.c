// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The one place where the tracepoints are defined. */
#define CREATE_TRACE_POINTS
#include "trace/hca.h"
