/* Loops in programs: they are what they repeat, for everybody who reads actions; and what a builder
 * refuses.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/loops.h"
#include "tests/support/mp/programs-random.h"
#include "tests/support/same-messages.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/audit/pd-program-audit.h"
#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-program-file-private.h"
#include "traces/program/pd-program-file.h"
#include "traces/text/pd-text-writer.h"

#include <glib/gstdio.h>
#include <string.h>

static const TestRepeat repeats[] = { { 1, 1, FALSE }, { 3, 1, FALSE }, { 1, 2, FALSE },
                                      { 4, 3, FALSE }, { 3, 2, TRUE },  { 1, 1, TRUE } };

static void
assert_same_text (const PdProgram *a, const PdProgram *b)
{
  g_autoptr (GBytes) one = pd_program_to_text (a), two = pd_program_to_text (b);

  g_assert_true (g_bytes_equal (one, two));
}

static void
assert_same_findings (const PdProgram *a, const PdProgram *b)
{
  g_autoptr (PdMessages) one = pd_messages_new (), two = pd_messages_new ();

  g_assert_true (pd_program_audit (a, "t", FALSE, one) == pd_program_audit (b, "t", FALSE, two));
  test_assert_same_messages (one, two);
}

static void
test_forms (void)
{
  for (guint32 seed = 0; seed < 40; seed++)
    {
      g_autoptr (PdProgram) body = test_random_program (seed);
      TestRepeat repeat = repeats[seed % G_N_ELEMENTS (repeats)];
      g_autoptr (PdProgram) flat = test_repeat_program (body, repeat, FALSE);
      g_autoptr (PdProgram) loops = test_repeat_program (body, repeat, TRUE);
      gboolean repeats_any = repeat.outer * repeat.inner > 1 || repeat.varies;

      g_assert_false (pd_program_has_loops (flat));
      if (!repeats_any)
        g_assert_false (pd_program_has_loops (loops));
      for (guint32 rank = 0; rank < pd_program_get_n_ranks (flat); rank++)
        g_assert_cmpuint (pd_program_get_n_actions (flat, rank), ==,
                          pd_program_get_n_actions (loops, rank));
      assert_same_text (flat, loops);
      assert_same_findings (flat, loops);
    }
}

/* ---- files */

static const guint8 key[PD_PROGRAM_KEY_SIZE] = { 1 };

/* The bytes of a file of @program. */
static GByteArray *
save (const PdProgram *program)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("loops-XXXXXX", &path, &error);
  char *data;
  gsize size;

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (pd_program_save (program, key, NULL, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  g_unlink (path);
  return g_byte_array_new_take ((guint8 *) data, size);
}

static PdProgram *
map (const GByteArray *file, gsize size, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (file->data, size);

  return pd_program_map_bytes (bytes, key, NULL, error);
}

/* Loops are saved, and so are samples. */
static void
test_file (void)
{
  for (guint varies = 0; varies < 2; varies++)
    {
      g_autoptr (PdProgram) body = test_random_program (3);
      TestRepeat repeat = { 3, 4, varies == 1 };
      g_autoptr (PdProgram) loops = test_repeat_program (body, repeat, TRUE);
      g_autoptr (GByteArray) file = save (loops);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdProgram) mapped = map (file, file->len, &error);

      g_assert_no_error (error);
      g_assert_true (pd_program_has_loops (loops));
      g_assert_true (pd_program_has_loops (mapped));
      assert_same_text (loops, mapped);
      assert_same_findings (loops, mapped);
      for (gsize n = 0; n < file->len; n += n < 400 ? 1 : 97)
        {
          g_assert_null (map (file, n, &error));
          g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
          g_clear_error (&error);
        }
    }
}

/* Two loops around each other: of four cells of computation, and of these and one more. */
static GByteArray *
save_nest (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (1, PD_AMOUNT_TIME);
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  pd_program_builder_begin_loop (builder, 0);
  pd_program_builder_begin_loop (builder, 0);
  for (guint i = 0; i < 4; i++)
    pd_program_builder_add (builder, 0, &action, NULL);
  pd_program_builder_end_loop (builder, 3, NULL);
  pd_program_builder_add (builder, 0, &action, NULL);
  pd_program_builder_end_loop (builder, 2, NULL);
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  return save (program);
}

