/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the running program, and the programs that are installed with it. */
#ifndef HCA_TOOLS_BESIDE_H
#define HCA_TOOLS_BESIDE_H

/**
 * path_of_program() - get the path of the running program
 *
 * Return: the path, which the caller frees.
 */
char *path_of_program(void);

/**
 * path_beside() - get the path of a program in the folder of the running one
 * @name: name of the program, which need not exist
 *
 * Return: the path, which the caller frees.
 */
char *path_beside(const char *name);

#endif
