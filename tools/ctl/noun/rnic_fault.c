// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Faults of what an RNIC sends: as arguments, in requests and in answers. */
#include "tools/ctl/noun/rnic_fault.h"
#include <inttypes.h>
#include <stdio.h>
#include "tools/ctl/status.h"
#include "tools/lib/number.h"

/* The fields, by their numbers in netlink. */
static const char *const fields[] = {
	[HCA_NL_RNIC_FIELD_TAGGED] = "tagged",
	[HCA_NL_RNIC_FIELD_LAST] = "last",
	[HCA_NL_RNIC_FIELD_DV] = "dv",
	[HCA_NL_RNIC_FIELD_RV] = "rv",
	[HCA_NL_RNIC_FIELD_OPCODE] = "opcode",
	[HCA_NL_RNIC_FIELD_STAG] = "stag",
	[HCA_NL_RNIC_FIELD_TO] = "to",
	[HCA_NL_RNIC_FIELD_QN] = "qn",
	[HCA_NL_RNIC_FIELD_MSN] = "msn",
	[HCA_NL_RNIC_FIELD_MO] = "mo",
	NULL
};

/* The parts of a start-up frame that are not valid, by their numbers in netlink. */
static const char *const refusals[] = {
	[HCA_NL_RNIC_REFUSE_KEY] = "key",
	[HCA_NL_RNIC_REFUSE_REVISION] = "revision",
	[HCA_NL_RNIC_REFUSE_LENGTH] = "length",
	NULL
};

/* The kinds of faults, by their numbers in netlink. */
static const struct kind {
	const char *name;
	const char *const *fields; /* the name of one of these follows, and its value; or NULL */
	const char *value; /* a value with this name in messages follows; or NULL */
	const char *const *values; /* names of the values; NULL: they are numbers */
} kinds[] = {
	[HCA_NL_RNIC_FAULT_KIND_NONE] = { .name = "none" },
	[HCA_NL_RNIC_FAULT_KIND_CORRUPT] = { .name = "corrupt" },
	[HCA_NL_RNIC_FAULT_KIND_BAD_CRC] = { .name = "bad-crc" },
	[HCA_NL_RNIC_FAULT_KIND_FIELD] = { .name = "field", .fields = fields },
	[HCA_NL_RNIC_FAULT_KIND_BAD_MARKER] = { .name = "bad-marker" },
	[HCA_NL_RNIC_FAULT_KIND_CUT] = { .name = "cut", .value = "cut" },
	[HCA_NL_RNIC_FAULT_KIND_STALL] = { .name = "stall", .value = "stall" },
	[HCA_NL_RNIC_FAULT_KIND_REFUSE] = {
		.name = "refuse", .value = "refuse", .values = refusals,
	},
};

#define NUM_KINDS (sizeof(kinds) / sizeof(kinds[0]))
#define NUM_NAMES(names) (sizeof(names) / sizeof((names)[0]) - 1) /* the last one is NULL */

/* The messages of RDMAP, by their opcodes (RFC 5040). */
static const char *const opcodes[] = {
	"rdma-write", "rdma-read-request", "rdma-read-response", "send", "send-with-invalidate",
	"send-with-se", "send-with-se-and-invalidate", "terminate", NULL
};

#define MAX_OPCODE 15

enum { OPCODE, NTH, SEED, ONCE, NUM_KEYWORDS };

static const char *const keywords[] = { "opcode", "nth", "seed", "once", NULL };

static const struct keywords syntax = { .names = keywords, .pairs = ONCE };

/* Parses the name of a message, or the number of an opcode. */
static int fault_parse_opcode(const struct command *command, const char *text,
			      struct rnic_fault *fault)
{
	uint64_t number;
	int opcode;

	fault->has_opcode = text;
	if (!text)
		return 0;
	if (number_parse_range(text, 0, 0, MAX_OPCODE, &number)) {
		fault->opcode = number;
		return 0;
	}
	if (*text >= '0' && *text <= '9')
		return usage_error(command, "opcode '%s' is neither a message nor a number from 0 "
				   "to %d", text, MAX_OPCODE);
	opcode = parse_choice(command, text, opcodes);
	fault->opcode = opcode;
	return opcode < 0 ? STATUS_USAGE : 0;
}

static int fault_parse_number(const struct command *command, const char *keyword, const char *text,
			      uint32_t least, uint32_t *number)
{
	if (!text || (number_parse(text, number) && *number >= least))
		return 0;
	return usage_error(command, "%s '%s' is not a number from %" PRIu32 " to %" PRIu32, keyword,
			   text, least, UINT32_MAX);
}

