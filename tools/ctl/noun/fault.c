// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * hcactl link set: sets the faults of cables (such as loss), their shape (such as delay and rate
 * limit), and the supported rates of ports.
 */
#include "tools/ctl/noun/fault.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/fault_opcodes.h"
#include "tools/ctl/noun/link.h"
#include "tools/ctl/noun/shape.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"
#include "tools/lib/number.h"
#include "tools/lib/probability.h"

const struct fault_kind fault_kinds[NUM_FAULT_KINDS] = {
	{ "drop", "dropped", HCA_NL_FAULT_DROP, HCA_NL_FAULT_DROPPED },
	{ "corrupt", "corrupted", HCA_NL_FAULT_CORRUPT, HCA_NL_FAULT_CORRUPTED },
	{ "duplicate", "duplicated", HCA_NL_FAULT_DUPLICATE, HCA_NL_FAULT_DUPLICATED },
};

/*
 * Keywords of "link set". The keywords before SLOW_VL are the names in fault_kinds[]. Keywords from
 * FLAP on do not have a value.
 */
enum {
	SLOW_VL = NUM_FAULT_KINDS,
	OPCODE,
	QPN,
	PSN,
	NTH,
	COUNT,
	SEED,
	SHAPE,
	WIDTH = SHAPE + NUM_SHAPE_KEYWORDS,
	SPEED,
	FROM,
	FLAP,
	ONCE,
	NUM_KEYWORDS
};

static const char *const keywords[] = {
	"drop", "corrupt", "duplicate", "slow-vl", "opcode", "qpn", "psn", "nth", "count", "seed",
	SHAPE_KEYWORDS, "width", "speed", "from", "flap", "once", NULL
};

static const struct keywords syntax = {
	.names = keywords,
	.pairs = FLAP,
	.earlier_name = "drain",
	.renamed = SLOW_VL,
};

/* The arguments of "link set": faults for one or both directions, and a rate of the ports */
struct setting {
	struct fault faults[2]; /* one for each direction that the command names */
	int count;
	bool is_given; /* the arguments contain faults, a shape, or "none" */
	struct rate rate; /* supported rate of the ports; width 0: it is not given */
};

static bool any_of(const char *const *value, int first, int end)
{
	for (; first < end; first++)
		if (value[first])
			return true;
	return false;
}

static int parse_chances(const struct command *command, const char **value, struct fault *fault)
{
	const char *wrong;
	int i;

	for (i = 0; i < NUM_FAULT_KINDS; i++) {
		if (!value[i])
			continue;
		wrong = probability_parse(value[i], &fault->chance[i]);
		if (wrong)
			return usage_error(command, "%s '%s' %s", keywords[i], value[i], wrong);
	}
	if (!any_of(value, 0, NUM_FAULT_KINDS) && (any_of(value, OPCODE, SEED) || value[ONCE]))
		return usage_error(command, "opcode, qpn, psn, nth, count and once are of drop, "
				   "corrupt and duplicate");
	if (value[SEED] && !any_of(value, 0, NUM_FAULT_KINDS) && !value[SHAPE + SHAPE_JITTER] &&
	    !value[SHAPE + SHAPE_REORDER])
		return usage_error(command, "seed is of drop, corrupt, duplicate, jitter and "
				   "reorder");
	if (!value[FLAP] && (value[SHAPE + SHAPE_EVERY] || value[SHAPE + SHAPE_FOR]))
		return usage_error(command, "every and for are of flap");
	if (value[FLAP] && !value[SHAPE + SHAPE_EVERY])
		return usage_error(command, "flap needs both: every, for");
	return 0;
}

/*
 * Parses VL:RATE, the number of a VL and its rate in Mb/s. The kernel checks whether the port
 * supports them.
 */
