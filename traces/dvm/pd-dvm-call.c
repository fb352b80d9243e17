/* The parameters of the current call, lexed when the first is asked for.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-reader-private.h"
#include "traces/dvm/pd-dvm-call-private.h"
#include "traces/dvm/pd-dvm-call.h"
#include "traces/dvm/pd-dvm-values.h"

#include <string.h>

/* ---- lexing */

static PdDvmText
get_call_text (const PdDvmReader *self)
{
  const char *base =
      self->call_saved ? (const char *) self->saved->data : pd_input_get_window (self->input)->data;

  return (PdDvmText){ base + self->call_body.begin, base + self->call_body.end };
}

static void
lex (PdDvmReader *self)
{
  gboolean has_ret = self->ret_body.end > self->ret_body.begin;
  PdDvmBody call = { get_call_text (self), self->call.function, FALSE,
                     self->body_cut && self->call.is_single };
  PdDvmBody ret = { { pd_dvm_reader_at (self, self->ret_body.begin),
                      pd_dvm_reader_at (self, self->ret_body.end) },
                    self->call.function,
                    TRUE,
                    self->body_cut };

  self->lexed = TRUE;
  pd_dvm_items_lex (&self->items, &call);
  if (has_ret)
    pd_dvm_items_lex (&self->items, &ret);
}

/* Lexing does not change what the reader means. */
static PdDvmReader *
get_lexed (const PdDvmReader *self)
{
  PdDvmReader *lexed = (PdDvmReader *) (gpointer) self;

  if (!lexed->lexed)
    lex (lexed);
  return lexed;
}

static void
reset_arrays (PdDvmArrays *arrays, const PdDvmItems *items)
{
  if (!arrays->asked)
    return;
  for (guint i = 0; i < items->items->len; i++)
    arrays->at[g_array_index (items->items, PdDvmItem, i).key] = 0;
  arrays->used = 0;
  arrays->asked = FALSE;
}

const char *
pd_dvm_reader_get_bad (PdDvmReader *self, guint *next, PdDvmKey *key, char **made)
{
  *made = NULL;
  if (self->calls != NULL)
    return pd_dvm_calls_get_bad (self->calls, (*next)++, key);
  const GArray *items = get_lexed (self)->items.items;
  while (*next < items->len)
    {
      const PdDvmItem *item = &g_array_index (items, PdDvmItem, (*next)++);
      if (pd_dvm_item_is_readable (item))
        continue;
      *key = (PdDvmKey) item->key;
      return *made = pd_dvm_item_describe (item);
    }
  return NULL;
}

void
pd_dvm_reader_reset_call (PdDvmReader *self)
{
  if (!self->lexed)
    return;
  reset_arrays (&self->ints, &self->items);
  reset_arrays (&self->doubles, &self->items);
  pd_dvm_items_reset (&self->items);
  self->lexed = FALSE;
}

/* ---- scalars */

static const PdDvmItem *
find_scalar (PdDvmReader *self, PdDvmKey key, guint part)
{
  guint32 place = self->items.scalar[part][key];

  return place > 0 ? &g_array_index (self->items.items, PdDvmItem, place - 1) : NULL;
}

static const PdDvmItem *
find_any_scalar (PdDvmReader *self, PdDvmKey key)
{
  const PdDvmItem *item = find_scalar (self, key, 0);

  return item != NULL ? item : find_scalar (self, key, 1);
}

/* References of 32-bit machines have 8 digits; -1 is the only one of AMRef
 * that is no address. */
static gint64
widen (PdDvmKey key, PdDvmText text, gint64 value)
{
  return key == PD_DVM_KEY_AMRef && value == 0xffffffff && pd_dvm_text_length (text) == 8 ? -1
                                                                                          : value;
}

