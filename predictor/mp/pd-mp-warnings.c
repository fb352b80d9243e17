/* Warnings of the interpreter. The order in which ranks meet their causes depends on the
 * simulation; the messages must not.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "predictor/mp/pd-mp-place-private.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-warnings.h"

#include <string.h>

typedef struct
{
  const char *id;
  const char *subject;
  const char *text;
  PdMpPlace place; /* the first one: of the lowest rank its first; only the step at first */
  guint32 rank;
  guint64 count;
} Note;

struct _PdMpWarnings
{
  GArray *notes;     /* Note */
  GHashTable *index; /* subject -> 1 + the last note about it */
};

PdMpWarnings *
pd_mp_warnings_new (void)
{
  PdMpWarnings *self = g_new0 (PdMpWarnings, 1);

  self->notes = g_array_new (FALSE, FALSE, sizeof (Note));
  self->index = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
pd_mp_warnings_free (PdMpWarnings *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->notes);
  g_hash_table_unref (self->index);
  g_free (self);
}

static gboolean
is_about (const Note *note, const char *id, const char *subject, const char *text)
{
  return strcmp (note->id, id) == 0 && strcmp (note->subject, subject) == 0
         && strcmp (note->text, text) == 0;
}

/* Of one subject there is rarely more than one kind. */
static Note *
find (PdMpWarnings *self, const char *id, const char *subject, const char *text)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, subject));
  Note note = { .id = id, .subject = subject, .text = text, .rank = G_MAXUINT32 };

  for (guint i = known; i > 0; i--)
    if (is_about (&g_array_index (self->notes, Note, i - 1), id, subject, text))
      return &g_array_index (self->notes, Note, i - 1);
  g_array_append_val (self->notes, note);
  g_hash_table_insert (self->index, (gpointer) subject, GUINT_TO_POINTER (self->notes->len));
  return &g_array_index (self->notes, Note, self->notes->len - 1);
}

void
pd_mp_note (PdMp *self, guint32 rank, const char *id, const char *subject, const char *text)
{
  Note *note = find (self->notes, id, subject, text);

  note->count++;
  /* a rank meets its own in their order */
  if (rank >= note->rank)
    return;
  note->rank = rank;
  note->place.step = pd_mp_get_step (self, rank);
}

static gint
compare_notes (gconstpointer a, gconstpointer b)
{
  const Note *x = a, *y = b;
  gint order = strcmp (x->id, y->id);

  if (order == 0)
    order = strcmp (x->subject, y->subject);
  return order != 0 ? order : strcmp (x->text, y->text);
}

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const Note *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->place.step < y->place.step ? -1 : x->place.step > y->place.step;
}

/* Each rank is read once. */
static void
find_places (const PdMp *self, GArray *notes)
{
  PdMpPlace place = { 0 };

  g_array_sort (notes, compare_places);
  for (guint i = 0; i < notes->len; i++)
    {
      Note *note = &g_array_index (notes, Note, i);
      if (i == 0 || note->rank != note[-1].rank)
        place = pd_mp_find_place (self, note->rank, note->place.step);
      else
        pd_mp_place_go_on (self, &place, note->rank, note->place.step);
      note->place = place;
    }
}

void
pd_mp_warnings_tell (PdMp *self)
{
  find_places (self, self->notes->notes);
  g_array_sort (self->notes->notes, compare_notes);
  for (guint i = 0; i < self->notes->notes->len; i++)
    {
      const Note *note = &g_array_index (self->notes->notes, Note, i);
      const PdMpPlace *at = &note->place;
      PdPlace place = { .file = at->file != NULL ? at->file : self->options->trace,
                        .line = at->file != NULL ? at->line : 0,
                        .number = (gint64) at->number,
                        .rank = note->rank,
                        .is_mp = TRUE };
      pd_messages_add (self->messages, PD_SEVERITY_WARNING, note->id, note->subject, &place,
                       "'%s' %s", note->subject, note->text);
      if (note->count > 1)
        pd_messages_add_message (self->messages, &(PdMessage){ .severity = PD_SEVERITY_WARNING,
                                                               .id = (char *) note->id,
                                                               .subject = (char *) note->subject,
                                                               .count = note->count - 1 });
    }
}
