/* Records, which go to the stream of the calling thread; no other thread writes to it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-pieces-private.h"
#include "record/stream/pd-rec-stacks.h"
#include "record/stream/pd-rec-stream.h"

#include <stdatomic.h>
#include <string.h>

/* A call whose details do not fit is left out as a whole. */
static int
next_piece (PdRecStream *self, int is_detail)
{
  uint64_t rest = (uint64_t) (self->end + 1 - self->at);
  uint64_t here = pd_rec_pieces_position (self);
  PdRecReason reason;

  if (self == &pd_rec_no_stream)
    return 0;
  atomic_store_explicit ((_Atomic uint64_t *) self->at, PD_REC_FIRST (PD_REC_PAD, 0, 0, rest),
                         memory_order_release);
  pd_rec_pieces_unmap (self);
  reason = pd_rec_pieces_map (self);
  if (reason == PD_REC_RUNNING)
    return 1;
  self->head->cut = is_detail && self->call != 0 ? self->call : here;
  pd_rec_stream_stop (reason);
  return 0;
}

/* Room for @n words; NULL: there is none, and recording has stopped. */
static inline uint64_t *
reserve (unsigned n, int is_detail)
{
  PdRecStream *self = pd_rec_own;

  if (__builtin_expect ((size_t) (self->end - self->at) < n, 0)
      && (pd_rec_state == PD_REC_CLOSED || !next_piece (self, is_detail)))
    return NULL;
  return self->at;
}

static inline void
publish (uint64_t *record, uint64_t first, unsigned n)
{
  atomic_store_explicit ((_Atomic uint64_t *) record, first, memory_order_release);
  pd_rec_own->at = record + n;
}

/* ---- records */

void
pd_rec_entering (uint16_t function, uint64_t t0)
{
  PdRecHead *head = pd_rec_own->head;

  if (pd_rec_state == PD_REC_CLOSED)
    return;
  head->entered = 1u + function;
  head->entered_at = t0;
}

void
pd_rec_processor (int of, uint64_t at_entry, uint64_t at_exit)
{
  uint64_t *w = reserve (3, 0);

  if (w == NULL)
    return;
  w[1] = at_entry;
  w[2] = at_exit;
  publish (w, PD_REC_FIRST (PD_REC_PROCESSOR, 3, of, 0), 3);
}

void
pd_rec_call (uint16_t function, uint32_t stack, uint64_t t0, uint64_t t1)
{
  uint64_t *w = reserve (3, 0);

  if (w == NULL)
    return;
  pd_rec_own->call = pd_rec_pieces_position (pd_rec_own);
  pd_rec_own->last = t1;
  w[1] = t0;
  w[2] = t1;
  publish (w, PD_REC_FIRST (PD_REC_CALL, 3, function, stack), 3);
}

/* A message: @request is written where @n is 4. */
static inline void
put_message (uint64_t first, unsigned n, uint64_t envelope, uint64_t bytes, uint32_t request)
{
  uint64_t *w = reserve (n, 1);

  if (w == NULL)
    return;
  w[1] = envelope;
  w[2] = bytes;
  if (n == 4)
    w[3] = request;
  publish (w, first, n);
}

void
pd_rec_send (int32_t dest, int32_t tag, uint32_t comm, uint64_t bytes, uint32_t request, int mode)
{
  unsigned n = request == 0 ? 3 : 4;

  put_message (PD_REC_FIRST (request == 0 ? PD_REC_SENT : PD_REC_ISENT, n, mode, comm), n,
               PD_REC_PAIR (dest, tag), bytes, request);
}

void
pd_rec_recv (int32_t source, int32_t tag, uint32_t comm, uint64_t bytes, unsigned wildcard)
{
  put_message (PD_REC_FIRST (PD_REC_RECEIVED, 3, wildcard, comm), 3, PD_REC_PAIR (source, tag),
               bytes, 0);
}

void
pd_rec_recv_posted (int32_t source, int32_t tag, uint32_t comm, uint64_t bytes, uint32_t request)
{
  put_message (PD_REC_FIRST (PD_REC_POSTED, 4, 0, comm), 4, PD_REC_PAIR (source, tag), bytes,
               request);
}

void
pd_rec_recv_done (uint32_t request, int32_t source, int32_t tag, uint32_t comm, uint64_t bytes)
{
  put_message (PD_REC_FIRST (PD_REC_ARRIVED, 4, 0, comm), 4, PD_REC_PAIR (source, tag), bytes,
               request);
}

static inline void
put_request (PdRecKind kind, uint32_t request)
{
  uint64_t *w = reserve (1, 1);

  if (w != NULL)
    publish (w, PD_REC_FIRST (kind, 1, 0, request), 1);
}

void
pd_rec_send_done (uint32_t request)
{
  put_request (PD_REC_SEND_ENDED, request);
}

void
pd_rec_cancelled (uint32_t request)
{
  put_request (PD_REC_WAS_CANCELLED, request);
}

