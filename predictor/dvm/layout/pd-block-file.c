/* Reading block files, and finding lists in them.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/pd-number.h"
#include "base/pd-text.h"
#include "predictor/dvm/layout/pd-block-file.h"
#include "base/pd-file.h"

#include <string.h>

/* Values of all lists together: 128 MB. */
#define MAX_VALUES (1 << 24)

G_DEFINE_QUARK (pd_block_file_error_quark, pd_block_file_error)

struct _PdBlockFile
{
  char *name;
  GArray *lists; /* PdBlockList */
};

static const char *const kind_names[PD_N_BLOCK_KINDS] = {
  [PD_BLOCK_SIZES] = "sizes",
  [PD_BLOCK_WEIGHTS] = "weights",
  [PD_BLOCK_LOADS] = "loads",
};

/* A line, its continuations joined; words are separated by blanks. */
typedef struct
{
  PdBlockFile *file;
  GHashTable *keys; /* of the lists so far: text -> line */
  gint64 line;      /* on which the current list begins */
  guint n_values;   /* so far, of all lists */
} Reader;

#define fail(reader, error, code, ...)                                                             \
  pd_fail_at (error, PD_BLOCK_FILE_ERROR, (gint) (code), (reader)->file->name, (reader)->line,     \
              __VA_ARGS__)

/* A word as a message shows it. */
static char *
show (const char *word)
{
  g_autofree char *start = g_strndup (word, 40);

  return pd_text_show (start);
}

/* ---- numbers */

static gboolean
parse_int (const char *word, gint64 least, gint64 *value)
{
  return g_ascii_isdigit (*word)
         && g_ascii_string_to_signed (word, 10, least, G_MAXINT64, value, NULL);
}

static gboolean
parse_double (const char *word, gdouble *value)
{
  return pd_number_parse_real (word, value) && *value >= 0;
}

/* "VALUE" or "COUNT*VALUE" */
static gboolean
add_values (Reader *reader, PdBlockList *list, const char *word, GError **error)
{
  const char *star = strchr (word, '*');
  gsize n = star == NULL ? 0 : (gsize) (star - word);
  g_autofree char *count_text = star == NULL ? g_strdup ("1") : g_strndup (word, n);
  const char *text = star == NULL ? word : star + 1;
  g_autofree char *shown = show (word);
  gboolean is_size = list->kind == PD_BLOCK_SIZES;
  gint64 count, size = 0;
  gdouble number = 0;

  if (!parse_int (count_text, 1, &count)
      || !(is_size ? parse_int (text, 0, &size) : parse_double (text, &number)))
    return fail (reader, error, PD_BLOCK_FILE_ERROR_VALUE,
                 "'%s' is no value, expected %s that is not negative, or COUNT*VALUE", shown,
                 is_size ? "an integer" : "a number");
  if (count > MAX_VALUES - reader->n_values)
    return fail (reader, error, PD_BLOCK_FILE_ERROR_VALUE, "more than %d values in all",
                 MAX_VALUES);
  reader->n_values += (guint) count;
  for (gint64 i = 0; i < count; i++)
    if (is_size)
      g_array_append_val (list->values, size);
    else
      g_array_append_val (list->values, number);
  return TRUE;
}

/* All bits of 0 are 0, for integers and doubles; -0 is not a valid value. */
static gboolean
is_all_zero (const PdBlockList *list)
{
  for (guint i = 0; i < list->values->len; i++)
    if (list->kind == PD_BLOCK_SIZES ? g_array_index (list->values, gint64, i) > 0
                                     : g_array_index (list->values, gdouble, i) > 0)
      return FALSE;
  return TRUE;
}

/* "4" or "4x2" */
static gboolean
parse_grid (const char *word, PdBlockList *list)
{
  g_auto (GStrv) parts = g_strsplit (word, "x", PD_MAX_GRID_RANK + 1);

  list->rank = g_strv_length (parts);
  if (list->rank < 1 || list->rank > PD_MAX_GRID_RANK)
    return FALSE;
  for (guint d = 0; d < list->rank; d++)
    if (!parse_int (parts[d], 1, &list->grid[d]) || list->grid[d] > G_MAXINT32)
      return FALSE;
  return TRUE;
}

/* ---- lists */

static gboolean
parse_place (Reader *reader, PdBlockList *list, char **words, guint n, GError **error)
{
  g_autofree char *last = words[n];
  words[n] = NULL; /* a file name may have blanks */
  g_autofree char *place = g_strjoinv (" ", words);
  words[n] = g_steal_pointer (&last);
  char *colon = strrchr (place, ':');

  if (colon == NULL || colon == place || !parse_int (colon + 1, 1, &list->line))
    {
      g_autofree char *shown = show (place);
      return fail (reader, error, PD_BLOCK_FILE_ERROR_SYNTAX,
                   "'%s' is no place in a program, expected FILE:LINE", shown);
    }
  list->file = g_strndup (place, (gsize) (colon - place));
  return TRUE;
}

