/* The raw streams of this process, one per thread that calls MPI at a time: files that grow
 * piece by piece; the piece being filled is mapped. Blocks are allocated before they are
 * mapped, so a full disk ends the recording and not the program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_THREADS_H
#define PD_REC_THREADS_H

#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-format.h"

#include <stdatomic.h>
#include <stddef.h>

/* The settings of a recording in the environment. */
typedef struct
{
  char folder[1024];
  uint64_t buffer;   /* bytes mapped at once, whole pages */
  uint64_t max_size; /* bytes of the rank's streams */
  uint32_t n_ranks;  /* whose streams share the disk */
  int depth;
  PdRecClock clock;
} PdRecOptions;

typedef struct PdRecStream PdRecStream;

/**
 * pd_rec_stream_open:
 * @path, which ends with ".raw", is made, and begins with @head, which is in the file from
 * then on. It is the stream of the calling thread, the first one of the process.
 */
int pd_rec_stream_open (const char *path, const PdRecHead *head, const PdRecOptions *options,
                        PdRecError *error);

/**
 * pd_rec_stream_take:
 * Gives the calling thread, which has none, a stream: one whose thread has ended, or a new
 * one, which began at @began. A failure ends the recording.
 *
 * Returns: whether it is a new one, which has only a head.
 */
int pd_rec_stream_take (uint64_t began);

extern PdRecStream pd_rec_no_stream;
extern _Thread_local PdRecStream *pd_rec_own __attribute__ ((tls_model ("initial-exec")));

/**
 * pd_rec_has_stream:
 * Whether the calling thread has a stream.
 */
static inline int
pd_rec_has_stream (void)
{
  return __builtin_expect (pd_rec_own != &pd_rec_no_stream, 1) != 0;
}

/**
 * pd_rec_is_first_thread:
 * Whether the calling thread has the stream of the one that called MPI_Init.
 */
int pd_rec_is_first_thread (void);

/**
 * pd_rec_stream_leave:
 * The calling thread ends.
 */
void pd_rec_stream_leave (void);

/**
 * pd_rec_stream_name:
 * (out) @name: the path of the stream of @thread, if that of thread 0 is @path.
 */
void pd_rec_stream_name (char *name, size_t n, const char *path, int thread);

/**
 * pd_rec_stream_head:
 * The head in the file of a stream of this process; NULL: there is none of that number.
 */
PdRecHead *pd_rec_stream_head (int thread);

/**
 * pd_rec_stream_size:
 * Bytes recorded so far by all threads, and how many there may be: the limit, or what the
 * disk has room for.
 */
uint64_t pd_rec_stream_size (uint64_t *limit);

/**
 * pd_rec_stream_stop:
 * Nothing more is recorded by any thread, because of @reason.
 */
void pd_rec_stream_stop (PdRecReason reason);

/**
 * pd_rec_stream_close:
 * The files are complete and closed.
 */
void pd_rec_stream_close (void);

extern _Atomic int pd_rec_state;

/* Streams of this process; several: each is to catch up before each call. */
extern _Atomic int pd_rec_n_streams;

/**
 * pd_rec_stream_catch_up: tells the own stream of pauses that other threads began or
 * ended up to @before, when the call that is recorded next began.
 */
void pd_rec_stream_catch_up (uint64_t before);

/**
 * pd_rec_stream_n_defined: how many communicators and windows the own stream defines.
 */
uint32_t *pd_rec_stream_n_defined (void);

/**
 * pd_rec_is_on: whether calls are recorded; where not, wrappers only call MPI.
 */
static inline int
pd_rec_is_on (void)
{
  return __builtin_expect (atomic_load_explicit (&pd_rec_state, memory_order_relaxed) == PD_REC_ON,
                           1)
         != 0;
}

/**
 * pd_rec_is_open: whether there is a stream, be it paused. New communicators and
 * windows are defined also while paused; calls that complete requests which
 * were recorded should be recorded, too.
 */
static inline int
pd_rec_is_open (void)
{
  return atomic_load_explicit (&pd_rec_state, memory_order_relaxed) != PD_REC_CLOSED;
}

/**
 * pd_rec_switch: MPI_Pcontrol (0) and (1), at @t: recorded calls before and
 * after belong to one stream with a gap. The call itself is recorded before
 * switching off, and after switching on.
 */
void pd_rec_switch (int on, uint64_t t);

#endif
