// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl link: cables between ports. */
#define _GNU_SOURCE
#include "tools/ctl/noun/link.h"
#include <ctype.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/fault.h"
#include "tools/ctl/noun/network.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"

int link_parse_end(const struct command *command, const char *text, struct end *end)
{
	const char *fault = port_name_parse(text, &end->name);

	end->text = text;
	return fault ? usage_error(command, "port '%s' %s; as in hca0/1", text, fault) : 0;
}

int link_parse(const struct command *command, char ***args, struct link *link)
{
	const char *a = parse_argument(command, args, "the port A");
	const char *b = a ? parse_argument(command, args, "the port B") : NULL;

	*link = (struct link){};
	if (!b)
		return STATUS_USAGE;
	return link_parse_end(command, a, &link->a) ?: link_parse_end(command, b, &link->b);
}

/* Parses a port, and the network through which the port is linked. */
static int parse_network(const struct command *command, char **args, struct link *link)
{
	int status;

	*link = (struct link){};
	status = link_parse_end(command, *args, &link->a);
	return status ?: network_parse(command, args + 1, &link->network);
}

int link_parse_rate(const struct command *command, const char *width, const char *speed,
		    struct rate *rate)
{
	char text[RATE_TEXT];
	size_t length, i;

	length = snprintf(text, sizeof(text), "%s%s", width ?: "4x", speed ?: "EDR");
	for (i = 0; i < length && i < sizeof(text); i++)
		if (text[i] != 'x')
			text[i] = toupper((unsigned char)text[i]);
	if (length < sizeof(text) && rate_parse(text, length, rate))
		return 0;
	return usage_error(command, "width '%s' speed '%s' are not as in 4x and EDR; "
			   "there are 1x, 2x, 4x, 8x, 12x, and SDR, DDR, QDR, FDR, EDR, HDR, NDR",
			   width ?: "4x", speed ?: "EDR");
}

/* Parses all arguments as one link. */
static int link_parse_only(const struct command *command, char **args, struct link *link)
{
	enum { WIDTH, SPEED, NUM_KEYWORDS };
	static const char *const keywords[] = { "width", "speed", NULL };
	const char *value[NUM_KEYWORDS];
	int status;

	if (args[0] && args[1] && is_network(args[1]))
		return parse_network(command, args, link);
	status = link_parse(command, &args, link);
	if (!status && !parse_keywords(command, args, keywords, value))
		status = STATUS_USAGE;
	if (!status && (value[WIDTH] || value[SPEED]))
		status = link_parse_rate(command, value[WIDTH], value[SPEED], &link->rate);
	return status;
}

static void put_end(struct request *request, int device_attr, int port_attr, const struct end *end)
{
	char *device = need(strndup(end->text, end->name.device_length));

	request_put_string(request, device_attr, "device", device);
	free(device);
	if (end->name.has_number)
		request_put_number(request, port_attr, "port", end->name.number);
}

void link_put(struct request *request, const struct link *link)
{
	put_end(request, HCA_NL_LINK_DEVICE_A, HCA_NL_LINK_PORT_A, &link->a);
	if (link->b.text)
		put_end(request, HCA_NL_LINK_DEVICE_B, HCA_NL_LINK_PORT_B, &link->b);
}

void link_put_rate(struct request *request, int type, const struct rate *rate)
{
	struct rate_masks masks = rate_to_masks(rate);
	struct nlattr *nest = request_open(request, type);

	request_put_number(request, HCA_NL_RATE_WIDTH, "width", masks.width);
	request_put_number(request, HCA_NL_RATE_SPEED, "speed", masks.speed);
	request_put_number(request, HCA_NL_RATE_SPEED_EXT, "speed", masks.extended);
	request_close(request, nest);
}

struct rate_masks link_read_masks(struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_RATE_MAX + 1];

	if (!nest || nla_parse_nested(attr, HCA_NL_RATE_MAX, nest, NULL) ||
	    !attr[HCA_NL_RATE_WIDTH] || !attr[HCA_NL_RATE_SPEED] || !attr[HCA_NL_RATE_SPEED_EXT])
		return (struct rate_masks){};
	return (struct rate_masks){ nla_get_u32(attr[HCA_NL_RATE_WIDTH]),
				    nla_get_u32(attr[HCA_NL_RATE_SPEED]),
				    nla_get_u32(attr[HCA_NL_RATE_SPEED_EXT]) };
}