/* Parses the keywords that select the FPDUs to be hit. */
static int fault_parse_selection(const struct command *command, char **args,
				 struct rnic_fault *fault)
{
	const char *value[NUM_KEYWORDS];

	if (!parse_keywords_and_flags(command, args, &syntax, value))
		return STATUS_USAGE;
	fault->has_nth = value[NTH];
	fault->has_seed = value[SEED];
	fault->once = value[ONCE];
	return fault_parse_opcode(command, value[OPCODE], fault) ?:
	       fault_parse_number(command, keywords[NTH], value[NTH], 1, &fault->nth) ?:
	       fault_parse_number(command, keywords[SEED], value[SEED], 0, &fault->seed);
}

/* Returns the name of a fault's value in messages; NULL if it has none. */
static const char *fault_label(const struct rnic_fault *fault)
{
	const struct kind *kind = &kinds[fault->kind];

	return kind->fields ? kind->fields[fault->field] : kind->value;
}

/* Parses a value, as a number or by its name. The kernel checks whether a number fits. */
static int fault_parse_value(const struct command *command, char ***args, struct rnic_fault *fault)
{
	const struct kind *kind = &kinds[fault->kind];
	const char *label = fault_label(fault), *text = parse_argument(command, args, "the value");
	int choice;

	if (!text)
		return STATUS_USAGE;
	if (kind->values) {
		choice = parse_choice(command, text, kind->values);
		fault->value = choice;
		return choice < 0 ? STATUS_USAGE : 0;
	}
	if (number_parse_range(text, 0, 0, UINT64_MAX, &fault->value))
		return 0;
	return usage_error(command, "%s '%s' is not a number, as in 2 or 0x1f", label, text);
}

/* Parses what follows the name of a kind: a field, a value, both or nothing. */
static int fault_parse_operands(const struct command *command, char ***args,
				struct rnic_fault *fault)
{
	const char *const *names = kinds[fault->kind].fields, *text;
	int field;

	if (names) {
		text = parse_argument(command, args, "the field");
		field = text ? parse_choice(command, text, names) : -1;
		if (field < 0)
			return STATUS_USAGE;
		fault->field = field;
	}
	return fault_label(fault) ? fault_parse_value(command, args, fault) : 0;
}

/* Parses the name of a kind. Return: its number; a negative number after printing a message. */
static int fault_choose_kind(const struct command *command, const char *text)
{
	const char *names[NUM_KINDS + 1] = {};
	size_t i;

	for (i = 0; i < NUM_KINDS; i++)
		names[i] = kinds[i].name;
	return text ? parse_choice(command, text, names) : -1;
}

static int fault_parse_kind(const struct command *command, char **args, struct rnic_fault *fault)
{
	int kind = fault_choose_kind(command, parse_argument(command, &args, "the fault"));

	if (kind < 0)
		return STATUS_USAGE;
	fault->kind = kind;
	if (kind == HCA_NL_RNIC_FAULT_KIND_NONE)
		return parse_end(command, args) ? 0 : STATUS_USAGE;
	return fault_parse_operands(command, &args, fault) ?:
	       fault_parse_selection(command, args, fault);
}

int rnic_fault_parse(const struct command *command, char **args, struct rnic_fault *fault)
{
	enum { QP, FAULT };
	static const char *const first[] = { "qp", "fault", NULL };
	static const char *const second[] = { "fault", NULL };
	const char *argument = parse_argument(command, &args, "what to set, fault or qp N fault,");
	int choice = argument ? parse_choice(command, argument, first) : -1;

	*fault = (struct rnic_fault){};
	if (choice < 0)
		return STATUS_USAGE;
	if (choice == FAULT)
		return fault_parse_kind(command, args, fault);
	argument = parse_argument(command, &args, "the number of the queue pair");
	if (!argument || fault_parse_number(command, "qp", argument, 1, &fault->qpn))
		return STATUS_USAGE;
	argument = parse_argument(command, &args, "the keyword fault");
	if (!argument || parse_choice(command, argument, second) < 0)
		return STATUS_USAGE;
	return fault_parse_kind(command, args, fault);
}

