// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl rnic: commands that only RNICs have. */
#include "tools/ctl/noun/device.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/noun/rnic_fault.h"
#include "tools/ctl/noun/rnic_setting.h"
#include "tools/ctl/setup.h"
#include "tools/ctl/status.h"

static int rnic_parse_setting(const struct command *command, char **args,
			      struct rnic_setting *setting)
{
	*setting = (struct rnic_setting){ .name = parse_argument(command, &args, "NAME") };
	return setting->name ? rnic_fault_parse(command, args, &setting->fault) : STATUS_USAGE;
}

static int rnic_set(const struct command *command, char **args, const struct options *options)
{
	struct rnic_setting setting;

	(void)options;
	return rnic_parse_setting(command, args, &setting) ?: rnic_setting_make(&setting);
}

static int rnic_set_plan(const struct command *command, char **args, struct setup *setup)
{
	struct rnic_setting setting;
	int status = rnic_parse_setting(command, args, &setting);

	if (!status && setting.fault.qpn)
		status = usage_error(command, "in a file, faults are those of all queue pairs");
	if (!status)
		setup_add_rnic_setting(setup, &setting);
	return status;
}

enum { SET, SHOW };

static const char set_help[] =
	"  Have an RNIC, or one of its queue pairs, send wrong octets, or cut or stall\n"
	"  connections, in place of what was set before. Without qp it is all queue\n"
	"  pairs, those that come later too, and each of them counts for itself.\n"
	"  qp N        only the queue pair of that number\n"
	"  none        no faults any more\n"
	"  corrupt     one bit of a header or of data is inverted, the CRC is as before\n"
	"  bad-crc     one bit of the CRC is inverted\n"
	"  bad-marker  a marker is wrong, and the CRC is right; only FPDUs with a marker\n"
	"  field       a field of the header gets the value, and the CRC is right:\n"
	"              tagged, last, dv, rv, opcode; of tagged segments stag, to; of\n"
	"              others qn, msn, mo\n"
	"  cut N       the connection is reset behind N octets of an FPDU\n"
	"  stall N     nothing is sent or received for N ms behind an FPDU\n"
	"  refuse      a frame of connection set-up is not valid, which has no opcode, by\n"
	"              its key, its revision, or its length of private data\n"
	"  opcode      only FPDUs of that message: rdma-write, rdma-read-request,\n"
	"              rdma-read-response, send, send-with-invalidate, send-with-se,\n"
	"              send-with-se-and-invalidate, terminate; or a number\n"
	"  nth N       only each Nth of these FPDUs\n"
	"  once        no more when one has been hit\n"
	"  seed N      the same seed inverts the same bits of the same FPDUs\n";

static const struct command commands[] = {
	[SET] = {
		.name = "set",
		.path = "rnic set",
		.arguments = "NAME [qp N] fault {none | {corrupt | bad-crc | bad-marker | "
			     "field NAME VALUE | cut N | stall N | "
			     "refuse {key | revision | length}} "
			     "[opcode NAME] [nth N] [once] [seed N]}",
		.help = set_help,
		.kind = HCA_NL_TYPE_RNIC,
		.run = rnic_set,
		.plan = rnic_set_plan,
	},
	[SHOW] = {
		.name = "show",
		.alias = "list",
		.path = "rnic show",
		.arguments = "[NAME]",
		.help = "  Show all RNICs or one, with interfaces, options, faults and live objects.\n",
		.kind = HCA_NL_TYPE_RNIC,
		.run = device_show,
	},
	{}
};

const struct noun rnic_noun = { .name = "rnic", .commands = commands, .alone = &commands[SHOW] };
