// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Names of classes, methods and attributes of MADs. */
#include "mad.h"
#include <stddef.h>
#include "compat.h"
#include "tools/lib/append.h"

enum {
	CLASS_SUBN_LID = 0x01,
	CLASS_SA = 0x03,
	CLASS_PERF = 0x04,
	CLASS_CM = 0x07,
	CLASS_SUBN_DIRECTED = 0x81,
	CLASS_ANY = 0,
	DIRECTION = 0x8000, /* direction bit in the status field of a directed route SMP */
};

struct mad mad_parse(const u8 *octets)
{
	struct mad mad = {
		.class = octets[1],
		.method = octets[3],
		.status = get_unaligned_be16(octets + 4),
		.tid = get_unaligned_be64(octets + 8),
		.attribute = get_unaligned_be16(octets + 16),
		.modifier = get_unaligned_be32(octets + 20),
		.is_directed = octets[1] == CLASS_SUBN_DIRECTED,
	};

	if (mad.is_directed) {
		mad.is_returning = mad.status & DIRECTION;
		mad.status &= ~DIRECTION;
		mad.hop_pointer = octets[6];
		mad.hop_count = octets[7];
	}
	return mad;
}

struct name {
	u8 class;
	u16 number;
	const char *name;
};

static const struct name classes[] = {
	{ CLASS_ANY, CLASS_SUBN_LID, "Subn" },
	{ CLASS_ANY, CLASS_SUBN_DIRECTED, "Subn" },
	{ CLASS_ANY, CLASS_SA, "SubnAdm" },
	{ CLASS_ANY, CLASS_PERF, "Perf" },
	{ CLASS_ANY, 0x05, "BM" },
	{ CLASS_ANY, 0x06, "DevMgt" },
	{ CLASS_ANY, CLASS_CM, "Com" },
	{ CLASS_ANY, 0x08, "SNMP" },
	{ CLASS_ANY, 0x21, "CC" },
	{}
};

static const struct name methods[] = {
	{ CLASS_SA, 0x12, "GetTable" },
	{ CLASS_SA, 0x92, "GetTableResp" },
	{ CLASS_SA, 0x13, "GetTraceTable" },
	{ CLASS_SA, 0x14, "GetMulti" },
	{ CLASS_SA, 0x94, "GetMultiResp" },
	{ CLASS_SA, 0x15, "Delete" },
	{ CLASS_SA, 0x95, "DeleteResp" },
	{ CLASS_ANY, 0x01, "Get" },
	{ CLASS_ANY, 0x02, "Set" },
	{ CLASS_ANY, 0x03, "Send" },
	{ CLASS_ANY, 0x05, "Trap" },
	{ CLASS_ANY, 0x06, "Report" },
	{ CLASS_ANY, 0x07, "TrapRepress" },
	{ CLASS_ANY, 0x81, "GetResp" },
	{ CLASS_ANY, 0x86, "ReportResp" },
	{}
};

