/* The definitions of a rank's stream, as a shorter stream.
 * SPDX-License-Identifier: MIT */
#include "record/archive/pd-rec-merge.h"
#include "record/archive/pd-rec-extract.h"
#include "record/stream/pd-rec-report.h"

#include <stdlib.h>
#include <string.h>

static int
add_words (PdRecExtract *self, const uint64_t *words, uint32_t n)
{
  while (self->n + n > self->room)
    if (pd_rec_make_room (&self->words, &self->room, self->room, sizeof *self->words) != 0)
      return -1;
  if (n > 0)
    memcpy (self->words + self->n, words, n * sizeof *words);
  self->n += n;
  return 0;
}

static int
add_data (PdRecExtract *self, const char *data, uint64_t n)
{
  while (n > 0)
    {
      uint64_t words[PD_REC_MAX_WORDS] = { 0 };
      uint32_t part = n < (PD_REC_MAX_WORDS - 1) * 8 ? (uint32_t) n : (PD_REC_MAX_WORDS - 1) * 8;
      uint32_t used = 1 + (part + 7) / 8;
      words[0] = PD_REC_FIRST (PD_REC_DATA, used, 0, part);
      memcpy (words + 1, data, part);
      if (add_words (self, words, used) != 0)
        return -1;
      data += part;
      n -= part;
    }
  return 0;
}

static int
add_definition (PdRecExtract *self, const PdRecRecord *record, const uint64_t *first)
{
  return add_data (self, record->data, record->n_data) != 0
                 || add_words (self, first, first[0] >> 8 & 0xff) != 0
             ? -1
             : 0;
}

/* Names of functions come before the calls, so they are kept until the end. */
typedef struct
{
  PdRecPool names;
  uint16_t *numbers;
  uint32_t room;
  uint8_t called[8192]; /* a bit per function */
} Functions;

static int
keep_function (Functions *self, const PdRecRecord *record)
{
  /* with the number in front, as names could be the same */
  char text[300] = { 0 };
  size_t n = record->n_data < sizeof text - 3 ? record->n_data : sizeof text - 3;

  memcpy (text, &record->a, 2);
  memcpy (text + 2, record->data, n);
  return pd_rec_pool_add (&self->names, text, n + 2) == PD_REC_NONE ? -1 : 0;
}

static int
add_called (PdRecExtract *self, const Functions *functions)
{
  for (uint32_t i = 0; i < functions->names.n; i++)
    {
      const char *text = pd_rec_pool_get (&functions->names, i);
      uint16_t number;
      memcpy (&number, text, 2);
      if ((functions->called[number / 8] >> number % 8 & 1) == 0)
        continue;
      if (add_data (self, text + 2, strlen (text + 2)) != 0
          || add_words (self, (uint64_t[]){ PD_REC_FIRST (PD_REC_DEF_FUNCTION, 1, number, 0) }, 1)
                 != 0)
        return -1;
    }
  return 0;
}

static int
extract_record (PdRecExtract *self, const PdRecReader *reader, Functions *functions,
                const PdRecRecord *record)
{
  if (record->kind == PD_REC_CALL)
    functions->called[record->a / 8] |= (uint8_t) (1u << record->a % 8);
  if (record->kind == PD_REC_DEF_FUNCTION)
    return keep_function (functions, record);
  return record->kind < PD_REC_CALL ? add_definition (self, record, reader->words + record->at / 8)
                                    : 0;
}

int
pd_rec_extract (PdRecReader *reader, PdRecExtract *extract, int *is_damaged, PdRecError *error)
{
  Functions *functions = calloc (1, sizeof *functions);
  uint32_t entered = reader->head->entered;
  PdRecRecord record;
  int status = functions == NULL ? -1 : 0, found = 1;

  *extract = (PdRecExtract){ 0 };
  *is_damaged = 0;
  if (status == 0 && entered > 0)
    functions->called[(entered - 1) / 8] |= (uint8_t) (1u << (entered - 1) % 8);
  if (status == 0)
    status =
        add_words (extract, (const uint64_t *) (const void *) reader->head, PD_REC_HEAD_BYTES / 8);
  while (status == 0 && (found = pd_rec_reader_next (reader, &record, error)) > 0)
    status = extract_record (extract, reader, functions, &record);
  if (status == 0)
    status = add_called (extract, functions);
  if (status == 0)
    {
      PdRecHead *head = (PdRecHead *) (void *) extract->words;
      head->cut = 0;
      *is_damaged = found < 0;
    }
  if (functions != NULL)
    pd_rec_pool_clear (&functions->names);
  free (functions);
  return status == 0 ? 0 : pd_rec_fail (error, "%s: out of memory", reader->name);
}
