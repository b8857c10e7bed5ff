// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Faults of all queue pairs of an RNIC as settings: sends, compares and prints them. */
#include "tools/ctl/noun/rnic_setting.h"
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/rnic_fault.h"

int rnic_setting_make(const struct rnic_setting *setting)
{
	struct request *request = request_new(HCA_CMD_DEVICE_SET, "rnic set %s", setting->name);

	request_put_string(request, HCA_NL_DEVICE_NAME, "name", setting->name);
	request_put_number(request, HCA_NL_DEVICE_TYPE, "type", HCA_NL_TYPE_RNIC);
	rnic_fault_put(request, &setting->fault);
	return request_do(request, NULL, NULL);
}

int rnic_setting_remove(const struct rnic_setting *setting)
{
	return rnic_setting_make(&(struct rnic_setting){ .name = setting->name });
}

bool rnic_setting_is_there(const struct rnic_setting *present, const struct rnic_setting *wanted)
{
	static const struct rnic_fault none = { .kind = HCA_NL_RNIC_FAULT_KIND_NONE };

	return rnic_fault_is_as_wanted(present ? &present->fault : &none, &wanted->fault);
}

void rnic_setting_print(FILE *file, const struct rnic_setting *setting)
{
	fprintf(file, "rnic set %s fault", setting->name);
	rnic_fault_print_arguments(file, &setting->fault);
	fputc('\n', file);
}