/* FILE:LINE KIND axis|dim NUMBER [on GRID] */
static gboolean
parse_head (Reader *reader, PdBlockList *list, char **words, GError **error)
{
  guint n = g_strv_length (words);
  gint64 number;

  if (n >= 6 && strcmp (words[n - 2], "on") == 0)
    {
      if (!parse_grid (words[n - 1], list))
        {
          g_autofree char *shown = show (words[n - 1]);
          return fail (reader, error, PD_BLOCK_FILE_ERROR_VALUE,
                       "'%s' is no grid, expected N, AxB, AxBxC or AxBxCxD", shown);
        }
      n -= 2;
    }
  for (list->kind = 0; n >= 4 && list->kind < PD_N_BLOCK_KINDS; list->kind++)
    if (strcmp (words[n - 3], kind_names[list->kind]) == 0)
      break;
  if (n < 4 || list->kind == PD_N_BLOCK_KINDS
      || (strcmp (words[n - 2], "axis") != 0 && strcmp (words[n - 2], "dim") != 0))
    return fail (reader, error, PD_BLOCK_FILE_ERROR_SYNTAX,
                 "expected FILE:LINE, then 'sizes', 'weights' or 'loads', then 'axis' or 'dim' "
                 "with a number, and perhaps 'on' with a grid, before '='");
  list->by_axis = strcmp (words[n - 2], "axis") == 0;
  gint64 most = list->by_axis ? PD_MAX_RANK : PD_MAX_GRID_RANK;
  if (!parse_int (words[n - 1], 1, &number) || number > most)
    {
      g_autofree char *shown = show (words[n - 1]);
      return fail (reader, error, PD_BLOCK_FILE_ERROR_VALUE,
                   "'%s' is no %s, expected 1 to %" G_GINT64_FORMAT, shown, words[n - 2], most);
    }
  list->number = (guint) number;
  return parse_place (reader, list, words, n - 3, error);
}

/* The key that must be unique. The number of loads may differ from that of processors. */
static char *
make_key (const PdBlockList *list)
{
  GString *key = g_string_new (list->file);

  g_string_append_printf (key, ":%" G_GINT64_FORMAT " %d %d %u %u", list->line, (int) list->kind,
                          list->by_axis, list->number,
                          list->kind == PD_BLOCK_LOADS ? 0 : list->values->len);
  for (guint d = 0; d < list->rank; d++)
    g_string_append_printf (key, " %" G_GINT64_FORMAT, list->grid[d]);
  return g_string_free (key, FALSE);
}

static gboolean
check_list (Reader *reader, const PdBlockList *list, GError **error)
{
  g_autofree char *key = make_key (list);
  gpointer first;

  if (list->values->len == 0)
    return fail (reader, error, PD_BLOCK_FILE_ERROR_SYNTAX, "no values after '='");
  if (is_all_zero (list))
    return fail (reader, error, PD_BLOCK_FILE_ERROR_VALUE, "all values are 0");
  if (list->rank > 1 && !list->by_axis && list->kind != PD_BLOCK_LOADS
      && list->values->len != (list->number <= list->rank ? list->grid[list->number - 1] : 1))
    return fail (reader, error, PD_BLOCK_FILE_ERROR_VALUE,
                 "%u values for dimension %u of that grid, expected %" G_GINT64_FORMAT,
                 list->values->len, list->number,
                 list->number <= list->rank ? list->grid[list->number - 1] : 1);
  if (g_hash_table_lookup_extended (reader->keys, key, NULL, &first))
    return fail (reader, error, PD_BLOCK_FILE_ERROR_TWICE,
                 "the list is given twice, first on line %d", GPOINTER_TO_INT (first));
  g_hash_table_insert (reader->keys, g_steal_pointer (&key),
                       GINT_TO_POINTER ((int) MIN (reader->line, G_MAXINT)));
  return TRUE;
}