gboolean
pd_dvm_item_get_int (const PdDvmItem *item, gint64 *value)
{
  switch ((PdDvmKind) item->kind)
    {
    case PD_DVM_KIND_HEX:
      if (!pd_dvm_parse_hex (item->value, value))
        return FALSE;
      *value = widen (item->key, item->value, *value);
      return TRUE;
    case PD_DVM_KIND_DEC:
    case PD_DVM_KIND_LIST:
      return pd_dvm_parse_dec (item->value, value);
    case PD_DVM_KIND_CHAR:
      *value = (guint8) item->value.begin[0];
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
pd_dvm_item_get_double (const PdDvmItem *item, gdouble *value)
{
  switch ((PdDvmKind) item->kind)
    {
    case PD_DVM_KIND_FLOAT:
    case PD_DVM_KIND_FLOAT_LIST:
    case PD_DVM_KIND_DEC:
    case PD_DVM_KIND_LIST:
      return pd_dvm_parse_float (item->value, value);
    default:
      return FALSE;
    }
}

gboolean
pd_dvm_item_is_readable (const PdDvmItem *item)
{
  gint64 value;
  gdouble number;

  switch ((PdDvmKind) item->kind)
    {
    case PD_DVM_KIND_HEX:
      return pd_dvm_parse_hex (item->value, &value);
    case PD_DVM_KIND_DEC:
    case PD_DVM_KIND_LIST:
      return pd_dvm_parse_dec (item->value, &value);
    case PD_DVM_KIND_FLOAT:
    case PD_DVM_KIND_FLOAT_LIST:
      return pd_dvm_parse_float (item->value, &number);
    default:
      return TRUE;
    }
}

char *
pd_dvm_item_describe (const PdDvmItem *item)
{
  g_autofree char *value =
      g_strndup (item->value.begin, MIN (pd_dvm_text_length (item->value), 40));

  return g_utf8_make_valid (value, -1);
}

/* ---- parameters that another process has lexed */

static gboolean
take_int (const PdDvmScalar *scalar, gint64 *value)
{
  if (scalar == NULL || !(scalar->flags & PD_DVM_VALUE_INT))
    return FALSE;
  *value = (gint64) scalar->bits;
  return TRUE;
}

static gboolean
take_double (const PdDvmScalar *scalar, gdouble *value)
{
  if (scalar == NULL || !(scalar->flags & PD_DVM_VALUE_DOUBLE))
    return FALSE;
  if (scalar->flags & PD_DVM_VALUE_INT)
    *value = (gdouble) (gint64) scalar->bits;
  else
    memcpy (value, &scalar->bits, sizeof *value);
  return TRUE;
}

/* ---- public */

gboolean
pd_dvm_call_get (const PdDvmReader *self, PdDvmKey key, gint64 *value)
{
  const PdDvmItem *item;

  g_return_val_if_fail (self != NULL && value != NULL && key < PD_DVM_N_KEYS, FALSE);
  if (self->calls != NULL)
    return take_int (pd_dvm_calls_find (self->calls, key, -1), value);
  item = find_any_scalar (get_lexed (self), key);
  return item != NULL && pd_dvm_item_get_int (item, value);
}

gboolean
pd_dvm_call_get_ret (const PdDvmReader *self, PdDvmKey key, gint64 *value)
{
  const PdDvmItem *item;

  g_return_val_if_fail (self != NULL && value != NULL && key < PD_DVM_N_KEYS, FALSE);
  if (self->calls != NULL)
    return take_int (pd_dvm_calls_find (self->calls, key, 1), value);
  item = find_scalar (get_lexed (self), key, 1);
  return item != NULL && pd_dvm_item_get_int (item, value);
}

gboolean
pd_dvm_call_get_double (const PdDvmReader *self, PdDvmKey key, gdouble *value)
{
  const PdDvmItem *item;

  g_return_val_if_fail (self != NULL && value != NULL && key < PD_DVM_N_KEYS, FALSE);
  if (self->calls != NULL)
    return take_double (pd_dvm_calls_find (self->calls, key, -1), value);
  item = find_any_scalar (get_lexed (self), key);
  return item != NULL && pd_dvm_item_get_double (item, value);
}

gint64
pd_dvm_call_get_length (const PdDvmReader *self, PdDvmKey key)
{
  const PdDvmItem *item;

  g_return_val_if_fail (self != NULL && key < PD_DVM_N_KEYS, -1);
  if (self->calls != NULL)
    {
      const PdDvmScalar *scalar = pd_dvm_calls_find (self->calls, key, -1);
      return scalar != NULL ? (gint64) scalar->length : -1;
    }
  item = find_any_scalar (get_lexed (self), key);
  return item != NULL ? (gint64) pd_dvm_text_length (item->value) : -1;
}

int
pd_dvm_call_pattern_is_array (const PdDvmReader *self)
{
  g_return_val_if_fail (self != NULL, -1);
  if (self->calls != NULL)
    return pd_dvm_calls_get_pattern (self->calls);
  return get_lexed (self)->items.pattern;
}

/* ---- arrays */

void
pd_dvm_walk_init (PdDvmWalk *walk, const PdDvmItems *items, PdDvmKey key)
{
  guint32 first = items->array[key];

  *walk =
      (PdDvmWalk){ items->items, first > 0 ? first - 1 : items->items->len, (guint16) key, 0, 0 };
}

const PdDvmItem *
pd_dvm_walk_next (PdDvmWalk *walk)
{
  for (; walk->next < walk->items->len; walk->next++)
    {
      const PdDvmItem *item = &g_array_index (walk->items, PdDvmItem, walk->next);

      if (item->key != walk->key || !item->is_array)
        continue;
      if (item->row > walk->row && item->index == 0)
        {
          walk->row = item->row;
          walk->index = 0;
        }
      if (item->row != walk->row || item->index != walk->index)
        continue;
      walk->index++;
      walk->next++;
      return item;
    }
  return NULL;
}

/* Both pools have room for every item once. */
static void
grow_pools (PdDvmReader *self)
{
  guint n = self->items.items->len;

  if (n <= self->pool_size)
    return;
  self->pool_size = MAX (n, 2 * self->pool_size);
  self->int_pool = g_renew (gint64, self->int_pool, self->pool_size);
  self->double_pool = g_renew (gdouble, self->double_pool, self->pool_size);
}

/* TRUE if @key was converted before; else makes room for it. */
static gboolean
begin_array (PdDvmReader *self, PdDvmArrays *arrays, PdDvmKey key)
{
  if (arrays->at[key] > 0)
    return TRUE;
  grow_pools (self);
  arrays->asked = TRUE;
  arrays->at[key] = arrays->used + 1;
  arrays->n[key] = 0;
  return FALSE;
}

const gint64 *
pd_dvm_call_get_array (const PdDvmReader *self, PdDvmKey key, guint *n)
{
  PdDvmReader *lexed;
  const PdDvmItem *item;
  PdDvmWalk walk;

  g_return_val_if_fail (self != NULL && n != NULL && key < PD_DVM_N_KEYS, NULL);
  if (self->calls != NULL)
    return pd_dvm_calls_get_array (self->calls, key, n);
  *n = 0;
  lexed = get_lexed (self);
  if (lexed->items.array[key] == 0)
    return NULL;
  if (!begin_array (lexed, &lexed->ints, key))
    {
      pd_dvm_walk_init (&walk, &lexed->items, key);
      while ((item = pd_dvm_walk_next (&walk)) != NULL
             && pd_dvm_item_get_int (item, &lexed->int_pool[lexed->ints.used]))
        {
          lexed->ints.used++;
          lexed->ints.n[key]++;
        }
    }
  *n = lexed->ints.n[key];
  return *n > 0 ? lexed->int_pool + lexed->ints.at[key] - 1 : NULL;
}

const gdouble *
pd_dvm_call_get_doubles (const PdDvmReader *self, PdDvmKey key, guint *n)
{
  PdDvmReader *lexed;
  const PdDvmItem *item;
  PdDvmWalk walk;

  g_return_val_if_fail (self != NULL && n != NULL && key < PD_DVM_N_KEYS, NULL);
  if (self->calls != NULL)
    return pd_dvm_calls_get_doubles (self->calls, key, n);
  *n = 0;
  lexed = get_lexed (self);
  if (lexed->items.array[key] == 0)
    return NULL;
  if (!begin_array (lexed, &lexed->doubles, key))
    {
      pd_dvm_walk_init (&walk, &lexed->items, key);
      while ((item = pd_dvm_walk_next (&walk)) != NULL
             && pd_dvm_item_get_double (item, &lexed->double_pool[lexed->doubles.used]))
        {
          lexed->doubles.used++;
          lexed->doubles.n[key]++;
        }
    }
  *n = lexed->doubles.n[key];
  return *n > 0 ? lexed->double_pool + lexed->doubles.at[key] - 1 : NULL;
}

guint
pd_dvm_call_get_row_length (const PdDvmReader *self, PdDvmKey key, guint row)
{
  PdDvmWalk walk;
  const PdDvmItem *item;
  guint n = 0;

  g_return_val_if_fail (self != NULL && key < PD_DVM_N_KEYS, 0);
  if (self->calls != NULL)
    return pd_dvm_calls_get_row_length (self->calls, key, row);
  pd_dvm_walk_init (&walk, &get_lexed (self)->items, key);
  while ((item = pd_dvm_walk_next (&walk)) != NULL)
    n += (guint) item->row == row;
  return n;
}
