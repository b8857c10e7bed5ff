/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rules that choose between SDP and TCP for the sockets of a program. */
#ifndef HCA_TOOLS_SDP_RULES_H
#define HCA_TOOLS_SDP_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define SDP_RULES_MAX 256
#define SDP_RULE_PROGRAM 64 /* octets of a pattern of program names, with the NUL at its end */
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
 * enum sdp_role - the use of a socket; a rule has one of them, or both
 * @SDP_ROLE_SERVER: listen()
 * @SDP_ROLE_CLIENT: connect()
 */
enum sdp_role { SDP_ROLE_SERVER = 1, SDP_ROLE_CLIENT = 2 };

/**
 * struct sdp_rule - one rule
 * @use: protocol of the sockets that match
 * @roles: enum sdp_role: roles of the sockets that match
 * @program: fnmatch() pattern of a program's name without folders
 * @family: AF_INET, AF_INET6, or AF_UNSPEC: addresses of both match
 * @address: address of @family, in network byte order
 * @prefix: number of bits of @address that must be equal
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
 * @family: AF_INET, AF_INET6, or AF_UNSPEC: the port mapper has the address of the service
 * @address: address of @family, in network byte order
 * @port: UDP port of the port mapper; 0: the usual one
 */
struct sdp_rules_mapper {
	int family;
	uint8_t address[16];
	uint16_t port;
};

/**
 * struct sdp_rules - the rules of a file, in its order
 * @rules: the rules
 * @count: number of rules
 * @otherwise: protocol of a socket that does not match a rule
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
 * @line: number of the line, from 1 on
 * @text: message that tells what is wrong, and what would be right
 */
struct sdp_rules_error {
	unsigned int line;
	char text[256];
};

/**
 * sdp_rules_parse() - parse rules
 * @rules: the place for the rules; @rules->otherwise does not change
 * @text: lines of "use sdp|tcp|both|map server|client|* PROGRAM ADDRESS[/PREFIX]:PORT[-PORT]", and
 *        one of "mapper ADDRESS:PORT"; # begins a comment
 * @error: set if the text is wrong
 *
 * Return: whether the text is right.
 */
bool sdp_rules_parse(struct sdp_rules *rules, const char *text, struct sdp_rules_error *error);

/**
 * sdp_rules_select() - remove the rules of other programs
 * @rules: the rules
 * @program: the name of the program, without folders
 */
void sdp_rules_select(struct sdp_rules *rules, const char *program);

/**
 * sdp_rules_find() - the protocol of a socket: that of the first rule that matches
 * @rules: the rules of the program (sdp_rules_select())
 * @role: the use of the socket
 * @address: the server's own address, or that of a client's peer, of AF_INET or AF_INET6. An
 *           IPv4 address that is mapped into IPv6 is an IPv4 address.
 *
 * The function does not allocate memory.
 *
 * Context: any, including signal handlers.
 */
enum sdp_use sdp_rules_find(const struct sdp_rules *rules, enum sdp_role role,
			    const struct sockaddr *address);

/**
 * sdp_rules_are_total() - whether all sockets of the program use one protocol
 * @rules: the rules of the program (sdp_rules_select())
 * @use: set to that protocol, if the result is true
 */
bool sdp_rules_are_total(const struct sdp_rules *rules, enum sdp_use *use);

#endif
