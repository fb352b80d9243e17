/* SPDX-License-Identifier: MIT */
#include "tests/support/trace-events.h"

#include <string.h>
#include <zlib.h>

#define MAX_DEPTH 32

/* An event; what is not there: "" or -1. */
typedef struct
{
  char phase[4];
  char category[32];
  char bind[4];
  gint64 pid;
  gint64 tid;
  gint64 id;
  gint64 ts;
  gint64 dur;
  gboolean has_ts;
  gboolean has_dur;
  gboolean has_name;
  guint place; /* in the file */
} Event;

typedef struct
{
  const char *at;
  const char *wrong; /* (nullable) */
  char key[32];      /* the last one */
  char string[64];   /* the beginning of the last one */
  gint64 number;     /* the last one, in millionths */
  Event event;
  GArray *events;
  gboolean has_unit;
} Parser;

/* ---- JSON */

static gboolean
fail (Parser *self, const char *wrong)
{
  if (self->wrong == NULL)
    self->wrong = wrong;
  return FALSE;
}

static void
skip_blanks (Parser *self)
{
  self->at += strspn (self->at, " \t\r\n");
}

static gboolean
expect (Parser *self, char c)
{
  skip_blanks (self);
  if (*self->at != c)
    return fail (self, "a character is not what was expected");
  self->at++;
  return TRUE;
}

static gboolean
read_string (Parser *self)
{
  gsize n = 0;

  if (!expect (self, '"'))
    return FALSE;
  for (; *self->at != '"'; self->at++)
    {
      if ((guchar) *self->at < 0x20)
        return fail (self, "a control character, or the end, in a string");
      if (n + 1 < sizeof self->string)
        self->string[n++] = *self->at;
      if (*self->at != '\\')
        continue;
      self->at++;
      if (strchr ("\"\\/bfnrtu", *self->at) == NULL || *self->at == '\0')
        return fail (self, "an escape that does not exist");
      for (guint i = 0; *self->at == 'u' && i < 4; i++)
        if (!g_ascii_isxdigit (self->at[i + 1]))
          return fail (self, "an escape without four digits");
    }
  self->string[n] = '\0';
  self->at++;
  return TRUE;
}

/* Exactly, in millionths: of microseconds that is picoseconds. */
static gboolean
read_number (Parser *self)
{
  gboolean negative = *self->at == '-';
  guint decimals = 0;
  gint64 value = 0;

  self->at += negative;
  if (!g_ascii_isdigit (*self->at) || (self->at[0] == '0' && g_ascii_isdigit (self->at[1])))
    return fail (self, "no number");
  for (; g_ascii_isdigit (*self->at); self->at++)
    value = value * 10 + (*self->at - '0');
  if (*self->at == '.')
    {
      self->at++;
      if (!g_ascii_isdigit (*self->at))
        return fail (self, "a number without digits behind its point");
      for (; g_ascii_isdigit (*self->at); self->at++, decimals++)
        value = value * 10 + (*self->at - '0');
    }
  if (decimals > 6 || *self->at == 'e' || *self->at == 'E')
    return fail (self, "a number that is not exact to millionths");
  for (; decimals < 6; decimals++)
    value *= 10;
  self->number = negative ? -value : value;
  return TRUE;
}

static gboolean read_value (Parser *self, guint depth, gboolean is_event);

static gboolean
read_array (Parser *self, guint depth, gboolean of_events)
{
  self->at++;
  skip_blanks (self);
  if (*self->at == ']')
    {
      self->at++;
      return TRUE;
    }
  for (;;)
    {
      if (!read_value (self, depth + 1, of_events))
        return FALSE;
      skip_blanks (self);
      if (*self->at != ',')
        return expect (self, ']');
      self->at++;
    }
}

static void
take (Parser *self, const char *key, char kind)
{
  Event *e = &self->event;
  gint64 whole = self->number / 1000000;

  if (strcmp (key, "ph") == 0 && kind == '"')
    g_strlcpy (e->phase, self->string, sizeof e->phase);
  else if (strcmp (key, "cat") == 0 && kind == '"')
    g_strlcpy (e->category, self->string, sizeof e->category);
  else if (strcmp (key, "bp") == 0 && kind == '"')
    g_strlcpy (e->bind, self->string, sizeof e->bind);
  else if (strcmp (key, "name") == 0 && kind == '"')
    e->has_name = TRUE;
  else if (strcmp (key, "pid") == 0 && kind == '0')
    e->pid = whole;
  else if (strcmp (key, "tid") == 0 && kind == '0')
    e->tid = whole;
  else if (strcmp (key, "id") == 0 && kind == '0')
    e->id = whole;
  else if (strcmp (key, "ts") == 0 && kind == '0')
    {
      e->has_ts = TRUE;
      e->ts = self->number;
    }
  else if (strcmp (key, "dur") == 0 && kind == '0')
    {
      e->has_dur = TRUE;
      e->dur = self->number;
    }
}

