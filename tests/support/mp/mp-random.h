/* Random message-passing programs that cannot deadlock, and in which few things happen at
 * the same time.
 * SPDX-License-Identifier: MIT */
#ifndef MP_RANDOM_H
#define MP_RANDOM_H

#include "traces/program/pd-program.h"

/* What is in a program, besides messages, computation, intervals and collectives. */
typedef struct
{
  gboolean no_self; /* no messages to oneself */
  gboolean one_sided;
  gboolean others; /* wildcards, and nonblocking operations */
  gboolean synced; /* only collective operations in which all wait for the last member */
} TestContents;

PdProgram *test_draw_program (guint32 seed, TestContents contents);

#endif
