/* The files inside pages: style, scripts and the chart library. tools/make-page-files writes the
 * table when the program is built.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_FILES_PRIVATE_H
#define PD_PAGE_FILES_PRIVATE_H

#include <glib.h>

typedef struct
{
  const char *name;   /* without folders; NULL ends the table */
  const guint8 *data; /* compressed by gzip, in one member */
  gsize n_data;       /* bytes of it */
  gsize size;         /* bytes when decompressed */
} PdPageFile;

extern const PdPageFile pd_page_files[];

/**
 * pd_page_use_files:
 * @files: (nullable): an array that ends without a name, used from now on; %NULL: the program's own
 *
 * For tests, of pages as a program without the chart library writes them.
 */
void pd_page_use_files (const PdPageFile *files);

#endif
