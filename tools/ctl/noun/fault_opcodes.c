// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The packets that a fault is about, by opcode or by class: its text, its netlink attributes. */
#include "tools/ctl/noun/fault_opcodes.h"
#include <assert.h>
#include <linux/hca_netlink.h>
#include <netlink/attr.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/grammar.h"
#include "tools/ctl/kernel/request.h"

static_assert(OPCODES_OCTETS == HCA_NL_OPCODES_OCTETS, "a list has all opcodes of a bitmap");

static const struct opcode_class classes[] = {
	{ "data", HCA_NL_CLASS_DATA },
	{ "smp", HCA_NL_CLASS_SMP },
	{ "flow", HCA_NL_CLASS_FLOW },
	{ NULL, 0 }
};

/* Makes a list of the default classes empty, so that one setting has one form. */
static void opcodes_normalize(struct opcodes *opcodes)
{
	if (opcodes->classes == (HCA_NL_CLASS_DATA | HCA_NL_CLASS_SMP))
		opcodes->classes = 0;
}

int fault_opcodes_parse(const struct command *command, const char *text, struct opcodes *opcodes)
{
	struct opcodes_error error;
	char *nearest;
	int status;

	*opcodes = (struct opcodes){};
	if (!text)
		return 0;
	if (opcodes_parse(text, strlen(text), classes, opcodes, &error)) {
		opcodes_normalize(opcodes);
		return 0;
	}
	if (!error.is_unknown)
		return usage_error(command, "opcode '%s': %.*s%s%s", text, (int)error.length,
				   text + error.at, error.length ? " " : "", error.what);
	nearest = opcodes_suggest(text + error.at, error.length, classes);
	status = usage_error(command, "'%.*s' %s%s", (int)error.length, text + error.at,
			     error.what, nearest);
	free(nearest);
	return status;
}

void fault_opcodes_put(struct request *request, const struct opcodes *opcodes)
{
	char *text = fault_opcodes_text(opcodes);

	if (opcodes->classes)
		request_put_octets(request, HCA_NL_FAULT_CLASSES, "opcode", text,
				   &opcodes->classes, sizeof(opcodes->classes));
	if (!opcodes_is_empty(opcodes))
		request_put_octets(request, HCA_NL_FAULT_OPCODES, "opcode", text, opcodes->octets,
				   sizeof(opcodes->octets));
	free(text);
}

void fault_opcodes_read(struct nlattr **attr, struct opcodes *opcodes)
{
	const char *name = attr[HCA_NL_FAULT_OPCODE] ? nla_get_string(attr[HCA_NL_FAULT_OPCODE]) :
						       NULL;
	struct opcodes_error error;

	*opcodes = (struct opcodes){};
	if (name && !opcodes_parse(name, strlen(name), classes, opcodes, &error))
		*opcodes = (struct opcodes){};
	if (attr[HCA_NL_FAULT_OPCODES])
		nla_memcpy(opcodes->octets, attr[HCA_NL_FAULT_OPCODES], sizeof(opcodes->octets));
	if (attr[HCA_NL_FAULT_CLASSES] && opcodes_is_empty(opcodes))
		opcodes->classes = nla_get_u32(attr[HCA_NL_FAULT_CLASSES]) & HCA_NL_CLASS_ALL;
	opcodes_normalize(opcodes);
}

char *fault_opcodes_text(const struct opcodes *opcodes)
{
	return opcodes_text(opcodes, classes);
}
