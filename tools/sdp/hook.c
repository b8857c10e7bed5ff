// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A BPF program that makes stream sockets of a cgroup SDP sockets. */
#include <errno.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "tools/sdp/hook.h"
#include "tools/sdp/protocol.h"

#define FUNCTION "update_socket_protocol"
#define LICENSE "Dual BSD/GPL"

/*
 * Offsets of the arguments of update_socket_protocol(int family, int type, int protocol), which
 * have 8 octets each.
 */
#define FAMILY 0
#define TYPE 8
#define PROTOCOL 16

#define TYPE_MASK 0xf /* bits of the type, without SOCK_NONBLOCK and SOCK_CLOEXEC */

/* BPF instructions, which have similar names in the kernel's include/linux/filter.h. */
#define BPF_LDX_DW(to, from, offset) \
	{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = (to), .src_reg = (from), .off = (offset) }
#define BPF_ALU64_IMM(operation, to, value) \
	{ .code = BPF_ALU64 | (operation) | BPF_K, .dst_reg = (to), .imm = (value) }
#define BPF_JMP32_IMM(operation, of, value, skip) \
	{ .code = BPF_JMP32 | (operation) | BPF_K, .dst_reg = (of), .off = (skip), .imm = (value) }
#define BPF_JMP_REG(operation, of, with, skip) \
	{ .code = BPF_JMP | (operation) | BPF_X, .dst_reg = (of), .src_reg = (with), .off = (skip) }
#define BPF_LD_IMM64_LOW(to, value) \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (to), .imm = (int)(uint32_t)(value) }
#define BPF_LD_IMM64_HIGH(value) \
	{ .imm = (int)((uint64_t)(value) >> 32) }
#define BPF_CALL_HELPER(helper) \
	{ .code = BPF_JMP | BPF_CALL, .imm = (helper) }
#define BPF_EXIT_INSN() \
	{ .code = BPF_JMP | BPF_EXIT }

int hook_find(void)
{
	int id;

	libbpf_set_print(NULL); /* suppresses libbpf's long error messages */
	id = libbpf_find_vmlinux_btf_id(FUNCTION, BPF_MODIFY_RETURN);
	return id > 0 ? id : 0;
}

/*
 * Loads the program. If the program returns a value other than 0, this is the protocol. Otherwise
 * the next attached program runs, and at last the kernel's function, which returns the protocol
 * unchanged.
 */
static int load(int function, const struct cgroup *cgroup)
{
	const struct bpf_insn program[] = {
		BPF_LDX_DW(BPF_REG_2, BPF_REG_1, FAMILY),             /*  0: r2 = family */
		BPF_JMP32_IMM(BPF_JEQ, BPF_REG_2, AF_INET, 1),        /*  1: IPv4: go to 3 */
		BPF_JMP32_IMM(BPF_JNE, BPF_REG_2, AF_INET6, 14),      /*  2: not IPv6: to 17 */
		BPF_LDX_DW(BPF_REG_2, BPF_REG_1, TYPE),               /*  3: r2 = type */
		BPF_ALU64_IMM(BPF_AND, BPF_REG_2, TYPE_MASK),         /*  4: without flags */
		BPF_JMP32_IMM(BPF_JNE, BPF_REG_2, SOCK_STREAM, 11),   /*  5: another type: to 17 */
		BPF_LDX_DW(BPF_REG_2, BPF_REG_1, PROTOCOL),           /*  6: r2 = protocol */
		BPF_JMP32_IMM(BPF_JEQ, BPF_REG_2, 0, 2),              /*  7: the usual one: to 10 */
		BPF_JMP32_IMM(BPF_JEQ, BPF_REG_2, IPPROTO_MPTCP, 1),  /*  8: Go's servers: to 10 */
		BPF_JMP32_IMM(BPF_JNE, BPF_REG_2, IPPROTO_TCP, 7),    /*  9: another one: to 17 */
		BPF_ALU64_IMM(BPF_MOV, BPF_REG_1, cgroup->level),     /* 10: r1 = level */
		BPF_CALL_HELPER(BPF_FUNC_get_current_ancestor_cgroup_id), /* 11: r0 = its cgroup */
		BPF_LD_IMM64_LOW(BPF_REG_2, cgroup->id),              /* 12: r2 = our cgroup, */
		BPF_LD_IMM64_HIGH(cgroup->id),                        /* 13: a number of 64 bits */
		BPF_JMP_REG(BPF_JNE, BPF_REG_0, BPF_REG_2, 2),        /* 14: not in it: to 17 */
		BPF_ALU64_IMM(BPF_MOV, BPF_REG_0, IPPROTO_SDP),       /* 15: r0 = SDP */
		BPF_EXIT_INSN(),                                      /* 16: return r0 */
		BPF_ALU64_IMM(BPF_MOV, BPF_REG_0, 0),                 /* 17: r0 = 0 */
		BPF_EXIT_INSN(),                                      /* 18: return r0 */
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_MODIFY_RETURN,
		    .attach_btf_id = function);

	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "sdprun", LICENSE, program,
			     sizeof(program) / sizeof(*program), &options);
}

int hook_attach(int function, const struct cgroup *cgroup)
{
	int program = load(function, cgroup), attachment, error;

	if (program < 0)
		return -1;
	attachment = bpf_raw_tracepoint_open(NULL, program);
	error = errno;
	close(program);
	errno = error;
	return attachment < 0 ? -1 : attachment;
}
