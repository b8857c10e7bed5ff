// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_filter CGROUP ADDRESS
 *
 * Attaches BPF programs to a cgroup, which this process is in: connect() and bind() to port 7 are
 * refused, and connect() to port 8 is to port 7001 instead. At connect() to port 9 a program calls
 * bpf_bind() without a port, and to port 10 with one; connect() is to port 7001 if that returns 0,
 * and otherwise refused. Prints what calls of SDP return.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define IPPROTO_SDP 257
#define REFUSED 7
#define OTHER 8
#define BOUND 9
#define BOUND_TO_PORT 10
#define OWN 7002
#define SERVER 7001
#define PORT_AT ((short)offsetof(struct bpf_sock_addr, user_port))

static const char *cgroup;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* Attaches a program of so many instructions, beside others. */
static void attach(enum bpf_attach_type type, const struct bpf_insn *insns, size_t n)
{
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_CGROUP_SOCK_ADDR,
		.expected_attach_type = type,
		.insn_cnt = n,
		.insns = (uintptr_t)insns,
		.license = (uintptr_t)"Dual BSD/GPL",
	};
	union bpf_attr attach = { .attach_type = type, .attach_flags = BPF_F_ALLOW_MULTI };

	attach.target_fd = open(cgroup, O_RDONLY | O_DIRECTORY);
	attach.attach_bpf_fd = bpf(BPF_PROG_LOAD, &load);
	if ((int)attach.attach_bpf_fd < 0 || bpf(BPF_PROG_ATTACH, &attach))
		fail("bpf");
}

/* r2 is the port. Port 7: return 0. Port 8: it is 7001. Return 1. */
static void attach_filter(enum bpf_attach_type type)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 2, .src_reg = 1, .off = PORT_AT },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 2, .off = 4,
		  .imm = htons(REFUSED) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 1 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 2, .off = 2, .imm = htons(OTHER) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = htons(SERVER) },
		{ .code = BPF_STX | BPF_MEM | BPF_W, .dst_reg = 1, .src_reg = 2, .off = PORT_AT },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	attach(type, insns, sizeof(insns) / sizeof(insns[0]));
}

/*
 * r6 is the context. Ports 9 and 10: call bpf_bind() for any address of the family, and port 0 or
 * 7002, which r7 is; return 0 unless it returns 0; the port is 7001. Return 1.
 */
static void attach_binder(enum bpf_attach_type type, int family, int length)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 6, .src_reg = 1 },
		{ .code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 2, .src_reg = 1, .off = PORT_AT },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 7, .imm = 0 },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 2, .off = 2, .imm = htons(BOUND) },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 2, .off = 14,
		  .imm = htons(BOUND_TO_PORT) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 7, .imm = htons(OWN) },
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .off = -32, .imm = 0 },
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .off = -24, .imm = 0 },
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .off = -16, .imm = 0 },
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .off = -8, .imm = 0 },
		{ .code = BPF_ST | BPF_MEM | BPF_H, .dst_reg = 10, .off = -32, .imm = family },
		{ .code = BPF_STX | BPF_MEM | BPF_H, .dst_reg = 10, .src_reg = 7, .off = -30 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 2, .imm = -32 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .imm = length },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_bind },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 0, .off = 4, .imm = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = htons(SERVER) },
		{ .code = BPF_STX | BPF_MEM | BPF_W, .dst_reg = 6, .src_reg = 2, .off = PORT_AT },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	attach(type, insns, sizeof(insns) / sizeof(insns[0]));
}

static void report(const char *call, int family, int port, int ret)
{
	printf("%s of family %d, port %d: %s\n", call, family, port,
	       ret ? strerrorname_np(errno) : "done");
}

/* IPv6 programs of the cgroup see an address of IPv4 that is written as one of IPv6. */
static void try_ipv6(int family, int protocol, const char *address)
{
	struct sockaddr_in6 peer = { .sin6_family = AF_INET6 };
	static const int ports[] = { BOUND, BOUND_TO_PORT, SERVER };
	char mapped[64];
	size_t i;
	int fd;

	snprintf(mapped, sizeof(mapped), "::ffff:%s", address);
	inet_pton(AF_INET6, mapped, &peer.sin6_addr);
	for (i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		peer.sin6_port = htons(ports[i]);
		fd = socket(family, SOCK_STREAM, protocol);
		report("connect by IPv6", family, ports[i],
		       connect(fd, (void *)&peer, sizeof(peer)));
		close(fd);
	}
}

static void try_calls(int family, int protocol, const char *address)
{
	struct sockaddr_in peer = { .sin_family = AF_INET };
	struct sockaddr_in own = { .sin_family = AF_INET };
	static const int ports[] = { REFUSED, OTHER, BOUND, BOUND_TO_PORT, SERVER };
	size_t i;
	int fd;

	inet_pton(AF_INET, address, &peer.sin_addr);
	for (i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		peer.sin_port = htons(ports[i]);
		fd = socket(family, SOCK_STREAM, protocol);
		report("connect", family, ports[i], connect(fd, (void *)&peer, sizeof(peer)));
		close(fd);
	}
	for (i = 0; i < 2; i++) {
		own.sin_port = htons(i ? SERVER : REFUSED);
		fd = socket(family, SOCK_STREAM, protocol);
		report("bind", family, ntohs(own.sin_port), bind(fd, (void *)&own, sizeof(own)));
		close(fd);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	cgroup = argv[1];
	attach_filter(BPF_CGROUP_INET4_CONNECT);
	attach_filter(BPF_CGROUP_INET4_BIND);
	attach_binder(BPF_CGROUP_INET4_CONNECT, AF_INET, sizeof(struct sockaddr_in));
	attach_binder(BPF_CGROUP_INET6_CONNECT, AF_INET6, sizeof(struct sockaddr_in6));
	try_calls(AF_INET, IPPROTO_SDP, argv[2]);
	try_calls(27, 0, argv[2]);
	try_ipv6(AF_INET6, IPPROTO_SDP, argv[2]);
	try_ipv6(27, 0, argv[2]);
	return 0;
}
