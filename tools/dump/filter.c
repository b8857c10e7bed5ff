// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Compiles and evaluates filters. The grammar is
 *     either  = both { "or" both }
 *     both    = one { [ "and" ] one }
 *     one     = "not" one | "(" either ")" | simple
 *     simple  = field number [ "-" number ] | "opcode" list | "port" name | flag
 * where a list is one of tools/lib/opcodes.h, without blanks, or one of RDMAP's messages. A filter
 * is compiled to an array of nodes in which operands precede their operator.
 */
#include "filter.h"
#include <stdlib.h>
#include <string.h>
#include "filter_values.h"
#include "tools/lib/opcodes.h"

#define MAX_DEPTH 64

enum node_kind {
	NODE_OR, NODE_AND, NODE_NOT, NODE_FIELD, NODE_OPCODE, NODE_MESSAGE, NODE_PORT, NODE_FLAG,
};

struct node {
	enum node_kind kind;
	size_t left, right;
	const struct filter_field *field;
	const struct filter_flag *flag;
	u64 low, high;
	struct opcodes opcodes;
	u32 messages; /* of RDMAP, a bit for each opcode */
	char port[FILTER_PORT_OCTETS];
};

struct filter {
	struct node *node; /* the last node is the root */
	size_t num_nodes;
};

/* --- tokens -------------------------------------------------------------------------------- */

struct parser {
	const char *text;
	size_t at, length; /* offset and length of the current token in @text */
	unsigned int depth;
	struct filter *filter;
	struct filter_error *error;
};

static bool is_blank(char c)
{
	return c && strchr(" \t\n", c);
}

static bool ends_token(char c)
{
	return !c || is_blank(c) || c == '(' || c == ')';
}

static void next_token(struct parser *p)
{
	const char *text = p->text;

	p->at += p->length;
	while (is_blank(text[p->at]))
		p->at++;
	p->length = 0;
	while (!ends_token(text[p->at + p->length]))
		p->length++;
	if (!p->length && text[p->at])
		p->length = 1; /* a parenthesis is a token */
}

static bool is_token(const struct parser *p, const char *token)
{
	return p->length == strlen(token) && !strncmp(p->text + p->at, token, p->length);
}

static bool accept_token(struct parser *p, const char *token)
{
	if (!is_token(p, token))
		return false;
	next_token(p);
	return true;
}

/* Reports an error in @length octets of the current token, beginning at its octet @offset. */
static bool wrong_part(struct parser *p, size_t offset, size_t length, const char *what)
{
	*p->error = (struct filter_error){ what, p->at + offset, length };
	return false;
}

static bool filter_wrong(struct parser *p, const char *what)
{
	return wrong_part(p, 0, p->length, what);
}

/* --- nodes -------------------------------------------------------------------------------- */

/* Adds a node. Return: its index. */
static size_t add_node(struct filter *filter, const struct node *node)
{
	struct node *more = realloc(filter->node, (filter->num_nodes + 1) * sizeof(*more));

	if (!more)
		abort();
	filter->node = more;
	more[filter->num_nodes] = *node;
	return filter->num_nodes++;
}

static bool parse_either(struct parser *p, size_t *node);

/*
 * Parses a number of at most @max at offset *at of the current token, and advances *at past the
 * number.
 */
static bool parse_number(struct parser *p, size_t *at, u64 max, u64 *value)
{
	const char *start = p->text + p->at + *at;
	size_t left = p->length - *at, length;
	char *end;

	if (!left || *start < '0' || *start > '9')
		return filter_wrong(p, p->length ? "is not a number" : "a number is missing");
	*value = strtoull(start, &end, left > 1 && start[1] == 'x' ? 16 : 10);
	length = end - start;
	if (length > left)
		return filter_wrong(p, "is not a number");
	if (*value > max)
		return wrong_part(p, *at, length, "is too large");
	*at += length;
	return true;
}

static bool parse_range(struct parser *p, struct node *node)
{
	u64 max = node->field->max;
	size_t at = 0;

	if (!parse_number(p, &at, max, &node->low))
		return false;
	node->high = node->low;
	if (at < p->length) {
		if (p->text[p->at + at++] != '-')
			return filter_wrong(p, "is not a number");
		if (!parse_number(p, &at, max, &node->high))
			return false;
		if (at < p->length)
			return filter_wrong(p, "is not a range of numbers");
	}
	if (node->low > node->high && !node->field->is_circle)
		return filter_wrong(p, "is an empty range");
	next_token(p);
	return true;
}

static bool parse_opcode(struct parser *p, struct node *node)
{
	struct opcodes_error error;

	if (!p->length)
		return filter_wrong(p, "an opcode is missing");
	node->messages = filter_parse_messages(p->text + p->at, p->length);
	if (node->messages) {
		node->kind = NODE_MESSAGE;
		next_token(p);
		return true;
	}
	if (!opcodes_parse(p->text + p->at, p->length, NULL, &node->opcodes, &error))
		return wrong_part(p, error.at, error.length, error.what);
	next_token(p);
	return true;
}

static bool parse_port(struct parser *p, struct node *node)
{
	if (!p->length || is_token(p, "(") || is_token(p, ")"))
		return filter_wrong(p, p->length ? "is not a port" : "a port is missing");
	if (p->length >= sizeof(node->port))
		return filter_wrong(p, "is too long");
	memcpy(node->port, p->text + p->at, p->length);
	next_token(p);
	return true;
}

