/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "serve/pd-serve-traces.h"
#include "serve/pd-serve-parse.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* So many that cannot be shared are remembered. */
#define MAX_REFUSED 1000

struct _PdServeTraces
{
  GPtrArray *all;  /* PdServedTrace, in the order of their ids */
  GPtrArray *kept; /* char*: absolute paths */
  guint64 last_id;
  guint max_parsers;
  PdServeCloseFunc close_others;
  gpointer data;
};

static void
trace_free (gpointer data)
{
  PdServedTrace *self = data;

  if (self->parser > 0)
    {
      kill (self->parser, SIGKILL);
      pd_serve_parse_end (self);
    }
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->folder);
  g_free (self->path);
  g_free (self);
}

PdServeTraces *
pd_serve_traces_new (guint max_parsers, PdServeCloseFunc close_others, gpointer data)
{
  PdServeTraces *self = g_new0 (PdServeTraces, 1);

  self->all = g_ptr_array_new_with_free_func (trace_free);
  self->kept = g_ptr_array_new_with_free_func (g_free);
  self->max_parsers = MAX (max_parsers, 1);
  self->close_others = close_others;
  self->data = data;
  return self;
}

void
pd_serve_traces_free (PdServeTraces *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->all);
  g_ptr_array_unref (self->kept);
  g_free (self);
}

void
pd_serve_traces_keep (PdServeTraces *self, const char *path)
{
  g_ptr_array_add (self->kept, g_strdup (path));
}

/* ---- which are forgotten */

/* Whether the user named it, or a folder that it is in. */
static gboolean
is_kept (const PdServeTraces *self, const PdServedTrace *trace)
{
  g_autofree char *path = g_canonicalize_filename (trace->path, trace->folder);

  for (guint i = 0; i < self->kept->len; i++)
    {
      const char *kept = g_ptr_array_index (self->kept, i);
      gsize n = strcmp (kept, "/") == 0 ? 0 : strlen (kept);
      if (strncmp (path, kept, n) == 0 && (path[n] == '\0' || path[n] == '/'))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_needed (const PdServeTraces *self, const PdServedTrace *trace)
{
  if (trace->n_holders > 0)
    return TRUE;
  if (trace->is_old)
    return FALSE;
  return trace->state != PD_SERVED_READY || is_kept (self, trace);
}

/* Removes all unused traces except @found. Refused traces have no holders: of many, the oldest
 * are removed. */
static void
forget (PdServeTraces *self, const PdServedTrace *found)
{
  guint n_refused = 0;

  for (guint i = self->all->len; i-- > 0;)
    {
      const PdServedTrace *trace = g_ptr_array_index (self->all, i);
      n_refused += trace->state == PD_SERVED_REFUSED;
      if (trace != found
          && (!is_needed (self, trace)
              || (trace->state == PD_SERVED_REFUSED && n_refused > MAX_REFUSED)))
        g_ptr_array_remove_index (self->all, i);
    }
}

void
pd_serve_traces_hold (PdServedTrace *trace)
{
  trace->n_holders++;
}

void
pd_serve_traces_release (PdServeTraces *self, guint64 id)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      PdServedTrace *trace = g_ptr_array_index (self->all, i);
      if (trace->id != id || trace->n_holders == 0)
        continue;
      trace->n_holders--;
      if (!is_needed (self, trace))
        g_ptr_array_remove_index (self->all, i);
      return;
    }
}

/* ---- parsing */

static void
close_others (gpointer data)
{
  const PdServeTraces *self = data;

  for (guint i = 0; i < self->all->len; i++)
    {
      const PdServedTrace *trace = g_ptr_array_index (self->all, i);
      if (trace->done >= 0)
        close (trace->done);
    }
  self->close_others (self->data);
}

/* Returns whether one that waited has been refused. */
static gboolean
start_waiting (PdServeTraces *self)
{
  gboolean changed = FALSE;
  guint n_parsers = 0;

  for (guint i = 0; i < self->all->len; i++)
    n_parsers += ((PdServedTrace *) g_ptr_array_index (self->all, i))->state == PD_SERVED_PARSING;
  for (guint i = 0; i < self->all->len && n_parsers < self->max_parsers; i++)
    {
      PdServedTrace *trace = g_ptr_array_index (self->all, i);
      if (trace->state != PD_SERVED_WAITING)
        continue;
      if (pd_serve_parse_start (trace, close_others, self))
        n_parsers++;
      else
        {
          /* refused for want of descriptors or memory, which is nothing to remember */
          pd_serve_parse_end (trace);
          trace->is_old = TRUE;
          changed = TRUE;
        }
    }
  return changed;
}

/* ---- finding */

static gboolean
is_same_place (const PdServedTrace *trace, const char *folder, const char *path)
{
  return strcmp (trace->folder, folder) == 0 && strcmp (trace->path, path) == 0;
}

/* Whether @trace is an answer to @query, of the same file as it is now. */
static gboolean
answers (const PdServedTrace *trace, const char *folder, const PdSharedQuery *query)
{
  if (trace->is_old || trace->query.form != query->form || trace->query.recorded != query->recorded
      || memcmp (&trace->query.stamp, &query->stamp, sizeof query->stamp) != 0)
    return FALSE;
  return is_same_place (trace, folder, query->path)
         || (trace->state == PD_SERVED_READY && !trace->names_files);
}

static PdServedTrace *
add (PdServeTraces *self, const char *folder, const PdSharedQuery *query)
{
  PdServedTrace *trace = g_new0 (PdServedTrace, 1);

  trace->id = ++self->last_id;
  trace->folder = g_strdup (folder);
  trace->path = g_strdup (query->path);
  trace->query = *query;
  trace->query.path = trace->path;
  trace->fd = trace->done = -1;
  g_ptr_array_add (self->all, trace);
  return trace;
}

PdServedTrace *
pd_serve_traces_find (PdServeTraces *self, const char *folder, const PdSharedQuery *query)
{
  PdServedTrace *found = NULL;

  for (guint i = 0; i < self->all->len; i++)
    {
      PdServedTrace *trace = g_ptr_array_index (self->all, i);
      if (answers (trace, folder, query) && !(query->again && trace->state == PD_SERVED_READY))
        found = trace;
      /* the file was another one, or a part of it was */
      else if (is_same_place (trace, folder, query->path) && trace->query.form == query->form
               && trace->query.recorded == query->recorded)
        trace->is_old = TRUE;
    }
  forget (self, found);
  if (found == NULL)
    {
      found = add (self, folder, query);
      start_waiting (self);
    }
  return found;
}

const GPtrArray *
pd_serve_traces_get (const PdServeTraces *self)
{
  return self->all;
}

void
pd_serve_traces_add_polls (const PdServeTraces *self, GArray *polls)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      const PdServedTrace *trace = g_ptr_array_index (self->all, i);
      struct pollfd poll = { .fd = trace->done, .events = POLLIN };
      if (trace->state == PD_SERVED_PARSING)
        g_array_append_val (polls, poll);
    }
}

static gboolean
has_ended (const PdServedTrace *trace)
{
  struct pollfd one = { .fd = trace->done, .events = POLLIN };

  return trace->state == PD_SERVED_PARSING && poll (&one, 1, 0) > 0;
}

gboolean
pd_serve_traces_update (PdServeTraces *self)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < self->all->len; i++)
    {
      PdServedTrace *trace = g_ptr_array_index (self->all, i);
      if (!has_ended (trace))
        continue;
      pd_serve_parse_end (trace);
      changed = TRUE;
    }
  /* who asked may have gone meanwhile */
  if (changed)
    forget (self, NULL);
  return start_waiting (self) || changed;
}
