/* Reader of raw streams. Internal to record/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_READER_H
#define PD_REC_READER_H

#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-format.h"

/* A record; of definitions the data that came before. */
typedef struct
{
  PdRecKind kind;
  uint16_t a;
  uint32_t b;
  const uint64_t *words; /* behind the first one */
  const char *data;
  uint64_t n_data;
  uint64_t at; /* where in the stream, in bytes */
} PdRecRecord;

typedef struct
{
  const PdRecHead *head;
  const char *name; /* of the stream, for messages */
  const uint64_t *words;
  uint64_t n;    /* words in all, the head's included */
  uint64_t next; /* word */
  char *data;
  uint64_t n_data;
  uint64_t data_room;
  uint64_t last;                   /* time */
  uint64_t processor[PD_REC_N_OF]; /* time of it, likewise */
  int has_call;                    /* details may follow */
  int is_paused;
  uint8_t defined[8192]; /* a bit per function */
  uint32_t n_functions;  /* the last one defined so far, and 1 */
  uint32_t n_modules;    /* defined so far; likewise: */
  uint32_t n_stacks;
  uint32_t n_comms;
  uint32_t n_windows;
  uint32_t n_files;
  uint32_t n_groups;
} PdRecReader;

/**
 * pd_rec_reader_init:
 * pd_rec_reader_init: @bytes, aligned to 8 and kept, are a stream as in a file;
 * only its head is looked at. 0, or -1 with @error: it is none.
 */
int pd_rec_reader_init (PdRecReader *self, const char *name, const void *bytes, uint64_t n,
                        PdRecError *error);

/**
 * pd_rec_reader_next:
 * pd_rec_reader_next: 1 and a @record, valid until the next call; 0 at the end;
 * -1 with @error if what follows cannot be a record. Numbers in records are those of
 * definitions before, times do not go back, details follow calls.
 */
int pd_rec_reader_next (PdRecReader *self, PdRecRecord *record, PdRecError *error);

/**
 * pd_rec_reader_clear:
 * Frees what it holds, not the stream.
 */
void pd_rec_reader_clear (PdRecReader *self);

#endif