static void
list_clear (gpointer data)
{
  PdBlockList *list = data;

  g_free (list->file);
  g_clear_pointer (&list->values, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdBlockList, list_clear)

/* Words without the empty ones between blanks. */
static char **
split_words (const char *text)
{
  g_auto (GStrv) all = g_strsplit_set (text, " \t", -1);
  GPtrArray *words = g_ptr_array_new ();

  for (guint i = 0; all[i] != NULL; i++)
    if (all[i][0] != '\0')
      g_ptr_array_add (words, g_strdup (all[i]));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

static gboolean
parse_list (Reader *reader, char *text, GError **error)
{
  g_auto (PdBlockList) list = { .source_line = reader->line };
  char *equals = strrchr (text, '=');

  if (equals == NULL)
    return fail (reader, error, PD_BLOCK_FILE_ERROR_SYNTAX, "expected '=' before the values");
  *equals = '\0';
  g_auto (GStrv) head = split_words (text);
  g_auto (GStrv) values = split_words (equals + 1);
  if (!parse_head (reader, &list, head, error))
    return FALSE;
  list.values = g_array_new (FALSE, FALSE, sizeof (gint64));
  G_STATIC_ASSERT (sizeof (gint64) == sizeof (gdouble));
  for (guint i = 0; values[i] != NULL; i++)
    if (!add_values (reader, &list, values[i], error))
      return FALSE;
  if (!check_list (reader, &list, error))
    return FALSE;
  g_array_append_val (reader->file->lists, list);
  list = (PdBlockList){ .values = NULL };
  return TRUE;
}

/* ---- lines */

/* Cuts off a comment, and blanks at the end. */
static void
trim (GString *line)
{
  for (gsize i = 0; i < line->len; i++)
    if (line->str[i] == '#' && (i == 0 || g_ascii_isspace (line->str[i - 1])))
      g_string_truncate (line, i);
  while (line->len > 0 && g_ascii_isspace (line->str[line->len - 1]))
    g_string_truncate (line, line->len - 1);
}

/* The list that begins with the line at *@at, with the lines that continue it. */
static gboolean
take_line (Reader *reader, const char **at, const char *end, GString *text, GError **error)
{
  g_autoptr (GString) part = g_string_new (NULL);
  gint64 line = reader->line;
  gboolean goes_on = TRUE;

  g_string_truncate (text, 0);
  while (goes_on)
    {
      const char *newline = *at < end ? memchr (*at, '\n', (gsize) (end - *at)) : NULL;
      if (newline == NULL)
        return fail (reader, error, PD_BLOCK_FILE_ERROR_TRUNCATED,
                     "the file ends in the middle of a line; is it cut?");
      g_string_truncate (part, 0);
      g_string_append_len (part, *at, newline - *at);
      if (memchr (part->str, '\0', part->len) != NULL)
        return fail (reader, error, PD_BLOCK_FILE_ERROR_SYNTAX, "a byte 0 in a line of text");
      trim (part);
      goes_on = part->len > 0 && part->str[part->len - 1] == '\\';
      if (goes_on)
        part->str[part->len - 1] = ' ';
      g_string_append_len (text, part->str, (gssize) part->len);
      *at = newline + 1;
      line++;
    }
  reader->line = line;
  return TRUE;
}

static gboolean
read_all (Reader *reader, GBytes *bytes, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize size;
  const char *at = g_bytes_get_data (bytes, &size);
  const char *end = at == NULL ? NULL : at + size;

  reader->line = 1;
  while (at < end)
    {
      gint64 begin = reader->line;
      if (!take_line (reader, &at, end, text, error))
        return FALSE;
      gint64 next = reader->line;
      reader->line = begin; /* for messages */
      if (text->len > 0 && !parse_list (reader, text->str, error))
        return FALSE;
      reader->line = next;
    }
  return TRUE;
}

static int
compare_lists (gconstpointer a, gconstpointer b)
{
  const PdBlockList *x = a, *y = b;

  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  return x->source_line < y->source_line ? -1 : x->source_line > y->source_line;
}

/* ---- life */

PdBlockFile *
pd_block_file_new_from_bytes (GBytes *bytes, const char *name, GError **error)
{
  g_autoptr (PdBlockFile) self = g_new0 (PdBlockFile, 1);
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reader reader = { .file = self, .keys = keys };

  g_return_val_if_fail (bytes != NULL && name != NULL, NULL);
  self->name = g_strdup (name);
  self->lists = g_array_new (FALSE, FALSE, sizeof (PdBlockList));
  g_array_set_clear_func (self->lists, list_clear);
  if (!read_all (&reader, bytes, error))
    return NULL;
  g_array_sort (self->lists, compare_lists);
  return g_steal_pointer (&self);
}

PdBlockFile *
pd_block_file_new (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) cause = NULL;
  gsize size;

  g_return_val_if_fail (path != NULL, NULL);
  if (!pd_file_read (path, &text, &size, &cause))
    {
      g_set_error (error, PD_BLOCK_FILE_ERROR, PD_BLOCK_FILE_ERROR_OPEN, "%s", cause->message);
      return NULL;
    }
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&text), size);
  return pd_block_file_new_from_bytes (bytes, path, error);
}

void
pd_block_file_free (PdBlockFile *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_clear_pointer (&self->lists, g_array_unref);
  g_free (self);
}

const char *
pd_block_file_get_name (const PdBlockFile *self)
{
  return self->name;
}

guint
pd_block_file_get_n (const PdBlockFile *self)
{
  return self->lists->len;
}

const PdBlockList *
pd_block_file_get (const PdBlockFile *self, guint i)
{
  g_return_val_if_fail (i < self->lists->len, NULL);
  return &g_array_index (self->lists, PdBlockList, i);
}
