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
	"  Have an RNIC, or one of its queue pairs, send wrong octets, in place of what\n"
	"  was set before. Without qp it is all queue pairs, those that come later too,\n"
	"  and each of them counts for itself. Frames of connection set-up stay right.\n"
	"  qp N     only the queue pair of that number\n"
	"  none     no faults any more\n"
	"  corrupt  one bit of a header or of data is inverted, the CRC is as before\n"
	"  bad-crc  one bit of the CRC is inverted\n"
	"  field    a field of the header gets the value, and the CRC is right: tagged,\n"
	"           last, dv, rv, opcode; of tagged segments stag, to; of others qn, msn,\n"
	"           mo\n"
	"  opcode   only FPDUs of that message: rdma-write, rdma-read-request,\n"
	"           rdma-read-response, send, send-with-invalidate, send-with-se,\n"
	"           send-with-se-and-invalidate, terminate; or a number\n"
	"  nth N    only each Nth of these FPDUs\n"
	"  once     no more when one has been hit\n"
	"  seed N   the same seed inverts the same bits of the same FPDUs\n";

static const struct command commands[] = {
	[SET] = {
		.name = "set",
		.path = "rnic set",
		.arguments = "NAME [qp N] fault {none | {corrupt | bad-crc | field NAME VALUE} "
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
