/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of the environment variables by which sdprun passes its options to libhca-sdprun.so. */
#ifndef HCA_TOOLS_SDP_ENVIRONMENT_H
#define HCA_TOOLS_SDP_ENVIRONMENT_H

#define SDPRUN_RULES "SDPRUN_RULES" /* text of the rules; not set: there are no rules */
#define SDPRUN_BOTH "SDPRUN_BOTH" /* set: SDP_USE_BOTH applies if no rule matches */
#define SDPRUN_MAP "SDPRUN_MAP" /* set: SDP_USE_MAP applies if no rule matches */
#define SDPRUN_VERBOSE "SDPRUN_VERBOSE" /* set: notices are printed, for example if TCP is used */

#endif
