// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * CRCs compared with those of independent sources: the specification, another vendor's code, an
 * adapter.
 */
#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <linux/crc32.h>
#include "compat.h"
#include "tests/unit/suites.h"
#include "wire/crc.h"
#include "wire/flow.h"
#include "wire/headers.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* All but headers of the specification's two sample packets. */
#define SAMPLE_RETH \
	0x01, 0x71, 0x0a, 0x1c, 0x01, 0x5d, 0x40, 0x02, 0x38, 0xf2, 0x7a, 0x05, 0, 0, 0, 14
#define SAMPLE_BTH 0x0a, 0x20, 0x24, 0x87, 0x00, 0x87, 0xb1, 0xb3, 0x00, 0x0d, 0xec, 0x2a
#define SAMPLE_PAYLOAD \
	0xbb, 0x88, 0x4d, 0x85, 0xfd, 0x5c, 0xfb, 0xa4, 0x72, 0x8b, 0xc0, 0x69, 0x0e, 0xd4, 0, 0

/*
 * ICRC of the local packet: the specification's own (7.8, Table 29). The other three CRCs: what
 * the masks and tables of Mellanox's packet generator give for these packets, which its source has
 * as test arrays (openib.org, "mpga", 2004); its code and this one know nothing of each other, but
 * both come from the specification's text. PayLen, NxtHdr and HopLmt of the global one are as they
 * stand there, no real packet's.
 */
static const struct {
	unsigned int len;
	u8 packet[92];
	u8 icrc[4], vcrc[2];
} samples[] = {
	{ 52, { 0x70, 0x12, 0x37, 0x5c, 0x00, 0x0e, 0x17, 0xd2, SAMPLE_BTH, SAMPLE_RETH,
		SAMPLE_PAYLOAD },
	  { 0x96, 0x25, 0xb7, 0x5a }, { 0x45, 0xfa } },
	{ 92, { 0x70, 0x13, 0x37, 0x5c, 0x00, 0x18, 0x17, 0xd2,
		0x60, 0, 0, 0, 0x00, 0x32, 0x00, 0x10,
		0, 0, 0, 0, 0, 0, 0x01, 0x25, 0, 0, 0, 0, 0, 0, 0, 0x26,
		0, 0, 0, 0, 0, 0, 0x01, 0x17, 0, 0, 0, 0, 0, 0, 0, 0x96,
		SAMPLE_BTH, SAMPLE_RETH, SAMPLE_PAYLOAD },
	  { 0x14, 0x93, 0xec, 0x46 }, { 0x7c, 0x44 } },
};

/* B4-449, B4-450, C4-152, C4-153: local and global masks, seeds, order of bits and octets. */
START_TEST(sample)
{
	u8 packet[92 + HCA_ICRC_BYTES], crc[4];
	unsigned int len = samples[_i].len;

	memcpy(packet, samples[_i].packet, len);
	put_unaligned_le32(hca_icrc(packet, len), crc);
	ck_assert_mem_eq(crc, samples[_i].icrc, 4);
	memcpy(packet + len, crc, 4);
	put_unaligned_le16(hca_vcrc(packet, len + HCA_ICRC_BYTES), crc);
	ck_assert_mem_eq(crc, samples[_i].vcrc, 2);
}
END_TEST

/* That generator's table of the VCRC of each single bit: all other CRCs are sums of these. */
START_TEST(vcrc_table)
{
	static const u16 table[] = { 0x1ba1, 0x3742, 0x6e84, 0xdd08, 0x1a01, 0x3402, 0x6804,
		0xd008 };
	u8 octet;
	int bit;

	for (bit = 0; bit < COUNT(table); bit++) {
		octet = 0xff ^ 1 << bit; /* the seed is all ones */
		ck_assert_uint_eq(hca_vcrc(&octet, 1), (u16)~(0x00ff ^ table[bit]));
	}
}
END_TEST

/* LPCRCs computed with that table, because no link packets with a published LPCRC are available. */
START_TEST(lpcrc)
{
	static const struct {
		u8 octets[4], lpcrc[2];
	} packets[] = {
		{ { 0x00, 0x00, 0x00, 0x00 }, { 0xb3, 0x62 } },
		{ { 0x10, 0x00, 0x07, 0xff }, { 0x1b, 0x12 } },
		{ { 0x01, 0x23, 0x5a, 0xbc }, { 0x49, 0x9c } },
		{ { 0x0f, 0xff, 0xe7, 0xfe }, { 0xa5, 0x9f } },
	};
	struct hca_flow flow;
	u8 packet[HCA_FLOW_BYTES];
	int i;

	for (i = 0; i < COUNT(packets); i++) {
		memcpy(packet, &packets[i], HCA_FLOW_BYTES);
		ck_assert_int_eq(hca_flow_parse(&flow, packet, HCA_FLOW_BYTES), 0);
		hca_flow_pack(&flow, packet);
		ck_assert_mem_eq(packet, &packets[i], HCA_FLOW_BYTES);
	}
}
END_TEST

/*
 * An adapter's own: a congestion notification that a ConnectX-4 Lx has sent by RoCE, with IPv4
 * and UDP in place of LRH and GRH (captured for scapy's tests, test/contrib/roce.uts). Those
 * headers are masked here, by IBA annex A17; what it shows of the module is which CRC-32 it is,
 * from which bit on and in which order of octets, and that hardware computes it with BTH's FECN,
 * BECN and reserved bits as ones.
 */
START_TEST(adapter)
{
	static const u8 sent[] = {
		0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00, 0x40, 0x11, 0x91, 0x61, 0x0a, 0x00,
		0x11, 0x01, 0x0a, 0x00, 0x12, 0x01, 0x00, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00,
		0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	static const u8 icrc[] = { 0x82, 0xfd, 0x00, 0x2a };
	/*
	 * TOS, TTL, checksums of IP and UDP; the octet of BTH that holds FECN, BECN and reserved
	 * bits.
	 */
	static const u8 ones[] = { 1, 8, 10, 11, 26, 27, 32 };
	u8 masked[HCA_LRH_BYTES + sizeof(sent)], crc[4];
	int i;

	memset(masked, 0xff, HCA_LRH_BYTES);
	memcpy(masked + HCA_LRH_BYTES, sent, sizeof(sent));
	for (i = 0; i < COUNT(ones); i++)
		masked[HCA_LRH_BYTES + ones[i]] = 0xff;
	put_unaligned_le32(~crc32_le(~0u, masked, sizeof(masked)), crc);
	ck_assert_mem_eq(crc, icrc, sizeof(icrc));
}
END_TEST

/* LNH may announce more headers than there are octets: nothing behind the octets is read. */
START_TEST(headers_that_are_not_there)
{
	unsigned int len, lnh;

	for (lnh = 0; lnh < 4; lnh++)
		for (len = 0; len < 60; len++) {
			u8 *exact = calloc(1, len), *longer = calloc(1, 100);

			if (len > 1)
				exact[1] = lnh;
			memcpy(longer, exact, len);
			ck_assert_uint_eq(hca_icrc(exact, len), hca_icrc(longer, len));
			free(exact);
			free(longer);
		}
}
END_TEST

Suite *crc_suite(void)
{
	Suite *suite = suite_create("crc");
	TCase *tc = tcase_create("crc");

	tcase_add_loop_test(tc, sample, 0, COUNT(samples));
	tcase_add_test(tc, vcrc_table);
	tcase_add_test(tc, lpcrc);
	tcase_add_test(tc, adapter);
	tcase_add_test(tc, headers_that_are_not_there);
	suite_add_tcase(suite, tc);
	return suite;
}
