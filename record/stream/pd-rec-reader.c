/* Reader of raw streams, which may be damaged or made up: each record is checked
 * against what came before it.
 * SPDX-License-Identifier: MIT */
#include "record/stream/pd-rec-reader.h"
#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-report.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FOR_NAMES 8192

typedef int (*Check) (PdRecReader *self, const PdRecRecord *record);

/* ---- checks of a record; 0 = fine */

static int
check_function (PdRecReader *self, const PdRecRecord *r)
{
  if (r->a < self->n_functions || r->a >= self->head->n_functions || r->n_data == 0)
    return -1;
  self->n_functions = r->a + 1u;
  self->defined[r->a / 8] |= (uint8_t) (1u << r->a % 8);
  return 0;
}

static int
check_module (PdRecReader *self, const PdRecRecord *r)
{
  return r->b != ++self->n_modules || r->n_data == 0;
}

static int
check_stack (PdRecReader *self, const PdRecRecord *r)
{
  uint32_t module = PD_REC_HI (r->words[0]);

  return PD_REC_LO (r->words[0]) > self->n_stacks || module == 0 || module > self->n_modules
         || r->b != ++self->n_stacks;
}

/* @n ranks of the world, or none. */
static int
check_members (const PdRecReader *self, const PdRecRecord *r, uint64_t n)
{
  if (r->n_data != 0 && r->n_data != n * sizeof (int32_t))
    return -1;
  for (uint64_t i = 0; i < r->n_data / sizeof (int32_t); i++)
    {
      int32_t rank;
      memcpy (&rank, r->data + i * sizeof rank, sizeof rank);
      if (rank < 0 || rank >= self->head->size)
        return -1;
    }
  return 0;
}

static int
check_comm (PdRecReader *self, const PdRecRecord *r)
{
  uint32_t parent = PD_REC_LO (r->words[1]), n = PD_REC_HI (r->words[1]);

  return r->b != self->n_comms++ || r->words[0] == 0 || n == 0 || n > (uint32_t) self->head->size
         || (parent != PD_REC_COMM_NONE && parent >= r->b) || check_members (self, r, n) != 0;
}

static int
check_inter (PdRecReader *self, const PdRecRecord *r)
{
  uint64_t a = PD_REC_LO (r->words[1]), b = PD_REC_HI (r->words[1]);

  return r->b != self->n_comms++ || r->words[0] == 0 || a == 0 || b == 0
         || a + b > (uint64_t) self->head->size || check_members (self, r, a + b) != 0;
}

static int
check_window (PdRecReader *self, const PdRecRecord *r)
{
  return r->b != self->n_windows++ || r->words[0] == 0 || r->words[1] >= self->n_comms;
}

static int
check_file (PdRecReader *self, const PdRecRecord *r)
{
  return r->b != self->n_files++ || r->words[0] == 0 || r->words[1] >= self->n_comms;
}

static int
check_comm_name (PdRecReader *self, const PdRecRecord *r)
{
  return r->b >= self->n_comms;
}

static int
check_group (PdRecReader *self, const PdRecRecord *r)
{
  uint64_t n = r->n_data / sizeof (int32_t);

  return r->b != self->n_groups++ || check_members (self, r, n) != 0;
}

static int
check_call (PdRecReader *self, const PdRecRecord *r)
{
  if ((self->defined[r->a / 8] >> r->a % 8 & 1) == 0 || r->b > self->n_stacks
      || r->words[0] < self->last || r->words[1] < r->words[0])
    return -1;
  self->last = r->words[1];
  self->has_call = 1;
  return 0;
}

static int
check_message (PdRecReader *self, const PdRecRecord *r)
{
  int32_t peer = (int32_t) PD_REC_LO (r->words[0]), tag = (int32_t) PD_REC_HI (r->words[0]);
  int32_t least = r->kind == PD_REC_POSTED ? PD_REC_ANY : 0;
  int has_request =
      r->kind == PD_REC_ISENT || r->kind == PD_REC_POSTED || r->kind == PD_REC_ARRIVED;

  return !self->has_call || r->b >= self->n_comms || peer < least || tag < least
         || peer >= self->head->size || r->a > PD_REC_READY
         || (has_request && (r->words[2] == 0 || r->words[2] > UINT32_MAX));
}

static int
check_request (PdRecReader *self, const PdRecRecord *r)
{
  return !self->has_call || r->b == 0;
}

static int
check_collective (PdRecReader *self, const PdRecRecord *r)
{
  int32_t root = (int32_t) PD_REC_LO (r->words[0]);

  return !self->has_call || r->a >= PD_REC_N_OPS || r->b >= self->n_comms || root < PD_REC_ROOT_NULL
         || root >= self->head->size;
}

