// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Counts dropped packets by port and reason, and prints them. */
#define _GNU_SOURCE
#include "tools/ctl/drop_tally.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/grammar.h"
#include "tools/ctl/print.h"
#include "tools/lib/memory.h"
#include "tools/lib/table.h"

static const char *const titles[] = {
	"PORT", "REASON", "COUNT", "SLID", "DLID", "QPN", "PSN", "OPCODE",
};

static bool is_same(const struct drop *a, const struct drop *b)
{
	return a->node == b->node && a->port == b->port && !strcmp(a->reason, b->reason);
}

void drop_tally_add(struct drop_tally *tally, const struct drop *drop)
{
	size_t i;

	for (i = 0; i < tally->used; i++)
		if (is_same(&tally->counts[i].last, drop))
			break;
	if (i == tally->used) {
		tally->counts = grow(tally->counts, tally->used++, sizeof(*tally->counts));
		tally->counts[i].count = 0;
	}
	tally->counts[i].count++;
	tally->counts[i].last = *drop;
}

void drop_tally_clear(struct drop_tally *tally)
{
	free(tally->counts);
	*tally = (struct drop_tally){};
}

static const char *json_text(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key));
}

static int64_t json_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

/* Returns the name of the device with the GUID @guid; NULL if there is no such device any more. */
static struct json_object *name_of(struct json_object *devices, const char *guid)
{
	struct json_object *device;
	size_t i;

	for (i = 0; i < json_object_array_length(devices); i++) {
		device = json_object_array_get_idx(devices, i);
		if (!strcmp(json_text(device, "guid"), guid))
			return json_object_get(json_object_object_get(device, "name"));
	}
	return NULL;
}

/*
 * Returns a JSON object with the port at which a packet was dropped, and the reason for the drop.
 */
static struct json_object *place_json(const struct drop *drop, struct json_object *devices)
{
	struct json_object *object = json_object_new_object();
	char guid[24];

	snprintf(guid, sizeof(guid), "0x%016" PRIx64, drop->node);
	json_object_object_add(object, "device", name_of(devices, guid));
	json_object_object_add(object, "guid", json_object_new_string(guid));
	json_object_object_add(object, "port", json_object_new_int64(drop->port));
	json_object_object_add(object, "reason", json_object_new_string(drop->reason));
	return object;
}

/* Adds the time of a drop, and the fields of the dropped packet, to a JSON object. */
static void add_packet(struct json_object *object, const struct drop *drop)
{
	json_object_object_add(object, "time",
			       json_object_new_double_s(strtod(drop->time, NULL), drop->time));
	json_object_object_add(object, "slid", json_object_new_int64(drop->slid));
	json_object_object_add(object, "dlid", json_object_new_int64(drop->dlid));
	json_object_object_add(object, "vl", json_object_new_int64(drop->vl));
	json_object_object_add(object, "sl", json_object_new_int64(drop->sl));
	json_object_object_add(object, "opcode", json_object_new_string(drop->opcode));
	json_object_object_add(object, "qpn", json_object_new_int64(drop->qpn));
	json_object_object_add(object, "psn", json_object_new_int64(drop->psn));
	json_object_object_add(object, "octets", json_object_new_int64(drop->octets));
}

static struct json_object *count_json(const struct drop_count *count, struct json_object *devices)
{
	struct json_object *object = place_json(&count->last, devices);
	struct json_object *last = json_object_new_object();

	json_object_object_add(object, "count", json_object_new_int64(count->count));
	add_packet(last, &count->last);
	json_object_object_add(object, "last", last);
	return object;
}

/*
 * Returns the name of the device at which a packet was dropped; the device's GUID if the name is
 * not known.
 */
static const char *device_of(struct json_object *object)
{
	return json_text(object, "device") ?: json_text(object, "guid");
}

static int tally_compare(const void *a, const void *b)
{
	struct json_object *left = *(struct json_object *const *)a;
	struct json_object *right = *(struct json_object *const *)b;
	int64_t ports = json_number(left, "port") - json_number(right, "port");

	return strverscmp(device_of(left), device_of(right)) ?: (ports > 0) - (ports < 0) ?:
	       strcmp(json_text(left, "reason"), json_text(right, "reason"));
}

static struct json_object *tally_json(const struct drop_tally *tally, struct json_object *devices)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < tally->used; i++)
		json_object_array_add(array, count_json(&tally->counts[i], devices));
	json_object_array_sort(array, tally_compare);
	return array;
}

static void add_row(struct table *table, struct json_object *object)
{
	static const char *const numbers[] = { "slid", "dlid", "qpn", "psn" };
	struct json_object *last = json_object_object_get(object, "last");
	size_t i;

	table_add(table, need_text("%s/%" PRId64, device_of(object), json_number(object, "port")),
		  COLOR_NONE);
	table_add(table, need(strdup(json_text(object, "reason"))), COLOR_RED);
	table_add(table, need_text("%" PRId64, json_number(object, "count")), COLOR_NONE);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		table_add(table, need_text("%" PRId64, json_number(last, numbers[i])), COLOR_NONE);
	table_add(table, need(strdup(json_text(last, "opcode"))), COLOR_NONE);
}

static void print_table(struct json_object *array)
{
	struct table table = { titles, sizeof(titles) / sizeof(titles[0]), NULL, 0 };
	size_t i;

	for (i = 0; i < json_object_array_length(array); i++)
		add_row(&table, json_object_array_get_idx(array, i));
	if (table.count)
		table_print(stdout, &table);
	else
		puts("nothing was dropped");
	table_clear(&table);
}

static void print_json(struct json_object *array, uint64_t lost, const struct options *options)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "lost", json_object_new_int64(lost));
	json_object_object_add(object, "drops", json_object_get(array));
	print_object(object, options);
	json_object_put(object);
}

void drop_tally_print(struct drop_tally *tally, uint64_t lost, struct json_object *devices,
		      const struct options *options)
{
	struct json_object *array = tally_json(tally, devices);

	if (options->json) {
		print_json(array, lost, options);
	} else {
		print_table(array);
		if (lost)
			printf("%" PRIu64 " more are not known: the kernel has not kept them\n", lost);
	}
	json_object_put(array);
}

void drop_print(const struct drop *drop, struct json_object *devices,
		const struct options *options)
{
	struct json_object *object = place_json(drop, devices);

	if (options->json) {
		add_packet(object, drop);
		print_object(object, options);
	} else {
		printf("%s %s/%" PRIu64 " %s: slid %" PRIu64 " dlid %" PRIu64 " qpn %" PRIu64
		       " psn 0x%06" PRIx64 " %s\n", drop->time, device_of(object), drop->port,
		       drop->reason, drop->slid, drop->dlid, drop->qpn, drop->psn, drop->opcode);
	}
	json_object_put(object);
}