static int network_make(const struct link *link)
{
	struct request *request = request_new(HCA_CMD_LINK_ADD, "link add %s %s", link->a.text,
					      network_kind_name(link->network->kind));
	int status;

	put_end(request, HCA_NL_LINK_DEVICE_A, HCA_NL_LINK_PORT_A, &link->a);
	status = network_put(request, link->network);
	if (!status)
		return request_do(request, NULL, NULL);
	request_drop(request);
	return status;
}

int link_make(const struct link *link)
{
	struct request *request;

	if (link->network)
		return network_make(link);
	request = request_new(HCA_CMD_LINK_ADD, "link add %s %s", link->a.text, link->b.text);
	link_put(request, link);
	if (link->rate.width) {
		link_put_rate(request, HCA_NL_LINK_SUPPORTED_A, &link->rate);
		link_put_rate(request, HCA_NL_LINK_SUPPORTED_B, &link->rate);
	}
	return request_do(request, NULL, NULL);
}

int link_delete(const struct link *link)
{
	struct request *request =
		request_new(HCA_CMD_LINK_DEL, "link del %s%s%s", link->a.text,
			    link->b.text ? " " : "", link->b.text ?: "");

	put_end(request, HCA_NL_LINK_DEVICE_A, HCA_NL_LINK_PORT_A, &link->a);
	if (link->b.text)
		put_end(request, HCA_NL_LINK_DEVICE_B, HCA_NL_LINK_PORT_B, &link->b);
	return request_do(request, NULL, NULL);
}

static int link_add(const struct command *command, char **args, const struct options *options)
{
	struct link link;
	int status = link_parse_only(command, args, &link);

	(void)options;
	if (status)
		return status;
	status = link_make(&link);
	network_free(link.network);
	return status;
}

static int link_plan(const struct command *command, char **args, struct setup *setup)
{
	struct link link;
	int status = link_parse_only(command, args, &link);

	if (!status) {
		setup_add_link(setup, &link);
		network_free(link.network);
	}
	return status;
}

/* Parses port a and, if it is given, port b. Further arguments are an error. */
static int parse_one_or_two(const struct command *command, char **args, struct link *link)
{
	const char *a = parse_argument(command, &args, "the port A");
	const char *b = parse_optional_argument(&args);
	int status;

	*link = (struct link){};
	if (!a || !parse_end(command, args))
		return STATUS_USAGE;
	status = link_parse_end(command, a, &link->a);
	if (!status && b)
		status = link_parse_end(command, b, &link->b);
	return status;
}

static int link_del(const struct command *command, char **args, const struct options *options)
{
	struct link link;
	int status = parse_one_or_two(command, args, &link);

	(void)options;
	return status ?: link_delete(&link);
}

/* Runs "link down" and "link up". @down is the value for HCA_NL_LINK_ADMIN_DOWN. */
static int set_admin_down(const struct command *command, char **args, bool down)
{
	struct request *request;
	struct link link;
	int status = parse_one_or_two(command, args, &link);

	if (status)
		return status;
	request = request_new(HCA_CMD_LINK_SET, "%s %s%s%s", command->path, link.a.text,
			      link.b.text ? " " : "", link.b.text ?: "");
	link_put(request, &link);
	request_put_number(request, HCA_NL_LINK_ADMIN_DOWN, "admin-down", down);
	return request_do(request, NULL, NULL);
}

static int link_down(const struct command *command, char **args, const struct options *options)
{
	(void)options;
	return set_admin_down(command, args, true);
}

static int link_up(const struct command *command, char **args, const struct options *options)
{
	(void)options;
	return set_admin_down(command, args, false);
}

#define PORT_HELP "  A port is called DEVICE/PORT, as in hca0/1, or DEVICE if that has but one.\n"

enum { ADD, DEL, SET, DOWN, UP, SHOW };

static const char add_help[] =
	"  Connect the ports A and B by a cable; or link A, over UDP or Ethernet, to a\n"
	"  port of another kernel: the one that is given, or the first that comes.\n"
	"  W     lanes that both ports have: 1x, 2x, 4x, 8x, 12x; if S is given, it is 4x\n"
	"  S     their highest speed: SDR, DDR, QDR, FDR, EDR, HDR, NDR; if W is given,\n"
	"        EDR\n"
	"  PORT  at which to listen; some port if not given\n"
	"  N     the largest MTU that A offers: 256, 512, 1024, 2048; 4096 if not given\n"
	"  FILE  has the key by which frames are authenticated, 16 to 64 octets\n"
	"  NAME  the network namespace, as of ip-netns(8), or a path\n" PORT_HELP;

