// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The shape of a cable, which "hcactl link set" sets: rate limit, reordering, delay and
 * interruptions of the signal.
 */
#include "tools/ctl/noun/shape.h"
#include <json-c/json.h>
#include <netlink/attr.h>
#include <string.h>
#include "tools/ctl/kernel/request.h"
#include "tools/lib/probability.h"
#include "tools/lib/units.h"

static const char *const keywords[] = { SHAPE_KEYWORDS };

static int parse_time(const struct command *command, const char *const *value, int keyword,
		      uint64_t *ns)
{
	const char *wrong = value[keyword] ? time_parse(value[keyword], ns) : NULL;

	if (!wrong)
		return 0;
	return usage_error(command, "%s '%s' %s", keywords[keyword], value[keyword], wrong);
}

static int parse_flap(const struct command *command, const char *const *value,
		      const struct shape *shape)
{
	if (!value[SHAPE_EVERY] != !value[SHAPE_FOR])
		return usage_error(command, "flap needs both: every, for");
	if (value[SHAPE_EVERY] && (!shape->flap_for || shape->flap_for >= shape->flap_every))
		return usage_error(command, "for '%s' is not less than every '%s', or nothing",
				   value[SHAPE_FOR], value[SHAPE_EVERY]);
	return 0;
}

int shape_parse(const struct command *command, const char *const *value, struct shape *shape)
{
	const char *wrong;

	wrong = value[SHAPE_RATE] ? bitrate_parse(value[SHAPE_RATE], &shape->rate) : NULL;
	if (wrong)
		return usage_error(command, "rate '%s' %s", value[SHAPE_RATE], wrong);
	wrong = value[SHAPE_REORDER] ? probability_parse(value[SHAPE_REORDER], &shape->reorder) :
				       NULL;
	if (wrong)
		return usage_error(command, "reorder '%s' %s", value[SHAPE_REORDER], wrong);
	return parse_time(command, value, SHAPE_DELAY, &shape->delay) ?:
	       parse_time(command, value, SHAPE_JITTER, &shape->jitter) ?:
	       parse_time(command, value, SHAPE_EVERY, &shape->flap_every) ?:
	       parse_time(command, value, SHAPE_FOR, &shape->flap_for) ?:
	       parse_flap(command, value, shape);
}

bool shape_is_none(const struct shape *shape)
{
	static const struct shape none;

	return shape_is_same(shape, &none);
}

bool shape_is_same(const struct shape *one, const struct shape *other)
{
	return one->rate == other->rate && one->reorder == other->reorder &&
	       one->delay == other->delay && one->jitter == other->jitter &&
	       one->flap_every == other->flap_every && one->flap_for == other->flap_for;
}

bool shape_has_chance(const struct shape *shape)
{
	return shape->jitter || shape->reorder;
}

void shape_put(struct request *request, int type, const struct shape *shape, uint32_t seed)
{
	struct nlattr *nest = request_open(request, type);

	if (!shape_is_none(shape)) {
		request_put_number(request, HCA_NL_SHAPE_RATE, "rate", shape->rate);
		request_put_number(request, HCA_NL_SHAPE_REORDER, "reorder", shape->reorder);
		request_put_long(request, HCA_NL_SHAPE_DELAY, "delay", shape->delay);
		request_put_long(request, HCA_NL_SHAPE_JITTER, "jitter", shape->jitter);
		request_put_long(request, HCA_NL_SHAPE_FLAP_EVERY, "every", shape->flap_every);
		request_put_long(request, HCA_NL_SHAPE_FLAP_FOR, "for", shape->flap_for);
		request_put_number(request, HCA_NL_SHAPE_SEED, "seed", seed);
	}
	request_close(request, nest);
}