static bool parse_flag(struct parser *p, struct node *node)
{
	const struct filter_flag *flag;

	for (flag = filter_flags; flag->name; flag++)
		if (accept_token(p, flag->name)) {
			node->kind = NODE_FLAG;
			node->flag = flag;
			return true;
		}
	return filter_wrong(p, p->length ? "is not known here" : "something is missing");
}

static bool parse_field(struct parser *p, struct node *node)
{
	const struct filter_field *field;

	for (field = filter_fields; field->name; field++)
		if (accept_token(p, field->name)) {
			node->kind = NODE_FIELD;
			node->field = field;
			return parse_range(p, node);
		}
	return parse_flag(p, node);
}

static bool parse_simple(struct parser *p, size_t *result)
{
	static const struct {
		const char *keyword;
		enum node_kind kind;
		bool (*parse)(struct parser *p, struct node *node);
	} names[] = { { "opcode", NODE_OPCODE, parse_opcode }, { "port", NODE_PORT, parse_port } };
	bool (*parse)(struct parser *p, struct node *node) = parse_field;
	struct node node = {};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names) && parse == parse_field; i++)
		if (accept_token(p, names[i].keyword)) {
			node.kind = names[i].kind;
			parse = names[i].parse;
		}
	if (!parse(p, &node))
		return false;
	*result = add_node(p->filter, &node);
	return true;
}

static bool parse_one(struct parser *p, size_t *result)
{
	struct node node = { .kind = NODE_NOT };
	bool ok;

	if (++p->depth > MAX_DEPTH)
		return filter_wrong(p, "is too deep");
	if (accept_token(p, "not")) {
		ok = parse_one(p, &node.left);
		if (ok)
			*result = add_node(p->filter, &node);
	} else if (accept_token(p, "(")) {
		ok = parse_either(p, result);
		if (ok && !accept_token(p, ")"))
			ok = filter_wrong(p, p->length ? "is not a ')'" : "a ')' is missing");
	} else {
		ok = parse_simple(p, result);
	}
	p->depth--;
	return ok;
}

static bool parse_both(struct parser *p, size_t *result)
{
	struct node node = { .kind = NODE_AND };

	if (!parse_one(p, result))
		return false;
	while (accept_token(p, "and") || (p->length && !is_token(p, "or") && !is_token(p, ")"))) {
		node.left = *result;
		if (!parse_one(p, &node.right))
			return false;
		*result = add_node(p->filter, &node);
	}
	return true;
}

static bool parse_either(struct parser *p, size_t *result)
{
	struct node node = { .kind = NODE_OR };

	if (!parse_both(p, result))
		return false;
	while (accept_token(p, "or")) {
		node.left = *result;
		if (!parse_both(p, &node.right))
			return false;
		*result = add_node(p->filter, &node);
	}
	return true;
}

struct filter *filter_compile(const char *text, struct filter_error *error)
{
	struct filter *filter = calloc(1, sizeof(*filter));
	struct parser p = { .text = text, .filter = filter, .error = error };
	size_t root;
	bool ok;

	if (!filter)
		abort();
	next_token(&p);
	ok = parse_either(&p, &root);
	if (ok && p.length)
		ok = filter_wrong(&p, "is one too many");
	if (ok)
		return filter;
	filter_free(filter);
	return NULL;
}

void filter_free(struct filter *filter)
{
	if (filter)
		free(filter->node);
	free(filter);
}

/* --- packets ------------------------------------------------------------------------------ */

static bool in_range(const struct node *node, u64 value)
{
	if (node->low <= node->high)
		return node->low <= value && value <= node->high;
	return node->low <= value || value <= node->high;
}

static bool field_matches(const struct node *node, const struct packet *packet)
{
	u64 value[FILTER_MAX_VALUES];
	unsigned int n = node->field->get(packet, value);

	while (n)
		if (in_range(node, value[--n]))
			return true;
	return false;
}

static bool node_matches(const struct filter *filter, size_t index, const struct packet *packet)
{
	const struct node *node = &filter->node[index];

	switch (node->kind) {
	case NODE_OR:
		return node_matches(filter, node->left, packet) ||
		       node_matches(filter, node->right, packet);
	case NODE_AND:
		return node_matches(filter, node->left, packet) &&
		       node_matches(filter, node->right, packet);
	case NODE_NOT:
		return !node_matches(filter, node->left, packet);
	case NODE_FIELD:
		return field_matches(node, packet);
	case NODE_OPCODE:
		return filter_has_bth(packet) && opcodes_has(&node->opcodes, packet->h.bth.opcode);
	case NODE_MESSAGE:
		return packet->is_stream && packet->fpdu.has_header &&
		       node->messages >> packet->fpdu.opcode & 1;
	case NODE_PORT:
		return filter_is_port(packet, node->port);
	case NODE_FLAG:
		return node->flag->test(packet);
	}
	return false;
}

bool filter_matches(const struct filter *filter, const struct packet *packet)
{
	return node_matches(filter, filter->num_nodes - 1, packet);
}

bool filter_names_flow(const struct filter *filter)
{
	size_t i;

	for (i = 0; i < filter->num_nodes; i++)
		if (filter->node[i].kind == NODE_FLAG && filter->node[i].flag->is_flow)
			return true;
	return false;
}

u32 filter_marks(const struct filter *filter)
{
	u32 marks = 0;
	size_t i;

	for (i = 0; i < filter->num_nodes; i++)
		if (filter->node[i].kind == NODE_FLAG)
			marks |= filter->node[i].flag->marks;
	return marks;
}
