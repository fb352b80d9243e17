/* Parameter lines: cut into items by key.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-lexer.h"
#include "traces/dvm/pd-dvm-values.h"

#include <string.h>

typedef struct
{
  PdDvmItems *items;
  const PdDvmBody *body;
  const char *end;      /* of the body */
  const char *line_end; /* of the current line, before CRs and LF */
  const char *next_line;
  PdDvmText label; /* "Dim0:" of the current line, without ':' */
  gint32 label_index;
  gint32 weight_row; /* of the last WeightNumber */
  PdDvmItem list;    /* the FLOAT_LIST that the next line may go on with */
  gboolean in_list;
} Lexer;

/* ---- characters */

enum
{
  BLANK = 1,     /* separates */
  VALUE_END = 2, /* ends a value that is not a string */
  KEY_END = 4,
};

static const guint8 classes[256] = {
  [' '] = BLANK | VALUE_END | KEY_END,
  ['\t'] = BLANK | VALUE_END | KEY_END,
  [';'] = BLANK | VALUE_END | KEY_END,
  ['('] = VALUE_END,
  ['='] = KEY_END,
  ['['] = KEY_END,
};

static inline gboolean
is (char c, guint class)
{
  return (classes[(guint8) c] & class) != 0;
}

static inline const char *
skip_separators (const char *p, const char *end)
{
  while (p < end && is (*p, BLANK))
    p++;
  return p;
}

static inline const char *
skip_spaces (const char *p, const char *end)
{
  while (p < end && (*p == ' ' || *p == '\t'))
    p++;
  return p;
}

static inline gboolean
begins (const char *p, const char *end, const char *word)
{
  gsize n = strlen (word);
  return (gsize) (end - p) >= n && memcmp (p, word, n) == 0;
}

/* The place of the last @what in @text; NULL if there is none. */
static const char *
find_last (PdDvmText text, const char *what)
{
  gsize n = strlen (what);

  if (pd_dvm_text_length (text) < n)
    return NULL;
  for (const char *p = text.end - n;; p--)
    {
      if (memcmp (p, what, n) == 0)
        return p;
      if (p == text.begin)
        return NULL;
    }
}

/* ---- items */

static void
add_item (PdDvmItems *items, const PdDvmItem *item, gboolean is_ret)
{
  guint32 *slot = item->is_array ? &items->array[item->key] : &items->scalar[is_ret][item->key];

  if (item->key == PD_DVM_KEY_UNKNOWN)
    return;
  g_array_append_vals (items->items, item, 1);
  if (*slot == 0)
    *slot = items->items->len;
}

/* A value the file was cut in may be anything: DoPL=1 of DoPL=10. */
static gboolean
is_trusted (const Lexer *lexer, PdDvmText value)
{
  return !lexer->body->is_cut || value.end != lexer->end;
}

static void
finish_item (Lexer *lexer, PdDvmItem *item, const char *begin, const char *end)
{
  item->value = (PdDvmText){ begin, end };
  if (is_trusted (lexer, item->value))
    add_item (lexer->items, item, lexer->body->is_ret);
}

/* ---- strings */

static const struct
{
  PdDvmFunction function; /* UNKNOWN: any */
  PdDvmKey key;
  const char *before; /* the last one of the line ends the string */
} string_ends[] = {
  { PD_DVM_dvm_fopen, PD_DVM_KEY_Filename, "; Type=" },
  { PD_DVM_dvm_fopen, PD_DVM_KEY_Type, ";" },
  { PD_DVM_dvm_freopen, PD_DVM_KEY_Filename, "; Type=" },
  { PD_DVM_dvm_freopen, PD_DVM_KEY_Type, "; Stream=" },
  { PD_DVM_dvm_open, PD_DVM_KEY_Filename, "; Oflag=" },
  { PD_DVM_dvm_access, PD_DVM_KEY_FileName, "; Mode=" },
  { PD_DVM_dvm_stat, PD_DVM_KEY_FileName, ";" },
  { PD_DVM_dvm_rename, PD_DVM_KEY_OldName, " NewName=" },
  { PD_DVM_UNKNOWN, PD_DVM_KEY_USRFILE, ";  USRLINE=" },
  { PD_DVM_UNKNOWN, PD_DVM_KEY_SYSFILE, ";  SYSLINE=" },
  { PD_DVM_UNKNOWN, PD_DVM_KEY_UserFile, "; UserLine=" },
};