static bool shape_attributes(struct nlattr *nest, struct nlattr **attrs)
{
	static struct nla_policy types[HCA_NL_SHAPE_MAX + 1] = {
		[HCA_NL_SHAPE_RATE] = { .type = NLA_U32 },
		[HCA_NL_SHAPE_DELAY] = { .type = NLA_U64 },
		[HCA_NL_SHAPE_JITTER] = { .type = NLA_U64 },
		[HCA_NL_SHAPE_REORDER] = { .type = NLA_U32 },
		[HCA_NL_SHAPE_FLAP_EVERY] = { .type = NLA_U64 },
		[HCA_NL_SHAPE_FLAP_FOR] = { .type = NLA_U64 },
		[HCA_NL_SHAPE_REORDERED] = { .type = NLA_U64 },
		[HCA_NL_SHAPE_FLAPPED] = { .type = NLA_U64 },
		[HCA_NL_SHAPE_SEED] = { .type = NLA_U32 },
	};

	return nest && !nla_parse_nested(attrs, HCA_NL_SHAPE_MAX, nest, types);
}

static uint32_t shape_number(struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

static uint64_t shape_longer(struct nlattr *attr)
{
	return attr ? nla_get_u64(attr) : 0;
}

uint32_t shape_read(struct nlattr *nest, struct shape *shape)
{
	struct nlattr *attr[HCA_NL_SHAPE_MAX + 1];

	*shape = (struct shape){};
	if (!shape_attributes(nest, attr))
		return 0;
	shape->rate = shape_number(attr[HCA_NL_SHAPE_RATE]);
	shape->reorder = shape_number(attr[HCA_NL_SHAPE_REORDER]);
	shape->delay = shape_longer(attr[HCA_NL_SHAPE_DELAY]);
	shape->jitter = shape_longer(attr[HCA_NL_SHAPE_JITTER]);
	shape->flap_every = shape_longer(attr[HCA_NL_SHAPE_FLAP_EVERY]);
	shape->flap_for = shape_longer(attr[HCA_NL_SHAPE_FLAP_FOR]);
	return shape_number(attr[HCA_NL_SHAPE_SEED]);
}

static void add_time(struct json_object *object, const char *key, uint64_t ns)
{
	char text[UNITS_TEXT];

	json_object_object_add(object, key,
			       ns ? json_object_new_string(time_format(ns, text)) : NULL);
}

struct json_object *shape_json(struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_SHAPE_MAX + 1];
	struct json_object *object;
	struct shape shape;
	char text[UNITS_TEXT > PROBABILITY_TEXT ? UNITS_TEXT : PROBABILITY_TEXT];
	uint32_t seed;

	if (!shape_attributes(nest, attr))
		return NULL;
	seed = shape_read(nest, &shape);
	object = json_object_new_object();
	json_object_object_add(object, "rate",
			       !shape.rate ? NULL :
			       json_object_new_string(bitrate_format(shape.rate, text)));
	add_time(object, "delay", shape.delay);
	add_time(object, "jitter", shape.jitter);
	json_object_object_add(object, "reorder",
			       json_object_new_double_s(shape.reorder / 4294967296.0,
							probability_format(shape.reorder, text)));
	json_object_object_add(object, "seed",
			       shape_has_chance(&shape) ? json_object_new_int64(seed) : NULL);
	add_time(object, "flap_every", shape.flap_every);
	add_time(object, "flap_for", shape.flap_for);
	json_object_object_add(object, "reordered",
			       json_object_new_int64(shape_longer(attr[HCA_NL_SHAPE_REORDERED])));
	json_object_object_add(object, "flapped",
			       json_object_new_int64(shape_longer(attr[HCA_NL_SHAPE_FLAPPED])));
	return object;
}

void shape_print(FILE *file, const struct shape *shape)
{
	char text[UNITS_TEXT > PROBABILITY_TEXT ? UNITS_TEXT : PROBABILITY_TEXT];

	if (shape->rate)
		fprintf(file, " rate %s", bitrate_format(shape->rate, text));
	if (shape->delay)
		fprintf(file, " delay %s", time_format(shape->delay, text));
	if (shape->jitter)
		fprintf(file, " jitter %s", time_format(shape->jitter, text));
	if (shape->reorder)
		fprintf(file, " reorder %s", probability_format(shape->reorder, text));
	if (shape->flap_every) {
		fprintf(file, " flap every %s", time_format(shape->flap_every, text));
		fprintf(file, " for %s", time_format(shape->flap_for, text));
	}
}
