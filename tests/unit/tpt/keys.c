// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Keys of registered memory: one key reveals nothing about another, and reuse of a key is delayed.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/slab.h>
#include "shim.h"
#include "tests/unit/suites.h"
#include "tpt/entry.h"

#define INDEX_OF(key) ((key) >> 8 & ((1u << HCA_KEY_INDEX_BITS) - 1))
#define OCTET_OF(key) ((key)&0xff)
#define TAG_OF(key) ((key) >> (32 - HCA_KEY_TAG_BITS))

#define ADDR 1000
#define BYTES 10

static struct hca_tpt_entry *add(struct hca_tpt *tpt)
{
	struct hca_tpt_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);

	entry->length = BYTES;
	entry->iova = ADDR;
	entry->pd = tpt;
	entry->access = IB_UVERBS_ACCESS_REMOTE_READ;
	ck_assert_int_eq(hca_tpt_entry_add(tpt, entry), 0);
	return entry;
}

static struct hca_tpt *tpt_new(u32 size)
{
	struct hca_tpt *tpt = malloc(sizeof(*tpt));

	ck_assert_int_eq(hca_tpt_init(tpt, size), 0);
	return tpt;
}

static void tpt_free(struct hca_tpt *tpt)
{
	hca_tpt_destroy(tpt);
	free(tpt);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

/* Whether an access of the domain @pd to @addr is allowed. */
static bool admits(struct hca_tpt *tpt, u32 key, const void *pd, u32 access, u64 addr)
{
	bool valid;

	local_bh_disable();
	valid = hca_tpt_entry_find(tpt, key, pd, 1, access, addr, BYTES);
	local_bh_enable();
	return valid;
}

static bool is_valid(struct hca_tpt *tpt, u32 key)
{
	return admits(tpt, key, tpt, IB_UVERBS_ACCESS_REMOTE_READ, ADDR);
}

/*
 * A free slot is reused after all that were free before it: seven of eight, because one belongs to
 * key 0.
 */
START_TEST(round_by_round)
{
	struct hca_tpt *tpt = tpt_new(8);
	struct hca_tpt_entry *entry[7];
	unsigned int i, n, seen = 0;
	u32 first[7];

	for (i = 0; i < 7; i++) {
		entry[i] = add(tpt);
		first[i] = entry[i]->key;
		seen |= 1 << INDEX_OF(first[i]);
	}
	ck_assert_uint_eq(seen, 0xfe);
	for (i = 0; i < 7; i++)
		hca_tpt_entry_remove(tpt, entry[(i * 3) % 7]);
	for (n = 0; n < 50; n++) {
		entry[0] = add(tpt);
		ck_assert_uint_eq(INDEX_OF(entry[0]->key), INDEX_OF(first[(n * 3) % 7]));
		hca_tpt_entry_remove(tpt, entry[0]);
	}
	tpt_free(tpt);
}
END_TEST

/* Slots that have never been used come first, each of them once. */
START_TEST(unused_first)
{
	struct hca_tpt *tpt = tpt_new(64);
	u8 uses[64] = {};
	unsigned int i;

	for (i = 0; i < 3 * 63; i++) {
		struct hca_tpt_entry *entry = add(tpt);

		ck_assert_uint_eq(uses[INDEX_OF(entry->key)]++, i / 63);
		hca_tpt_entry_remove(tpt, entry);
	}
	tpt_free(tpt);
}
END_TEST

/*
 * R0-274, R0-514, V3-312: even with a single slot, no key of a freed entry is valid for the next
 * one, whichever octet the consumer of a fast MR or window has chosen.
 */
START_TEST(dead_at_once)
{
	struct hca_tpt *tpt = tpt_new(2);
	struct hca_tpt_entry *entry = add(tpt);
	unsigned int i, octet;

	for (i = 0; i < 1000; i++) {
		u32 old = entry->key;

		ck_assert(is_valid(tpt, old));
		hca_tpt_entry_remove(tpt, entry);
		ck_assert(!is_valid(tpt, old));
		entry = add(tpt);
		for (octet = 0; octet < 256; octet++)
			ck_assert(!is_valid(tpt, (old & ~0xffu) | octet));
	}
	hca_tpt_entry_remove(tpt, entry);
	tpt_free(tpt);
}
END_TEST

#define KEYS 4096
#define SIZE (1u << HCA_KEY_INDEX_BITS)

/* The first keys of an adapter, for a given beginning of its random numbers. */
static void keys_of(u64 seed, u32 *key)
{
	struct hca_tpt *tpt;
	unsigned int i;

	shim_reset(seed);
	tpt = tpt_new(SIZE);
	for (i = 0; i < KEYS; i++) {
		struct hca_tpt_entry *entry = add(tpt);

		key[i] = entry->key;
		hca_tpt_entry_remove(tpt, entry);
	}
	tpt_free(tpt);
}

/*
 * R0-275, R0-281, R0-514: neither the keys before it nor those of another adapter predict the next
 * key, which may be any number (P1-195, P1-T27).
 */
START_TEST(unpredictable)
{
	static u32 one[KEYS], other[KEYS], again[KEYS];
	unsigned int i, same = 0, near = 0, octets[256] = {}, tags[1 << HCA_KEY_TAG_BITS] = {};
	unsigned int indices[16] = {}, steps[256] = {};

	keys_of(1, one);
	keys_of(2, other);
	keys_of(1, again);
	ck_assert_mem_eq(one, again, sizeof(one));
	for (i = 0; i < KEYS; i++) {
		ck_assert_uint_ne(INDEX_OF(one[i]), 0);
		octets[OCTET_OF(one[i])]++;
		tags[TAG_OF(one[i])]++;
		indices[INDEX_OF(one[i]) / (SIZE / 16)]++;
		same += INDEX_OF(one[i]) == INDEX_OF(other[i]);
		if (!i)
			continue;
		steps[OCTET_OF(one[i] - one[i - 1])]++;
		near += abs((int)INDEX_OF(one[i]) - (int)INDEX_OF(one[i - 1])) < 100;
	}
	/*
	 * The expected counts are 16 and 32 of each value, 256 of each sixteenth, 6 of all: the
	 * bounds are far from them.
	 */
	for (i = 0; i < 256; i++) {
		ck_assert_uint_le(octets[i], 48);
		ck_assert_uint_le(steps[i], 48);
	}
	for (i = 0; i < 1 << HCA_KEY_TAG_BITS; i++)
		ck_assert_uint_le(tags[i], 80);
	for (i = 0; i < 16; i++) {
		ck_assert_uint_ge(indices[i], 160);
		ck_assert_uint_le(indices[i], 352);
	}
	ck_assert_uint_le(same, 5);
	ck_assert_uint_le(near, 30);
}
END_TEST

static void setup(void)
{
	shim_reset(1);
}

/*
 * An entry is changed in place: what was checked by its former generation is not valid any more,
 * though the key is the same (R0-299). A bound window prevents it (R0-295). So range and rights of
 * a key are established and revoked (P1-191, P1-192).
 */
START_TEST(changed)
{
	struct hca_tpt *tpt = tpt_new(8);
	struct hca_tpt_entry to = { .pd = &to, .iova = 5 * ADDR, .length = BYTES };
	struct hca_tpt_entry *entry = add(tpt);
	u32 key = entry->key;
	u64 generation;

	local_bh_disable();
	generation = hca_tpt_entry_find(tpt, key, tpt, 1, IB_UVERBS_ACCESS_REMOTE_READ, ADDR,
					BYTES);
	local_bh_enable();
	ck_assert_uint_ne(generation, 0);
	to.access = IB_UVERBS_ACCESS_REMOTE_WRITE;

	entry->windows = 1;
	ck_assert_int_eq(hca_tpt_entry_change(tpt, entry, &to, _i), -EBUSY);
	ck_assert(is_valid(tpt, key));
	entry->windows = 0;
	ck_assert_int_eq(hca_tpt_entry_change(tpt, entry, &to, _i), 0);
	ck_assert(_i ? entry->key != key : entry->key == key);
	ck_assert_uint_eq(INDEX_OF(entry->key), INDEX_OF(key));
	ck_assert(!is_valid(tpt, key));
	local_bh_disable();
	ck_assert_ptr_null(hca_tpt_entry_get_generation(tpt, key, generation));
	local_bh_enable();
	ck_assert(admits(tpt, entry->key, &to, IB_UVERBS_ACCESS_REMOTE_WRITE, 5 * ADDR));
	ck_assert(!admits(tpt, entry->key, &to, IB_UVERBS_ACCESS_REMOTE_READ, 5 * ADDR));
	ck_assert(!admits(tpt, entry->key, tpt, IB_UVERBS_ACCESS_REMOTE_WRITE, 5 * ADDR));
	ck_assert(!admits(tpt, entry->key, &to, IB_UVERBS_ACCESS_REMOTE_WRITE, ADDR));
	if (_i)
		ck_assert(!admits(tpt, key, &to, IB_UVERBS_ACCESS_REMOTE_WRITE, 5 * ADDR));
	hca_tpt_entry_remove(tpt, entry);
	tpt_free(tpt);
}
END_TEST

/* R0-338, R0-502, V3-254: what an entry stands for is told, also when it is invalid. */
START_TEST(queried)
{
	struct hca_tpt *tpt = tpt_new(8);
	struct hca_tpt_entry *entry = add(tpt), *window = kzalloc(sizeof(*window), GFP_KERNEL);
	void *pages[2] = {};
	struct hca_tpt_info info;

	hca_tpt_entry_query(tpt, entry, &info);
	ck_assert(info.valid && !info.pages && !info.mr_key && !info.qpn);
	ck_assert_uint_eq(info.key, entry->key);
	ck_assert_uint_eq(info.iova, ADDR);
	ck_assert_uint_eq(info.length, BYTES);
	ck_assert_uint_eq(info.access, IB_UVERBS_ACCESS_REMOTE_READ);
	entry->page = pages;
	entry->first_offset = PAGE_SIZE - 1;
	hca_tpt_entry_query(tpt, entry, &info);
	ck_assert_uint_eq(info.pages, 2);

	window->kind = HCA_TPT_MW_2;
	window->mr = entry;
	window->qpn = 77;
	ck_assert_int_eq(hca_tpt_entry_add(tpt, window), 0);
	hca_tpt_entry_query(tpt, window, &info);
	ck_assert(!info.valid);
	ck_assert_uint_eq(info.key, window->key);
	ck_assert_uint_eq(info.mr_key, entry->key);
	ck_assert_uint_eq(info.qpn, 77);
	window->mr = NULL;
	hca_tpt_entry_remove(tpt, window);
	hca_tpt_entry_withdraw(tpt, entry);
	hca_tpt_entry_query(tpt, entry, &info);
	ck_assert(!info.valid);
	ck_assert_uint_eq(info.length, BYTES);
	hca_tpt_entry_remove(tpt, entry);
	tpt_free(tpt);
}
END_TEST

/* No number of registrations brings a generation back: not those that 31 bits can count. */
START_TEST(never_again)
{
	struct hca_tpt *tpt = tpt_new(8);
	struct hca_tpt_entry to = { .pd = tpt, .iova = ADDR, .length = 1 };
	struct hca_tpt_entry *entry = add(tpt);
	u64 generation = entry->generation;

	tpt->generation += (1ull << 32) - 2; /* two for each registration */
	ck_assert_int_eq(hca_tpt_entry_change(tpt, entry, &to, false), 0);
	local_bh_disable();
	ck_assert_ptr_null(hca_tpt_entry_get_generation(tpt, entry->key, generation));
	local_bh_enable();
	hca_tpt_entry_remove(tpt, entry);
	tpt_free(tpt);
}
END_TEST

/*
 * The memory of an entry goes: neither its key nor the generation of an earlier check leads to it
 * any more, and it is removed as any other.
 */
START_TEST(withdrawn)
{
	struct hca_tpt *tpt = tpt_new(8);
	struct hca_tpt_entry *entry = add(tpt), *other = add(tpt);
	u64 generation = entry->generation;
	u32 key = entry->key;
	int i;

	for (i = 0; i < 2; i++) {
		hca_tpt_entry_withdraw(tpt, entry);
		ck_assert(!is_valid(tpt, key));
		local_bh_disable();
		ck_assert_ptr_null(hca_tpt_entry_get(tpt, key, tpt, 1,
						     IB_UVERBS_ACCESS_REMOTE_READ, ADDR, BYTES));
		ck_assert_ptr_null(hca_tpt_entry_get_generation(tpt, key, generation));
		ck_assert_ptr_null(hca_tpt_entry_get_generation(tpt, key, 0));
		local_bh_enable();
		ck_assert(is_valid(tpt, other->key));
	}
	ck_assert_int_eq(hca_tpt_entry_remove(tpt, entry), 0);
	hca_tpt_entry_remove(tpt, other);
	tpt_free(tpt);
}
END_TEST

/* B4-292: a key admits nobody to the memory of another adapter. */
START_TEST(of_another_adapter)
{
	struct hca_tpt *tpt = tpt_new(8), *another = tpt_new(8);
	struct hca_tpt_entry *entry[2][7];
	unsigned int i;

	for (i = 0; i < 7; i++) {
		entry[0][i] = add(tpt);
		entry[1][i] = add(another);
		entry[1][i]->iova = ADDR + BYTES;
	}
	for (i = 0; i < 7; i++) {
		ck_assert(is_valid(tpt, entry[0][i]->key));
		ck_assert(!is_valid(another, entry[0][i]->key));
	}
	for (i = 0; i < 7; i++) {
		hca_tpt_entry_remove(tpt, entry[0][i]);
		hca_tpt_entry_remove(another, entry[1][i]);
	}
	hca_tpt_destroy(another);
	free(another);
	tpt_free(tpt);
}
END_TEST

Suite *keys_suite(void)
{
	Suite *suite = suite_create("keys");
	TCase *tc = tcase_create("keys");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, round_by_round);
	tcase_add_test(tc, unused_first);
	tcase_add_test(tc, dead_at_once);
	tcase_add_test(tc, unpredictable);
	tcase_add_loop_test(tc, changed, 0, 2);
	tcase_add_test(tc, never_again);
	tcase_add_test(tc, withdrawn);
	tcase_add_test(tc, queried);
	tcase_add_test(tc, of_another_adapter);
	suite_add_tcase(suite, tc);
	return suite;
}
