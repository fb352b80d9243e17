/* The lines of liballprof: MPI_Func:start:arguments…:end. The arguments are
 * separated by colons, the parts of one by commas:
 *
 *   a datatype    number,bytes,extent
 *   a communicator handle,rank of the caller,size
 *   a list of counts  address:count,count,…
 *
 * Times are microseconds with or without a fraction; "-" where none can be had.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof-private.h"
#include "traces/allprof/pd-allprof-functions-private.h"
#include "traces/allprof/pd-allprof-lines-private.h"

#include <string.h>

#define MAX_PS_DIGITS 6 /* of a fraction of a microsecond */

/* Beyond that picoseconds do not fit into 64 bits. */
#define MAX_US (G_MAXINT64 / 1000000 - 1)

/* ---- fields */

/* The rest of a line. */
typedef struct
{
  const PdAllprofLines *lines;
  const char *at; /* a colon, or the end */
  const char *end;
  GError **error;
} Fields;

static gboolean
expected (const Fields *self, const char *what)
{
  return pd_allprof_lines_fail (self->lines, self->error, PD_TRACE_ERROR_SYNTAX,
                                "%.*s: expected %s at column %d",
                                (int) self->lines->call.name_length, self->lines->call.name, what,
                                (int) (self->at - self->lines->call.name) + 1);
}

static gboolean
next_field (Fields *self, char separator, const char *what)
{
  if (self->at >= self->end || *self->at != separator)
    return expected (self, what);
  self->at++;
  return TRUE;
}

static gboolean
get_unsigned (Fields *self, guint64 *value)
{
  const char *begin = self->at;
  guint64 number = 0;

  for (; self->at < self->end && g_ascii_isdigit (*self->at); self->at++)
    {
      guint64 digit = (guint64) (*self->at - '0');
      if (number > (G_MAXUINT64 - digit) / 10)
        return expected (self, "a number of 64 bits");
      number = number * 10 + digit;
    }
  *value = number;
  return self->at > begin || expected (self, "a number");
}

static gboolean
get_signed (Fields *self, gint64 *value)
{
  gboolean negative = self->at < self->end && *self->at == '-';
  guint64 number;

  self->at += negative;
  if (!get_unsigned (self, &number))
    return FALSE;
  if (number > G_MAXINT64)
    return expected (self, "a number of 63 bits");
  *value = negative ? -(gint64) number : (gint64) number;
  return TRUE;
}

static gboolean
skip_field (Fields *self)
{
  while (self->at < self->end && *self->at != ':')
    self->at++;
  return TRUE;
}

/* Microseconds, as whole ones and picoseconds of one. */
static gboolean
get_time (Fields *self, gboolean *has, gint64 *us, gint64 *ps)
{
  gint64 power = 100000;
  guint64 whole;

  *has = self->at >= self->end || *self->at != '-';
  if (!*has)
    {
      self->at++;
      return TRUE;
    }
  if (!get_unsigned (self, &whole))
    return FALSE;
  if (whole > G_MAXINT64)
    return expected (self, "a time");
  *us = (gint64) whole;
  *ps = 0;
  if (self->at >= self->end || *self->at != '.')
    return TRUE;
  for (self->at++; self->at < self->end && g_ascii_isdigit (*self->at); self->at++, power /= 10)
    *ps += (*self->at - '0') * power;
  return TRUE;
}

/* ---- arguments */

static gboolean
get_list (Fields *self, GArray *list)
{
  gint64 value;

  g_array_set_size (list, 0);
  if (!skip_field (self) || !next_field (self, ':', "a list of counts"))
    return FALSE;
  /* a communicator without ranks cannot be; a list may still be empty */
  while (self->at < self->end && *self->at != ':')
    {
      if (!get_signed (self, &value))
        return FALSE;
      g_array_append_val (list, value);
      if (self->at < self->end && *self->at == ',')
        self->at++;
    }
  return TRUE;
}

/* number,bytes,extent: the bytes */
static gboolean
get_type (Fields *self, gint64 *size)
{
  gint64 ignored;
  guint64 extent;

  return get_signed (self, &ignored) && next_field (self, ',', "the size of a datatype")
         && get_signed (self, size) && next_field (self, ',', "the extent of a datatype")
         && get_unsigned (self, &extent);
}

static gboolean
get_comm (Fields *self, PdAllprofComm *comm)
{
  return get_unsigned (self, &comm->handle) && next_field (self, ',', "a rank")
         && get_signed (self, &comm->rank) && next_field (self, ',', "a size")
         && get_signed (self, &comm->size);
}