static int parse_slow_vl(const struct command *command, const char *text, struct fault *fault)
{
	const char *rate = text ? strchr(text, ':') : NULL;
	char vl[16] = "";

	if (!text)
		return 0;
	if (rate && (size_t)(rate - text) < sizeof(vl))
		memcpy(vl, text, rate - text);
	if (!rate || !number_parse(vl, &fault->slow_vl) ||
	    !number_parse(rate + 1, &fault->slow_rate) || !fault->slow_rate)
		return usage_error(command, "slow-vl '%s' is not a VL and a rate in Mb/s, as in "
				   "1:100", text);
	return 0;
}

static int parse_numbers(const struct command *command, const char **value, struct fault *fault)
{
	const struct {
		int keyword;
		uint32_t *number;
	} numbers[] = {
		{ QPN, &fault->qpn }, { PSN, &fault->psn }, { NTH, &fault->nth },
		{ COUNT, &fault->count }, { SEED, &fault->seed },
	};
	const char *text;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		text = value[numbers[i].keyword];
		if (text && !number_parse(text, numbers[i].number))
			return usage_error(command, "%s '%s' is not a number",
					   keywords[numbers[i].keyword], text);
	}
	fault->has_qpn = value[QPN];
	fault->has_psn = value[PSN];
	fault->has_nth = value[NTH];
	fault->has_count = value[COUNT];
	fault->has_seed = value[SEED];
	return 0;
}

/* Parses the keyword "once", which stands for "count 1". */
static int parse_once(const struct command *command, const char **value, struct fault *fault)
{
	if (!value[ONCE])
		return 0;
	if (value[COUNT])
		return usage_error(command, "once is count 1; give one of them");
	fault->has_count = true;
	fault->count = 1;
	return 0;
}

/*
 * Sets setting->faults to one fault for each direction that the command names, with the values of
 * faults[0]. @text is the value of the keyword "from", a sending port; NULL if it is not given.
 */
static int parse_directions(const struct command *command, const char *text,
			    struct setting *setting)
{
	struct fault *faults = setting->faults;
	const struct link *link = &faults[0].link;
	struct end from;
	int status;

	faults[1] = faults[0];
	faults[1].from_b = true;
	faults[1].seed++;
	/* Only one fault flaps, because flapping at one end takes the whole link down. */
	faults[1].shape.flap_every = 0;
	faults[1].shape.flap_for = 0;
	setting->count = link->b.text ? 2 : 1;
	if (!text)
		return 0;
	status = link_parse_end(command, text, &from);
	if (status)
		return status;
	setting->count = 1;
	if (same_end(&from, &link->a))
		return 0;
	if (!link->b.text || !same_end(&from, &link->b))
		return usage_error(command, "from '%s' is neither %s nor %s", text, link->a.text,
				   link->b.text ?: "another port that is given");
	faults[0].from_b = true;
	return 0;
}

static bool is_none_keyword(const char *argument)
{
	return !strcmp(argument, "none") || !strcmp(argument, "clear");
}

/*
 * Returns whether an argument is a keyword. A device with the name of a keyword can be given with
 * its port, as in drop/1.
 */
static bool is_keyword(const char *argument)
{
	int i;

	for (i = 0; i < NUM_KEYWORDS; i++)
		if (!strcmp(argument, keywords[i]))
			return true;
	return is_none_keyword(argument) || !strcmp(argument, syntax.earlier_name);
}

static int parse_ends(const struct command *command, char ***args, struct link *link)
{
	const char *a = parse_argument(command, args, "the port A");

	*link = (struct link){};
	if (!a)
		return STATUS_USAGE;
	if (**args && is_keyword(**args))
		return link_parse_end(command, a, &link->a);
	--*args;
	return link_parse(command, args, link);
}

static int parse_setting(const struct command *command, char **args, const char **value,
			 struct setting *setting)
{
	struct fault *fault = &setting->faults[0];

