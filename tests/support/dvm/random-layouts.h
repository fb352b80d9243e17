/* Seeded random grids, templates and arrays.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_RANDOM_LAYOUTS_H
#define PD_TEST_RANDOM_LAYOUTS_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/* Both ends included. */
gint64 test_random_between (GRand *random, gint64 low, gint64 high);

/* Rank @rank, 0 = any, and at most 72 processors. */
PdGrid *test_random_system (GRand *random, guint rank);

/* A template of rank 1 to 4 with up to 9 indices per axis: divided, replicated
 * or on one coordinate along each grid dimension; now and then with coordinates
 * that hold nothing. */
PdLayout *test_random_template (GRand *random, PdGrid *grid);

/* An array of rank @rank, 0 = 1 to 4, with up to 6 indices per axis. */
PdLayout *test_random_array (GRand *random, PdLayout *pattern, guint rank);

#endif