void rnic_fault_put(struct request *request, const struct rnic_fault *fault)
{
	struct nlattr *nest = request_open(request, HCA_NL_DEVICE_RNIC_FAULT);

	if (fault->qpn)
		request_put_number(request, HCA_NL_RNIC_FAULT_QPN, "qp", fault->qpn);
	request_put_number(request, HCA_NL_RNIC_FAULT_KIND, "fault", fault->kind);
	if (kinds[fault->kind].fields)
		request_put_number(request, HCA_NL_RNIC_FAULT_FIELD, "field", fault->field);
	if (fault_label(fault))
		request_put_long(request, HCA_NL_RNIC_FAULT_VALUE, fault_label(fault),
				 fault->value);
	if (fault->has_opcode)
		request_put_number(request, HCA_NL_RNIC_FAULT_OPCODE, "opcode", fault->opcode);
	if (fault->has_nth)
		request_put_number(request, HCA_NL_RNIC_FAULT_NTH, "nth", fault->nth);
	if (fault->once)
		request_put_flag(request, HCA_NL_RNIC_FAULT_ONCE, "once");
	if (fault->has_seed)
		request_put_number(request, HCA_NL_RNIC_FAULT_SEED, "seed", fault->seed);
	request_close(request, nest);
}

static uint32_t number_or_0(struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

static struct json_object *number_or_null(struct nlattr *attr)
{
	return attr ? json_object_new_int64(nla_get_u32(attr)) : NULL;
}

/* Returns a name of a table, or the number that has none; JSON null if @attr is NULL. */
static struct json_object *name_or_null(struct nlattr *attr, const char *const *names, size_t count)
{
	uint32_t number = number_or_0(attr);

	return attr && number < count ? json_object_new_string(names[number]) :
					number_or_null(attr);
}

#define NAME(attr, names) name_or_null(attr, names, NUM_NAMES(names))

static struct json_object *long_or_null(struct nlattr *attr)
{
	return attr ? json_object_new_uint64(nla_get_u64(attr)) : NULL;
}

/* Returns the name of a value, or NULL. */
static const char *fault_value_name(const char *const *values, uint64_t value)
{
	for (; *values && value; value--)
		values++;
	return *values;
}

/* Adds the kind of a fault, and its field and its value, which are null if it has none. */
static void add_kind(struct json_object *object, struct nlattr **attr)
{
	uint32_t number = number_or_0(attr[HCA_NL_RNIC_FAULT_KIND]);
	struct json_object *value = long_or_null(attr[HCA_NL_RNIC_FAULT_VALUE]);
	const struct kind *kind = number < NUM_KINDS ? &kinds[number] : NULL;
	const char *name;

	if (value && kind && kind->values) {
		json_object_put(value);
		name = fault_value_name(kind->values, nla_get_u64(attr[HCA_NL_RNIC_FAULT_VALUE]));
		value = name ? json_object_new_string(name) : NULL;
	}
	json_object_object_add(object, "kind", json_object_new_string(kind ? kind->name : "?"));
	json_object_object_add(object, "field", NAME(attr[HCA_NL_RNIC_FAULT_FIELD], fields));
	json_object_object_add(object, "value", value);
}

static bool fault_attributes(struct nlattr *nest, struct nlattr **attr)
{
	static struct nla_policy types[HCA_NL_RNIC_FAULT_MAX + 1] = {
		[HCA_NL_RNIC_FAULT_QPN] = { .type = NLA_U32 },
		[HCA_NL_RNIC_FAULT_KIND] = { .type = NLA_U32 },
		[HCA_NL_RNIC_FAULT_FIELD] = { .type = NLA_U32 },
		[HCA_NL_RNIC_FAULT_VALUE] = { .type = NLA_U64 },
		[HCA_NL_RNIC_FAULT_OPCODE] = { .type = NLA_U32 },
		[HCA_NL_RNIC_FAULT_NTH] = { .type = NLA_U32 },
		[HCA_NL_RNIC_FAULT_SEED] = { .type = NLA_U32 },
		[HCA_NL_RNIC_FAULT_MATCHED] = { .type = NLA_U64 },
		[HCA_NL_RNIC_FAULT_HIT] = { .type = NLA_U64 },
	};

	return !nla_parse_nested(attr, HCA_NL_RNIC_FAULT_MAX, nest, types);
}

bool rnic_fault_read(struct nlattr *nest, struct rnic_fault *fault)
{
	struct nlattr *attr[HCA_NL_RNIC_FAULT_MAX + 1];

	*fault = (struct rnic_fault){};
	if (!fault_attributes(nest, attr))
		return false;
	fault->qpn = number_or_0(attr[HCA_NL_RNIC_FAULT_QPN]);
	fault->kind = number_or_0(attr[HCA_NL_RNIC_FAULT_KIND]);
	fault->field = number_or_0(attr[HCA_NL_RNIC_FAULT_FIELD]);
	if (attr[HCA_NL_RNIC_FAULT_VALUE])
		fault->value = nla_get_u64(attr[HCA_NL_RNIC_FAULT_VALUE]);
	fault->has_opcode = attr[HCA_NL_RNIC_FAULT_OPCODE];
	fault->opcode = number_or_0(attr[HCA_NL_RNIC_FAULT_OPCODE]);
	fault->has_nth = attr[HCA_NL_RNIC_FAULT_NTH];
	fault->nth = number_or_0(attr[HCA_NL_RNIC_FAULT_NTH]);
	fault->once = attr[HCA_NL_RNIC_FAULT_ONCE];
	fault->has_seed = attr[HCA_NL_RNIC_FAULT_SEED];
	fault->seed = number_or_0(attr[HCA_NL_RNIC_FAULT_SEED]);
	return fault->kind < NUM_KINDS && fault->field < NUM_NAMES(fields);
}

bool rnic_fault_is_as_wanted(const struct rnic_fault *present, const struct rnic_fault *wanted)
{
	return present->kind == wanted->kind && present->field == wanted->field &&
	       present->value == wanted->value && present->has_opcode == wanted->has_opcode &&
	       present->opcode == wanted->opcode && present->has_nth == wanted->has_nth &&
	       present->nth == wanted->nth && present->once == wanted->once &&
	       (!wanted->has_seed || present->seed == wanted->seed);
}

static void fault_print_value(FILE *file, const struct rnic_fault *fault)
{
	const struct kind *kind = &kinds[fault->kind];
	const char *name = kind->values ? fault_value_name(kind->values, fault->value) : NULL;

	if (kind->fields)
		fprintf(file, " %s", kind->fields[fault->field]);
	if (name)
		fprintf(file, " %s", name);
	else if (fault_label(fault))
		fprintf(file, " %" PRIu64, fault->value);
}

void rnic_fault_print_arguments(FILE *file, const struct rnic_fault *fault)
{
	fprintf(file, " %s", kinds[fault->kind].name);
	fault_print_value(file, fault);
	if (fault->has_opcode && fault->opcode < NUM_NAMES(opcodes))
		fprintf(file, " opcode %s", opcodes[fault->opcode]);
	else if (fault->has_opcode)
		fprintf(file, " opcode %" PRIu32, fault->opcode);
	if (fault->has_nth)
		fprintf(file, " nth %" PRIu32, fault->nth);
	if (fault->once)
		fputs(" once", file);
	if (fault->has_seed)
		fprintf(file, " seed %" PRIu32, fault->seed);
}

struct json_object *rnic_fault_json(struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_RNIC_FAULT_MAX + 1];
	struct json_object *object;

	if (!fault_attributes(nest, attr))
		return NULL;
	object = json_object_new_object();
	json_object_object_add(object, "qpn", number_or_null(attr[HCA_NL_RNIC_FAULT_QPN]));
	add_kind(object, attr);
	json_object_object_add(object, "opcode", NAME(attr[HCA_NL_RNIC_FAULT_OPCODE], opcodes));
	json_object_object_add(object, "nth", number_or_null(attr[HCA_NL_RNIC_FAULT_NTH]));
	json_object_object_add(object, "once",
			       json_object_new_boolean(!!attr[HCA_NL_RNIC_FAULT_ONCE]));
	json_object_object_add(object, "seed", number_or_null(attr[HCA_NL_RNIC_FAULT_SEED]));
	json_object_object_add(object, "matched", long_or_null(attr[HCA_NL_RNIC_FAULT_MATCHED]));
	json_object_object_add(object, "hit", long_or_null(attr[HCA_NL_RNIC_FAULT_HIT]));
	return object;
}

/* Prints a key and its value, with a space before each, unless the value is null. */
static void print_pair(struct json_object *fault, const char *key)
{
	struct json_object *value = json_object_object_get(fault, key);

	if (value)
		printf(" %s %s", key, json_object_get_string(value));
}

static const char *json_text(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key));
}

static void print_fault(struct json_object *fault)
{
	printf("    faults");
	if (json_object_object_get(fault, "qpn"))
		printf(" of qp %s", json_text(fault, "qpn"));
	printf(": %s", json_text(fault, "kind"));
	if (json_object_object_get(fault, "field"))
		printf(" %s", json_text(fault, "field"));
	if (json_object_object_get(fault, "value"))
		printf(" %s", json_text(fault, "value"));
	print_pair(fault, "opcode");
	print_pair(fault, "nth");
	if (json_object_get_boolean(json_object_object_get(fault, "once")))
		printf(" once");
	print_pair(fault, "seed");
	printf(": %s matched, %s hit\n", json_text(fault, "matched"), json_text(fault, "hit"));
}

void rnic_fault_print(struct json_object *faults)
{
	size_t i;

	for (i = 0; faults && i < json_object_array_length(faults); i++)
		print_fault(json_object_array_get_idx(faults, i));
}