	if (!parse_keywords_and_flags(command, args, &syntax, value))
		return STATUS_USAGE;
	setting->is_given = any_of(value, 0, WIDTH) || value[FLAP] || value[ONCE];
	if (!setting->is_given && !value[WIDTH] && !value[SPEED])
		return usage_error(command, "say what shall happen: drop, corrupt, duplicate, "
				   "slow-vl, reorder, rate, delay, jitter, flap, width, speed; or "
				   "none");
	return parse_chances(command, value, fault) ?:
	       parse_slow_vl(command, value[SLOW_VL], fault) ?:
	       fault_opcodes_parse(command, value[OPCODE], &fault->opcodes) ?:
	       parse_numbers(command, value, fault) ?:
	       parse_once(command, value, fault) ?:
	       shape_parse(command, value + SHAPE, &fault->shape) ?:
	       (value[WIDTH] || value[SPEED] ?
			link_parse_rate(command, value[WIDTH], value[SPEED], &setting->rate) :
			0);
}

static int parse(const struct command *command, char **args, struct setting *setting)
{
	static const char *const only_from[] = { "from", NULL };
	const char *value[NUM_KEYWORDS] = {};
	int status;

	*setting = (struct setting){};
	status = parse_ends(command, &args, &setting->faults[0].link);
	if (status)
		return status;
	if (*args && is_none_keyword(*args)) {
		if (!parse_keywords(command, args + 1, only_from, value + FROM))
			return STATUS_USAGE;
		setting->is_given = true;
	} else {
		status = parse_setting(command, args, value, setting);
	}
	return status ?: parse_directions(command, value[FROM], setting);
}

static bool has_chance(const struct fault *fault)
{
	int i;

	for (i = 0; i < NUM_FAULT_KINDS; i++)
		if (fault->chance[i])
			return true;
	return false;
}

static bool has_faults(const struct fault *fault)
{
	return has_chance(fault) || fault->slow_rate;
}

bool is_none(const struct fault *fault)
{
	return !has_faults(fault) && shape_is_none(&fault->shape);
}

/*
 * Returns the seed of a direction. If the user has not given one, hcactl draws it and not the
 * kernel, because the direction's faults and shape must have the same seed. The seed is not secret.
 * Therefore getrandom() does not wait for the entropy pool, which can take minutes on an idle
 * machine after boot.
 */
static uint32_t seed_of(const struct fault *fault)
{
	uint32_t seed = 0;

	if (fault->has_seed)
		return fault->seed;
	if (getrandom(&seed, sizeof(seed), GRND_INSECURE) != sizeof(seed))
		die("no random numbers: %s", strerror(errno));
	return seed;
}

static void put_selection(struct request *request, const struct fault *fault)
{
	fault_opcodes_put(request, &fault->opcodes);
	if (fault->has_qpn)
		request_put_number(request, HCA_NL_FAULT_QPN, "qpn", fault->qpn);
	if (fault->has_psn)
		request_put_number(request, HCA_NL_FAULT_PSN, "psn", fault->psn);
	if (fault->has_nth)
		request_put_number(request, HCA_NL_FAULT_NTH, "nth", fault->nth);
	if (fault->has_count)
		request_put_number(request, HCA_NL_FAULT_COUNT, "count", fault->count);
}

static void put_fault(struct request *request, const struct fault *fault)
{
	struct nlattr *nest = request_open(request, fault->from_b ? HCA_NL_LINK_FAULT_B :
								    HCA_NL_LINK_FAULT_A);
	uint32_t seed = seed_of(fault);
	int i;

	if (has_faults(fault)) {
		for (i = 0; i < NUM_FAULT_KINDS; i++)
			request_put_number(request, fault_kinds[i].chance, fault_kinds[i].name,
					   fault->chance[i]);
		if (fault->slow_rate) {
			request_put_number(request, HCA_NL_FAULT_SLOW_VL, "slow-vl",
					   fault->slow_vl);
			request_put_number(request, HCA_NL_FAULT_SLOW_VL_RATE, "slow-vl",
					   fault->slow_rate);
		}
		put_selection(request, fault);
		request_put_number(request, HCA_NL_FAULT_SEED, "seed", seed);
	}
	request_close(request, nest);
	shape_put(request, fault->from_b ? HCA_NL_LINK_SHAPE_B : HCA_NL_LINK_SHAPE_A,
		  &fault->shape, seed);
}

