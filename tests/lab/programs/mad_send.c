// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: mad_send DEVICE WORD VALUE... [-- WORD VALUE...]...
 *
 * Sends MADs, one after the other, and prints a line for each: `method M status S data D`, all
 * hexadecimal, or `silence`. Numbers are as in C. Whom it is for:
 *   lid N           by LID
 *   route 0,P,...   by directed route; with `lid`, behind that LID
 *   tail N          by LID from the end of the route on
 *   qp N            not to QP1
 * What it says, where it is not class 1 (or 81h, with a route), method Get and zeros:
 *   base B class C version V method M attr A mod N mkey K
 *   at OCTET=HEX    octets of the MAD
 * And how:
 *   wait MS         for the answer; 0: there is none
 *   show OCTET,N    octets of the answer to print; by default its data
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>

#define GSI_QKEY 0x80010000
#define PERMISSIVE 0xffff
#define DIRECTION 0x8000
#define MAX_HOPS 63
#define WAIT_MS 1000

struct request {
	uint64_t lid, tail, qp, base, class, version, method, attr, mod, mkey, wait;
	bool by_lid, directed;
	uint8_t hops, path[MAX_HOPS + 1];
	unsigned int show, octets;
	/* octets that `at` has set, and which those are */
	uint8_t mad[IB_MAD_SIZE], given[IB_MAD_SIZE];
};

static int fd, smi, gsi;
static unsigned int own_lid;

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "mad_send: %s: %s\n", what, why);
	exit(2);
}

static unsigned int parse_hex(const char *at)
{
	unsigned int octet;

	if (sscanf(at, "%2x", &octet) != 1)
		fail(at, "no octet");
	return octet;
}

static void parse_octets(struct request *rq, const char *value)
{
	char *hex;
	unsigned long at = strtoul(value, &hex, 0);

	if (*hex++ != '=')
		fail(value, "not OCTET=HEX");
	for (; *hex; hex += 2, at++) {
		if (at >= IB_MAD_SIZE || !hex[1])
			fail(value, "not octets of a MAD");
		rq->mad[at] = parse_hex(hex);
		rq->given[at] = 1;
	}
}

static void parse_route(struct request *rq, const char *value)
{
	char *end;
	int hops = -1;

	rq->directed = true;
	rq->class = IB_SMI_DIRECT_CLASS;
	do {
		if (++hops > MAX_HOPS)
			fail(value, "too far");
		rq->path[hops] = strtoul(value, &end, 0);
		value = end + 1;
	} while (*end == ',');
	rq->hops = hops;
}

static void parse_show(struct request *rq, const char *value)
{
	if (sscanf(value, "%u,%u", &rq->show, &rq->octets) != 2 ||
	    rq->show + rq->octets > IB_MAD_SIZE)
		fail(value, "not octets of a MAD");
}

static void parse(struct request *rq, const char *keyword, const char *value)
{
	const struct {
		const char *keyword;
		uint64_t *number;
		void (*parse)(struct request *rq, const char *value);
	} keywords[] = {
		{ "lid", &rq->lid, NULL }, { "tail", &rq->tail, NULL },
		{ "qp", &rq->qp, NULL }, { "base", &rq->base, NULL },
		{ "class", &rq->class, NULL }, { "version", &rq->version, NULL },
		{ "method", &rq->method, NULL }, { "attr", &rq->attr, NULL },
		{ "mod", &rq->mod, NULL }, { "mkey", &rq->mkey, NULL },
		{ "wait", &rq->wait, NULL }, { "route", NULL, parse_route },
		{ "at", NULL, parse_octets }, { "show", NULL, parse_show },
	};
	unsigned int i;
	char *end;

	for (i = 0; i < sizeof(keywords) / sizeof(*keywords); i++) {
		if (strcmp(keyword, keywords[i].keyword))
			continue;
		if (keywords[i].parse) {
			keywords[i].parse(rq, value);
			return;
		}
		*keywords[i].number = strtoull(value, &end, 0);
		if (*end || end == value)
			fail(value, "no number");
		rq->by_lid |= keywords[i].number == &rq->lid;
		return;
	}
	fail(keyword, "unknown keyword");
}

static bool is_smp(const struct request *rq)
{
	return rq->class == IB_SMI_CLASS || rq->class == IB_SMI_DIRECT_CLASS;
}