static gboolean
read_member (Parser *self, guint depth, gboolean of_event)
{
  char key[32];

  if (!read_string (self) || !expect (self, ':'))
    return FALSE;
  g_strlcpy (key, self->string, sizeof key);
  skip_blanks (self);
  gboolean events = depth == 0 && strcmp (key, "traceEvents") == 0 && *self->at == '[';
  self->has_unit |= depth == 0 && strcmp (key, "displayTimeUnit") == 0;
  char kind = g_ascii_isdigit (*self->at) || *self->at == '-' ? '0' : *self->at;
  if (events ? !read_array (self, depth, TRUE) : !read_value (self, depth + 1, FALSE))
    return FALSE;
  if (of_event)
    take (self, key, kind);
  return TRUE;
}

static gboolean
read_object (Parser *self, guint depth, gboolean is_event)
{
  if (is_event)
    self->event = (Event){ .pid = -1, .tid = -1, .id = -1, .place = self->events->len };
  self->at++;
  skip_blanks (self);
  for (gboolean more = *self->at != '}'; more;)
    {
      if (!read_member (self, depth, is_event))
        return FALSE;
      skip_blanks (self);
      more = *self->at == ',';
      self->at += more;
    }
  if (!expect (self, '}'))
    return FALSE;
  if (is_event)
    g_array_append_val (self->events, self->event);
  return TRUE;
}

static gboolean
read_value (Parser *self, guint depth, gboolean is_event)
{
  static const char *const words[] = { "true", "false", "null" };

  skip_blanks (self);
  if (depth > MAX_DEPTH)
    return fail (self, "too deep");
  if (is_event && *self->at != '{')
    return fail (self, "an event that is no object");
  if (*self->at == '{')
    return read_object (self, depth, is_event);
  if (*self->at == '[')
    return read_array (self, depth, FALSE);
  if (*self->at == '"')
    return read_string (self);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (self->at, words[i]))
      {
        self->at += strlen (words[i]);
        return TRUE;
      }
  return read_number (self);
}

/* ---- events */

static gint
compare (gint64 a, gint64 b)
{
  return (a > b) - (a < b);
}

/* By thread; of each in the order of time, then as they are in the file. */
static gint
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *x = a, *y = b;

  if (x->pid != y->pid)
    return compare (x->pid, y->pid);
  if (x->tid != y->tid)
    return compare (x->tid, y->tid);
  if (x->ts != y->ts)
    return compare (x->ts, y->ts);
  return compare (x->place, y->place);
}

static gint
compare_flows (gconstpointer a, gconstpointer b)
{
  const Event *x = a, *y = b;

  if (x->id != y->id)
    return compare (x->id, y->id);
  return compare (y->phase[0], x->phase[0]); /* "s" before "f" */
}

/* What a phase needs besides a name. */
static const char *
check_event (const Event *e)
{
  gboolean has_place = e->pid >= 0 && e->tid >= 0 && e->has_ts && e->ts >= 0;

  if (e->ts % 1000 != 0 || e->dur % 1000 != 0)
    return "a moment or a length that is no whole nanosecond: viewers round them, and slices "
           "overlap";
  if (!e->has_name || e->pid < 0)
    return "an event without a name or a process";
  if (strcmp (e->phase, "M") == 0)
    return NULL;
  if (strcmp (e->phase, "C") == 0)
    return e->has_ts && e->ts >= 0 ? NULL : "a counter without its moment";
  if (strcmp (e->phase, "X") == 0)
    return has_place && e->has_dur && e->dur >= 0 ? NULL : "a slice without thread or times";
  if (strcmp (e->phase, "s") == 0)
    return has_place && e->id >= 0 ? NULL : "the beginning of a message without place or number";
  if (strcmp (e->phase, "f") == 0)
    return has_place && e->id >= 0 && strcmp (e->bind, "e") == 0
               ? NULL
               : "the end of a message without place, number or binding";
  return "an unknown phase";
}

static gboolean
is_computation (const char *category)
{
  return strcmp (category, "compute") == 0 || strcmp (category, "repeated") == 0;
}

static gint64
get_end (const Event *slice)
{
  return slice->ts + slice->dur;
}

/* A slice of a thread, in its order; @stack: indices of those around. */
static const char *
check_slice (GArray *events, GArray *stack, guint index, TestThread *thread)
{
  const Event *e = &g_array_index (events, Event, index);
  gboolean is_interval = strcmp (e->category, "interval") == 0;

  while (stack->len > 0)
    {
      const Event *top =
          &g_array_index (events, Event, g_array_index (stack, guint, stack->len - 1));
      gboolean holds = strcmp (top->category, "interval") == 0;
      if (holds && get_end (top) >= get_end (e) && (get_end (top) > e->ts || e->dur == 0))
        break;
      if (get_end (top) > e->ts)
        return holds ? "slices that do not nest" : "a call inside a call";
      g_array_set_size (stack, stack->len - 1);
    }
  g_array_append_val (stack, index);
  if (thread->n_slices + thread->n_intervals == 0)
    thread->begin = e->ts;
  thread->end = MAX (thread->end, get_end (e));
  thread->n_intervals += is_interval ? 1 : 0;
  thread->n_slices += is_interval ? 0 : 1;
  return NULL;
}

