// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A BPF program that turns new stream sockets of a cgroup's processes into SDP sockets. */
#include "tools/sdp/hook.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tools/sdp/protocol.h"

#define FUNCTION "update_socket_protocol"
#define LICENSE "Dual BSD/GPL"

/*
 * Offsets of the arguments of update_socket_protocol(int family, int type, int protocol) in the BPF
 * program's context. Each argument has 8 octets.
 */
#define FAMILY 0
#define TYPE 8
#define PROTOCOL 16

#define TYPE_MASK 0xf /* bits of the type, without SOCK_NONBLOCK and SOCK_CLOEXEC */

/* Macros for BPF instructions. The kernel's include/linux/filter.h has similar ones. */
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

	libbpf_set_print(NULL); /* this suppresses libbpf's long error messages */
	id = libbpf_find_vmlinux_btf_id(FUNCTION, BPF_MODIFY_RETURN);
	return id > 0 ? id : 0;
}

/*
 * Loads the BPF program. If the program returns a nonzero value, the new socket uses this value as
 * its protocol. If the program returns 0, the kernel runs the next attached program, and finally
 * its own function, which does not change the protocol. MPTCP sockets also become SDP sockets,
 * because programs in Go make MPTCP sockets. Return: a descriptor of the program; or -1 with errno.
 */
static int hook_load(int function, const struct cgroup *cgroup)
{
	const struct bpf_insn program[] = {
		BPF_LDX_DW(BPF_REG_2, BPF_REG_1, FAMILY),             /*  0: r2 = family */
		BPF_JMP32_IMM(BPF_JEQ, BPF_REG_2, AF_INET, 1),        /*  1: IPv4? go to 3 */
		BPF_JMP32_IMM(BPF_JNE, BPF_REG_2, AF_INET6, 14),      /*  2: not IPv6? go to 17 */
		BPF_LDX_DW(BPF_REG_2, BPF_REG_1, TYPE),               /*  3: r2 = type */
		BPF_ALU64_IMM(BPF_AND, BPF_REG_2, TYPE_MASK),         /*  4: remove the flags */
		BPF_JMP32_IMM(BPF_JNE, BPF_REG_2, SOCK_STREAM, 11),   /*  5: no stream? go to 17 */
		BPF_LDX_DW(BPF_REG_2, BPF_REG_1, PROTOCOL),           /*  6: r2 = protocol */
		BPF_JMP32_IMM(BPF_JEQ, BPF_REG_2, 0, 2),              /*  7: r2 is 0? go to 10 */
		BPF_JMP32_IMM(BPF_JEQ, BPF_REG_2, IPPROTO_MPTCP, 1),  /*  8: MPTCP? go to 10 */
		BPF_JMP32_IMM(BPF_JNE, BPF_REG_2, IPPROTO_TCP, 7),    /*  9: not TCP? go to 17 */
		BPF_ALU64_IMM(BPF_MOV, BPF_REG_1, cgroup->level),     /* 10: r1 = cgroup's level */
		BPF_CALL_HELPER(BPF_FUNC_get_current_ancestor_cgroup_id), /* 11: r0 = ancestor ID */
		BPF_LD_IMM64_LOW(BPF_REG_2, cgroup->id),              /* 12: r2 = our cgroup's ID */
		BPF_LD_IMM64_HIGH(cgroup->id),                        /* 13: upper half of the ID */
		BPF_JMP_REG(BPF_JNE, BPF_REG_0, BPF_REG_2, 2),        /* 14: not equal? go to 17 */
		BPF_ALU64_IMM(BPF_MOV, BPF_REG_0, IPPROTO_SDP),       /* 15: r0 = IPPROTO_SDP */
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
	int program = hook_load(function, cgroup), attachment, error;

	if (program < 0)
		return -1;
	attachment = bpf_raw_tracepoint_open(NULL, program);
	error = errno;
	close(program);
	errno = error;
	return attachment < 0 ? -1 : attachment;
}