static int make(const struct setting *setting)
{
	const struct link *link = &setting->faults[0].link;
	struct request *request = request_new(HCA_CMD_LINK_SET, "link set %s%s%s", link->a.text,
					      link->b.text ? " " : "", link->b.text ?: "");
	int i;

	link_put(request, link);
	for (i = 0; i < setting->count; i++) {
		const struct fault *fault = &setting->faults[i];

		if (setting->is_given)
			put_fault(request, fault);
		if (setting->rate.width)
			link_put_rate(request,
				      fault->from_b ? HCA_NL_LINK_SUPPORTED_B :
						      HCA_NL_LINK_SUPPORTED_A,
				      &setting->rate);
	}
	return request_do(request, NULL, NULL);
}

int fault_make(const struct fault *fault)
{
	return make(&(struct setting){ .faults = { *fault }, .count = 1, .is_given = true });
}

int fault_remove(const struct fault *fault)
{
	return fault_make(&(struct fault){ .link = fault->link, .from_b = fault->from_b });
}

int fault_run(const struct command *command, char **args, const struct options *options)
{
	struct setting setting;
	int status = parse(command, args, &setting);

	(void)options;
	return status ?: make(&setting);
}

int fault_plan(const struct command *command, char **args, struct setup *setup)
{
	struct setting setting;
	int i, status = parse(command, args, &setting);

	if (!status && setting.rate.width)
		status = usage_error(command, "in a file, width and speed are of link add");
	else if (!status && !setting.faults[0].link.b.text)
		status = usage_error(command, "the port B is missing");
	for (i = 0; !status && i < setting.count; i++)
		setup_add_fault(setup, &setting.faults[i]);
	return status;
}

bool fault_attributes(struct nlattr *nest, struct nlattr **attrs)
{
	static struct nla_policy types[HCA_NL_FAULT_MAX + 1] = {
		[HCA_NL_FAULT_DROP] = { .type = NLA_U32 },
		[HCA_NL_FAULT_CORRUPT] = { .type = NLA_U32 },
		[HCA_NL_FAULT_DUPLICATE] = { .type = NLA_U32 },
		[HCA_NL_FAULT_OPCODE] = { .type = NLA_STRING },
		[HCA_NL_FAULT_PSN] = { .type = NLA_U32 },
		[HCA_NL_FAULT_SEED] = { .type = NLA_U32 },
		[HCA_NL_FAULT_DROPPED] = { .type = NLA_U64 },
		[HCA_NL_FAULT_CORRUPTED] = { .type = NLA_U64 },
		[HCA_NL_FAULT_DUPLICATED] = { .type = NLA_U64 },
		[HCA_NL_FAULT_SLOW_VL] = { .type = NLA_U32 },
		[HCA_NL_FAULT_SLOW_VL_RATE] = { .type = NLA_U32 },
		[HCA_NL_FAULT_QPN] = { .type = NLA_U32 },
		[HCA_NL_FAULT_NTH] = { .type = NLA_U32 },
		[HCA_NL_FAULT_COUNT] = { .type = NLA_U32 },
		[HCA_NL_FAULT_MATCHED] = { .type = NLA_U64 },
		[HCA_NL_FAULT_OPCODES] = { .minlen = OPCODES_OCTETS, .maxlen = OPCODES_OCTETS },
		[HCA_NL_FAULT_CLASSES] = { .type = NLA_U32 },
	};

	return nest && !nla_parse_nested(attrs, HCA_NL_FAULT_MAX, nest, types);
}

/*
 * Sets *number to the number of an attribute, or to 0 if @attr is NULL. Return: whether @attr is
 * not NULL.
 */
static bool read_number(struct nlattr *attr, uint32_t *number)
{
	*number = attr ? nla_get_u32(attr) : 0;
	return attr;
}

static void read_selection(struct nlattr **attr, struct fault *fault)
{
	fault_opcodes_read(attr, &fault->opcodes);
	fault->has_qpn = read_number(attr[HCA_NL_FAULT_QPN], &fault->qpn);
	fault->has_psn = read_number(attr[HCA_NL_FAULT_PSN], &fault->psn);
	fault->has_nth = read_number(attr[HCA_NL_FAULT_NTH], &fault->nth);
	fault->has_count = read_number(attr[HCA_NL_FAULT_COUNT], &fault->count);
}

