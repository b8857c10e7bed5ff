#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# usage: tests/docs/vendor_err.py
#
# Whether the ABI, the core's statuses, the library's texts and the manual page say the same of each value of vendor_err.
# Prints what differs.

import re


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def values():
    body = re.search(r'^enum hca_vendor_err \{(.*?)^\};', read('kernel/uapi/rdma/hca-abi.h'), re.M | re.S)[1]
    value = -1
    for name, given in re.findall(r'HCA_VENDOR_ERR_(\w+)(?: = (\w+))?,', body):
        value = int(given, 0) if given else value + 1
        if name != 'NONE':
            yield name, value


def of_sources():
    statuses = dict(re.findall(r'E\((\w+)\) = IB(_WC_\w+),', read('kernel/qp/vendor_err.c')))
    texts = dict(re.findall(r'E\((\w+)\) = "(.*)",', read('libhca/vendor_err.c')))
    return {f'{value:#04x} {name} IBV{statuses.get(name)} {texts.get(name)}' for name, value in values()}


def of_page():
    status = None
    for line in read('man/hcadv_vendor_err_str.3').splitlines():
        if line.startswith('.Ss '):
            status = line[4:]
        elif line.startswith('.It '):
            value, name, text = line[4:].split(' Ta ')
            yield f'{value} {name} {status} {text}'


if __name__ == '__main__':
    sources, page = of_sources(), set(of_page())
    for line in sorted(sources ^ page):
        print('only of the page:' if line in page else 'not of the page:', line)
    if not sources:
        print('there is no value of vendor_err')
