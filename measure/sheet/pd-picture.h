/* A matrix of processes as a picture. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PICTURE_H
#define PD_PICTURE_H

#include <glib.h>

/**
 * pd_picture_matrix:
 * @title: above the picture
 * @values: (array length=n*n): row after row; NaN: a cell without a value
 * @n: at least 1
 *
 * An SVG document: rows and columns are processes, the least value is the lightest, the
 * greatest the darkest. Values are written into cells where there is room, and in any
 * case are what the cells' tool tips say.
 *
 * Returns: (transfer full): the document.
 */
char *pd_picture_matrix (const char *title, const gdouble *values, guint n);

#endif
