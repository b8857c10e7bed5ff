# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # what ./run has set
# The lists of files that a Send and an SDP write go through.

python3 "$docs/lives.py" 2>&1 | holds 'ARCHITECTURE.md: the files of a Send and of an SDP write are those of their functions, and as many'
