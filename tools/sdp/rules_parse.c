// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the rules that choose between SDP and TCP for the sockets of a program. */
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tools/lib/number.h"
#include "tools/sdp/rules.h"

#define RULE "use sdp|tcp|both|map server|client|* PROGRAM ADDRESS[/PREFIX]:PORT[-PORT]"
#define MAPPER "mapper ADDRESS:PORT"
#define BLANKS " \t\r"
#define LINE_MAX_OCTETS 256
#define TOKENS 5

/* A line that is being parsed. Each of its tokens ends with a NUL. */
struct line {
	char text[LINE_MAX_OCTETS];
	char *tokens[TOKENS + 1];
	unsigned int count;
	struct sdp_rules_error *error;
};

/* Writes an error message to @line->error. Return: false, which the caller returns, too. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct line *line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(line->error->text, sizeof(line->error->text), format, args);
	va_end(args);
	return false;
}

static bool parse_use(struct line *line, const char *token, struct sdp_rule *rule)
{
	static const char *const names[] = {
		[SDP_USE_SDP] = "sdp",
		[SDP_USE_TCP] = "tcp",
		[SDP_USE_BOTH] = "both",
		[SDP_USE_MAP] = "map",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(token, names[i]))
			continue;
		rule->use = i;
		return true;
	}
	return refuse(line, "'%s' is not sdp, tcp, both or map", token);
}

static bool parse_roles(struct line *line, const char *token, struct sdp_rule *rule)
{
	if (!strcmp(token, "server"))
		rule->roles = SDP_ROLE_SERVER;
	else if (!strcmp(token, "client"))
		rule->roles = SDP_ROLE_CLIENT;
	else if (!strcmp(token, "*"))
		rule->roles = SDP_ROLE_SERVER | SDP_ROLE_CLIENT;
	else
		return refuse(line, "'%s' is not server, client or *", token);
	if (rule->roles == SDP_ROLE_SERVER && rule->use != SDP_USE_SDP && rule->use != SDP_USE_TCP)
		return refuse(line, "'%s' is for clients: a server listens by sdp or by tcp",
			      line->tokens[1]);
	return true;
}

static bool parse_program(struct line *line, const char *token, struct sdp_rule *rule)
{
	if (strlen(token) >= sizeof(rule->program))
		return refuse(line, "'%s' has more than the %zu octets that a program's may have",
			      token, sizeof(rule->program) - 1);
	if (strchr(token, '/'))
		return refuse(line, "'%s' has a folder: the name alone is compared", token);
	strcpy(rule->program, token);
	return true;
}

static bool parse_prefix(struct line *line, const char *token, struct sdp_rule *rule)
{
	unsigned int most = rule->family == AF_INET ? 32 : 128;
	uint64_t prefix = most;

	if (token && !number_parse_range(token, 10, 0, most, &prefix))
		return refuse(line, "'%s' is not the length of a prefix, which is from 0 to %u", token,
			      most);
	rule->prefix = prefix;
	return true;
}

/* Removes the brackets of an IPv6 address. Return: whether there were brackets. */
static bool rules_unbracket(char **token)
{
	size_t length = strlen(*token);

	if (**token != '[' || (*token)[length - 1] != ']')
		return false;
	(*token)[length - 1] = '\0';
	++*token;
	return true;
}

static bool parse_address(struct line *line, char *token, struct sdp_rule *rule)
{
	char *prefix = strchr(token, '/');

	if (prefix)
		*prefix++ = '\0';
	if (!strcmp(token, "*")) {
		rule->family = AF_UNSPEC;
		return !prefix || refuse(line, "'*' has no prefix: it matches all addresses");
	}
	rule->family = rules_unbracket(&token) ? AF_INET6 : AF_INET;
	if (rule->family == AF_INET && strchr(token, ':'))
		return refuse(line, "'%s': an IPv6 address is written in brackets, as [::1]:80",
			      token);
	if (inet_pton(rule->family, token, rule->address) != 1)
		return refuse(line, "'%s' is not an address, such as 10.1.2.3 or [2001:db8::1], and not *",
			      token);
	return parse_prefix(line, prefix, rule);
}

static bool parse_port(struct line *line, const char *token, uint16_t *port)
{
	uint64_t number;

	if (!number_parse_range(token, 10, 0, UINT16_MAX, &number))
		return refuse(line, "'%s' is not a port from 0 to %u, and not *", token, UINT16_MAX);
	*port = number;
	return true;
}