void
pd_rec_tested (uint32_t request)
{
  put_request (PD_REC_WAS_TESTED, request);
}

static inline void
put_collective (PdRecKind kind, int op, uint32_t comm, uint64_t root, uint64_t sent,
                uint64_t received)
{
  uint64_t *w = reserve (4, 1);

  if (w == NULL)
    return;
  w[1] = root;
  w[2] = sent;
  w[3] = received;
  publish (w, PD_REC_FIRST (kind, 4, op, comm), 4);
}

static void
put_access_end (PdRecKind kind, uint32_t window, uint32_t request)
{
  uint64_t *w = reserve (2, 1);

  if (w == NULL)
    return;
  w[1] = request;
  publish (w, PD_REC_FIRST (kind, 2, 0, window), 2);
}

void
pd_rec_rma_done (uint32_t window, uint32_t request)
{
  put_access_end (PD_REC_RMA_ENDED, window, request);
}

void
pd_rec_rma_tested (uint32_t window, uint32_t request)
{
  put_access_end (PD_REC_RMA_TESTED, window, request);
}

void
pd_rec_collective (int op, uint32_t comm, int32_t root, uint64_t sent, uint64_t received,
                   uint32_t request)
{
  put_collective (PD_REC_COLLECTIVE, op, comm, PD_REC_PAIR (root, request), sent, received);
}

void
pd_rec_coll_done (int op, uint32_t comm, int32_t root, uint64_t sent, uint64_t received,
                  uint32_t request)
{
  put_collective (PD_REC_COLL_ENDED, op, comm, PD_REC_PAIR (root, request), sent, received);
}

void
pd_rec_neighbours (uint32_t sources, uint32_t targets)
{
  uint64_t *w = reserve (2, 1);

  if (w == NULL)
    return;
  w[1] = targets;
  publish (w, PD_REC_FIRST (PD_REC_NEIGHBOURS, 2, 0, sources), 2);
}

void
pd_rec_rma (const PdRecRma *rma)
{
  uint64_t *w = reserve (4, 1);

  if (w == NULL)
    return;
  w[1] = PD_REC_PAIR (rma->target, rma->request);
  w[2] = rma->sent;
  w[3] = rma->received;
  publish (w, PD_REC_FIRST (PD_REC_ONE_SIDED, 4, rma->what, rma->window), 4);
}

void
pd_rec_file (int what, uint32_t file, uint32_t request, uint64_t asked, uint64_t moved)
{
  uint64_t *w = reserve (4, 1);

  if (w == NULL)
    return;
  w[1] = request;
  w[2] = asked;
  w[3] = moved;
  publish (w, PD_REC_FIRST (PD_REC_FILE_WORK, 4, what, file), 4);
}

void
pd_rec_pcontrol (int level, int64_t id)
{
  uint64_t *w = reserve (2, 1);

  if (w == NULL)
    return;
  w[1] = (uint64_t) id;
  publish (w, PD_REC_FIRST (PD_REC_CONTROL, 2, 0, level), 2);
}

void
pd_rec_put_switch (int on, uint64_t t)
{
  uint64_t *w = reserve (2, 0);

  if (w == NULL)
    return;
  w[1] = t > pd_rec_own->last ? t : pd_rec_own->last;
  publish (w, PD_REC_FIRST (PD_REC_SWITCH, 2, on, 0), 2);
}

void
pd_rec_define (uint64_t first, const uint64_t *words, unsigned n, const void *data, size_t n_data)
{
  const char *rest = data;
  uint64_t *w;

  while (n_data > 0)
    {
      size_t part = n_data < (PD_REC_MAX_WORDS - 1) * 8 ? n_data : (PD_REC_MAX_WORDS - 1) * 8;
      unsigned used = 1 + (unsigned) ((part + 7) / 8);
      w = reserve (used, 1);
      if (w == NULL)
        return;
      memcpy (w + 1, rest, part);
      publish (w, PD_REC_FIRST (PD_REC_DATA, used, 0, part), used);
      rest += part;
      n_data -= part;
    }
  w = reserve (1 + n, 1);
  if (w == NULL)
    return;
  for (unsigned i = 0; i < n; i++)
    w[1 + i] = words[i];
  publish (w, first, 1 + n);
}

/* ---- trials, by the first thread of a rank before anything else */

static uint64_t *trial;

int
pd_rec_trial_begin (size_t n)
{
  if ((size_t) (pd_rec_own->end - pd_rec_own->at) < n)
    return 0;
  trial = pd_rec_own->at;
  return 1;
}

void
pd_rec_trial_end (void)
{
  PdRecStream *self = pd_rec_own;

  memset (trial, 0, (size_t) (self->at - trial) * sizeof *trial);
  self->at = trial;
  self->call = self->last = 0;
  self->head->entered = 0;
  self->head->entered_at = 0;
  pd_rec_stacks_clear ();
}
