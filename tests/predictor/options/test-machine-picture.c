/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-machine-picture.h"
#include "comsys/import/pd-machine-load.h"

#include <string.h>

/* A name may look like the end of a name. */
static const char nested[] =
    "<machine name='m' version='1'>"
    "<network type='ethernet' name=\"a': 'b\" startup='1us' per-byte='1ns/B'>"
    "<nodes count='2' processors='1'/>"
    "<network type='ethernet' name='inner' count='3' startup='2us' per-byte='2ns/B'>"
    "<nodes count='5' processors='4' speed='0.5'><memory startup='3us' per-byte='3ns/B'/></nodes>"
    "</network></network></machine>";

static const struct
{
  guint depth;
  const char *title;
  const char *detail; /* its beginning */
} wanted[] = {
  { 0, "network a': 'b", "type ethernet, startup 1 us, per-byte 1 ns/B" },
  { 1, "2 × node of 1 processor", "speed 1" },
  { 1, "3 × network inner", "type ethernet, startup 2 us, per-byte 2 ns/B" },
  { 2, "5 × node of 4 processors", "speed 0.5" },
  { 3, "memory", "startup 3 us, per-byte 3 ns/B" },
};

static void
test_nested (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (nested, strlen (nested));
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load_bytes (bytes, "m.xml", NULL, 0, &error);

  g_assert_no_error (error);
  g_autoptr (GArray) parts = pd_machine_make_picture (machine);
  g_assert_cmpuint (parts->len, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < parts->len; i++)
    {
      const PdReportMachinePart *part = &g_array_index (parts, PdReportMachinePart, i);
      g_assert_cmpuint (part->depth, ==, wanted[i].depth);
      g_assert_cmpstr (part->title, ==, wanted[i].title);
      if (!g_str_has_prefix (part->detail, wanted[i].detail))
        g_error ("%s: %s", part->title, part->detail);
    }
}

/* One that is made as large as it has to be does not say how large it is. */
static void
test_inline (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine =
      pd_machine_load ("ethernet:startup=1us,per-byte=1ns/B", NULL, 1, &error);

  g_assert_no_error (error);
  g_autoptr (GArray) parts = pd_machine_make_picture (machine);
  g_assert_cmpuint (parts->len, ==, 2);
  g_assert_cmpstr (g_array_index (parts, PdReportMachinePart, 0).title, ==, "network ethernet");
  g_assert_cmpstr (g_array_index (parts, PdReportMachinePart, 1).title, ==, "node of 1 processor");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/machine-picture/nested", test_nested);
  g_test_add_func ("/predictor/machine-picture/inline", test_inline);
  return g_test_run ();
}