static bool parse_ports(struct line *line, char *token, struct sdp_rule *rule)
{
	char *last = strchr(token, '-');

	if (!strcmp(token, "*")) {
		rule->last = UINT16_MAX;
		return true;
	}
	if (last)
		*last++ = '\0';
	if (!parse_port(line, token, &rule->first) ||
	    !parse_port(line, last ? last : token, &rule->last))
		return false;
	if (rule->first > rule->last)
		return refuse(line, "'%s-%s': the first port is above the last one", token, last);
	return true;
}

static bool parse_endpoint(struct line *line, char *token, struct sdp_rule *rule)
{
	char *port = strrchr(token, ':');

	if (!port || strchr(port, ']'))
		return refuse(line, "'%s' has no port, as in *:80, *:8000-8099 or *:*", token);
	*port++ = '\0';
	return parse_address(line, token, rule) && parse_ports(line, port, rule);
}

static bool parse_rule(struct line *line, struct sdp_rule *rule)
{
	char **tokens = line->tokens;

	*rule = (struct sdp_rule){};
	if (strcmp(tokens[0], "use"))
		return refuse(line, "'%s' is not 'use', with which each rule begins, nor 'mapper'",
			      tokens[0]);
	if (line->count < TOKENS)
		return refuse(line, "nothing is behind '%s'; right is: " RULE,
			      tokens[line->count - 1]);
	if (line->count > TOKENS)
		return refuse(line, "'%s' is too much; right is: " RULE, tokens[TOKENS]);
	return parse_use(line, tokens[1], rule) && parse_roles(line, tokens[2], rule) &&
	       parse_program(line, tokens[3], rule) && parse_endpoint(line, tokens[4], rule);
}

/*
 * Parses the address and port of a port mapper. They have the syntax of a rule, without a prefix
 * and without a range of ports.
 */
static bool parse_mapper(struct line *line, struct sdp_rules_mapper *mapper)
{
	struct sdp_rule rule = {};

	if (line->count != 2)
		return refuse(line, "a mapper has one address with its port; right is: " MAPPER);
	if (mapper->port)
		return refuse(line, "there is a mapper already, and one alone is asked");
	if (strchr(line->tokens[1], '/'))
		return refuse(line, "'%s' has a prefix: one address is asked", line->tokens[1]);
	if (!parse_endpoint(line, line->tokens[1], &rule))
		return false;
	if (!rule.first || rule.first != rule.last)
		return refuse(line, "a mapper has one port, from 1 to %u", UINT16_MAX);
	mapper->family = rule.family;
	memcpy(mapper->address, rule.address, sizeof(mapper->address));
	mapper->port = rule.first;
	return true;
}

/* Copies a line without its comment, and splits it into tokens. */
static bool rules_split(struct line *line, const char *text, size_t length)
{
	char *position;

	if (length >= sizeof(line->text))
		return refuse(line, "the rule has more than the %zu octets that it may have",
			      sizeof(line->text) - 1);
	memcpy(line->text, text, length);
	line->text[length] = '\0';
	line->count = 0;
	for (position = line->text; line->count <= TOKENS; line->count++) {
		position += strspn(position, BLANKS);
		if (!*position)
			break;
		line->tokens[line->count] = position;
		position += strcspn(position, BLANKS);
		if (*position)
			*position++ = '\0';
	}
	return true;
}

static bool parse_line(struct sdp_rules *rules, struct line *line, const char *text)
{
	if (!rules_split(line, text, strcspn(text, "#\n")))
		return false;
	if (!line->count)
		return true;
	if (!strcmp(line->tokens[0], "mapper"))
		return parse_mapper(line, &rules->mapper);
	if (rules->count == SDP_RULES_MAX)
		return refuse(line, "there are more than the %u rules that there may be",
			      SDP_RULES_MAX);
	return parse_rule(line, &rules->rules[rules->count]) && ++rules->count;
}

bool sdp_rules_parse(struct sdp_rules *rules, const char *text, struct sdp_rules_error *error)
{
	struct line line = { .error = error };

	rules->count = 0;
	rules->mapper = (struct sdp_rules_mapper){ .family = AF_UNSPEC };
	for (error->line = 1; *text; error->line++) {
		if (!parse_line(rules, &line, text))
			return false;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return true;
}