/* What is said of the inner or the outer loop, and what is wrong with it. */
static const struct
{
  const char *name;
  guint outer;
  PdProgramCell cell;
} wrong[] = {
  { "longer", 0, { .comm = 0, .peer = 5, .bytes = 3 } },
  { "empty", 0, { .comm = 0, .peer = 0, .bytes = 3 } },
  { "negative", 0, { .comm = 0, .peer = -4, .bytes = 3 } },
  { "once", 0, { .comm = 0, .peer = 4, .bytes = 1 } },
  { "never", 0, { .comm = 0, .peer = 4, .bytes = 0 } },
  { "level", 0, { .comm = 1, .peer = 4, .bytes = 3 } },
  { "other-count", 0, { .comm = 0, .peer = 4, .bytes = 4 } },
  { "cuts-a-loop", 1, { .comm = 1, .peer = 3, .bytes = 2 } },
  { "level-of-inner", 1, { .comm = 0, .peer = 6, .bytes = 2 } },
  { "beyond", 1, { .comm = 1, .peer = 7, .bytes = 2 } },
  { "too-often", 1, { .comm = 1, .peer = 6, .bytes = G_MAXUINT32 } },
};

/* The cells of loops in a file. */
static PdProgramCell *
find_loop (GByteArray *file, guint number)
{
  for (gsize at = 0; at + sizeof (PdProgramCell) <= file->len; at += sizeof (PdProgramCell))
    {
      PdProgramCell *cell = (PdProgramCell *) (void *) (file->data + at);
      if (cell->kind == PD_CELL_LOOP && cell->comm == number && cell->bytes == 3 - number)
        return cell;
    }
  g_assert_not_reached ();
}

static void
test_wrong (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GByteArray) file = save_nest ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) fine = map (file, file->len, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (pd_program_get_n_actions (fine, 0), ==, 26);
  PdProgramCell cell = wrong[i].cell;
  cell.kind = PD_CELL_LOOP;
  *find_loop (file, wrong[i].outer) = cell;
  pd_program_file_seal (file->data, file->len);
  g_autoptr (PdProgram) program = map (file, file->len, &error);
  g_assert_null (program);
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
}

/* Loops around each other that would take for ever, of which the number of actions is right in 64
 * bits. */
static void
test_nest_of_all (void)
{
  g_autoptr (GByteArray) file = save_nest ();
  g_autoptr (GError) error = NULL;

  find_loop (file, 0)->bytes = G_MAXUINT32;
  find_loop (file, 1)->bytes = G_MAXUINT32;
  pd_program_file_seal (file->data, file->len);
  g_autoptr (PdProgram) program = map (file, file->len, &error);
  g_assert_null (program);
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "more actions than can be"));
}

/* Three times a computation, with samples of 1, 9 and 4 bytes. */
static GByteArray *
save_samples (void)
{
  static const PdAmount amounts[] = { { .time = { 1000 } },
                                      { .time = { G_GINT64_CONSTANT (0x1000000000000001) } },
                                      { .time = { 0x1234567 } } };
  PdProgramBuilder *builder = pd_program_builder_new (1, PD_AMOUNT_TIME);
  guint64 first;
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  pd_program_builder_begin_loop (builder, 0);
  pd_program_builder_add_sampled (builder, 0, &action, NULL);
  pd_program_builder_end_loop (builder, 3, NULL);
  pd_program_builder_add_samples (builder, amounts, 3, &first, NULL);
  pd_program_builder_set_samples (builder, 0, first);
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  return save (program);
}

/* Bytes of the file above, and what is changed in them. */
static const struct
{
  const char *name;
  guint8 bytes[9];
  guint n;
  guint at;
  guint8 byte;
} wrong_samples[] = {
  { "negative", { 0x07, 1, 0, 0, 0, 0, 0, 0, 0x10 }, 9, 8, 0x90 },
  { "cut", { 0x73, 0x56, 0x34, 0x12 }, 4, 0, 0x77 },
  { "of-a-message", { PD_CELL_SAMPLE, 0, PD_ACT_COMPUTE, 0 }, 4, 2, PD_ACT_SEND },
  { "of-nothing", { PD_CELL_SAMPLE, 0, PD_ACT_COMPUTE, 0 }, 4, 2, 0xff },
  { "with-an-amount", { PD_CELL_SAMPLE, 0, PD_ACT_COMPUTE, 0, 0, 0, 0, 0, 0 }, 9, 8, 1 },
};

static void
test_wrong_samples (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data), at = 0;
  g_autoptr (GByteArray) file = save_samples ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) fine = map (file, file->len, &error);

  g_assert_no_error (error);
  while (memcmp (file->data + at, wrong_samples[i].bytes, wrong_samples[i].n) != 0)
    g_assert_cmpuint (++at, <, file->len - sizeof wrong_samples[i].bytes);
  file->data[at + wrong_samples[i].at] = wrong_samples[i].byte;
  pd_program_file_seal (file->data, file->len);
  g_autoptr (PdProgram) program = map (file, file->len, &error);
  g_assert_null (program);
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
}

/* ---- found while actions are added */