static const char del_help[] =
	"  Disconnect the cable of port A, or remove its link over a network; with B,\n"
	"  only if there is a cable that leads there.\n" PORT_HELP;

static const char set_help[] =
	"  Have the cable between A and B lose packets, damage them or carry them twice,\n"
	"  take its time or fail now and then, or slow down a VL, in place of what it did\n"
	"  before; of both directions, or of that from PORT. Without B it is that from A,\n"
	"  which is all that a link over a network has, and without slow-vl, delay,\n"
	"  jitter and reorder.\n"
	"  P       a probability: 0.01, 1e-2 or 1%\n"
	"  NAMES   only packets of that opcode, as in rc-send-only, or of those that\n"
	"          begin so, as in rc-ack; or several, as in rc-send,rc-ack; or smp, or\n"
	"          data, which is all but those; or flow, for flow-control packets, which\n"
	"          suffer nothing without it\n"
	"  RATE    Mb/s at which the receiver returns the credits of that VL\n"
	"  qpn N   only packets to the queue pair of that number\n"
	"  psn N   only packets of that number\n"
	"  nth N   only each Nth of these packets\n"
	"  count N no more when so many have been hit; once is count 1\n"
	"  seed N  the same seed makes the same of the same packets; from B it is N + 1\n"
	"  R       what it carries: 10G, 200M; or link, what width and speed make\n"
	"  T       a time: 50us, 10ms, 5s\n"
	"  jitter  a packet takes as much longer or less; packets keep their order\n"
	"  reorder this part of the packets is late, and overtaken\n"
	"  flap    so often the signal is gone, and for so long; ports bear some 9 ms\n"
	"  W, S    as of link add: what PORT, or both, is built for; all else stays as it\n"
	"          is if only these are given\n"
	PORT_HELP;

static const char down_help[] =
	"  Take the link of port A down, as if its cable were pulled, until \"link up\";\n"
	"  with B, only if there is a cable that leads there. The cable keeps its ends,\n"
	"  faults and all.\n"
	PORT_HELP;

static const char up_help[] =
	"  Let the link of port A be trained again, which \"link down\" has taken down;\n"
	"  with B, only if there is a cable that leads there.\n"
	PORT_HELP;

static const char show_help[] =
	"  Show all links. On a terminal, or with --table, it is a table with a line for\n"
	"  each port that has one; otherwise, or with --details, each link with its two\n"
	"  ports, its width and speed, or why it is down, and what it does to packets;\n"
	"  and links over networks, and who is at the other end. With NAME, only those of\n"
	"  that device; with NAME/PORT, as in hca0/1, only that of this port.\n";

static const struct command commands[] = {
	[ADD] = {
		.name = "add",
		.path = "link add",
		.arguments = "A {B [width W] [speed S] | udp [listen PORT] [remote HOST:PORT] "
			     "[mtu N] [key FILE] [netns NAME] | ether INTERFACE [peer MAC] "
			     "[mtu N] [key FILE] [netns NAME]}",
		.help = add_help,
		.run = link_add,
		.plan = link_plan,
	},
	[DEL] = {
		.name = "del",
		.alias = "delete",
		.path = "link del",
		.arguments = "A [B]",
		.help = del_help,
		.run = link_del,
	},
	[SET] = {
		.name = "set",
		.path = "link set",
		.arguments = "A [B] {none | [drop P] [corrupt P] [duplicate P] [slow-vl VL:RATE] "
			     "[opcode NAMES] [qpn N] [psn N] [nth N] [count N | once] [seed N] "
			     "[rate R] [delay T [jitter T]] "
			     "[reorder P] "
			     "[flap every T for T] [width W] [speed S]} [from PORT]",
		.help = set_help,
		.run = fault_run,
		.plan = fault_plan,
	},
	[DOWN] = {
		.name = "down",
		.path = "link down",
		.arguments = "A [B]",
		.help = down_help,
		.run = link_down,
	},
	[UP] = {
		.name = "up",
		.path = "link up",
		.arguments = "A [B]",
		.help = up_help,
		.run = link_up,
	},
	[SHOW] = {
		.name = "show",
		.alias = "list",
		.path = "link show",
		.arguments = "[NAME[/PORT]]",
		.help = show_help,
		.table = true,
		.run = link_show,
	},
	{}
};

const struct noun link_noun = { .name = "link", .commands = commands, .alone = &commands[SHOW] };
