/* Configurations of Dimemas as machines.
 * SPDX-License-Identifier: MIT */
#include "comsys/import/pd-machine-import.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/machine/pd-machine-place.h"
#include "comsys/description/pd-machine-show.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define ENV(n) "\"environment information\" {\"\", 0, \"\", " #n ", 100, 0, 1};;\n"
#define NODES  "\"multi node information\" {0, 2, \"\", 1, 1, 0, 0, 0, 1, 0, 1e-05, 1, 1, 0.0};;\n"
#define GOOD   "#DIMEMAS_CONFIGURATION\n" ENV (2) NODES

static PdMachine *
load (const char *text, gsize size, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, size);

  return pd_machine_load_bytes (bytes, "test.cfg", NULL, 0, error);
}

static void
test_file (void)
{
  g_autoptr (GError) error = NULL;
  const char *settings[] = { "network/nodes/memory/latency=3us", NULL };
  g_autoptr (PdMachine) machine = pd_machine_load ("tests/data/dimemas.cfg", settings, 4, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (machine->n_processors, ==, 4);
  g_assert_cmpstr (machine->network->class->type, ==, "dimemas");
  g_assert_cmpstr (machine->map, ==, "per-node:2");
  g_assert_cmpint (machine->network->protocol.eager, ==, G_MAXINT64);
  g_assert_true (machine->network->protocol.free_control);
  const PdMachineNode *nodes = machine->network->children->pdata[0];
  g_assert_cmpuint (nodes->count, ==, 2);
  g_assert_cmpuint (nodes->processors, ==, 2);
  g_assert_cmpstr (nodes->memory->class->type, ==, "dimemas");
  PdNetworkCosts costs = { .until_match = FALSE };
  machine->network->class->get_costs (machine->network->config, &costs);
  g_assert_cmpint (costs.before.ps, ==, 20000000);
  nodes->memory->class->get_costs (nodes->memory->config, &costs);
  g_assert_cmpint (costs.before.ps, ==, 3000000);
  g_assert_cmpuint (machine->regions->len, ==, 1);
  const PdMachineRegion *region = &g_array_index (machine->regions, PdMachineRegion, 0);
  g_assert_cmpstr (region->file, ==, "60");
  g_assert_cmpint (region->line, ==, 3);
  g_assert_cmpfloat (region->speed, ==, 2);
  g_assert_cmpstr (machine->collectives, ==, "simple");
}

/* Imported and written as XML it is the same machine. */
static void
test_import (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *xml = pd_machine_import ("dimemas", "tests/data/dimemas.cfg", &error);

  g_assert_no_error (error);
  g_autoptr (PdMachine) first = pd_machine_load ("tests/data/dimemas.cfg", NULL, 0, &error);
  g_autoptr (PdMachine) second = load (xml, strlen (xml), &error);
  g_assert_no_error (error);
  g_autofree char *a = pd_machine_describe (first);
  g_autofree char *b = pd_machine_describe (second);
  g_auto (GStrv) x = g_strsplit (a, "\n", 3), y = g_strsplit (b, "\n", 3);
  g_assert_cmpstr (x[0], ==, y[0]); /* the origin is another */
  g_assert_cmpstr (strstr (x[2], "processors"), ==, strstr (y[2], "processors"));
}

/* The form with descriptions of itself, and nodes that differ. */
static void
test_old_form (void)
{
  static const char text[] =
      "SDDFA\n/*\n * \"Dimemas\" \"of old\"\n */ ;;\n\n"
      "#1:\n\"environment information\" {\n  char \"machine_name\"[];\n  int \"machine_id\";\n};;\n"
      "\"environment information\" {\"a\", 0, \"b\", 3, 250.5, 1, 2};;\n"
      "\"node information\" {0, 7, \"\", 1, 1, 0, 0, 0, 1, 0, 1e-05, 1, 1, 0.0};;\n"
      "\"node information\" {0, \"\", 1, 2.5, 0, 0, 0, 1, 0, 1e-05, 1, 1, 0.0};;\n"
      "\"node information\" {0, \"\", 2, 1, 1e-06, 500, 0, 1, 0, 0.00001, 1, 1, 0.0};;\n"
      "\"mapping information\" {\"t.dim\", 4, [4] {2, 0,\n 2, 1}};;\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = load (text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (machine->n_processors, ==, 4);
  g_assert_cmpfloat (pd_machine_get_speed (machine, 1), ==, 2.5);
  g_autofree guint32 *placement = pd_machine_place (machine, NULL, 4, &error);
  g_assert_no_error (error);
  const guint32 expected[] = { 2, 0, 3, 1 };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (placement[i], ==, expected[i]);
}

static const struct
{
  const char *name;
  const char *text;
  PdMachineError code;
} bad[] = {
  { "no-environment", NODES ENV (3), PD_MACHINE_ERROR_SCHEMA },
  { "no-nodes", ENV (2), PD_MACHINE_ERROR_SCHEMA },
  { "two-environments", GOOD ENV (2), PD_MACHINE_ERROR_VALUE },
  { "two-machines", GOOD "\"wide area network information\" {\"\", 2, 0, 4, 0.0, 0.0, 1};;",
    PD_MACHINE_ERROR_VALUE },
  { "dedicated", GOOD "\"wide area network information\" {\"\", 1, 1, 4, 0.0, 0.0, 1};;",
    PD_MACHINE_ERROR_VALUE },
  { "dedicated-connection", GOOD "\"dedicated connection information\" {0, 0};;",
    PD_MACHINE_ERROR_VALUE },
  { "accelerator", GOOD "\"accelerator node information\" {0, 0};;", PD_MACHINE_ERROR_VALUE },
  { "unknown", GOOD "\"weather\" {0};;", PD_MACHINE_ERROR_VALUE },
  { "random-values", GOOD "\"configuration files\" {\"\", \"\", \"\", \"r.cfg\"};;",
    PD_MACHINE_ERROR_VALUE },
  { "no-such-costs", GOOD "\"configuration files\" {\"\", \"\", \"no-such-file\", \"\"};;",
    PD_MACHINE_ERROR_NOT_FOUND },
  { "fixed-duration", GOOD "\"modules information\" {60, 1, -3};;", PD_MACHINE_ERROR_VALUE },
  { "module-of-0", GOOD "\"modules information\" {60, 1, 0};;", PD_MACHINE_ERROR_VALUE },
  { "module-that-closes", GOOD "\"modules information\" {60, 0, 2};;", PD_MACHINE_ERROR_VALUE },
  { "few-fields", GOOD "\"modules information\" {60, 1};;", PD_MACHINE_ERROR_VALUE },
  { "links-that-differ",
    ENV (4) NODES
    "\"multi node information\" {0, 2, \"\", 1, 1, 0, 0, 0, 1, 0, 1e-05, 2, 1, 0.0};;",
    PD_MACHINE_ERROR_VALUE },
  { "latency-that-differs",
    ENV (4) NODES
    "\"multi node information\" {0, 2, \"\", 1, 1, 0, 0, 0, 1, 0, 1e-06, 1, 1, 0.0};;",
    PD_MACHINE_ERROR_VALUE },
  { "many-nodes",
    ENV (2) "\"multi node information\" {0, 1000000000000, \"\", 1, 1, 0, 0, 0, 1, 0, 1e-05, 1, 1, "
            "0.0};;",
    PD_MACHINE_ERROR_VALUE },
  { "negative",
    ENV (2) "\"multi node information\" {0, 2, \"\", 1, 1, 0, 0, 0, 1, 0, -1, 1, 1, 0.0};;",
    PD_MACHINE_ERROR_VALUE },
  { "not-a-number",
    ENV (2) "\"multi node information\" {0, 2, \"\", 1, x, 0, 0, 0, 1, 0, 1, 1, 1, 0.0};;",
    PD_MACHINE_ERROR_VALUE },
  { "speed-of-0",
    ENV (2) "\"multi node information\" {0, 2, \"\", 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0.0};;",
    PD_MACHINE_ERROR_VALUE },
  { "model", "\"environment information\" {\"\", 0, \"\", 2, 100, 0, 4};;" NODES,
    PD_MACHINE_ERROR_VALUE },
  { "map", GOOD "\"predefined mapping information\" {\"ANYHOW\"};;", PD_MACHINE_ERROR_VALUE },
  { "two-maps",
    GOOD "\"predefined mapping information\" {\"FILL_NODES\"};;\n"
         "\"predefined mapping information\" {\"FILL_NODES\"};;",
    PD_MACHINE_ERROR_VALUE },
  { "map-of-10^12", GOOD "\"mapping information\" {\"t\", 1000000000000, [1000000000000] {0}};;",
    PD_MACHINE_ERROR_VALUE },
  { "map-too-short", GOOD "\"mapping information\" {\"t\", 3, [3] {0, 1}};;",
    PD_MACHINE_ERROR_VALUE },
  { "map-to-a-full-node", GOOD "\"mapping information\" {\"t\", 2, [2] {0, 0}};;",
    PD_MACHINE_ERROR_MAP },
  { "map-to-no-node", GOOD "\"mapping information\" {\"t\", 1, [1] {2}};;", PD_MACHINE_ERROR_MAP },
  { "no-brace", GOOD "\"modules information\" 60, 1, 2;;", PD_MACHINE_ERROR_FORMAT },
  { "no-name", GOOD "{60, 1, 2};;", PD_MACHINE_ERROR_FORMAT },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = load (bad[i].text, strlen (bad[i].text), &error);

  g_assert_null (machine);
  g_assert_error (error, PD_MACHINE_ERROR, (gint) bad[i].code);
}

static void
test_cut (void)
{
  g_autofree char *text = NULL;
  gsize size;

  g_assert_true (g_file_get_contents ("tests/data/dimemas.cfg", &text, &size, NULL));
  for (gsize n = 0; n <= size; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = g_bytes_new (text, n);
      g_autoptr (PdMachine) machine =
          pd_machine_load_bytes (bytes, "tests/data/test.cfg", NULL, 0, &error);
      g_assert_true ((machine == NULL) == (error != NULL));
      g_assert_true (n < size || machine != NULL);
    }
}

static const struct
{
  const char *name;
  const char *text;
  PdMachineError code;
} costs[] = {
  { "good", "Machine policy: 0 FIFO\n# no\n\nMachine globalop: 0 1 CTE S+R 0 MIN\n", 0 },
  { "general", "1 LOG MIN LIN MAX 0.5\n", 0 },
  { "twice", "Machine globalop: 0 1 0 MIN 0 MIN\nMachine globalop: 0 1 LOG MIN 0 MIN\n", 0 },
  { "reduce-is-left-out", "Machine globalop: 0 10 LOG MIN 0 MIN\n", 0 },
  { "external", "External globalop: 1 LOG MIN 0 MIN\n", 0 },
  { "other-machine", "Machine globalop: 1 1 0 MIN 0 MIN\n", PD_MACHINE_ERROR_VALUE },
  { "policy", "Machine policy: 0 RR\n", PD_MACHINE_ERROR_VALUE },
  { "operation", "Machine globalop: 0 32 0 MIN 0 MIN\n", PD_MACHINE_ERROR_VALUE },
  { "model", "Machine globalop: 0 1 SQR MIN 0 MIN\n", PD_MACHINE_ERROR_VALUE },
  { "size", "Machine globalop: 0 1 0 MIN 0 MOST\n", PD_MACHINE_ERROR_VALUE },
  { "few", "Machine globalop: 0 1 0 MIN 0\n", PD_MACHINE_ERROR_VALUE },
};

static void
test_costs (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_build_filename (g_get_tmp_dir (), "predictor-costs-XXXXXX", NULL);
  int fd = g_mkstemp (file);

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_file_set_contents (file, costs[i].text, -1, NULL));
  g_autofree char *text =
      g_strdup_printf (GOOD "\"configuration files\" {\"\", \"\", \"%s\", \"\"};;", file);
  g_autoptr (PdMachine) machine = load (text, strlen (text), &error);
  g_unlink (file);
  close (fd);
  g_assert_true ((machine == NULL) == (costs[i].code != 0));
  if (machine == NULL)
    g_assert_error (error, PD_MACHINE_ERROR, (gint) costs[i].code);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/machine/dimemas/file", test_file);
  g_test_add_func ("/machine/dimemas/import", test_import);
  g_test_add_func ("/machine/dimemas/old-form", test_old_form);
  g_test_add_func ("/machine/dimemas/cut", test_cut);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/machine/dimemas/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (costs); i++)
    {
      g_autofree char *path = g_strconcat ("/machine/dimemas/costs/", costs[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_costs);
    }
  return g_test_run ();
}