/* A message, what waits for several, or what takes a time of its own. */
static void
make_random (GRand *rand, const guint32 *slots, PdAction *action)
{
  static const PdActionKind kinds[] = { PD_ACT_SEND, PD_ACT_SENDRECV, PD_ACT_COMPUTE, PD_ACT_LOCAL,
                                        PD_ACT_WAITALL };

  pd_action_init (action, kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))]);
  if (action->kind == PD_ACT_WAITALL)
    {
      action->slots = slots;
      action->n_slots = (guint32) g_rand_int_range (rand, 1, 7);
    }
  else if (action->kind == PD_ACT_SEND || action->kind == PD_ACT_SENDRECV)
    {
      action->tag = g_rand_int_range (rand, 0, 3);
      action->recv_peer = action->kind == PD_ACT_SENDRECV ? 1 : PD_PROGRAM_PROC_NULL;
    }
  action->site = g_rand_int_range (rand, 0, 4) == 0 ? 0 : PD_PROGRAM_NONE;
}

/* Times of all sizes, in nanoseconds or not. */
static PdTime
make_time (GRand *rand)
{
  gint64 ps = (gint64) g_rand_int (rand) << g_rand_int_range (rand, 0, 31);

  ps >>= g_rand_int_range (rand, 0, 63);
  return PD_TIME (g_rand_boolean (rand) && ps < G_MAXINT64 / 1000 ? ps * 1000 : ps);
}

/* Adds random parts that are repeated at random, as loops in loops are; what took time takes
 * another one each time in a builder of three. */
static void
add_random (GRand *rand, GRand *times_of, PdProgramBuilder **builders, guint32 rank, guint depth)
{
  static const guint32 slots[] = { 0, 0, 0, 0, 0, 0 };
  guint32 seed = g_rand_int (rand);
  gint n = g_rand_int_range (rand, 1, depth == 0 ? 12 : 5);

  for (gint times = g_rand_int_range (rand, 1, 9); times > 0; times--)
    {
      g_autoptr (GRand) own = g_rand_new_with_seed (seed);
      for (gint i = 0; i < n; i++)
        {
          PdAction action;
          if (depth > 0 && g_rand_int_range (own, 0, 3) > 0)
            {
              add_random (own, times_of, builders, rank, depth - 1);
              continue;
            }
          make_random (own, slots, &action);
          if (action.kind == PD_ACT_COMPUTE || action.kind == PD_ACT_LOCAL)
            action.amount.time = times_of != NULL ? make_time (times_of) : PD_TIME (7);
          for (guint b = 0; b < 2; b++)
            if (action.kind == PD_ACT_COMPUTE && action.site == PD_PROGRAM_NONE)
              g_assert_true (
                  pd_program_builder_add_compute (builders[b], rank, action.amount.time, -1, NULL));
            else
              g_assert_true (pd_program_builder_add (builders[b], rank, &action, NULL));
        }
    }
}

static const PdProgramSite a_site = { "a.c", "f", 3, PD_PROGRAM_NONE };

/* @is_sampled: times differ, and are samples. Returns whether there are loops. */
static gboolean
check_found (guint32 seed, gboolean is_sampled)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed), times = g_rand_new_with_seed (seed);
  PdProgramBuilder *builders[] = { pd_program_builder_new (2, PD_AMOUNT_TIME),
                                   pd_program_builder_new (2, PD_AMOUNT_TIME) };
  g_autoptr (GError) error = NULL;

  pd_program_builder_fold (builders[1]);
  if (is_sampled)
    pd_program_builder_sample (builders[1]);
  for (guint b = 0; b < 2; b++)
    {
      pd_program_builder_add_site (builders[b], &a_site);
      pd_program_builder_add_string (builders[b], "call");
    }
  for (guint i = 0; i < 6; i++) /* ranks take turns, or not */
    add_random (rand, is_sampled ? times : NULL, builders, seed % 2 == 0 ? i / 3 : i % 2, seed % 4);
  g_autoptr (PdProgram) flat = pd_program_builder_finish (builders[0]);
  g_autoptr (PdProgram) folded = pd_program_builder_finish (builders[1]);
  assert_same_text (flat, folded);
  assert_same_findings (flat, folded);
  if (!is_sampled)
    g_assert_cmpuint (pd_program_get_size (folded), <=, pd_program_get_size (flat));
  g_autoptr (GByteArray) file = save (folded);
  g_autoptr (PdProgram) mapped = map (file, file->len, &error);
  g_assert_no_error (error);
  assert_same_text (flat, mapped);
  return 2 * pd_program_get_size (folded) < pd_program_get_size (flat);
}

