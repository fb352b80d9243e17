/* Models in files: what is read makes what was written, and nothing else is taken for one.
 * SPDX-License-Identifier: MIT */
#include "scale/file/pd-scale-file.h"
#include "traces/io/pd-trace-error.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/text/pd-text-writer.h"

#include <string.h>

/* ---- a program on any number of ranks */

static void
add (PdProgramBuilder *builder, guint32 rank, const PdAction *action)
{
  g_autoptr (GError) error = NULL;

  pd_program_builder_add (builder, rank, action, &error);
  g_assert_no_error (error);
}

/* Half of @work is divided by the number of ranks; each time a little more. */
static void
add_work (PdProgramBuilder *builder, guint32 rank, guint32 n, gint64 work, gint64 more)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time = PD_TIME (work / 2 + work / 2 / n + more * (1 + rank % 2));
  add (builder, rank, &action);
}

static void
add_exchange (PdProgramBuilder *builder, guint32 rank, guint32 n, guint32 site)
{
  const guint32 slots[] = { 0, 1 };
  PdAction action;

  pd_action_init (&action, PD_ACT_ISEND);
  action.peer = (gint32) ((rank + 1) % n);
  action.tag = 7;
  action.bytes = 1 << 20;
  action.site = site;
  add (builder, rank, &action);
  action.kind = PD_ACT_IRECV;
  action.peer = (gint32) ((rank + n - 1) % n);
  action.request = 1;
  add (builder, rank, &action);
  pd_action_init (&action, PD_ACT_WAITALL);
  action.slots = slots;
  action.n_slots = G_N_ELEMENTS (slots);
  add (builder, rank, &action);
}

/* What depends on data. */
static gint64
draw (guint32 from, guint32 to)
{
  return 8 * (1 + (from * 7919 + to * 104729 + from * to * 31) % 97);
}

static void
add_collective (PdProgramBuilder *builder, guint32 rank, guint32 n, guint32 comm, gboolean drawn)
{
  g_autofree gint64 *counts = g_new (gint64, n);
  PdAction action;

  for (guint32 i = 0; i < n; i++)
    counts[i] = drawn ? draw (rank, i) : 3 + rank;
  pd_action_init (&action, PD_ACT_COLLECTIVE);
  action.op = PD_COLL_ALLTOALLV;
  action.comm = comm;
  action.peer = 0;
  action.send_counts = pd_program_builder_add_counts (builder, counts, n);
  for (guint32 i = 0; i < n; i++)
    counts[i] = drawn ? draw (i, rank) : 3 + i;
  action.recv_counts = pd_program_builder_add_counts (builder, counts, n);
  add (builder, rank, &action);
}

static void
add_rank (PdProgramBuilder *builder, guint32 rank, guint32 n, guint32 comm, gboolean drawn)
{
  const PdProgramInterval interval = { "steps", "ring.c", 12, 3 };
  const PdProgramSite outer = { "ring.c", "main", 20, PD_PROGRAM_NONE };
  PdProgramSite inner = { "ring.c", "exchange", 30, 0 };
  PdAction action;

  inner.parent = pd_program_builder_add_site (builder, &outer);
  guint32 site = pd_program_builder_add_site (builder, &inner);
  pd_action_init (&action, PD_ACT_ENTER);
  action.interval = pd_program_builder_add_interval (builder, &interval);
  add (builder, rank, &action);
  for (guint i = 0; i < 6; i++)
    {
      add_work (builder, rank, n, i == 0 ? 40000000 : 4000000, i); /* the first one differs */
      add_exchange (builder, rank, n, site);
    }
  for (gint32 i = 0; i < 3 && rank == 0; i++)
    {
      pd_action_init (&action, PD_ACT_LOCAL);
      action.name = pd_program_builder_add_string (builder, i == 1 ? "one" : "other");
      add (builder, rank, &action);
    }
  action.kind = PD_ACT_LEAVE;
  add (builder, rank, &action);
  add_collective (builder, rank, n, comm, drawn);
  add_work (builder, rank, n, 1000000, 0);
}