static const char *
take_string (Lexer *lexer, PdDvmItem *item, const char *p)
{
  const char *end = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (string_ends) && end == NULL; i++)
    if (string_ends[i].key == item->key
        && (string_ends[i].function == lexer->body->function
            || string_ends[i].function == PD_DVM_UNKNOWN))
      end = find_last ((PdDvmText){ p, lexer->line_end }, string_ends[i].before);
  if (end == NULL)
    end = lexer->line_end;
  finish_item (lexer, item, p, end);
  return end;
}

/* The run-time system ends the text with one line end of its own, after "; "
 * or ";" where String was given to put. */
static const char *
take_text (Lexer *lexer, PdDvmItem *item, const char *p)
{
  PdDvmFunction f = lexer->body->function;
  const char *end = lexer->end, *semicolon = NULL;

  if (f == PD_DVM_dvm_puts || f == PD_DVM_dvm_fputs)
    semicolon = find_last ((PdDvmText){ p, end }, ";");
  if (semicolon != NULL)
    end = semicolon;
  else if (end > p && end[-1] == '\n')
    for (end--; end > p && end[-1] == '\r';)
      end--;
  lexer->items->has_text = TRUE;
  lexer->items->text_begin = p;
  finish_item (lexer, item, p, end);
  lexer->next_line = lexer->end;
  return lexer->line_end = lexer->end;
}

/* One byte, whatever it is; a line end written by Windows is two. */
static const char *
take_char (Lexer *lexer, PdDvmItem *item, const char *p)
{
  if (p < lexer->end && *p == '\r' && p + 1 < lexer->end && p[1] == '\n')
    p++;
  if (p == lexer->end)
    return p;
  finish_item (lexer, item, p, p + 1);
  /* The line may have ended with the byte: the rest is ';' and a line end. */
  return MIN (p + 1, lexer->line_end);
}

/* ---- numbers and words */

static inline const char *
find_value_end (const char *p, const char *end)
{
  while (p < end && !is (*p, VALUE_END))
    p++;
  return p;
}

/* "(DisArray)" after a reference, "(2)" after a processor number. */
static const char *
take_suffix (Lexer *lexer, const PdDvmItem *item, const char *p)
{
  const char *open = skip_spaces (p, lexer->line_end), *close;

  if (open == lexer->line_end || *open != '(')
    return p;
  close = memchr (open, ')', (gsize) (lexer->line_end - open));
  if (close == NULL)
    return lexer->line_end;
  if (item->key == PD_DVM_KEY_PatternRef)
    lexer->items->pattern = begins (open, lexer->line_end, "(DisArray)") ? 1
                            : begins (open, lexer->line_end, "(AMView)") ? 0
                                                                         : -1;
  return close + 1;
}

static const char *
take_word (Lexer *lexer, PdDvmItem *item, const char *p)
{
  const char *end = find_value_end (p, lexer->line_end);

  finish_item (lexer, item, p, end);
  return take_suffix (lexer, item, end);
}

static const char *
take_list (Lexer *lexer, PdDvmItem *item, const char *p)
{
  item->is_array = TRUE;
  for (item->index = 0;; item->index++)
    {
      const char *begin = skip_spaces (p, lexer->line_end);
      p = find_value_end (begin, lexer->line_end);
      if (p == begin || !(g_ascii_isdigit (*begin) || *begin == '-'))
        return begin;
      finish_item (lexer, item, begin, p);
    }
}

/* Elements "1.00(1.00)" to the end of line; the following lines may go on. */
static const char *
take_float_list (Lexer *lexer, PdDvmItem *item, const char *p)
{
  for (;;)
    {
      const char *begin = skip_separators (p, lexer->line_end);
      p = find_value_end (begin, lexer->line_end);
      if (p == begin)
        break;
      finish_item (lexer, item, begin, p);
      item->index++;
      p = take_suffix (lexer, item, p);
    }
  lexer->list = *item;
  lexer->in_list = TRUE;
  return p;
}

typedef const char *(*TakeFunc) (Lexer *lexer, PdDvmItem *item, const char *p);

static const TakeFunc takers[] = {
  [PD_DVM_KIND_HEX] = take_word,
  [PD_DVM_KIND_DEC] = take_word,
  [PD_DVM_KIND_FLOAT] = take_word,
  [PD_DVM_KIND_STRING] = take_string,
  [PD_DVM_KIND_TEXT] = take_text,
  [PD_DVM_KIND_CHAR] = take_char,
  [PD_DVM_KIND_WORD] = take_word,
  [PD_DVM_KIND_LIST] = take_list,
  [PD_DVM_KIND_FLOAT_LIST] = take_float_list,
};

