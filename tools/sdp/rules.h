/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rules that choose between SDP and TCP for the sockets of a program. */
#ifndef HCA_TOOLS_SDP_RULES_H
#define HCA_TOOLS_SDP_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define SDP_RULES_MAX 256
/* size in octets of a pattern of program names, with the NUL at its end */
#define SDP_RULE_PROGRAM 64
#define SDP_RULES_TEXT 65536 /* largest size of a file of rules in octets */

/**
 * enum sdp_use - the protocol that a socket uses
 * @SDP_USE_SDP: SDP
 * @SDP_USE_TCP: TCP
 * @SDP_USE_BOTH: SDP, or TCP if the peer cannot be reached by SDP
 * @SDP_USE_MAP: SDP if the port mapper accepts, and the peer can be reached by SDP; otherwise TCP
 */
enum sdp_use { SDP_USE_SDP, SDP_USE_TCP, SDP_USE_BOTH, SDP_USE_MAP };

/**
 * enum sdp_role - the use of a socket; the values are bits, because a rule may match both uses
 * @SDP_ROLE_SERVER: the socket listens
 * @SDP_ROLE_CLIENT: the socket connects
 */
enum sdp_role { SDP_ROLE_SERVER = 1, SDP_ROLE_CLIENT = 2 };

/**
 * struct sdp_rule - one rule
 * @use: protocol of the sockets that match
 * @roles: bits of enum sdp_role, the uses of the sockets that match
 * @program: fnmatch() pattern of a program's name without folders
 * @family: AF_INET or AF_INET6; AF_UNSPEC: addresses of both families match
 * @address: address of @family, in network byte order
 * @prefix: number of leading bits of @address that must be equal
 * @first: lowest port that matches
 * @last: highest port that matches
 */
struct sdp_rule {
	enum sdp_use use;
	unsigned int roles;
	char program[SDP_RULE_PROGRAM];
	int family;
	uint8_t address[16];
	unsigned int prefix;
	uint16_t first, last;
};

/**
 * struct sdp_rules_mapper - the port mapper for clients with SDP_USE_MAP
 * @family: AF_INET or AF_INET6; AF_UNSPEC: the port mapper has the address of the service
 * @address: address of @family, in network byte order
 * @port: UDP port of the port mapper; 0: the default port
 */
struct sdp_rules_mapper {
	int family;
	uint8_t address[16];
	uint16_t port;
};

/**
 * struct sdp_rules - the rules of a file
 * @rules: the rules, in the order of the file
 * @count: number of rules
 * @otherwise: protocol of a socket that does not match any rule
 * @mapper: the port mapper
 */
struct sdp_rules {
	struct sdp_rule rules[SDP_RULES_MAX];
	unsigned int count;
	enum sdp_use otherwise;
	struct sdp_rules_mapper mapper;
};

/**
 * struct sdp_rules_error - an error in a text of rules
 * @line: number of the line, counted from 1
 * @text: message that says what is wrong, and what would be right
 */
struct sdp_rules_error {
	unsigned int line;
	char text[256];
};

/**
 * sdp_rules_parse() - parse rules
 * @rules: set to the rules; @rules->otherwise does not change
 * @text: lines "use sdp|tcp|both|map server|client|* PROGRAM ADDRESS[/PREFIX]:PORT[-PORT]", and at
 *        most one line "mapper ADDRESS:PORT"; # begins a comment
 * @error: set if the text is wrong
 *
 * Return: whether the text is correct.
 */
bool sdp_rules_parse(struct sdp_rules *rules, const char *text, struct sdp_rules_error *error);

/**
 * sdp_rules_select() - remove the rules that do not apply to a program
 * @rules: the rules
 * @program: name of the program without folders
 */
void sdp_rules_select(struct sdp_rules *rules, const char *program);

/**
 * sdp_rules_find() - find the protocol of a socket by the first rule that matches the socket
 * @rules: the rules of the program, selected by sdp_rules_select()
 * @role: the use of the socket
 * @address: own address of a server, or address of a client's peer, of AF_INET or AF_INET6. An
 *           IPv4-mapped IPv6 address counts as an IPv4 address.
 *
 * The function does not allocate memory.
 *
 * Context: any, including signal handlers.
 */
enum sdp_use sdp_rules_find(const struct sdp_rules *rules, enum sdp_role role,
			    const struct sockaddr *address);

/**
 * sdp_rules_are_total() - whether all sockets of the program certainly use one protocol
 * @rules: the rules of the program, selected by sdp_rules_select()
 * @use: set to that protocol if the function returns true
 */
bool sdp_rules_are_total(const struct sdp_rules *rules, enum sdp_use *use);

#endif