static const struct name attributes[] = {
	{ CLASS_SUBN_LID, 0x10, "NodeDescription" },
	{ CLASS_SUBN_LID, 0x11, "NodeInfo" },
	{ CLASS_SUBN_LID, 0x12, "SwitchInfo" },
	{ CLASS_SUBN_LID, 0x14, "GUIDInfo" },
	{ CLASS_SUBN_LID, 0x15, "PortInfo" },
	{ CLASS_SUBN_LID, 0x16, "P_KeyTable" },
	{ CLASS_SUBN_LID, 0x17, "SLtoVLMappingTable" },
	{ CLASS_SUBN_LID, 0x18, "VLArbitrationTable" },
	{ CLASS_SUBN_LID, 0x19, "LinearForwardingTable" },
	{ CLASS_SUBN_LID, 0x1a, "RandomForwardingTable" },
	{ CLASS_SUBN_LID, 0x1b, "MulticastForwardingTable" },
	{ CLASS_SUBN_LID, 0x20, "SMInfo" },
	{ CLASS_SUBN_LID, 0x30, "VendorDiag" },
	{ CLASS_SUBN_LID, 0x31, "LedInfo" },
	{ CLASS_SA, 0x11, "NodeRecord" },
	{ CLASS_SA, 0x12, "PortInfoRecord" },
	{ CLASS_SA, 0x13, "SLtoVLMappingTableRecord" },
	{ CLASS_SA, 0x14, "SwitchInfoRecord" },
	{ CLASS_SA, 0x15, "LinearForwardingTableRecord" },
	{ CLASS_SA, 0x17, "MulticastForwardingTableRecord" },
	{ CLASS_SA, 0x18, "SMInfoRecord" },
	{ CLASS_SA, 0x20, "LinkRecord" },
	{ CLASS_SA, 0x30, "GuidInfoRecord" },
	{ CLASS_SA, 0x31, "ServiceRecord" },
	{ CLASS_SA, 0x33, "P_KeyTableRecord" },
	{ CLASS_SA, 0x35, "PathRecord" },
	{ CLASS_SA, 0x36, "VLArbitrationTableRecord" },
	{ CLASS_SA, 0x38, "MCMemberRecord" },
	{ CLASS_SA, 0x39, "TraceRecord" },
	{ CLASS_SA, 0x3a, "MultiPathRecord" },
	{ CLASS_SA, 0xf3, "InformInfoRecord" },
	{ CLASS_PERF, 0x10, "PortSamplesControl" },
	{ CLASS_PERF, 0x11, "PortSamplesResult" },
	{ CLASS_PERF, 0x12, "PortCounters" },
	{ CLASS_PERF, 0x15, "PortRcvErrorDetails" },
	{ CLASS_PERF, 0x16, "PortXmitDiscardDetails" },
	{ CLASS_PERF, 0x1d, "PortCountersExtended" },
	{ CLASS_CM, 0x10, "ConnectRequest" },
	{ CLASS_CM, 0x11, "MsgRcptAck" },
	{ CLASS_CM, 0x12, "ConnectReject" },
	{ CLASS_CM, 0x13, "ConnectReply" },
	{ CLASS_CM, 0x14, "ReadyToUse" },
	{ CLASS_CM, 0x15, "DisconnectRequest" },
	{ CLASS_CM, 0x16, "DisconnectReply" },
	{ CLASS_CM, 0x17, "ServiceIDResReq" },
	{ CLASS_CM, 0x18, "ServiceIDResReqResp" },
	{ CLASS_CM, 0x19, "LoadAlternatePath" },
	{ CLASS_CM, 0x1a, "AlternatePathResponse" },
	{ CLASS_ANY, 0x01, "ClassPortInfo" },
	{ CLASS_ANY, 0x02, "Notice" },
	{ CLASS_ANY, 0x03, "InformInfo" },
	{}
};

/*
 * Finds the name of a method or attribute by its number. Both classes of subnet management, LID
 * routed and directed route, have the same names.
 */
static const char *name_find(const struct name *names, u8 class, u16 number)
{
	if (class == CLASS_SUBN_DIRECTED)
		class = CLASS_SUBN_LID;
	for (; names->name; names++)
		if (names->number == number &&
		    (names->class == CLASS_ANY || names->class == class))
			return names->name;
	return NULL;
}

const char *mad_class_name(const struct mad *mad)
{
	const struct name *name;

	for (name = classes; name->name; name++)
		if (name->number == mad->class)
			return name->name;
	return NULL;
}

const char *mad_method_name(const struct mad *mad)
{
	return name_find(methods, mad->class, mad->method);
}

const char *mad_attribute_name(const struct mad *mad)
{
	return name_find(attributes, mad->class, mad->attribute);
}

static size_t add_named(char *text, size_t used, const char *name, u32 number)
{
	return name ? text_append(text, MAD_TEXT_OCTETS, used, "%s", name) :
		      text_append(text, MAD_TEXT_OCTETS, used, "0x%02x", number);
}

const char *mad_text(const struct mad *mad, char *text)
{
	size_t used = add_named(text, 0, mad_class_name(mad), mad->class);

	used = add_named(text, used, mad_method_name(mad), mad->method);
	used = text_append(text, MAD_TEXT_OCTETS, used, "(");
	used = add_named(text, used, mad_attribute_name(mad), mad->attribute);
	text_append(text, MAD_TEXT_OCTETS, used, ")");
	return text;
}