static void read_faults(struct nlattr *nest, struct fault *fault)
{
	struct nlattr *attr[HCA_NL_FAULT_MAX + 1];
	int i;

	if (!fault_attributes(nest, attr))
		return;
	for (i = 0; i < NUM_FAULT_KINDS; i++)
		if (attr[fault_kinds[i].chance])
			fault->chance[i] = nla_get_u32(attr[fault_kinds[i].chance]);
	if (attr[HCA_NL_FAULT_SLOW_VL] && attr[HCA_NL_FAULT_SLOW_VL_RATE]) {
		fault->slow_vl = nla_get_u32(attr[HCA_NL_FAULT_SLOW_VL]);
		fault->slow_rate = nla_get_u32(attr[HCA_NL_FAULT_SLOW_VL_RATE]);
	}
	read_selection(attr, fault);
	fault->has_seed = has_chance(fault) && attr[HCA_NL_FAULT_SEED];
	if (fault->has_seed)
		fault->seed = nla_get_u32(attr[HCA_NL_FAULT_SEED]);
}

void fault_read(struct nlattr *nest, struct nlattr *shape, struct fault *fault)
{
	uint32_t seed = shape_read(shape, &fault->shape);

	read_faults(nest, fault);
	if (fault->has_seed || !shape_has_chance(&fault->shape))
		return;
	fault->has_seed = true;
	fault->seed = seed;
}

static bool same_selection(const struct fault *one, const struct fault *other)
{
	return !memcmp(&one->opcodes, &other->opcodes, sizeof(one->opcodes)) &&
	       one->has_qpn == other->has_qpn && one->qpn == other->qpn &&
	       one->has_psn == other->has_psn && one->psn == other->psn &&
	       one->has_nth == other->has_nth && one->nth == other->nth &&
	       one->has_count == other->has_count && one->count == other->count;
}

bool is_as_wanted(const struct fault *present, const struct fault *wanted)
{
	return !memcmp(present->chance, wanted->chance, sizeof(wanted->chance)) &&
	       present->slow_vl == wanted->slow_vl && present->slow_rate == wanted->slow_rate &&
	       same_selection(present, wanted) &&
	       shape_is_same(&present->shape, &wanted->shape) &&
	       (!wanted->has_seed || present->seed == wanted->seed);
}

static void print_selection(FILE *file, const struct fault *fault)
{
	char *opcodes = fault_opcodes_text(&fault->opcodes);

	if (*opcodes)
		fprintf(file, " opcode %s", opcodes);
	free(opcodes);
	if (fault->has_qpn)
		fprintf(file, " qpn %" PRIu32, fault->qpn);
	if (fault->has_psn)
		fprintf(file, " psn %" PRIu32, fault->psn);
	if (fault->has_nth)
		fprintf(file, " nth %" PRIu32, fault->nth);
	if (fault->has_count)
		fprintf(file, " count %" PRIu32, fault->count);
}

void print_fault_line(FILE *file, const struct fault *fault)
{
	char text[PROBABILITY_TEXT];
	int i;

	fprintf(file, "link set %s %s", fault->link.a.text, fault->link.b.text);
	if (is_none(fault))
		fputs(" none", file);
	for (i = 0; i < NUM_FAULT_KINDS; i++)
		if (fault->chance[i])
			fprintf(file, " %s %s", fault_kinds[i].name,
				probability_format(fault->chance[i], text));
	if (fault->slow_rate)
		fprintf(file, " slow-vl %" PRIu32 ":%" PRIu32, fault->slow_vl, fault->slow_rate);
	print_selection(file, fault);
	if (fault->has_seed)
		fprintf(file, " seed %" PRIu32, fault->seed);
	shape_print(file, &fault->shape);
	fprintf(file, " from %s\n", fault_sender(fault)->text);
}
