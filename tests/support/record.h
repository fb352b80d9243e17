/* Runs that are recorded without MPI: forked ranks that tell the recorder what
 * wrappers would.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_RECORD_H
#define PD_TEST_RECORD_H

#include "tests/support/folders.h"
#include "record/stream/pd-rec.h"
#include "tests/support/fork-mpi.h"
#include "traces/program/pd-program.h"

/* Functions, by the numbers that the recorder knows them by. */
enum
{
  INIT,
  SEND,
  RECV,
  ISEND,
  IRECV,
  WAIT,
  WAITALL,
  BARRIER,
  ALLREDUCE,
  SPLIT,
  IBCAST,
  PCONTROL,
  PUT,
  WIN_CREATE,
  FENCE,
  FINALIZE,
};

/* A folder of its own for each test, and an environment that names it. */
typedef struct
{
  char *top;
  char *folder;
  char *archive;
  char *clock;
} TestRecord;

void test_record_set_up (TestRecord *self, gconstpointer data);
void test_record_tear_down (TestRecord *self, gconstpointer data);
/* What PREDICTOR_RECORD_CLOCK names. */
void test_record_set_clock (TestRecord *self, const char *text);
/* Whether the recording's folder has a file of that name. */
gboolean test_record_has (TestRecord *self, const char *name);
/* Runs ranks that all end well. */
void test_record_run (int size, TestRank rank, gpointer data);
/* The archive, which is fine. */
PdProgram *test_record_read (TestRecord *self);
/* Its text form. */
char *test_record_text (TestRecord *self);
/* Makes the archive of the streams. How many ranks' events end early. */
guint test_record_finish (TestRecord *self);
/* Blocking collective operations of a rank. */
guint64 test_record_count (const PdProgram *program, guint32 rank);
/* The lines of @expected are in @text, in that order. */
void test_assert_lines (const char *text, const char *expected);

/* ---- what wrappers do, in a rank */

/* Whether recording is on; MPI_Init has been recorded then. */
gboolean test_record_begin (const PdRecMpi *mpi);
/* A call whose times are those of the clock; @place: (nullable): a return address. */
void test_record_call (uint16_t function, void *place);
/* MPI_Finalize. */
void test_record_end (void);

/* A run of two ranks with a bit of everything; with @data it dies before
 * MPI_Finalize. Under that clock the text is as follows. */
int test_record_two (const PdRecMpi *mpi, gpointer data);
#define TEST_CLOCK_OF_TWO "0 times 0 1000 3000 5000\n1 times 500 1000 2000 7000\n"
extern const char test_record_text_of_two[];

#endif
