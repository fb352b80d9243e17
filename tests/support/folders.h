/* Folders that tests make.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_FOLDERS_H
#define PD_TEST_FOLDERS_H

#include <glib.h>

/**
 * test_remove_all:
 * Removes a file, or a folder with all that is in it.
 */
void test_remove_all (const char *path);

/**
 * test_count_entries:
 * Returns: how many files and folders are in the folder @path, which exists.
 */
guint test_count_entries (const char *path);

#endif