static gboolean
get_argument (Fields *self, char letter, PdAllprofCall *call)
{
  gboolean second = g_ascii_isupper (letter);

  switch (letter)
    {
    case 'n':
    case 'N':
      return get_signed (self, &call->count[second]);
    case 't':
    case 'T':
      return get_type (self, &call->size[second]);
    case 'p':
    case 'P':
      return get_signed (self, &call->peer[second]);
    case 'g':
    case 'G':
      return get_signed (self, &call->tag[second]);
    case 'c':
      call->has_comm = TRUE;
      return get_comm (self, &call->comm);
    case 'r':
      return get_signed (self, &call->root);
    case 'k':
      return get_signed (self, &call->n_requests);
    case 'q':
      return get_unsigned (self, &call->request);
    case 'V':
      return get_list (self, call->counts[0]);
    case 'U':
      return get_list (self, call->counts[1]);
    case 'D':
      return skip_field (self) && next_field (self, ':', "displacements") && skip_field (self);
    case 'a':
      return get_unsigned (self, &call->address);
    case 'l':
      return get_signed (self, &call->colour);
    case 'y':
      return get_signed (self, &call->key);
    default:
      return skip_field (self);
    }
}

/* ---- lines */

/* The time from the base; before there is one, the first time is it. */
static gboolean
set_time (PdAllprofLines *self, Fields *fields, gboolean *has, gint64 *time)
{
  gint64 us = 0, ps = 0;

  if (!get_time (fields, has, &us, &ps))
    return FALSE;
  if (!*has)
    return TRUE;
  if (!self->has_base)
    {
      self->has_base = TRUE;
      self->base_us = us;
    }
  us -= self->base_us;
  if (us > MAX_US || us < -MAX_US)
    return expected (fields, "a time within 106 days of the first");
  *time = us * 1000000 + ps;
  return TRUE;
}

/* Skips the arguments of a function that are not read; only the end time behind them is
 * needed. */
static void
skip_to_last (Fields *self)
{
  const char *last = self->end;

  while (last > self->at && *last != ':')
    last--;
  self->at = last;
}

static gboolean
parse_call (PdAllprofLines *self, Fields *fields)
{
  PdAllprofCall *call = &self->call;
  const char *arguments = call->function != NULL ? call->function->arguments : NULL;

  call->has_comm = FALSE;
  call->n_requests = 1;
  if (!next_field (fields, ':', "the moment of the call")
      || !set_time (self, fields, &call->has_start, &call->start))
    return FALSE;
  for (; arguments != NULL && *arguments != '\0'; arguments++)
    if (!next_field (fields, ':', "another argument") || !get_argument (fields, *arguments, call))
      return FALSE;
  if (call->function == NULL || call->function->arguments == NULL)
    skip_to_last (fields);
  if (!next_field (fields, ':', "the moment of the return"))
    return FALSE;
  /* times count from the end of MPI_Init */
  if (call->function != NULL && call->function->class == PD_ALLPROF_INIT)
    self->has_base = FALSE;
  return set_time (self, fields, &call->has_end, &call->end)
         && (fields->at >= fields->end || *fields->at == ' ' || *fields->at == '\t'
             || *fields->at == '\r' || expected (fields, "the end of the line"));
}

void
pd_allprof_lines_init (PdAllprofLines *self, PdInput *input, const char *name, guint32 rank)
{
  *self = (PdAllprofLines){ .name = name, .rank = rank };
  pd_line_input_init (&self->lines, input);
  for (guint i = 0; i < 2; i++)
    self->call.counts[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
}

void
pd_allprof_lines_clear (PdAllprofLines *self)
{
  pd_line_input_clear (&self->lines);
  for (guint i = 0; i < 2; i++)
    g_array_unref (self->call.counts[i]);
}

gboolean
pd_allprof_lines_next (PdAllprofLines *self, GError **error)
{
  PdLineText line;
  g_autoptr (GError) problem = NULL;

  while (!self->ended && pd_line_input_next (&self->lines, &line, error))
    {
      Fields fields = { self, line.begin, line.end, &problem };

      if (line.begin == line.end || *line.begin == '#' || *line.begin == '\r')
        continue;
      while (fields.at < line.end && *fields.at != ':')
        fields.at++;
      self->call.name = line.begin;
      self->call.name_length = (gsize) (fields.at - line.begin);
      self->call.function = pd_allprof_find (line.begin, self->call.name_length);
      if (!parse_call (self, &fields))
        {
          /* a last line without end is one that was cut */
          self->is_cut = self->lines.is_last;
          if (!self->is_cut)
            g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      self->ended =
          self->call.function != NULL && self->call.function->class == PD_ALLPROF_FINALIZE;
      return TRUE;
    }
  g_prefix_error (error, "%s: ", self->name);
  return FALSE;
}