/* ---- keys */

/* Reads "[12]", up to two of them; NULL if it is something else. */
static const char *
take_indexes (const char *p, const char *end, PdDvmItem *item)
{
  for (guint n = 0; p < end && *p == '['; n++)
    {
      const char *close = memchr (p, ']', (gsize) (end - p));
      gint64 value;

      if (close == NULL || !pd_dvm_parse_dec ((PdDvmText){ p + 1, close }, &value) || value < 0
          || value > G_MAXINT32)
        return NULL;
      if (n > 0)
        item->row = item->index;
      item->index = (gint32) value;
      item->is_array = TRUE;
      p = close + 1;
    }
  return p;
}

/* "Dim" + "Lower" is the key "Dim:Lower". */
static PdDvmKey
find_labelled_key (const Lexer *lexer, PdDvmText key)
{
  char text[64];
  gsize n = pd_dvm_text_length (lexer->label), m = pd_dvm_text_length (key);

  if (n + 1 + m > sizeof text)
    return PD_DVM_KEY_UNKNOWN;
  memcpy (text, lexer->label.begin, n);
  text[n] = ':';
  memcpy (text + n + 1, key.begin, m);
  return pd_dvm_key_lookup (text, n + 1 + m);
}

static gboolean
is_double_sign (const Lexer *lexer)
{
  guint32 place = lexer->items->scalar[lexer->body->is_ret][PD_DVM_KEY_DoubleSign];
  gint64 value = 0;

  if (place > 0)
    pd_dvm_parse_dec (g_array_index (lexer->items->items, PdDvmItem, place - 1).value, &value);
  return value != 0;
}

/* The keys whose kind or shape depends on what stands around them. */
static void
adjust_item (Lexer *lexer, PdDvmItem *item)
{
  switch (item->key)
    {
    case PD_DVM_KEY_AxisWeightAddr:
      item->kind = is_double_sign (lexer) ? PD_DVM_KIND_FLOAT : PD_DVM_KIND_DEC;
      break;
    case PD_DVM_KEY_WeightArray: /* the address of the array, in call_gettar_ */
      if (!item->is_array)
        item->kind = PD_DVM_KIND_HEX;
      break;
    case PD_DVM_KEY_WeightNumber:
      lexer->weight_row = item->index;
      break;
    case PD_DVM_KEY_LoadWeight:
      item->row = lexer->weight_row;
      break;
    case PD_DVM_KEY_CoordWeight:
      item->row = item->index;
      item->index = 0;
      item->is_array = TRUE;
      break;
    default:
      break;
    }
}

/* "AxisWeightAddr[1] = 0": nothing is given for that dimension. */
static gboolean
is_absent_row (const PdDvmItem *item, gboolean two_indexes)
{
  return item->key == PD_DVM_KEY_AxisWeightAddr && !two_indexes;
}

static const char *
take_value (Lexer *lexer, PdDvmItem *item, PdDvmText key, const char *p)
{
  gboolean two_indexes = FALSE;

  p++;
  item->key = (guint16) (lexer->label.begin != NULL
                             ? find_labelled_key (lexer, key)
                             : pd_dvm_key_lookup (key.begin, pd_dvm_text_length (key)));
  item->kind =
      (guint8) pd_dvm_key_get_kind_in (item->key, lexer->body->function, lexer->body->is_ret);
  if (lexer->label.begin != NULL && !item->is_array)
    {
      item->is_array = TRUE;
      item->index = lexer->label_index;
    }
  if (item->key == PD_DVM_KEY_AxisWeightAddr)
    two_indexes = memchr (key.end, ']', (gsize) (p - key.end)) != NULL
                  && find_last ((PdDvmText){ key.end, p }, "][") != NULL;
  adjust_item (lexer, item);
  if (is_absent_row (item, two_indexes))
    item->key = PD_DVM_KEY_UNKNOWN;
  if (item->kind != PD_DVM_KIND_CHAR && item->kind != PD_DVM_KIND_STRING
      && item->kind != PD_DVM_KIND_TEXT)
    p = skip_spaces (p, lexer->line_end);
  return takers[item->kind](lexer, item, p);
}

