/* Labels are mostly a few letters and a number that counts up: l1, l2, … Those
 * are found in one array per such family, by the number; the others in a hash
 * table. Nothing is cleared between ranks: an entry is valid if it bears the
 * number of the rank.
 * SPDX-License-Identifier: MIT */
#include "traces/goal/pd-goal-labels.h"

#include <string.h>

#define N_FAMILIES 8
#define MAX_PREFIX 15 /* bytes */
#define MAX_DIGITS 9

/* Entries of a family beyond four per operation are not worth their memory. */
#define DENSE_LIMIT(op) (4 * ((guint64) (op) + 1024))

typedef struct
{
  char prefix[MAX_PREFIX + 1];
  guint length;     /* of @prefix; 0: a family that is not used yet has none, or is numbers */
  guint32 rank;     /* @base is of that rank */
  guint32 base;     /* the number of entry 0 */
  guint32 size;     /* of @entries */
  guint64 *entries; /* rank << 32 | op */
} Family;

typedef struct
{
  guint32 rank; /* 0 or another rank's: free */
  guint32 hash;
  guint32 op;
  guint32 length;
  gsize text; /* offset in the texts */
} Slot;

struct _PdGoalLabels
{
  guint32 rank; /* from 1 */
  guint n_families;
  Family families[N_FAMILIES];
  Slot *slots; /* (array length=n_slots); linear probing */
  guint32 n_slots;
  guint32 n_used;
  GString *texts;
};

/* ---- families */

/* Splits "recv12" into 4 letters and 12. FALSE if the label ends in no number,
 * or in one that is not written as numbers are. */
static gboolean
split (const char *text, gsize length, gsize *n_prefix, guint32 *number)
{
  gsize at = length;
  guint32 value = 0, power = 1;

  while (at > 0 && length - at < MAX_DIGITS && g_ascii_isdigit (text[at - 1]))
    {
      at--;
      value += (guint32) (text[at] - '0') * power;
      power *= 10;
    }
  if (at == length || at == 0 || at > MAX_PREFIX || g_ascii_isdigit (text[at - 1])
      || (text[at] == '0' && length - at > 1))
    return FALSE;
  *n_prefix = at;
  *number = value;
  return TRUE;
}

static gboolean
is_of_family (const Family *family, const char *text, gsize length)
{
  return family->prefix[0] == text[0] && length > family->length
         && (family->length == 1 || memcmp (family->prefix, text, family->length) == 0);
}

static Family *
find_family (const PdGoalLabels *self, const char *prefix, gsize length)
{
  for (guint i = 0; i < self->n_families; i++)
    if (self->families[i].length == length && is_of_family (&self->families[i], prefix, length + 1))
      return (Family *) &self->families[i];
  return NULL;
}

/* The family and the number of a label, as split() has them, where it is like the first labels. */
static inline Family *
find_first_family (const PdGoalLabels *self, const char *text, gsize length, guint32 *number)
{
  const Family *family = &self->families[0];
  guint32 value = 0;
  gsize at = family->length;

  if (self->n_families == 0 || !is_of_family (family, text, length) || length - at > MAX_DIGITS
      || (text[at] == '0' && length - at > 1))
    return NULL;
  for (; at < length; at++)
    {
      guint32 digit = (guint32) text[at] - '0';
      if (digit > 9)
        return NULL;
      value = 10 * value + digit;
    }
  *number = value;
  return (Family *) family;
}

static Family *
make_family (PdGoalLabels *self, const char *prefix, gsize length)
{
  Family *family;

  if (self->n_families == N_FAMILIES)
    return NULL;
  family = &self->families[self->n_families++];
  memcpy (family->prefix, prefix, length);
  family->length = (guint) length;
  return family;
}

/* The entry of @number; NULL if it is none of this rank's. */
static guint64 *
find_entry (const PdGoalLabels *self, const Family *family, guint32 number)
{
  guint32 i = number - family->base;
  guint64 *entry;

  if (family->rank != self->rank || number < family->base || i >= family->size)
    return NULL;
  entry = &family->entries[i];
  return *entry >> 32 == self->rank ? entry : NULL;
}

/* Where @number belongs; NULL if that is in the hash table. */
static guint64 *
make_entry (PdGoalLabels *self, Family *family, guint32 number, guint32 op)
{
  guint32 i, old = family->size;

  if (family->rank != self->rank)
    {
      family->rank = self->rank;
      family->base = number < 1024 ? 0 : number;
    }
  i = number - family->base;
  if (number < family->base || i >= DENSE_LIMIT (op))
    return NULL;
  if (i >= old)
    {
      family->size = MAX (2 * old, MAX (i + 1, 1024));
      family->entries = g_renew (guint64, family->entries, family->size);
      memset (family->entries + old, 0, (family->size - old) * sizeof (guint64));
    }
  return &family->entries[i];
}