static int
check_neighbours (PdRecReader *self, const PdRecRecord *r)
{
  return !self->has_call || r->b >= self->n_groups || r->words[0] >= self->n_groups;
}

static int
check_access_end (PdRecReader *self, const PdRecRecord *r)
{
  return !self->has_call || r->b >= self->n_windows || r->words[0] == 0 || r->words[0] > UINT32_MAX;
}

static int
check_one_sided (PdRecReader *self, const PdRecRecord *r)
{
  int32_t target = (int32_t) PD_REC_LO (r->words[0]);
  int of_group = r->a >= PD_REC_POST && r->a <= PD_REC_WAIT;

  if (!self->has_call || r->a >= PD_REC_N_RMA || r->b >= self->n_windows)
    return -1;
  return of_group ? PD_REC_LO (r->words[0]) >= self->n_groups
                  : target < PD_REC_ALL || target >= self->head->size;
}

static int
check_file_work (PdRecReader *self, const PdRecRecord *r)
{
  int what = PD_REC_FILE_WHAT (r->a);

  return !self->has_call || what >= PD_REC_N_FILE_WORKS || (r->a & ~(0xff | PD_REC_FILE_ALL)) != 0
         || r->b >= self->n_files || r->words[0] > UINT32_MAX
         || (what == PD_REC_FILE_ENDED && r->words[0] == 0);
}

static int
check_control (PdRecReader *self, const PdRecRecord *r)
{
  (void) r;
  return !self->has_call;
}

static int
check_switch (PdRecReader *self, const PdRecRecord *r)
{
  if (r->a != self->is_paused || r->words[0] < self->last)
    return -1;
  self->is_paused = !self->is_paused;
  self->last = r->words[0];
  self->has_call = 0;
  return 0;
}

/* Processor time does not go back. */
static int
check_processor (PdRecReader *self, const PdRecRecord *r)
{
  if (r->a >= PD_REC_N_OF)
    return -1;
  for (int i = 0; i < 2; i++)
    {
      if (r->words[i] == 0)
        continue;
      if (r->words[i] < self->processor[r->a])
        return -1;
      self->processor[r->a] = r->words[i];
    }
  self->has_call = 0;
  return 0;
}

static const struct
{
  const char *name;
  unsigned words;
  int is_definition;
  Check check;
} kinds[PD_REC_N_KINDS] = {
  [PD_REC_DEF_FUNCTION] = { "a function", 1, 1, check_function },
  [PD_REC_DEF_MODULE] = { "a module", 1, 1, check_module },
  [PD_REC_DEF_STACK] = { "a call stack", 3, 1, check_stack },
  [PD_REC_DEF_COMM] = { "a communicator", 3, 1, check_comm },
  [PD_REC_DEF_INTER] = { "an inter-communicator", 3, 1, check_inter },
  [PD_REC_DEF_WINDOW] = { "a window", 3, 1, check_window },
  [PD_REC_DEF_FILE] = { "a file", 3, 1, check_file },
  [PD_REC_DEF_COMM_NAME] = { "a name", 1, 1, check_comm_name },
  [PD_REC_DEF_GROUP] = { "a group", 1, 1, check_group },
  [PD_REC_CALL] = { "a call", 3, 0, check_call },
  [PD_REC_SENT] = { "a send", 3, 0, check_message },
  [PD_REC_ISENT] = { "a send", 4, 0, check_message },
  [PD_REC_RECEIVED] = { "a receive", 3, 0, check_message },
  [PD_REC_POSTED] = { "a receive", 4, 0, check_message },
  [PD_REC_ARRIVED] = { "a receive's end", 4, 0, check_message },
  [PD_REC_SEND_ENDED] = { "a send's end", 1, 0, check_request },
  [PD_REC_COLL_ENDED] = { "an operation's end", 4, 0, check_collective },
  [PD_REC_RMA_ENDED] = { "a one-sided operation's end", 2, 0, check_access_end },
  [PD_REC_RMA_TESTED] = { "a tested request", 2, 0, check_access_end },
  [PD_REC_WAS_CANCELLED] = { "a cancelled request", 1, 0, check_request },
  [PD_REC_WAS_TESTED] = { "a tested request", 1, 0, check_request },
  [PD_REC_COLLECTIVE] = { "a collective operation", 4, 0, check_collective },
  [PD_REC_NEIGHBOURS] = { "neighbours", 2, 0, check_neighbours },
  [PD_REC_ONE_SIDED] = { "a one-sided operation", 4, 0, check_one_sided },
  [PD_REC_FILE_WORK] = { "work on a file", 4, 0, check_file_work },
  [PD_REC_CONTROL] = { "MPI_Pcontrol", 2, 0, check_control },
  [PD_REC_SWITCH] = { "a switch", 2, 0, check_switch },
  [PD_REC_PROCESSOR] = { "processor time", 3, 0, check_processor },
};

