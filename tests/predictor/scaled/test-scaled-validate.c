/* The largest recording as the smaller ones give it: what of it is kept, also where the user
 * interrupts.
 * SPDX-License-Identifier: MIT */
#include "predictor/scaled/pd-scaled-validate.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

/* Ranks that compute 8 us divided by their number, and meet. */
static PdProgram *
make_program (guint32 n)
{
  PdProgramBuilder *builder = pd_program_builder_new (n, PD_AMOUNT_TIME);
  g_autoptr (GError) error = NULL;
  PdAction action;

  for (guint32 rank = 0; rank < n; rank++)
    {
      pd_action_init (&action, PD_ACT_COMPUTE);
      action.amount.time = PD_TIME (8000000 / n);
      pd_program_builder_add (builder, rank, &action, &error);
      g_assert_no_error (error);
      pd_action_init (&action, PD_ACT_COLLECTIVE);
      action.op = PD_COLL_BARRIER;
      pd_program_builder_add (builder, rank, &action, &error);
      g_assert_no_error (error);
    }
  return pd_program_builder_finish (builder);
}

static void
test_validate (gconstpointer stopped)
{
  const volatile sig_atomic_t stop = GPOINTER_TO_INT (stopped);
  g_autoptr (GPtrArray) programs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_program_free);
  g_autoptr (GError) error = NULL;

  for (guint32 n = 4; n <= 16; n *= 2)
    g_ptr_array_add (programs, make_program (n));
  g_autoptr (PdScaleModel) model = pd_scale_model_new (programs, FALSE, &error);
  g_assert_no_error (error);
  const PdScaleValidation *validation = &pd_scale_model_get_origin (model)->validation;
  const PdMpOptions where = {
    .trace = "scaled", .machine = "ideal", .flops = PD_MP_DEFAULT_FLOPS, .stop = &stop
  };
  gboolean fine = pd_scaled_validate (model, programs, &where, &error);
  if (stop != 0)
    {
      g_assert_error (error, PD_SCALE_ERROR, PD_SCALE_ERROR_INTERRUPTED);
      g_assert_false (fine);
      g_assert_cmpuint (validation->n_ranks, ==, 0);
      return;
    }
  g_assert_no_error (error);
  g_assert_true (fine);
  g_assert_cmpuint (validation->n_ranks, ==, 16);
  g_assert_cmpuint (validation->calls.equal, ==, validation->calls.n);
  g_assert_cmpint (validation->recorded.ps, ==, 500000);
  g_assert_cmpint (validation->synthesized.ps, ==, 500000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/scaled/validate/whole", GINT_TO_POINTER (0), test_validate);
  g_test_add_data_func ("/scaled/validate/interrupted", GINT_TO_POINTER (1), test_validate);
  return g_test_run ();
}