static void build(const struct request *rq, uint8_t *mad, unsigned int number)
{
	unsigned int i;

	mad_set_field(mad, 0, IB_MAD_BASEVER_F, rq->base);
	mad_set_field(mad, 0, IB_MAD_MGMTCLASS_F, rq->class);
	mad_set_field(mad, 0, IB_MAD_CLASSVER_F, rq->version);
	mad_set_field(mad, 0, IB_MAD_METHOD_F, rq->method);
	mad_set_field64(mad, 0, IB_MAD_TRID_F, number);
	mad_set_field(mad, 0, IB_MAD_ATTRID_F, rq->attr);
	mad_set_field(mad, 0, IB_MAD_ATTRMOD_F, rq->mod);
	if (is_smp(rq))
		mad_set_field64(mad, 0, IB_MAD_MKEY_F, rq->mkey);
	if (rq->directed) {
		mad_set_field(mad, 0, IB_DRSMP_HOPCNT_F, rq->hops);
		mad_set_field(mad, 0, IB_DRSMP_DRSLID_F, rq->by_lid ? own_lid : PERMISSIVE);
		mad_set_field(mad, 0, IB_DRSMP_DRDLID_F, rq->tail);
		mad_set_array(mad, 0, IB_DRSMP_PATH_F, (void *)rq->path);
	}
	for (i = 0; i < IB_MAD_SIZE; i++) {
		if (rq->given[i])
			mad[i] = rq->mad[i];
	}
}

static void show(const struct request *rq, uint8_t *mad)
{
	unsigned int from = rq->show, octets = rq->octets, i;

	if (!octets) {
		from = rq->class == IB_CM_CLASS ? 24 : rq->class == IB_SA_CLASS ? 56 : 64;
		octets = is_smp(rq) ? 64 : IB_MAD_SIZE - from;
	}
	printf("method %02x status %04x data ", mad[3],
	       mad_get_field(mad, 0, IB_MAD_STATUS_F) & (rq->directed ? ~DIRECTION : ~0));
	for (i = 0; i < octets; i++)
		printf("%02x", mad[from + i]);
	puts("");
}

static void send_and_show(const struct request *rq, unsigned int number)
{
	static uint8_t umad[256 + IB_MAD_SIZE]; /* umad_size() is less */
	int length = IB_MAD_SIZE, agent = is_smp(rq) ? smi : gsi;

	memset(umad, 0, sizeof(umad));
	build(rq, umad_get_mad(umad), number);
	umad_set_addr(umad, rq->by_lid ? rq->lid : PERMISSIVE, is_smp(rq) ? 0 : rq->qp, 0,
		      is_smp(rq) ? 0 : GSI_QKEY);
	umad_set_pkey(umad, 0);
	if (umad_send(fd, agent, umad, IB_MAD_SIZE, rq->wait, 0) < 0)
		fail("umad_send", strerror(errno));
	if (!rq->wait)
		return;
	if (umad_recv(fd, umad, &length, -1) < 0)
		fail("umad_recv", strerror(errno));
	if (umad_status(umad))
		puts("silence");
	else
		show(rq, umad_get_mad(umad));
}

static void open_port(const char *device)
{
	umad_port_t port;

	if (umad_init() < 0 || umad_get_port(device, 1, &port) < 0)
		fail(device, "no such port");
	own_lid = port.base_lid;
	fd = umad_open_port(device, 1);
	if (fd < 0)
		fail(device, strerror(errno));
	/* The class in a MAD may differ; registering only selects the QP. */
	smi = umad_register(fd, IB_SMI_CLASS, 1, 0, NULL);
	gsi = umad_register(fd, IB_PERFORMANCE_CLASS, 1, 0, NULL);
	if (smi < 0 || gsi < 0)
		fail("umad_register", strerror(errno));
}

int main(int argc, char **argv)
{
	unsigned int number = 0;
	int i = 2;

	if (argc < 4)
		fail("usage", "mad_send DEVICE WORD VALUE... [-- WORD VALUE...]...");
	setvbuf(stdout, NULL, _IOLBF, 0);
	open_port(argv[1]);
	while (i < argc) {
		struct request rq = {
			.tail = PERMISSIVE, .qp = 1, .base = 1, .class = IB_SMI_CLASS, .version = 1,
			.method = IB_MAD_METHOD_GET, .wait = WAIT_MS,
		};

		for (; i < argc && strcmp(argv[i], "--"); i += 2) {
			if (i + 1 == argc)
				fail(argv[i], "has no value");
			parse(&rq, argv[i], argv[i + 1]);
		}
		i++;
		send_and_show(&rq, ++number);
	}
	return 0;
}
