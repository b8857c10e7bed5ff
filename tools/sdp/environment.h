/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The environment variables by which sdprun tells libhca-sdprun.so what to do. */
#ifndef HCA_TOOLS_SDP_ENVIRONMENT_H
#define HCA_TOOLS_SDP_ENVIRONMENT_H

#define SDPRUN_RULES "SDPRUN_RULES" /* a text of rules; without it there are none */
#define SDPRUN_BOTH "SDPRUN_BOTH" /* if it is there, what no rule matches is SDP_USE_BOTH */
#define SDPRUN_MAP "SDPRUN_MAP" /* if it is there, what no rule matches is SDP_USE_MAP */
#define SDPRUN_VERBOSE "SDPRUN_VERBOSE" /* if it is there, what is not SDP is printed */

#endif