/* The end of a message: some slice of its thread that has begun holds it. */
static gboolean
is_held (const GArray *events, const GArray *stack, gint64 ts, gboolean *odd)
{
  if (stack->len > 0)
    {
      const Event *top =
          &g_array_index (events, Event, g_array_index (stack, guint, stack->len - 1));
      *odd = strcmp (top->category, "interval") == 0 || is_computation (top->category);
    }
  for (guint i = stack->len; i-- > 0;)
    if (get_end (&g_array_index (events, Event, g_array_index (stack, guint, i))) >= ts)
      return TRUE;
  return FALSE;
}

static const char *
check_threads (TestTraceEvents *self, GArray *events)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  TestThread *thread = NULL;

  g_array_sort (events, compare_events);
  for (guint i = 0; i < events->len; i++)
    {
      const Event *e = &g_array_index (events, Event, i);
      const TestThread fresh = { .pid = e->pid, .tid = e->tid };
      const char *wrong = NULL;
      gboolean odd = FALSE;
      if (strchr ("MC", e->phase[0]) != NULL)
        continue;
      if (thread == NULL || thread->pid != e->pid || thread->tid != e->tid)
        {
          g_array_append_val (self->threads, fresh);
          thread = &g_array_index (self->threads, TestThread, self->threads->len - 1);
          g_array_set_size (stack, 0);
        }
      if (e->phase[0] == 'X')
        wrong = check_slice (events, stack, i, thread);
      else if (!is_held (events, stack, e->ts, &odd))
        wrong = "the end of a message outside slices";
      self->n_odd += odd ? 1 : 0;
      if (wrong != NULL)
        return wrong;
      self->last = MAX (self->last, e->phase[0] == 'X' ? get_end (e) : e->ts);
    }
  return NULL;
}

static const char *
check_flows (TestTraceEvents *self, const GArray *events)
{
  g_autoptr (GArray) flows = g_array_new (FALSE, FALSE, sizeof (Event));

  for (guint i = 0; i < events->len; i++)
    if (strchr ("sf", g_array_index (events, Event, i).phase[0]) != NULL)
      g_array_append_val (flows, g_array_index (events, Event, i));
  g_array_sort (flows, compare_flows);
  for (guint i = 0; i < flows->len; i += 2)
    {
      const Event *s = &g_array_index (flows, Event, i);
      if (i + 1 == flows->len || s[0].id != s[1].id || s[0].phase[0] != 's' || s[1].phase[0] != 'f'
          || (i > 0 && s[-1].id == s[0].id))
        return "a message without its two ends";
      if (s[0].ts > s[1].ts)
        return "a message that arrives before it is sent";
    }
  self->n_flows = flows->len / 2;
  return NULL;
}

static const char *
check_all (TestTraceEvents *self, GArray *events)
{
  for (guint i = 0; i < events->len; i++)
    {
      const char *wrong = check_event (&g_array_index (events, Event, i));
      if (wrong != NULL)
        return wrong;
      self->n_counters += g_array_index (events, Event, i).phase[0] == 'C';
    }
  const char *wrong = check_flows (self, events);
  return wrong != NULL ? wrong : check_threads (self, events);
}

/* ---- the whole */

TestTraceEvents *
test_trace_events_parse (const char *text, char **wrong)
{
  TestTraceEvents *self = g_new0 (TestTraceEvents, 1);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  Parser parser = { .at = text, .events = events };
  const char *reason = NULL;

  self->threads = g_array_new (FALSE, FALSE, sizeof (TestThread));
  if (*text != '{' || !read_value (&parser, 0, FALSE))
    reason = parser.wrong != NULL ? parser.wrong : "no object";
  skip_blanks (&parser);
  if (reason == NULL && *parser.at != '\0')
    reason = "something behind the end";
  if (reason == NULL && (!parser.has_unit || events->len == 0))
    reason = "no unit, or no events";
  if (reason == NULL)
    reason = check_all (self, events);
  if (wrong != NULL)
    *wrong = g_strdup (reason);
  return self;
}

TestTraceEvents *
test_trace_events_read (const char *path)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *wrong = NULL;
  gzFile file = gzopen (path, "rb"); /* reads plain files, too */
  char buffer[8192];
  int n;

  g_assert_nonnull (file);
  while ((n = gzread (file, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  g_assert_cmpint (n, ==, 0);
  g_assert_cmpint (gzclose (file), ==, Z_OK);
  TestTraceEvents *self = test_trace_events_parse (text->str, &wrong);
  g_assert_cmpstr (wrong, ==, NULL);
  return self;
}

void
test_trace_events_free (TestTraceEvents *self)
{
  g_array_unref (self->threads);
  g_free (self);
}
