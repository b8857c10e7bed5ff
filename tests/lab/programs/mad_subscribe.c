// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: mad_subscribe DEVICE
 * Subscribes to all notices at the subnet administration, and prints a line for each that is
 * forwarded: its trap number, its issuer, and its DataDetails. Ends by SIGTERM.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>

#define SA_VERSION 2
#define SA_DATA 56
#define INFORM_INFO 3
#define GSI_QKEY 0x80010000
#define NOTICE_DETAILS 10
#define NOTICE_DETAILS_OCTETS 54
#define TIMEOUT_MS 2000

static int fd, agent;
static uint8_t umad[256 + 256]; /* umad_size() is less */

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void send_mad(unsigned int timeout)
{
	umad_set_pkey(umad, 0);
	if (umad_send(fd, agent, umad, IB_MAD_SIZE, timeout, 3) < 0)
		fail("umad_send");
}

static uint8_t *receive_mad(void)
{
	int length = IB_MAD_SIZE;

	if (umad_recv(fd, umad, &length, -1) < 0)
		fail("umad_recv");
	if (umad_status(umad))
		fail("no answer");
	return umad_get_mad(umad);
}

/* Subscribes to all LIDs, types, traps and producers (InformInfo, IBA 13.4.8.3). */
static void subscribe(unsigned int sm_lid)
{
	uint8_t *mad = umad_get_mad(umad), *info = mad + SA_DATA;

	memset(umad, 0, sizeof(umad));
	mad_set_field(mad, 0, IB_MAD_BASEVER_F, 1);
	mad_set_field(mad, 0, IB_MAD_MGMTCLASS_F, IB_SA_CLASS);
	mad_set_field(mad, 0, IB_MAD_CLASSVER_F, SA_VERSION);
	mad_set_field(mad, 0, IB_MAD_METHOD_F, IB_MAD_METHOD_SET);
	mad_set_field64(mad, 0, IB_MAD_TRID_F, getpid());
	mad_set_field(mad, 0, IB_MAD_ATTRID_F, INFORM_INFO);
	memset(info + 16, 0xff, 2); /* LIDRangeBegin */
	info[22] = 1; /* IsGeneric */
	info[23] = 1; /* Subscribe */
	memset(info + 24, 0xff, 4); /* Type, TrapNumber */
	info[30] = 1; /* QPN 1 */
	info[31] = 19; /* RespTimeValue */
	memset(info + 33, 0xff, 3); /* ProducerType */
	umad_set_addr(umad, sm_lid, 1, 0, GSI_QKEY);
	send_mad(TIMEOUT_MS);
	mad = receive_mad();
	if (mad_get_field(mad, 0, IB_MAD_STATUS_F)) {
		fprintf(stderr, "refused: status %#x\n", mad_get_field(mad, 0, IB_MAD_STATUS_F));
		exit(1);
	}
	puts("subscribed");
}

static void show(const uint8_t *notice)
{
	unsigned int i;

	printf("trap %u issuer %u details ",
	       mad_get_field((void *)notice, 0, IB_NOTICE_TRAP_NUMBER_F),
	       mad_get_field((void *)notice, 0, IB_NOTICE_ISSUER_LID_F));
	for (i = 0; i < NOTICE_DETAILS_OCTETS; i++)
		printf("%02x", notice[NOTICE_DETAILS + i]);
	puts("");
}

/* Answers a Report, which the subnet administration repeats otherwise. */
static void confirm(uint8_t *mad)
{
	const ib_mad_addr_t *from = umad_get_mad_addr(umad);

	mad_set_field(mad, 0, IB_MAD_RESPONSE_F, 1);
	umad_set_addr(umad, ntohs(from->lid), ntohl(from->qpn), from->sl, GSI_QKEY);
	send_mad(0);
}

int main(int argc, char **argv)
{
	long methods[16 / sizeof(long)] = {};
	umad_port_t port;
	uint8_t *mad;

	if (argc != 2) {
		fputs("usage: mad_subscribe DEVICE\n", stderr);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	methods[0] = 1 << IB_MAD_METHOD_REPORT;
	if (umad_init() < 0 || umad_get_port(argv[1], 1, &port) < 0)
		fail(argv[1]);
	fd = umad_open_port(argv[1], 1);
	if (fd < 0)
		fail(argv[1]);
	agent = umad_register(fd, IB_SA_CLASS, SA_VERSION, 0, methods);
	if (agent < 0)
		fail("umad_register");
	subscribe(port.sm_lid);
	for (;;) {
		mad = receive_mad();
		if (mad_get_field(mad, 0, IB_MAD_METHOD_F) != IB_MAD_METHOD_REPORT)
			continue;
		show(mad + SA_DATA);
		confirm(mad);
	}
}