/* "Local[0]:" and "Dim0:" name what follows on the line. */
static void
set_label (Lexer *lexer, PdDvmText word, gint32 index, gboolean has_index)
{
  gint64 value;
  const char *digits = word.end;

  if (!has_index)
    {
      while (digits > word.begin && g_ascii_isdigit (digits[-1]))
        digits--;
      if (digits < word.end && pd_dvm_parse_dec ((PdDvmText){ digits, word.end }, &value)
          && value <= G_MAXINT32)
        index = (gint32) value;
      word.end = digits;
    }
  lexer->label = word;
  lexer->label_index = index;
}

/* Takes one item, or a word that is none; @p is at its first character. */
static const char *
take_item (Lexer *lexer, const char *p)
{
  PdDvmItem item = { 0 };
  PdDvmText key = { p, p };
  const char *end = lexer->line_end, *after;

  while (key.end < end && !is (*key.end, KEY_END))
    key.end++;
  after = take_indexes (key.end, end, &item);
  if (after == NULL || key.end == key.begin)
    return key.end + 1; /* a stray '=' or '[' */
  if (after < end && *after == ':' && item.is_array)
    {
      set_label (lexer, key, item.index, TRUE);
      return after + 1;
    }
  if (key.end[-1] == ':' && !item.is_array)
    {
      set_label (lexer, (PdDvmText){ key.begin, key.end - 1 }, 0, FALSE);
      return after;
    }
  p = skip_spaces (after, end);
  if (p == end || *p != '=')
    return after; /* a word, as "Read." */
  return take_value (lexer, &item, key, p);
}

/* ---- lines */

static const char *const notes[] = {
  "***", "$", "(", "MPI_Group:", "rf_", "No FromLocal", "No ToLocal", "PL time measuring:",
};

static gboolean
is_note (const char *p, const char *end)
{
  /* The first letters of all notes; most lines begin with none of them. */
  if (memchr ("*$(MrNP", *p, sizeof "*$(MrNP" - 1) == NULL)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (notes); i++)
    if (begins (p, end, notes[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_underline (const char *p, const char *end)
{
  const char *q = p;

  while (q < end && *q == '-')
    q++;
  return q == end && q - p >= 10;
}

static void
lex_line (Lexer *lexer, const char *p)
{
  p = skip_separators (p, lexer->line_end);
  if (p >= lexer->line_end)
    return;
  if (lexer->in_list)
    {
      lexer->in_list = FALSE;
      if (g_ascii_isdigit (*p) && memchr (p, '(', (gsize) (lexer->line_end - p)) != NULL)
        {
          take_float_list (lexer, &lexer->list, p);
          return;
        }
    }
  if (is_note (p, lexer->line_end) || is_underline (p, lexer->line_end))
    return;
  lexer->label = (PdDvmText){ NULL, NULL };
  while (p < lexer->line_end)
    p = skip_separators (take_item (lexer, p), lexer->line_end);
}

/* The message of an error holds pairs that are not parameters. */
static gboolean
is_error (const char *p, const char *end)
{
  p = skip_spaces (p, end);
  return p < end && *p == '*' && begins (p, end, "*** RTS err");
}

/* ---- public */

void
pd_dvm_items_init (PdDvmItems *self)
{
  memset (self, 0, sizeof *self);
  self->items = g_array_sized_new (FALSE, FALSE, sizeof (PdDvmItem), 64);
  self->pattern = -1;
}

void
pd_dvm_items_clear (PdDvmItems *self)
{
  g_clear_pointer (&self->items, g_array_unref);
}

void
pd_dvm_items_reset (PdDvmItems *self)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      guint key = g_array_index (self->items, PdDvmItem, i).key;
      self->scalar[0][key] = self->scalar[1][key] = self->array[key] = 0;
    }
  g_array_set_size (self->items, 0);
  self->pattern = -1;
  self->has_text = FALSE;
  self->text_begin = NULL;
}

void
pd_dvm_items_lex (PdDvmItems *self, const PdDvmBody *body)
{
  Lexer lexer = { .items = self, .body = body, .end = body->text.end };
  const char *p = body->text.begin;

  while (p < lexer.end)
    {
      const char *lf = memchr (p, '\n', (gsize) (lexer.end - p));
      lexer.line_end = lf != NULL ? lf : lexer.end;
      lexer.next_line = lf != NULL ? lf + 1 : lexer.end;
      while (lexer.line_end > p && lexer.line_end[-1] == '\r')
        lexer.line_end--;
      if (is_error (p, lexer.line_end))
        return;
      lex_line (&lexer, p);
      p = lexer.next_line;
    }
}
