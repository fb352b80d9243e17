/* A statistics file of the DVM system made by hand: 2 processors, 3 intervals each, 60 KB a
 * processor. Times in ms; of processor 1 where they differ in brackets:
 *
 *   SEQ st.fdv:6, the whole program: computation of all 1 + 1, output 4 [0]
 *     USER st.fdv:16 [2]: computation of all 0.5 + 0.5; 10 reductions, 3 [4], of it 1
 *       synchronisation; edges, 2
 *       PAR st.fdv:19, 20 times: iterations, 10 [12]; 0.5 of messages of an ordered loop; mapping
 *         0.1 + 0.1
 * SPDX-License-Identifier: MIT */
#ifndef TEST_STATISTICS_H
#define TEST_STATISTICS_H

#include <glib.h>

typedef struct
{
  gboolean big; /* the most significant byte first */
  guint size_l; /* of long */
  guint size_v; /* of pointers */
  guint threads;
  gboolean compressed; /* a zlib stream for each processor */
} TestStatisticsForm;

/* Returns: (transfer full): the file. */
GBytes *test_statistics_new (const TestStatisticsForm *form);

#endif