/* ---- the stream */

int
pd_rec_reader_init (PdRecReader *self, const char *name, const void *bytes, uint64_t n,
                    PdRecError *error)
{
  const PdRecHead *head = bytes;

  *self = (PdRecReader){ .head = head, .name = name, .words = bytes, .n_comms = 2 };
  self->n = n / 8;
  self->next = PD_REC_HEAD_BYTES / 8;
  if (n < PD_REC_HEAD_BYTES || memcmp (head->magic, PD_REC_MAGIC, sizeof head->magic) != 0)
    return pd_rec_fail (error, "%s: not a stream of the recorder, or one of another version", name);
  if (head->byte_order != PD_REC_BYTE_ORDER)
    return pd_rec_fail (error, "%s: recorded on a machine of another byte order", name);
  if (head->size < 1 || head->size > (int32_t) PD_REC_MAX_RANKS || head->rank < 0
      || head->rank >= head->size)
    return pd_rec_fail (error, "%s: rank %d of %d, expected at most %u ranks", name, head->rank,
                        head->size, PD_REC_MAX_RANKS);
  if (head->n_functions > UINT16_MAX + 1u || head->n_offsets > 2 || head->reason >= PD_REC_N_REASONS
      || head->entered > head->n_functions || head->thread >= PD_REC_MAX_THREADS
      || head->clock >= PD_REC_N_CLOCKS || memchr (head->host, '\0', sizeof head->host) == NULL)
    return pd_rec_fail (error, "%s: the head of this stream is damaged", name);
  if (head->cut != 0 && head->cut / 8 < self->n)
    self->n = head->cut / 8;
  return 0;
}

void
pd_rec_reader_clear (PdRecReader *self)
{
  free (self->data);
  self->data = NULL;
  self->data_room = self->n_data = 0;
}

static int
damaged (const PdRecReader *self, const char *expected, PdRecError *error)
{
  return pd_rec_fail (error, "%s: byte %llu: expected %s", self->name,
                      (unsigned long long) self->next * 8, expected);
}

static int
keep_data (PdRecReader *self, const PdRecRecord *record, PdRecError *error)
{
  uint64_t most = ROOM_FOR_NAMES + (uint64_t) self->head->size * sizeof (int32_t);

  if (record->b == 0 || self->n_data + record->b > most)
    return damaged (self, "fewer bytes of a definition", error);
  if (self->n_data + record->b > self->data_room)
    {
      uint64_t room = 2 * (self->n_data + record->b);
      char *data = realloc (self->data, room);
      if (data == NULL)
        return pd_rec_fail (error, "%s: out of memory", self->name);
      self->data = data;
      self->data_room = room;
    }
  memcpy (self->data + self->n_data, record->words, record->b);
  self->n_data += record->b;
  return 0;
}

/* Steps behind the record; @words: how long it is. */
static int
take (PdRecReader *self, PdRecRecord *record, unsigned words, PdRecError *error)
{
  if (words != kinds[record->kind].words)
    return damaged (self, "as many words as this record has", error);
  record->data = self->data;
  record->n_data = self->n_data;
  if (self->n_data > 0 && !kinds[record->kind].is_definition)
    return damaged (self, "the definition of the data before", error);
  if (kinds[record->kind].check (self, record) != 0)
    return damaged (self, kinds[record->kind].name, error);
  self->n_data = 0;
  self->next += words;
  return 1;
}

int
pd_rec_reader_next (PdRecReader *self, PdRecRecord *record, PdRecError *error)
{
  while (self->next < self->n)
    {
      uint64_t first = self->words[self->next];
      unsigned words = first >> 8 & 0xff;
      uint64_t used = (first & 0xff) == PD_REC_PAD ? PD_REC_HI (first) : words;
      if (first == 0)
        return 0;
      if ((first & 0xff) >= PD_REC_N_KINDS || (first & 0xff) == PD_REC_END || used == 0)
        return damaged (self, "a record", error);
      if (used > self->n - self->next)
        return 0; /* cut off in the middle */
      *record = (PdRecRecord){ .kind = (PdRecKind) (first & 0xff),
                               .a = (uint16_t) (first >> 16),
                               .b = PD_REC_HI (first),
                               .words = self->words + self->next + 1,
                               .at = self->next * 8 };
      if (record->kind != PD_REC_PAD && record->kind != PD_REC_DATA)
        return take (self, record, words, error);
      if (record->kind == PD_REC_DATA
          && (record->b > (words - 1) * 8 || keep_data (self, record, error) != 0))
        return damaged (self, "data that fit into their record", error);
      self->next += used;
    }
  return 0;
}
