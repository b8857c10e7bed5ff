#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: tests/docs/errors.py
#
# Whether hca-errors(7) has the values of vendor_err below the statuses that they belong to, the numbers of these statuses
# that libibverbs has, the drop reasons of kernel/trace/drop.h in their order, and the names of those of NAKs, which the ABI and
# hcactl have as well. Prints what differs.

import re

from vendor_err import read, values

PAGE = read('man/hca-errors.7')


def compare(what, sources, page):
    if not sources:
        print(f'{what}: there is none')
    for item in sorted(set(sources) ^ set(page)):
        print(f'{what}: {"only" if item in page else "not"} in the page: {item}')
    if len(page) != len(set(page)):
        print(f'{what}: the page has one twice')


def errors_of_sources():
    statuses = dict(re.findall(r'E\((\w+)\) = IB(_WC_\w+),', read('kernel/qp/vendor_err.c')))
    return [f'IBV{statuses.get(name)} {value:#04x} {name}' for name, value in values()]


def errors_of_page():
    status = None
    for line in PAGE.splitlines():
        heading = re.match(r'\.Ss (IBV_WC_\w+) ', line)
        status = heading[1] if heading else status
        if line.startswith('.It 0x'):
            yield from (f'{status} {error}' for error in line[4:].split(' , '))


# The members of the enum are numbered from 0.
def numbers_of_libibverbs():
    body = re.search(r'^enum ibv_wc_status \{(.*?)^\};', read('/usr/include/infiniband/verbs.h'), re.M | re.S)[1]
    return [f'{name} ({number})' for number, name in enumerate(re.findall(r'IBV_WC_\w+', body))]


def reasons_of_sources():
    return re.findall(r'REASON\(\w+, "(.*)"\)', read('kernel/trace/drop.h'))


def reasons_of_page():
    reasons = PAGE.split('.Sh DROP REASONS')[1].split('.Sh EXAMPLES')[0]
    return [reason.replace('\\(aq', "'") for reason in re.findall(r'^\.It Dq (.*)$', reasons, re.M)]


# Each reason of a NAK: its name and text.
def naks_of_sources():
    return re.findall(r'REASON\(NAK_(\w+), "(.*)"\)', read('kernel/trace/drop.h'))


def naks_of_page():
    named = re.findall(r'^\.It Dq (NAK: .*)\n\.Va nak_reason\n(\w+)\.$', PAGE, re.M)
    return [(name, text.replace('\\(aq', "'")) for text, name in named]


# The names of the reasons in the ABI, and in hcactl.
def naks_of(path, pattern):
    return [(name, dict(naks_of_sources()).get(name)) for name in re.findall(pattern, read(path), re.M)]


compare('NAK', naks_of_sources(), naks_of_page())
for path, pattern in (('kernel/uapi/rdma/hca-abi.h', r'^\tHCA_NAK_REASON_(?!NONE)(\w+),'),
                      ('tools/ctl/noun/resource_fields.c', r'\{ HCA_NAK_REASON_(\w+), "\1" \}')):
    if naks_of(path, pattern) != naks_of_sources():
        print(f'NAK: {path} has other reasons, or another order')
compare('vendor_err', errors_of_sources(), list(errors_of_page()))
numbered = re.findall(r'^\.Ss (IBV_WC_\w+ \(\d+\))$', PAGE, re.M)
compare('status', [status for status in numbers_of_libibverbs() if status in numbered], numbered)
compare('drop reason', reasons_of_sources(), reasons_of_page())
if reasons_of_sources() != reasons_of_page():
    print('drop reasons: the order differs')