static void
test_found (gconstpointer data)
{
  guint n_loops = 0;

  for (guint32 seed = 0; seed < 80; seed++)
    n_loops += check_found (seed, GPOINTER_TO_INT (data)) ? 1 : 0;
  g_assert_cmpuint (n_loops, >, 20);
}

/* What is regular takes little, while it is added and afterwards, however long it is. */
static void
test_found_size (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  PdAction action;

  pd_program_builder_fold (builder);
  pd_action_init (&action, PD_ACT_SEND);
  for (guint i = 0; i < 300000; i++)
    {
      action.tag = i % 300 == 299 ? 7 : (gint32) (i % 10);
      g_assert_true (pd_program_builder_add (builder, i / 150000, &action, NULL));
    }
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_assert_cmpuint (pd_program_get_n_actions (program, 1), ==, 150000);
  g_assert_cmpuint (pd_program_get_size (program), <, 16 * 1500);
}

static void
add (PdProgramBuilder *builder, guint n)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time = PD_TIME (5);
  for (guint i = 0; i < n; i++)
    g_assert_true (pd_program_builder_add (builder, 1, &action, NULL));
}

/* What is repeated often takes no more memory. */
static void
test_size (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);

  add (builder, 3);
  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  add (builder, 2);
  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  add (builder, 1000);
  g_assert_true (pd_program_builder_end_loop (builder, 1000000, NULL));
  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  g_assert_true (pd_program_builder_end_loop (builder, 7, NULL)); /* of nothing */
  g_assert_true (pd_program_builder_end_loop (builder, 2, NULL));
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_assert_cmpuint (pd_program_get_n_actions (program, 1), ==, 3 + 2 * (2 + 1000000000));
  g_assert_cmpuint (pd_program_get_size (program), <, 20000);
}

static void
test_depth (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);

  for (guint i = 0; i < PD_LOOPS_DEPTH; i++)
    {
      g_assert_true (pd_program_builder_begin_loop (builder, 1));
      add (builder, 1);
    }
  g_assert_false (pd_program_builder_begin_loop (builder, 1));
  for (guint i = 0; i < PD_LOOPS_DEPTH; i++)
    g_assert_true (pd_program_builder_end_loop (builder, 2, NULL));
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_auto (PdActionReader) reader = { 0 };
  guint n = 0;
  pd_action_reader_init (&reader, program);
  for (guint times = 0; times < 2; times++)
    {
      pd_action_reader_begin (&reader, 1);
      while (pd_action_reader_next (&reader) != NULL)
        n++;
    }
  g_assert_cmpuint (n, ==, 2 * ((2 << PD_LOOPS_DEPTH) - 2));
  g_assert_cmpuint (pd_program_get_n_actions (program, 1), ==, (2 << PD_LOOPS_DEPTH) - 2);
}

static void
test_limit (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  add (builder, 1);
  g_assert_true (pd_program_builder_end_loop (builder, G_MAXUINT32, &error));
  g_assert_no_error (error);
  g_assert_false (pd_program_builder_end_loop (builder, G_MAXUINT32, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT);
  pd_program_builder_free (builder);
}

static void
test_samples (void)
{
  static const PdAmount bad[] = { { .time = { 3 } }, { .time = { -1 } } };
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  g_autoptr (GError) error = NULL;
  guint64 first;

  g_assert_false (pd_program_builder_add_samples (builder, bad, 2, &first, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
  g_assert_true (pd_program_builder_add_samples (builder, bad, 1, &first, NULL));
  g_assert_cmpuint (first, ==, 0);
  g_assert_true (pd_program_builder_add_samples (builder, bad, 1, &first, NULL));
  g_assert_cmpuint (first, ==, 1);
  pd_program_builder_free (builder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traces/program/loops/forms", test_forms);
  g_test_add_func ("/traces/program/loops/file", test_file);
  g_test_add_func ("/traces/program/loops/nest-of-all", test_nest_of_all);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *name = g_strdup_printf ("/traces/program/loops/wrong/%s", wrong[i].name);
      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_wrong);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong_samples); i++)
    {
      g_autofree char *name =
          g_strdup_printf ("/traces/program/loops/wrong-samples/%s", wrong_samples[i].name);
      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_wrong_samples);
    }
  g_test_add_data_func ("/traces/program/loops/found", GINT_TO_POINTER (FALSE), test_found);
  g_test_add_data_func ("/traces/program/loops/sampled", GINT_TO_POINTER (TRUE), test_found);
  g_test_add_func ("/traces/program/loops/found-size", test_found_size);
  g_test_add_func ("/traces/program/loops/size", test_size);
  g_test_add_func ("/traces/program/loops/depth", test_depth);
  g_test_add_func ("/traces/program/loops/limit", test_limit);
  g_test_add_func ("/traces/program/loops/samples", test_samples);
  return g_test_run ();
}