static PdProgram *
make_program (guint32 n, gboolean drawn)
{
  PdProgramBuilder *builder = pd_program_builder_new (n, PD_AMOUNT_TIME);
  g_autofree guint32 *all = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    all[i] = i;
  guint32 comm = pd_program_builder_add_comm (builder, all, n, NULL);
  for (guint32 rank = 0; rank < n; rank++)
    add_rank (builder, rank, n, comm, drawn);
  return pd_program_builder_finish (builder);
}

/* @drawn: some sizes depend on data */
static PdScaleModel *
make_model (gboolean drawn)
{
  g_autoptr (GPtrArray) programs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_program_free);
  g_autoptr (GError) error = NULL;

  for (guint32 n = 4; n <= 16; n *= 2)
    g_ptr_array_add (programs, make_program (n, drawn));
  PdScaleModel *model = pd_scale_model_new (programs, TRUE, &error);
  g_assert_no_error (error);
  g_assert_true (drawn == (pd_scale_model_get_share (model)->reason != NULL));
  PdScaleOrigin *origin = pd_scale_model_get_origin (model);
  PdScaleRecording recording = { g_strdup ("ring.4"), 4, PD_TIME_PENDING };
  g_array_append_val (origin->recordings, recording);
  PdScaleInterval interval = { g_strdup ("steps"), 1, PD_TIME (5), PD_TIME (6) };
  g_array_append_val (origin->validation.intervals, interval);
  origin->validation.n_ranks = 16;
  origin->validation.calls = (PdScaleComparison){ 9, 8, 7, 6, 5, 4, 3, 2 };
  origin->validation.recorded = PD_TIME (7);
  origin->validation.synthesized = PD_TIME (8);
  pd_messages_add (origin->messages, PD_SEVERITY_WARNING, "told", "subject", NULL, "a text");
  return model;
}

/* ---- */

static char *
make_text (const PdScaleModel *model, guint32 n)
{
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) program = pd_scale_model_make (model, n, NULL, messages, NULL, &error);

  g_assert_no_error (error);
  g_autoptr (GBytes) text = pd_program_to_text (program);
  g_string_append_len (all, g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text));
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    g_string_append (all, pd_messages_get (messages, i)->text);
  pd_scale_model_describe (model, all);
  return g_string_free (g_steal_pointer (&all), FALSE);
}

static void
test_again (gconstpointer drawn)
{
  g_autoptr (PdScaleModel) model = make_model (drawn != NULL);
  g_autoptr (GBytes) bytes = pd_scale_model_to_bytes (model);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdScaleModel) again = pd_scale_model_new_from_bytes (bytes, &error);

  g_assert_no_error (error);
  g_autoptr (GBytes) rewritten = pd_scale_model_to_bytes (again);
  g_assert_true (g_bytes_equal (bytes, rewritten));
  for (guint32 n = 4; n <= 128; n *= 2)
    {
      g_autofree char *one = make_text (model, n), *other = make_text (again, n);
      g_assert_cmpstr (one, ==, other);
    }
  g_assert_cmpuint (pd_scale_model_get_share (model)->places->len, ==,
                    pd_scale_model_get_share (again)->places->len);
  g_assert_cmpfloat (pd_scale_model_get_time_error (model), ==,
                     pd_scale_model_get_time_error (again));
}

