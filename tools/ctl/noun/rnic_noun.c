// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl rnic: commands that only RNICs have. */
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/device.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/noun/rnic_fault.h"
#include "tools/ctl/status.h"

static int rnic_set(const struct command *command, char **args, const struct options *options)
{
	const char *name = parse_argument(command, &args, "NAME");
	struct request *request;
	struct rnic_fault fault;
	int status;

	(void)options;
	if (!name)
		return STATUS_USAGE;
	status = rnic_fault_parse(command, args, &fault);
	if (status)
		return status;
	request = request_new(HCA_CMD_DEVICE_SET, "rnic set %s", name);
	request_put_string(request, HCA_NL_DEVICE_NAME, "name", name);
	request_put_number(request, HCA_NL_DEVICE_TYPE, "type", HCA_NL_TYPE_RNIC);
	rnic_fault_put(request, &fault);
	return request_do(request, NULL, NULL);
}

enum { SET, SHOW };

static const char set_help[] =
	"  Have an RNIC, or one of its queue pairs, send wrong octets, or cut or stall\n"
	"  connections, in place of what was set before. Without qp it is all queue pairs,\n"
	"  those that come later too, and each of them counts for itself.\n"
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
