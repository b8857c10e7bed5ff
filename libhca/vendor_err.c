// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Descriptions of the vendor_err values of completions. */
#include <infiniband/hcadv.h>
#include <rdma/hca-abi.h>
#include <stddef.h>

#define E(name) [HCA_VENDOR_ERR_##name]

static const char *const text[] = {
	E(NONE) = "no error",
	E(OPCODE) = "the service does not have the opcode",
	E(NUM_SGE) = "more SGEs than the queue pair has",
	E(INLINE_LENGTH) = "more inline data than the queue pair has",
	E(INLINE_OPCODE) = "inline data of a Read or an atomic",
	E(AV) = "the address vector is not valid",
	E(AV_PORT) = "the address vector is of another port",
	E(PKEY_INDEX) = "there is no such P_Key index",
	E(INITIATOR_DEPTH) = "max_rd_atomic is 0",
	E(PLACEMENT) = "flush: no such placement type, or level",
	E(MESSAGE_LENGTH) = "the message is longer than 2^31 octets",
	E(ATOMIC_LENGTH) = "an atomic of other than 8 octets",
	E(DATAGRAM_LENGTH) = "the datagram is longer than the MTU",
	E(RECV_LENGTH) = "the message is longer than the receive request",
	E(LKEY) = "nothing has the L_Key",
	E(LKEY_INVALID) = "the MR of the L_Key is not valid",
	E(LKEY_WINDOW) = "the L_Key is that of a window",
	E(LKEY_PD) = "the MR is of another protection domain",
	E(LKEY_ACCESS) = "the MR lacks local write access",
	E(LKEY_BOUNDS) = "octets are outside of the MR",
	E(LKEY_CHANGED) = "the MR was changed during the request",
	E(PAGE) = "the process does not have the page",
	E(BIND_WINDOW) = "bind: no window has the key",
	E(BIND_WINDOW_PD) = "bind: the window's protection domain",
	E(BIND_FLAGS) = "bind: a window has no such rights",
	E(BIND_LENGTH) = "bind: no octets, window of type 2",
	E(BIND_BOUND) = "bind: a window of type 2 is bound already",
	E(BIND_KEY) = "bind: the new key is the present one",
	E(BIND_MR) = "bind: no valid MR has the L_Key",
	E(BIND_MR_PD) = "bind: the MR's protection domain",
	E(BIND_MR_KIND) = "bind: such an MR has no windows",
	E(BIND_MR_ACCESS) = "bind: the MR lacks the right to bind",
	E(BIND_RIGHTS) = "bind: the MR lacks local write, or persistence",
	E(BIND_BOUNDS) = "bind: octets are outside of the MR",
	E(REG_KEY) = "register: no such MR has the key",
	E(REG_VALID) = "register: the MR is valid already",
	E(REG_PD) = "register: the MR's protection domain",
	E(REG_RIGHTS) = "register: no local write, or for persistence",
	E(REG_BOUNDS) = "register: no octets, or more than are mapped",
	E(INVALIDATE_KEY) = "invalidate: nothing has the key",
	E(INVALIDATE_KIND) = "invalidate: an MR, or a window of type 1",
	E(INVALIDATE_QP) = "invalidate: another queue pair has bound it",
	E(INVALIDATE_PD) = "invalidate: its protection domain",
	E(INVALIDATE_BOUND) = "invalidate: a window is bound to the MR",
	E(NAK_REQUEST) = "NAK: invalid request",
	E(NAK_ACCESS) = "NAK: remote access error",
	E(NAK_OPERATION) = "NAK: remote operational error",
	E(NAK_RD) = "NAK: invalid RD request",
	E(NAK_CODE) = "NAK: another code",
	E(RESPONSE) = "it is not the response to the request",
	E(REMOTE_INVALIDATE) = "the peer may not invalidate the key",
	E(TIMEOUT_RETRIES) = "retries exceeded: no response",
	E(SEQUENCE_RETRIES) = "retries exceeded: NAK PSN sequence error",
	E(IMPLIED_RETRIES) = "retries exceeded: a response is missing",
	E(RNR_RETRIES) = "RNR retries exceeded",
	E(EECN) = "no EE context has the number",
	E(EEC_RDD) = "the EE context is of another domain",
	E(EEC_STATE) = "the EE context does not send",
	E(EEC_DEPTH) = "max_rd_atomic of the EE context is 0",
	E(EEC_ERROR) = "the EE context is in Error",
	E(REMOTE_ABORT) = "the peer has abandoned the message",
	E(FLUSH_ERROR) = "flushed: the queue pair is in Error",
	E(FLUSH_SQE) = "flushed: the queue pair is in SQE",
	E(STREAM_LOST) = "TCP has lost the connection",
	E(TERMINATE_ACCESS) = "Terminate: remote protection error",
	E(TERMINATE_REQUEST) = "Terminate: invalid request",
	E(TERMINATE_OPERATION) = "Terminate: another error",
	E(SINK_RIGHTS) = "read: the MR lacks remote write access",
	E(SINK_KEY) = "read: the L_Key is 0",
	E(SINK_SGES) = "read: more than one SGE",
	E(BAD_CLOSE) = "flushed: the connection was closed too early",
};

const char *hcadv_vendor_err_str(uint32_t vendor_err)
{
	const char *known = vendor_err < sizeof(text) / sizeof(text[0]) ? text[vendor_err] : NULL;

	return known ? known : "unknown";
}