static void
test_origin (void)
{
  g_autoptr (PdScaleModel) model = make_model (TRUE);
  g_autoptr (GBytes) bytes = pd_scale_model_to_bytes (model);
  g_autoptr (PdScaleModel) again = pd_scale_model_new_from_bytes (bytes, NULL);
  const PdScaleOrigin *origin = pd_scale_model_get_origin (again);
  const PdScaleRecording *recording = &g_array_index (origin->recordings, PdScaleRecording, 0);
  const PdScaleInterval *interval =
      &g_array_index (origin->validation.intervals, PdScaleInterval, 0);
  const PdMessage *message = pd_messages_get (origin->messages, 0);

  g_assert_cmpstr (recording->name, ==, "ring.4");
  g_assert_cmpuint (recording->n_ranks, ==, 4);
  g_assert_true (pd_time_is_pending (recording->time));
  g_assert_cmpstr (interval->name, ==, "steps");
  g_assert_cmpint (interval->synthesized.ps, ==, 6);
  g_assert_cmpuint (origin->validation.n_ranks, ==, 16);
  g_assert_cmpuint (origin->validation.calls.first_call, ==, 2);
  g_assert_cmpfloat_with_epsilon (pd_scale_validation_get_error (&origin->validation), 1.0 / 7,
                                  1e-12);
  g_assert_cmpstr (message->id, ==, "told");
  g_assert_cmpstr (message->text, ==, "a text");
  g_assert_cmpint (message->severity, ==, PD_SEVERITY_WARNING);
}

/* The first @size bytes, and room for one more. */
static guint8 *
copy_of (GBytes *bytes, gsize size)
{
  guint8 *copy = g_malloc0 (size + 1);

  memcpy (copy, g_bytes_get_data (bytes, NULL), size);
  return copy;
}

static void
refuse (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdScaleModel) model = pd_scale_model_new_from_bytes (bytes, &error);

  g_assert_null (model);
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
}

/* Cut anywhere, also with a sum that is right. */
static void
test_cut (gconstpointer drawn)
{
  g_autoptr (PdScaleModel) model = make_model (drawn != NULL);
  g_autoptr (GBytes) bytes = pd_scale_model_to_bytes (model);
  gsize size = g_bytes_get_size (bytes);

  for (gsize n = 0; n < size; n++)
    {
      g_autofree guint8 *copy = copy_of (bytes, n);
      refuse (copy, n);
      pd_scale_file_seal (copy, n);
      refuse (copy, n);
    }
}

/* One byte is another one: refused, or, where the sum is made right, read as what it is. */
static void
test_damaged (void)
{
  g_autoptr (PdScaleModel) model = make_model (TRUE);
  g_autoptr (GBytes) bytes = pd_scale_model_to_bytes (model);
  gsize size = g_bytes_get_size (bytes);
  guint n_refused = 0;

  for (gsize i = 0; i < size; i++)
    {
      g_autofree guint8 *copy = copy_of (bytes, size);
      copy[i] ^= (guint8) (1 + i % 255);
      refuse (copy, size);
      pd_scale_file_seal (copy, size);
      g_autoptr (GBytes) sealed = g_bytes_new (copy, size);
      g_autoptr (PdScaleModel) other = pd_scale_model_new_from_bytes (sealed, NULL);
      n_refused += other == NULL;
    }
  g_assert_cmpuint (n_refused, >, size / 4);
}

static void
test_longer (void)
{
  g_autoptr (PdScaleModel) model = make_model (TRUE);
  g_autoptr (GBytes) bytes = pd_scale_model_to_bytes (model);
  gsize size = g_bytes_get_size (bytes);
  g_autofree guint8 *copy = copy_of (bytes, size);

  pd_scale_file_seal (copy, size + 1);
  refuse (copy, size + 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/scale/file/again/exact", NULL, test_again);
  g_test_add_data_func ("/scale/file/again/drawn", "drawn", test_again);
  g_test_add_func ("/scale/file/origin", test_origin);
  g_test_add_data_func ("/scale/file/cut/exact", NULL, test_cut);
  g_test_add_data_func ("/scale/file/cut/drawn", "drawn", test_cut);
  g_test_add_func ("/scale/file/damaged", test_damaged);
  g_test_add_func ("/scale/file/longer", test_longer);
  return g_test_run ();
}