/* ---- hash table */

static guint32
hash_text (const char *text, gsize length)
{
  guint64 hash = length * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guint8) text[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return (guint32) (hash ^ hash >> 32);
}

/* The slot of that label, or the free one where it belongs. */
static Slot *
find_slot (const PdGoalLabels *self, const char *text, gsize length, guint32 hash)
{
  guint32 mask = self->n_slots - 1, i = hash & mask;

  for (;; i = (i + 1) & mask)
    {
      Slot *slot = &self->slots[i];
      if (slot->rank != self->rank
          || (slot->hash == hash && slot->length == length
              && memcmp (self->texts->str + slot->text, text, length) == 0))
        return slot;
    }
}

static void
grow_slots (PdGoalLabels *self)
{
  Slot *old = self->slots;
  guint32 n = self->n_slots;

  self->n_slots = n > 0 ? 2 * n : 1024;
  self->slots = g_new0 (Slot, self->n_slots);
  for (guint32 i = 0; i < n; i++)
    if (old[i].rank == self->rank)
      {
        guint32 at = old[i].hash & (self->n_slots - 1);
        while (self->slots[at].rank != 0)
          at = (at + 1) & (self->n_slots - 1);
        self->slots[at] = old[i];
      }
  g_free (old);
}

static gboolean
define_hashed (PdGoalLabels *self, const char *text, gsize length, guint32 op)
{
  guint32 hash = hash_text (text, length);
  Slot *slot;

  if (self->n_used >= self->n_slots / 2)
    grow_slots (self);
  slot = find_slot (self, text, length, hash);
  if (slot->rank == self->rank)
    return FALSE;
  *slot = (Slot){ self->rank, hash, op, (guint32) length, self->texts->len };
  g_string_append_len (self->texts, text, (gssize) length);
  self->n_used++;
  return TRUE;
}

static gboolean
find_hashed (const PdGoalLabels *self, const char *text, gsize length, guint32 *op)
{
  const Slot *slot;

  if (self->n_used == 0)
    return FALSE;
  slot = find_slot (self, text, length, hash_text (text, length));
  if (slot->rank != self->rank)
    return FALSE;
  *op = slot->op;
  return TRUE;
}

/* ---- public */

PdGoalLabels *
pd_goal_labels_new (void)
{
  PdGoalLabels *self = g_new0 (PdGoalLabels, 1);

  self->texts = g_string_new (NULL);
  self->rank = 1;
  return self;
}

void
pd_goal_labels_free (PdGoalLabels *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_families; i++)
    g_free (self->families[i].entries);
  g_free (self->slots);
  g_string_free (self->texts, TRUE);
  g_free (self);
}

void
pd_goal_labels_begin_rank (PdGoalLabels *self)
{
  self->rank++;
  self->n_used = 0;
  g_string_truncate (self->texts, 0);
}

gboolean
pd_goal_labels_define (PdGoalLabels *self, const char *text, gsize length, guint32 op)
{
  gsize n_prefix;
  guint32 number, other;
  guint64 *entry;

  g_return_val_if_fail (length > 0, FALSE);
  Family *family = find_first_family (self, text, length, &number);
  if (family == NULL && !split (text, length, &n_prefix, &number))
    return define_hashed (self, text, length, op);
  if (family == NULL)
    family = find_family (self, text, n_prefix);
  if (family == NULL)
    family = make_family (self, text, n_prefix);
  entry = family != NULL ? make_entry (self, family, number, op) : NULL;
  if (entry == NULL)
    return define_hashed (self, text, length, op);
  /* when there were fewer operations it may have gone into the table */
  if (*entry >> 32 == self->rank || find_hashed (self, text, length, &other))
    return FALSE;
  *entry = (guint64) self->rank << 32 | op;
  return TRUE;
}

gboolean
pd_goal_labels_find (const PdGoalLabels *self, const char *text, gsize length, guint32 *op)
{
  gsize n_prefix;
  guint32 number;

  g_return_val_if_fail (length > 0, FALSE);
  const Family *family = find_first_family (self, text, length, &number);
  if (family == NULL && split (text, length, &n_prefix, &number))
    family = find_family (self, text, n_prefix);
  const guint64 *entry = family != NULL ? find_entry (self, family, number) : NULL;
  if (G_LIKELY (entry != NULL))
    {
      *op = (guint32) *entry;
      return TRUE;
    }
  return find_hashed (self, text, length, op);
}
