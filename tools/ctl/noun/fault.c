// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * hcactl link set: sets the faults of cables (such as loss), their shape (such as delay and rate
 * limit), and the supported rates of ports.
 */
#include "tools/ctl/noun/fault.h"
#include <string.h>
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/fault_netlink.h"
#include "tools/ctl/noun/fault_opcodes.h"
#include "tools/ctl/noun/fault_value.h"
#include "tools/ctl/noun/link.h"
#include "tools/ctl/noun/shape.h"
#include "tools/ctl/status.h"
#include "tools/lib/number.h"
#include "tools/lib/probability.h"

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

static int fault_parse(const struct command *command, char **args, struct setting *setting)
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

static int fault_send(const struct setting *setting)
{
	const struct link *link = &setting->faults[0].link;
	struct request *request = request_new(HCA_CMD_LINK_SET, "link set %s%s%s", link->a.text,
					      link->b.text ? " " : "", link->b.text ?: "");
	int i;

	link_put(request, link);
	for (i = 0; i < setting->count; i++) {
		const struct fault *fault = &setting->faults[i];

		if (setting->is_given)
			fault_put(request, fault);
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
	return fault_send(&(struct setting){ .faults = { *fault }, .count = 1, .is_given = true });
}

int fault_remove(const struct fault *fault)
{
	return fault_make(&(struct fault){ .link = fault->link, .from_b = fault->from_b });
}

int fault_run(const struct command *command, char **args, const struct options *options)
{
	struct setting setting;
	int status = fault_parse(command, args, &setting);

	(void)options;
	return status ?: fault_send(&setting);
}

int fault_plan(const struct command *command, char **args, struct setup *setup)
{
	struct setting setting;
	int i, status = fault_parse(command, args, &setting);

	if (!status && setting.rate.width)
		status = usage_error(command, "in a file, width and speed are of link add");
	else if (!status && !setting.faults[0].link.b.text)
		status = usage_error(command, "the port B is missing");
	for (i = 0; !status && i < setting.count; i++)
		setup_add_fault(setup, &setting.faults[i]);
	return status;
}
