/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The protocol number of SDP. */
#ifndef HCA_TOOLS_SDP_PROTOCOL_H
#define HCA_TOOLS_SDP_PROTOCOL_H

#define IPPROTO_SDP 257 /* protocol number for AF_INET and AF_INET6; Solaris uses the same number */

#endif
