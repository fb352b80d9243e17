/* Machine descriptions of every form.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/description/pd-machine-files.h"
#include "comsys/import/pd-machine-import.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/machine/pd-machine-place.h"
#include "comsys/net/pd-measured.h"
#include "comsys/description/pd-machine-show.h"

#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <string.h>

#define SIMPLE        "<network type='ethernet' startup='1us' per-byte='1ns'><nodes count='4'/></network>"
#define NODES         "<nodes count='4'/>"
#define IDEAL(inside) "<machine name='m'><network type='ideal'>" inside "</network></machine>"
#define SOURCED(attributes, text)                                                                  \
  "<machine name='m'>" SIMPLE "<source " attributes ">" text "</source></machine>"

#define TABLE(rows) "<table level='network'>" rows "</table>"
#define CONTENTION(tables)                                                                         \
  "<machine name='m'><network type='contention'>" tables NODES "</network></machine>"

static PdMachine *
load_text (const char *text, const char *const *settings, guint32 n_needed, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return pd_machine_load_bytes (bytes, "test", settings, n_needed, error);
}

static PdMachineNode *
get_node (const PdMachineNetwork *network, guint i)
{
  g_assert_cmpuint (i, <, network->children->len);
  return g_ptr_array_index (network->children, i);
}

/* The value of a parameter as text, by the table of its class. */
static char *
get_param (const PdMachineNetwork *network, const char *name)
{
  for (const PdParam *p = network->class->params; p->name != NULL; p++)
    {
      const guint8 *field = (const guint8 *) network->config + p->offset;
      PdNumber number = { 0, 0 };
      if (strcmp (p->name, name) != 0)
        continue;
      if (p->choices != NULL)
        return g_strdup (p->choices[*(const guint *) (gconstpointer) field]);
      if (p->unit == PD_UNIT_PER_BYTE)
        memcpy (&number.d, field, sizeof number.d);
      else
        memcpy (&number.i, field, sizeof number.i);
      return pd_units_format (p->unit, number);
    }
  g_assert_not_reached ();
}

static void
assert_param (const PdMachineNetwork *network, const char *name, const char *expected)
{
  g_autofree char *text = get_param (network, name);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_speeds (const PdMachine *machine, const char *expected)
{
  GString *all = g_string_new (NULL);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint32 p = 0; p < machine->n_processors; p++)
    g_string_append_printf (
        all, "%s%s", p > 0 ? " " : "",
        g_ascii_formatd (text, sizeof text, "%g", pd_machine_get_speed (machine, p)));
  g_assert_cmpstr (all->str, ==, expected);
  g_string_free (all, TRUE);
}

/* ---- XML */

static void
test_full (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = pd_machine_load ("tests/data/machine-full.xml", NULL, 22, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (m->name, ==, "full");
  g_assert_cmpstr (m->description, ==, "every element once");
  g_assert_cmpstr (m->origin, ==, "tests/data/machine-full.xml");
  g_assert_cmpuint (m->n_processors, ==, 22);
  g_assert_cmpstr (m->network->class->type, ==, "ethernet");
  g_assert_cmpstr (m->network->name, ==, "outer");
  g_assert_cmpint (m->network->protocol.eager, ==, -1);
  g_assert_true (m->network->protocol.free_control);
  assert_param (m->network, "startup", "60 us");
  assert_param (m->network, "per-byte", "90 ns/B");

  const PdMachineNode *nodes = get_node (m->network, 0);
  g_assert_cmpuint (nodes->count, ==, 2);
  g_assert_cmpuint (nodes->processors, ==, 2);
  assert_param (nodes->memory, "channels", "1");
  g_assert_cmpint (nodes->memory->protocol.eager, ==, 1024);
  g_assert_true (nodes->memory->protocol.free_control); /* that of the network around it */

  const PdMachineNode *nested = get_node (m->network, 1);
  g_assert_cmpuint (nested->count, ==, 3);
  assert_param (nested->network, "channels", "2");
  assert_param (nested->network, "channels-per", "network");
  g_assert_cmpint (nested->network->protocol.eager, ==, -1);
  g_assert_false (nested->network->protocol.free_control);
  assert_speeds (m, "1 0.5 1 4 2 2 1 1 1 1 2 2 1 1 1 1 2 2 1 1 1 1");

  const PdCollectiveUse *use = &g_array_index (m->uses, PdCollectiveUse, 0);
  g_assert_cmpstr (m->collectives, ==, "simple");
  g_assert_cmpint (m->collective_time.ps, ==, 5 * PD_PS_PER_US);
  g_assert_cmpuint (m->uses->len, ==, 1);
  g_assert_cmpstr (use->operation, ==, "allreduce");
  g_assert_cmpstr (use->algorithm, ==, "recursive-doubling");
  g_assert_cmpint (use->up_to, ==, 2048);
  g_assert_cmpint (m->software.send_overhead.ps, ==, 1 * PD_PS_PER_US);
  g_assert_cmpint (m->software.recv_overhead.ps, ==, 2 * PD_PS_PER_US);
  g_assert_cmpint (m->software.wait_overhead.ps, ==, 3 * PD_PS_PER_US);
  g_assert_cmpfloat (m->software.copy_per_byte, ==, 500);
  g_assert_cmpfloat (m->software.reduction_per_byte, ==, 100);
  g_assert_cmpuint (m->functions->len, ==, 2);
  g_assert_cmpstr (g_array_index (m->functions, PdFunctionCost, 1).name, ==, "MPI_Ibcast");
  g_assert_cmpint (g_array_index (m->functions, PdFunctionCost, 1).overhead.ps, ==,
                   4 * PD_PS_PER_US);
}

static void
test_defaults (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = load_text (
      "<machine name='m'><network type='myrinet' startup='1us' per-byte='1ns'><nodes/></network>"
      "</machine>",
      NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (m->n_processors, ==, 1);
  g_assert_cmpint (m->network->protocol.eager, ==, 16384);
  g_assert_false (m->network->protocol.free_control);
  assert_param (m->network, "channels", "1");
  assert_param (m->network, "channels-per", "node");
  g_assert_cmpstr (m->collectives, ==, "mpich1");
  g_assert_cmpint (m->software.send_overhead.ps, ==, 0);
  g_assert_null (get_node (m->network, 0)->memory);
  g_assert_null (m->network->name);
  g_assert_cmpstr (m->description, ==, "");
}

static const struct
{
  const char *name;
  const char *text;
  int code;
} bad[] = {
  { "empty", "", PD_MACHINE_ERROR_FORMAT },
  { "words", "hello", PD_MACHINE_ERROR_FORMAT },
  { "binary", "\x7f\x45\x4c\x46", PD_MACHINE_ERROR_FORMAT },
  { "dimemas", "#DIMEMAS_CONFIGURATION\n\"environment information\" {};;\n",
    PD_MACHINE_ERROR_FORMAT },
  { "malformed", "<machine name='m'><network></machine>", PD_MACHINE_ERROR_FORMAT },
  { "second-root", "<machine name='m'>" SIMPLE "</machine><machine/>", PD_MACHINE_ERROR_FORMAT },
  { "bad-utf8", "<machine name='\xff'/>", PD_MACHINE_ERROR_FORMAT },
  { "doctype", "<!DOCTYPE machine [<!ENTITY a 'b'>]><machine name='&a;'>" SIMPLE "</machine>",
    PD_MACHINE_ERROR_FORMAT },
  { "doctype-external", "<!DOCTYPE machine SYSTEM 'file:///etc/passwd'><machine name='m'/>",
    PD_MACHINE_ERROR_FORMAT },
  { "undefined-entity", "<machine name='&a;'>" SIMPLE "</machine>", PD_MACHINE_ERROR_FORMAT },
  { "other-root", "<cluster name='m'/>", PD_MACHINE_ERROR_FORMAT },
  { "namespace", "<machine xmlns='urn:x' name='m'/>", PD_MACHINE_ERROR_FORMAT },
  { "no-name", "<machine>" SIMPLE "</machine>", PD_MACHINE_ERROR_SCHEMA },
  { "no-network", "<machine name='m'/>", PD_MACHINE_ERROR_SCHEMA },
  { "two-networks", "<machine name='m'>" SIMPLE SIMPLE "</machine>", PD_MACHINE_ERROR_SCHEMA },
  { "version-2", "<machine name='m' version='2'>" SIMPLE "</machine>", PD_MACHINE_ERROR_VALUE },
  { "year-huge", "<machine name='m' year='10000'>" SIMPLE "</machine>", PD_MACHINE_ERROR_VALUE },
  { "year-word", "<machine name='m' year='old'>" SIMPLE "</machine>", PD_MACHINE_ERROR_VALUE },
  { "source-no-path", SOURCED ("kind='fitted'", "x"), PD_MACHINE_ERROR_SCHEMA },
  { "source-empty-path", SOURCED ("path='' kind='fitted'", "x"), PD_MACHINE_ERROR_SCHEMA },
  { "source-no-kind", SOURCED ("path='network/type'", "x"), PD_MACHINE_ERROR_SCHEMA },
  { "source-bad-kind", SOURCED ("path='network/type' kind='rumour'", "x"), PD_MACHINE_ERROR_VALUE },
  { "source-no-text", SOURCED ("path='network/type' kind='fitted'", " "), PD_MACHINE_ERROR_SCHEMA },
  { "source-unknown-path", SOURCED ("path='network/type network/tpye' kind='fitted'", "x"),
    PD_MACHINE_ERROR_PATH },
  { "source-element", SOURCED ("path='network/type' kind='fitted'", "x<y/>"),
    PD_MACHINE_ERROR_SCHEMA },
  { "unknown-element", "<machine name='m'>" SIMPLE "<noise/></machine>", PD_MACHINE_ERROR_SCHEMA },
  { "unknown-element-deep", IDEAL ("<nodes><core/></nodes>"), PD_MACHINE_ERROR_SCHEMA },
  { "unknown-attribute", "<machine name='m' nmae='m'>" SIMPLE "</machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "attribute-of-another-type",
    "<machine name='m'><network type='ethernet' startup='1us' per-byte='1ns' channels='2'>" NODES
    "</network></machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "count-of-outermost",
    "<machine name='m'><network type='ideal' count='2'>" NODES "</network></machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "xml-attribute", "<machine name='m' xml:lang='en'>" SIMPLE "</machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "text", "<machine name='m'>fast" SIMPLE "</machine>", PD_MACHINE_ERROR_SCHEMA },
  { "no-type", "<machine name='m'><network>" NODES "</network></machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "unknown-type", "<machine name='m'><network type='quantum'>" NODES "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "missing-parameter",
    "<machine name='m'><network type='ethernet' startup='1us'>" NODES "</network></machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "no-nodes", IDEAL (""), PD_MACHINE_ERROR_SCHEMA },
  { "missing-unit",
    "<machine name='m'><network type='ethernet' startup='1' per-byte='1ns'>" NODES
    "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "negative-time",
    "<machine name='m'><network type='ethernet' startup='-1us' per-byte='1ns'>" NODES
    "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "other-unit",
    "<machine name='m'><network type='ethernet' startup='1KiB' per-byte='1ns'>" NODES
    "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "no-channels",
    "<machine name='m'><network type='myrinet' startup='1us' per-byte='1ns' channels='0'>" NODES
    "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "unknown-word",
    "<machine name='m'><network type='ideal' control='sometimes'>" NODES "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "envelope-word",
    "<machine name='m'><network type='ideal' envelope='none'>" NODES "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "eager-word",
    "<machine name='m'><network type='ideal' eager='all'>" NODES "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "zero-nodes", IDEAL ("<nodes count='0'/>"), PD_MACHINE_ERROR_VALUE },
  { "zero-processors", IDEAL ("<nodes processors='0'/>"), PD_MACHINE_ERROR_VALUE },
  { "fraction-of-nodes", IDEAL ("<nodes count='1.5'/>"), PD_MACHINE_ERROR_VALUE },
  { "too-many-nodes", IDEAL ("<nodes count='1000000000000'/>"), PD_MACHINE_ERROR_VALUE },
  { "too-many-processors", IDEAL ("<nodes count='65536' processors='65536'/>"),
    PD_MACHINE_ERROR_VALUE },
  { "too-many-in-groups",
    IDEAL ("<nodes count='16777216' speed='1:2'/><nodes count='16777216' speed='1:2'/>"),
    PD_MACHINE_ERROR_VALUE },
  { "too-many-nested",
    IDEAL ("<network type='ideal' count='16777216'><network type='ideal' count='16777216'>"
           "<network type='ideal' count='16777216'>" NODES "</network></network></network>"),
    PD_MACHINE_ERROR_VALUE },
  { "zero-speed", IDEAL ("<nodes speed='0'/>"), PD_MACHINE_ERROR_VALUE },
  { "speed-nan", IDEAL ("<nodes speed='nan'/>"), PD_MACHINE_ERROR_VALUE },
  { "speed-empty", IDEAL ("<nodes speed=''/>"), PD_MACHINE_ERROR_VALUE },
  { "speed-list-hole", IDEAL ("<nodes count='3' speed='1::2'/>"), PD_MACHINE_ERROR_VALUE },
  { "too-many-speeds", IDEAL ("<nodes speed='1:2'/>"), PD_MACHINE_ERROR_VALUE },
  { "processor-outside", IDEAL ("<nodes><processor index='1' speed='1'/></nodes>"),
    PD_MACHINE_ERROR_VALUE },
  { "processor-twice",
    IDEAL ("<nodes><processor index='0' speed='1'/><processor index='0' speed='2'/></nodes>"),
    PD_MACHINE_ERROR_VALUE },
  { "processor-no-speed", IDEAL ("<nodes><processor index='0'/></nodes>"),
    PD_MACHINE_ERROR_SCHEMA },
  { "two-memories",
    IDEAL ("<nodes><memory startup='0' per-byte='0'/><memory startup='0' per-byte='0'/></nodes>"),
    PD_MACHINE_ERROR_SCHEMA },
  { "duplicate-names",
    "<machine name='m'><network type='ideal' name='a'><network type='ideal' name='a'>" NODES
    "</network></network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "unknown-set", "<machine name='m'>" SIMPLE "<collectives set='mpich9'/></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "time-without-simple", "<machine name='m'>" SIMPLE "<collectives time='1us'/></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "unknown-operation",
    "<machine name='m'>" SIMPLE "<collectives><use operation='sum' algorithm='a'/></collectives>"
    "</machine>",
    PD_MACHINE_ERROR_VALUE },
  { "tables/of-another-type",
    IDEAL ("<table level='network'><row size='1' time='1us'/></table>" NODES),
    PD_MACHINE_ERROR_SCHEMA },
  { "tables/none", CONTENTION (""), PD_MACHINE_ERROR_VALUE },
  { "tables/no-level", CONTENTION ("<table><row size='1' time='1us'/></table>"),
    PD_MACHINE_ERROR_SCHEMA },
  { "tables/unknown-level", CONTENTION ("<table level='disk'><row size='1' time='1us'/></table>"),
    PD_MACHINE_ERROR_VALUE },
  { "tables/level-twice",
    CONTENTION (TABLE ("<row size='1' time='1us'/>") TABLE ("<row size='1' time='1us'/>")),
    PD_MACHINE_ERROR_VALUE },
  { "tables/no-network", CONTENTION ("<table level='memory'><row size='1' time='1us'/></table>"),
    PD_MACHINE_ERROR_VALUE },
  { "tables/no-rows", CONTENTION (TABLE ("")), PD_MACHINE_ERROR_SCHEMA },
  { "tables/no-size", CONTENTION (TABLE ("<row time='1us'/>")), PD_MACHINE_ERROR_SCHEMA },
  { "tables/no-time", CONTENTION (TABLE ("<row size='1'/>")), PD_MACHINE_ERROR_SCHEMA },
  { "tables/size-zero", CONTENTION (TABLE ("<row size='0' time='1us'/>")), PD_MACHINE_ERROR_VALUE },
  { "tables/time-zero", CONTENTION (TABLE ("<row size='1' time='0'/>")), PD_MACHINE_ERROR_VALUE },
  { "tables/factor-zero", CONTENTION (TABLE ("<row size='1' time='1us' factors='2:0'/>")),
    PD_MACHINE_ERROR_VALUE },
  { "tables/factor-empty", CONTENTION (TABLE ("<row size='1' time='1us' factors=''/>")),
    PD_MACHINE_ERROR_VALUE },
  { "tables/factor-text", CONTENTION (TABLE ("<row size='1' time='1us' factors='two'/>")),
    PD_MACHINE_ERROR_VALUE },
  { "tables/ragged",
    CONTENTION (TABLE ("<row size='1' time='1us' factors='2:3'/>"
                       "<row size='2' time='1us' factors='2'/>")),
    PD_MACHINE_ERROR_VALUE },
  { "tables/size-twice",
    CONTENTION (TABLE ("<row size='1kB' time='1us'/><row size='1000' time='2us'/>")),
    PD_MACHINE_ERROR_VALUE },
  { "tables/cf-not-from-1",
    CONTENTION ("<table level='network' cf='2:3'><row size='1' time='1us' factors='2'/></table>"),
    PD_MACHINE_ERROR_VALUE },
  { "tables/cf-descends",
    CONTENTION ("<table level='network' cf='1:3:2'><row size='1' time='1us' factors='2:2'/>"
                "</table>"),
    PD_MACHINE_ERROR_VALUE },
  { "tables/cf-too-many",
    CONTENTION ("<table level='network' cf='1:2:3'><row size='1' time='1us' factors='2'/>"
                "</table>"),
    PD_MACHINE_ERROR_VALUE },
  { "tables/row-attribute", CONTENTION (TABLE ("<row size='1' time='1us' cf='1'/>")),
    PD_MACHINE_ERROR_SCHEMA },
  { "contention/sockets-without-size",
    "<machine name='m'><network type='contention' sockets='2'>" TABLE ("<row size='1' time='1us'/>")
        NODES "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "contention/too-many-sockets",
    "<machine name='m'><network type='contention' sockets='65' processors-per-socket='1'>" TABLE (
        "<row size='1' time='1us'/>") NODES "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "flow/nested-full",
    "<machine name='m'><network type='flow' topology='torus' dimensions='2' bandwidth='1GB/s'>"
    "<network type='ideal' count='3'>" NODES "</network></network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "flow/bad-rate",
    "<machine name='m'><network type='flow' topology='tree' bandwidth='1GB'>" NODES
    "</network></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "use-twice",
    "<machine name='m'>" SIMPLE "<collectives><use operation='bcast' algorithm='a'/>"
    "<use operation='bcast' algorithm='b'/></collectives></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "use-no-algorithm",
    "<machine name='m'>" SIMPLE "<collectives><use operation='bcast'/></collectives></machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "software-attribute", "<machine name='m'>" SIMPLE "<software startup='1us'/></machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "function-unknown",
    "<machine name='m'>" SIMPLE "<software><function name='MPI_Comm_rank' overhead='1us'/>"
    "</software></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "function-twice",
    "<machine name='m'>" SIMPLE "<software><function name='MPI_Send' overhead='1us'/>"
    "<function name='MPI_Send' overhead='1us'/></software></machine>",
    PD_MACHINE_ERROR_VALUE },
  { "function-no-overhead",
    "<machine name='m'>" SIMPLE "<software><function name='MPI_Send'/></software></machine>",
    PD_MACHINE_ERROR_SCHEMA },
  { "too-few-processors", "<machine name='m'>" SIMPLE "</machine>", PD_MACHINE_ERROR_SIZE },
  { "par/no-cluster", "PROC = 1;", PD_MACHINE_ERROR_SCHEMA },
  { "par/undefined", "cluster = A; A = { 2 x P }; A.CommType = bus; A.TStart = 1; A.TByte = 1;",
    PD_MACHINE_ERROR_VALUE },
  { "par/no-times", "cluster = A; A = { 2 x P }; A.CommType = bus; P = 1;",
    PD_MACHINE_ERROR_SCHEMA },
  { "par/no-type", "cluster = A; A = { 2 x P }; A.TStart = 1; A.TByte = 1; P = 1;",
    PD_MACHINE_ERROR_VALUE },
  { "par/type-of-itself",
    "cluster = A; A = { 2 x P }; A.CommType = A; A.TStart = 1; A.TByte = 1; P = 1;",
    PD_MACHINE_ERROR_VALUE },
  { "par/in-itself", "cluster = A; A = { 2 x A }; A.CommType = bus; A.TStart = 1; A.TByte = 1;",
    PD_MACHINE_ERROR_VALUE },
  { "par/doubling",
    "cluster = A; A.CommType = bus; A.TStart = 1; A.TByte = 1; A = {B, B}; B.CommType = A; "
    "B = {C, C}; C.CommType = A; C = {D, D}; D.CommType = A; D = {E, E}; E.CommType = A; "
    "E = {F, F}; F.CommType = A; F = {G, G}; G.CommType = A; G = {H, H}; H.CommType = A; "
    "H = {I, I}; I.CommType = A; I = {J, J}; J.CommType = A; J = {K, K}; K.CommType = A; "
    "K = {L, L}; L.CommType = A; L = {M, M}; M.CommType = A; M = {N, N}; N.CommType = A; "
    "N = {P, P}; P = 1;",
    PD_MACHINE_ERROR_VALUE },
  { "par/twice", "cluster = P; P = 1; P = 2;", PD_MACHINE_ERROR_VALUE },
  { "par/unknown-key", "A.Speed = 1;", PD_MACHINE_ERROR_SCHEMA },
  { "par/zero-members", "A = { 0 x P };", PD_MACHINE_ERROR_VALUE },
  { "par/no-semicolon", "P = 1", PD_MACHINE_ERROR_FORMAT },
  { "par/negative", "A.TStart = -1;", PD_MACHINE_ERROR_FORMAT },
};

static void
test_bad (gconstpointer data)
{
  gsize n = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  guint32 n_needed = bad[n].code == PD_MACHINE_ERROR_SIZE ? 5 : 0;
  g_autoptr (PdMachine) m = load_text (bad[n].text, NULL, n_needed, &error);

  g_assert_null (m);
  g_assert_error (error, PD_MACHINE_ERROR, bad[n].code);
  g_assert_nonnull (strstr (error->message, "test"));
}

/* Line numbers are those of the file. */
static void
test_line (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = load_text ("<machine name='m'>\n<network type='ideal'>\n\n"
                                       "<nodes count='x'/></network></machine>",
                                       NULL, 0, &error);

  g_assert_null (m);
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE);
  g_assert_true (g_str_has_prefix (error->message, "test:4: "));
}

/* Every prefix of a good file is an error of some kind, never a crash. */
static void
test_truncated (gconstpointer file)
{
  g_autofree char *text = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (file, &text, &size, NULL));
  while (size > 0 && g_ascii_isspace (text[size - 1]))
    size--;
  for (gsize i = 0; i < size; i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (text, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMachine) m = pd_machine_load_bytes (bytes, "test", NULL, 0, &error);
      g_assert_null (m);
      g_assert_true (error != NULL && error->domain == PD_MACHINE_ERROR);
    }
}

/* ---- settings */

static const struct
{
  const char *name;
  const char *setting;
  int code; /* -1: valid */
  const char *speeds;
} settings[] = {
  { "attribute", "network/nodes/speed=3", -1, "3 3 3 4 2 2 1 1 1 1 2 2 1 1 1 1 2 2 1 1 1 1" },
  { "index", "network/network[1]/nodes[2]/speed=3", -1,
    "1 0.5 1 4 2 2 3 3 3 3 2 2 3 3 3 3 2 2 3 3 3 3" },
  { "all", "network/network/nodes/speed=3", -1, "1 0.5 1 4 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3" },
  { "condition", "network/network[@name='inner']/count=1", -1, "1 0.5 1 4 2 2 1 1 1 1" },
  { "condition-with-slash", "network/network[@name='a/b=c']/count=1", PD_MACHINE_ERROR_PATH, NULL },
  { "list", "network/nodes/speed=5:6:7", -1, "5 6 7 4 2 2 1 1 1 1 2 2 1 1 1 1 2 2 1 1 1 1" },
  { "factor", "network/network[1]/nodes[2]/speed=x3", -1,
    "1 0.5 1 4 2 2 3 3 3 3 2 2 3 3 3 3 2 2 3 3 3 3" },
  { "factor-no-number", "network/network[1]/nodes[2]/speed=x3y", PD_MACHINE_ERROR_VALUE, NULL },
  { "speed-ratio", "speed-ratio=2", -1, "2 1 2 8 4 4 2 2 2 2 4 4 2 2 2 2 4 4 2 2 2 2" },
  { "speed-ratio-zero", "speed-ratio=0", PD_MACHINE_ERROR_VALUE, NULL },
  { "speed-ratio-least", "speed-ratio=9e-7", PD_MACHINE_ERROR_VALUE, NULL },
  { "speed-ratio-most", "speed-ratio=1.1e6", PD_MACHINE_ERROR_VALUE, NULL },
  { "latency-ratio-negative", "latency-ratio=-1", PD_MACHINE_ERROR_VALUE, NULL },
  { "bandwidth-ratio-empty", "bandwidth-ratio=", PD_MACHINE_ERROR_VALUE, NULL },
  { "network-ratio-word", "network-ratio=fast", PD_MACHINE_ERROR_VALUE, NULL },
  { "no-equals", "network/startup", PD_MACHINE_ERROR_PATH, NULL },
  { "no-such-attribute", "network/channels=2", PD_MACHINE_ERROR_PATH, NULL },
  { "no-such-element", "network/memory/startup=1us", PD_MACHINE_ERROR_PATH, NULL },
  { "index-too-large", "network[2]/startup=1us", PD_MACHINE_ERROR_PATH, NULL },
  { "index-zero", "network[0]/startup=1us", PD_MACHINE_ERROR_PATH, NULL },
  { "bracket-open", "network[1/startup=1us", PD_MACHINE_ERROR_PATH, NULL },
  { "condition-unquoted", "network[@name=outer]/startup=1us", PD_MACHINE_ERROR_PATH, NULL },
  { "empty", "", PD_MACHINE_ERROR_PATH, NULL },
  { "only-equals", "=", PD_MACHINE_ERROR_PATH, NULL },
  { "bad-value", "network/startup=1", PD_MACHINE_ERROR_VALUE, NULL },
  { "bad-utf8", "network/name=\xff", PD_MACHINE_ERROR_PATH, NULL },
};

static void
test_setting (gconstpointer data)
{
  gsize n = GPOINTER_TO_SIZE (data);
  const char *const list[] = { settings[n].setting, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = pd_machine_load ("tests/data/machine-full.xml", list, 0, &error);

  if (settings[n].code >= 0)
    {
      g_assert_null (m);
      g_assert_error (error, PD_MACHINE_ERROR, settings[n].code);
      return;
    }
  g_assert_no_error (error);
  assert_speeds (m, settings[n].speeds);
}

/* Elements that may be absent can be set; so can attributes that have
 * defaults; the last of two settings holds. */
static void
test_setting_absent (void)
{
  const char *const list[] = { "software/send-overhead=9us", "software/send-overhead=3us",
                               "collectives/set=simple",     "collectives/time=1us",
                               "network/eager=none",         NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = load_text ("<machine name='m'>" SIMPLE "</machine>", list, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpint (m->software.send_overhead.ps, ==, 3 * PD_PS_PER_US);
  g_assert_cmpstr (m->collectives, ==, "simple");
  g_assert_cmpint (m->collective_time.ps, ==, PD_PS_PER_US);
  g_assert_cmpint (m->network->protocol.eager, ==, -1);
}

/* L is another name of latency, S of eager, as in inline machines. */
static void
test_setting_alias (void)
{
  const char *const list[] = { "network/L=3us", "network/S=10", NULL };
  const char *const same[] = { "network/latency=3us", "network/eager=10", NULL };
  g_autoptr (PdMachine) m = pd_machine_load ("loggops:L=2us,S=100", list, 2, NULL);
  g_autoptr (PdMachine) n = pd_machine_load ("loggops:L=2us,S=100", same, 2, NULL);

  g_assert_nonnull (m);
  g_assert_nonnull (n);
  g_assert_cmpint (m->network->protocol.eager, ==, 10);
  g_autofree char *first = pd_machine_describe (m);
  g_autofree char *second = pd_machine_describe (n);
  g_assert_cmpstr (first, ==, second);
}

/* What a machine is with @ratios is what the description @same says. */
static void
assert_ratios (const char *described, const char *const *ratios, const char *same)
{
  g_autoptr (PdMachine) m = pd_machine_load (described, ratios, 2, NULL);
  g_autoptr (PdMachine) n = pd_machine_load (same, NULL, 2, NULL);

  g_assert_nonnull (m);
  g_assert_nonnull (n);
  g_autofree char *first = pd_machine_describe (m);
  g_autofree char *second = pd_machine_describe (n);
  g_assert_cmpstr (strstr (first, "\nprocessors"), ==, strstr (second, "\nprocessors"));
}

/* Networks twice as fast are those of half the times, the software's stay; two ratios multiply. */
static void
test_setting_ratio (void)
{
  const char *const twice[] = { "network-ratio=1.6", "network-ratio=1.25", NULL };
  const char *const latency[] = { "latency-ratio=0.5", NULL };
  const char *const bandwidth[] = { "bandwidth-ratio=2", NULL };
  const char *myrinet = "myrinet:startup=8us,per-byte=4ns,memory-startup=2us,memory-per-byte=1ns,"
                        "send-overhead=1us";
  const char *loggops = "loggops:L=8us,o=1us,g=2us,G=4ns,O=2ns";

  assert_ratios (myrinet, twice,
                 "myrinet:startup=4us,per-byte=2ns,memory-startup=1us,memory-per-byte=500ps,"
                 "send-overhead=1us");
  assert_ratios (myrinet, latency,
                 "myrinet:startup=4us,per-byte=4ns,memory-startup=1us,memory-per-byte=1ns,"
                 "send-overhead=1us");
  assert_ratios (myrinet, bandwidth,
                 "myrinet:startup=8us,per-byte=2ns,memory-startup=2us,memory-per-byte=500ps,"
                 "send-overhead=1us");
  assert_ratios (loggops, twice, "loggops:L=4us,o=500ns,g=1us,G=2ns,O=1ns");
  assert_ratios (loggops, latency, "loggops:L=4us,o=1us,g=2us,G=4ns,O=2ns");
  assert_ratios (loggops, bandwidth, "loggops:L=8us,o=1us,g=2us,G=2ns,O=2ns");
}

/* The time of a message of @bytes between two nodes of a measured table. */
static gint64
transfer_of_table (const char *ratio, gint64 bytes)
{
  const char *const list[] = { ratio, NULL };
  g_autoptr (PdMachine) m = pd_machine_load ("tests/data/machine-contention.xml", list, 0, NULL);

  g_assert_nonnull (m);
  const PdTableParam *table = m->network->class->tables;
  while (strcmp (table->level, "network") != 0)
    table++;
  const PdMeasured *times =
      *(PdMeasured **) (gpointer) ((char *) m->network->config + table->offset);
  PdMeasuredPlace place = pd_measured_find (times, bytes);
  return (gint64) (pd_measured_get_time (times, &place, 1) + 0.5);
}

/* The shortest time of a table is its latency, the rest depends on the bandwidth. */
static void
test_setting_ratio_table (void)
{
  const gint64 least = 1000, large = 10000;
  gint64 latency = transfer_of_table ("speed-ratio=1", least);
  gint64 whole = transfer_of_table ("speed-ratio=1", large);

  g_assert_cmpint (whole, >, latency);
  g_assert_cmpint (ABS (transfer_of_table ("network-ratio=2", large) - whole / 2), <=, 1);
  g_assert_cmpint (ABS (transfer_of_table ("latency-ratio=2", large) - whole - latency), <=, 1);
  g_assert_cmpint (
      ABS (transfer_of_table ("bandwidth-ratio=2", large) - (latency + (whole - latency) / 2)), <=,
      1);
}

/* A path that is not there names one that means the same, or that is spelled alike. */
static void
test_setting_meant (void)
{
  static const char *const rows[][2] = {
    { "network/latency=5us", "did you mean 'network/startup'?" },
    { "network/bandwith=1GB/s", "did you mean 'network/per-byte'?" },
    { "network/nodes/cores=4", "did you mean 'network/nodes/processors'?" },
    { "speed=2", "did you mean 'network/nodes/speed'?" },
    { "network/startpu=2us", "did you mean 'network/startup'?" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *const list[] = { rows[i][0], NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMachine) m = load_text ("<machine name='m'><network type='myrinet' "
                                           "startup='7us' per-byte='4ns'><nodes count='2' "
                                           "processors='2' speed='1'/></network></machine>",
                                           list, 0, &error);
      g_assert_null (m);
      g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_PATH);
      g_assert_nonnull (strstr (error->message, rows[i][1]));
    }
}

/* A setting for a tree whose root is an element that belongs elsewhere: found
 * by the fuzzer. */
static void
test_setting_other_root (void)
{
  const char *const list[] = { "count=2", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = load_text ("<network type='ideal'/>", list, 0, &error);

  g_assert_null (m);
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_PATH);
}

/* ---- inline machines */

static const struct
{
  const char *name;
  const char *spec;
  guint32 n_needed;
  int code; /* -1: valid */
  const char *speeds;
} inlines[] = {
  { "ideal", "ideal", 3, -1, "1 1 1" },
  { "ideal-colon", "ideal:", 0, -1, "1" },
  { "ethernet", "ethernet:startup=60us,per-byte=0.09us", 2, -1, "1 1" },
  { "thesis",
    "myrinet:startup=7us,per-byte=4ns,channels=1,processors-per-node=2,memory-startup=1us,"
    "memory-per-byte=1ns",
    3, -1, "1 1 1 1" },
  { "speeds", "ideal:speeds=1:2:4", 4, -1, "1 2 4 1" },
  { "speeds-more-than-needed", "ideal:speeds=1:2:4", 2, -1, "1 2" },
  { "nodes", "ideal:nodes=3", 2, -1, "1 1 1" },
  { "nodes-too-few", "ideal:nodes=3", 4, PD_MACHINE_ERROR_SIZE, NULL },
  { "software", "ideal:send-overhead=1us,reduction-per-byte=1ns,copy-per-byte=0", 1, -1, "1" },
  { "collectives", "ideal:collectives=simple,collective-time=3us", 1, -1, "1" },
  { "operation", "ideal:reduce=binomial,reduce-scatter=ring", 1, -1, "1" },
  { "eager-alias", "ideal:S=65535", 1, -1, "1" },
  { "blanks", "ideal: control = free , eager = none", 1, -1, "1" },
  { "latency-alias", "ideal:L=1us", 1, PD_MACHINE_ERROR_SCHEMA, NULL },
  { "unknown-type", "token-ring:startup=1us", 1, PD_MACHINE_ERROR_VALUE, NULL },
  { "unknown-key", "ideal:startup=1us", 1, PD_MACHINE_ERROR_SCHEMA, NULL },
  { "type-key", "ideal:type=ethernet", 1, PD_MACHINE_ERROR_SCHEMA, NULL },
  { "count-key", "ideal:count=2", 1, PD_MACHINE_ERROR_SCHEMA, NULL },
  { "no-value", "ideal:nodes", 1, PD_MACHINE_ERROR_FORMAT, NULL },
  { "twice", "ideal:nodes=1,nodes=2", 1, PD_MACHINE_ERROR_SCHEMA, NULL },
  { "no-unit", "ethernet:startup=60,per-byte=0.09us", 1, PD_MACHINE_ERROR_VALUE, NULL },
  { "missing", "ethernet:startup=60us", 1, PD_MACHINE_ERROR_SCHEMA, NULL },
  { "memory-incomplete", "ideal:memory-startup=1us", 1, PD_MACHINE_ERROR_SCHEMA, NULL },
  { "flow/crossbar", "flow:topology=crossbar,latency=10us,bandwidth=1GB/s,eager=none", 2, -1,
    "1 1" },
  { "flow/latency-alias", "flow:topology=crossbar,L=10us,bandwidth=1GB/s", 1, -1, "1" },
  { "flow/star", "flow:topology=star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt", 3, -1,
    "1 1 1" },
  { "flow/torus", "flow:topology=torus,dimensions=2x2,bandwidth=1GB/s", 4, -1, "1 1 1 1" },
  { "flow/torus-grows", "flow:topology=torus,bandwidth=1GB/s", 5, -1, "1 1 1 1 1" },
  { "flow/fat-tree-grows", "flow:topology=fat-tree,bandwidth=8Gbit/s,arity=2", 5, -1, "1 1 1 1 1" },
  { "flow/dragonfly-grows", "flow:topology=dragonfly,bandwidth=1GB/s,routers=1,hosts=1", 4, -1,
    "1 1 1 1" },
  { "flow/no-topology", "flow:latency=10us,bandwidth=1GB/s", 1, PD_MACHINE_ERROR_SCHEMA, NULL },
  { "flow/no-such-topology", "flow:topology=ring,bandwidth=1GB/s", 1, PD_MACHINE_ERROR_VALUE,
    NULL },
  { "flow/no-bandwidth", "flow:topology=torus", 1, PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/star-no-bandwidth", "flow:topology=star", 1, PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/bare-bandwidth", "flow:topology=tree,bandwidth=1", 1, PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/of-another", "flow:topology=star,nic-bandwidth=1GB/s,arity=2", 1, PD_MACHINE_ERROR_VALUE,
    NULL },
  { "flow/shape-of-another", "flow:topology=star,nic-bandwidth=1GB/s,dimensions=2x2", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/nic-of-crossbar", "flow:topology=crossbar,bandwidth=1GB/s,nic-bandwidth=2GB/s", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/rtt-of-nothing", "flow:topology=star,nic-bandwidth=1GB/s,sharing=rtt", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/rtt-of-torus",
    "flow:topology=torus,dimensions=2x2,latency=1us,bandwidth=1GB/s,sharing=rtt", 4, -1,
    "1 1 1 1" },
  { "flow/rtt-of-torus-without-latency",
    "flow:topology=torus,dimensions=2x2,bandwidth=1GB/s,sharing=rtt", 4, PD_MACHINE_ERROR_VALUE,
    NULL },
  { "flow/torus-full", "flow:topology=torus,dimensions=2x2,bandwidth=1GB/s", 5,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/fat-tree-full", "flow:topology=fat-tree,bandwidth=1GB/s,arity=2,levels=2", 5,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/dragonfly-full", "flow:topology=dragonfly,bandwidth=1GB/s,groups=2,routers=1,hosts=2", 5,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/bad-shape", "flow:topology=torus,dimensions=2x0,bandwidth=1GB/s", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/shape-of-seven", "flow:topology=torus,dimensions=2x2x2x2x2x2x2,bandwidth=1GB/s", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/huge-torus", "flow:topology=torus,dimensions=16777216x16777216,bandwidth=1GB/s", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/long-torus", "flow:topology=torus,dimensions=16777216,bandwidth=1GB/s", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/huge-arity", "flow:topology=fat-tree,bandwidth=1GB/s,arity=9e18", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/unary", "flow:topology=fat-tree,bandwidth=1GB/s,arity=1,levels=9e18", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/unary-open", "flow:topology=fat-tree,bandwidth=1GB/s,arity=1", 9, PD_MACHINE_ERROR_VALUE,
    NULL },
  { "flow/many-uplinks", "flow:topology=tree,bandwidth=1GB/s,leaf=1,uplinks=16777216", 9,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/chassis", "flow:topology=dragonfly,bandwidth=1GB/s,routers=4,hosts=1,chassis=2", 9, -1,
    "1 1 1 1 1 1 1 1 1" },
  { "flow/routers-among-chassis", "flow:topology=dragonfly,bandwidth=1GB/s,routers=4,chassis=3", 9,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/numbered-gates",
    "flow:topology=dragonfly,bandwidth=1GB/s,routers=3,hosts=1,gates=numbered", 9, -1,
    "1 1 1 1 1 1 1 1 1" },
  { "flow/more-groups-than-gates",
    "flow:topology=dragonfly,bandwidth=1GB/s,routers=2,hosts=1,gates=numbered", 9,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/more-groups-than-gates-in-chassis",
    "flow:topology=dragonfly,bandwidth=1GB/s,routers=4,hosts=1,chassis=2,gates=numbered", 9,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/compat-of-another", "flow:topology=star,nic-bandwidth=1GB/s,compat=simgrid", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/gates-of-another", "flow:topology=star,nic-bandwidth=1GB/s,gates=numbered", 1,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/many-routers", "flow:topology=dragonfly,bandwidth=1GB/s,routers=16777216", 9,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "flow/oversubscribed", "flow:topology=fat-tree,bandwidth=1GB/s,arity=4,oversubscription=3", 9,
    PD_MACHINE_ERROR_VALUE, NULL },
  { "too-many", "ideal", G_MAXUINT32, PD_MACHINE_ERROR_VALUE, NULL },
  { "no-such-name", "no-such-machine", 1, PD_MACHINE_ERROR_NOT_FOUND, NULL },
  { "no-such-file", "./no-such-machine.xml", 1, PD_MACHINE_ERROR_NOT_FOUND, NULL },
};

static void
test_inline (gconstpointer data)
{
  gsize n = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = pd_machine_load (inlines[n].spec, NULL, inlines[n].n_needed, &error);

  if (inlines[n].code >= 0)
    {
      g_assert_null (m);
      g_assert_error (error, PD_MACHINE_ERROR, inlines[n].code);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpstr (m->origin, ==, inlines[n].spec);
  assert_speeds (m, inlines[n].speeds);
}

static void
test_inline_values (void)
{
  const char *const list[] = { "network/nodes/processors=4", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = pd_machine_load (
      "myrinet:startup=7us,per-byte=4ns,channels=3,memory-startup=1us,memory-per-byte=1ns,"
      "memory-channels=2,eager=1KiB,detached=1MiB,envelope=16,memory-detached=none,control=free,"
      "bcast=chain,wait-overhead=2us",
      list, 6, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (m->n_processors, ==, 8); /* the setting counts in the number of nodes */
  assert_param (m->network, "startup", "7 us");
  assert_param (m->network, "per-byte", "4 ns/B");
  assert_param (m->network, "channels", "3");
  assert_param (get_node (m->network, 0)->memory, "channels", "2");
  g_assert_cmpint (m->network->protocol.eager, ==, 1024);
  g_assert_cmpint (m->network->protocol.detached, ==, 1024 * 1024);
  g_assert_cmpint (m->network->protocol.envelope, ==, 16);
  g_assert_cmpint (get_node (m->network, 0)->memory->protocol.detached, ==, -1);
  g_assert_cmpint (get_node (m->network, 0)->memory->protocol.envelope, ==, 16);
  g_assert_true (get_node (m->network, 0)->memory->protocol.free_control);
  g_assert_cmpint (m->software.wait_overhead.ps, ==, 2 * PD_PS_PER_US);
  g_assert_cmpstr (g_array_index (m->uses, PdCollectiveUse, 0).algorithm, ==, "chain");
  g_assert_cmpint (g_array_index (m->uses, PdCollectiveUse, 0).up_to, ==, G_MAXINT64);
}

/* ---- import */

static void
test_import (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *xml = pd_machine_import ("dvm-par", "tests/data/Predictor.par", &error);
  g_assert_no_error (error);
  g_autoptr (PdMachine) direct = pd_machine_load ("tests/data/Predictor.par", NULL, 1024, &error);
  g_assert_no_error (error);
  g_autoptr (PdMachine) m = load_text (xml, NULL, 1024, &error);
  g_assert_no_error (error);

  g_assert_cmpuint (m->n_processors, ==, 1024);
  g_assert_cmpuint (direct->n_processors, ==, 1024);
  g_assert_cmpstr (m->name, ==, "MVS1000");
  g_assert_cmpstr (m->network->class->type, ==, "myrinet");
  assert_param (m->network, "startup", "7 us");
  assert_param (m->network, "per-byte", "4 ns/B");
  assert_param (m->network, "channels", "1");
  assert_param (m->network, "channels-per", "network");
  g_assert_cmpuint (get_node (m->network, 0)->count, ==, 512);
  g_assert_cmpuint (get_node (m->network, 0)->processors, ==, 2);
  assert_param (get_node (m->network, 0)->memory, "startup", "1 us");
  assert_param (get_node (m->network, 0)->memory, "per-byte", "1 ns/B");

  g_assert_null (pd_machine_import ("dimemas", "tests/data/Predictor.par", &error));
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT);
}

/* Parameters of LogGOPSim: a machine of as many nodes as needed, or a description. */
static void
test_import_loggopsim (void)
{
  static const char *const broken[] = { "-L 2500 -x 3", "-L",          "-L -3",
                                        "-L 2.5",       "-o 1 -G 1e3", "-S 99999999999999999999" };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m =
      load_text ("-L 1400 -o 300 -g 150 -G 1 -O 2 -S 8192\n", NULL, 300, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (m->n_processors, ==, 300);
  assert_param (m->network, "latency", "1.4 us");
  assert_param (m->network, "o", "300 ns");
  assert_param (m->network, "g", "150 ns");
  assert_param (m->network, "G", "1 ns/B");
  assert_param (m->network, "O", "2 ns/B");
  g_assert_cmpint (m->network->protocol.eager, ==, 8192);

  g_autoptr (PdMachine) defaults = load_text ("--LogGOPS_o=7", NULL, 1, &error);
  g_assert_no_error (error);
  assert_param (defaults->network, "o", "7 ns");
  assert_param (defaults->network, "latency", "2.5 us");
  g_assert_cmpint (defaults->network->protocol.eager, ==, 65535);
  for (gsize i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_assert_null (load_text (broken[i], NULL, 1, &error));
      g_assert_true (error->domain == PD_MACHINE_ERROR);
      g_clear_error (&error);
    }

  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "test-machine.params", NULL);
  g_assert_true (g_file_set_contents (path, "-L 1\n", -1, NULL));
  g_autofree char *xml = pd_machine_import ("loggopsim", path, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_autoptr (PdMachine) again = load_text (xml, NULL, 0, &error);
  g_assert_no_error (error);
  assert_param (again->network, "latency", "1 ns");
  g_assert_cmpuint (again->n_processors, ==, 65536);
}

/* Clusters in clusters, a type taken from another cluster, unlike processors. */
static void
test_import_nested (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = load_text ("cluster=TOP; TOP={2 x MID, FAST, 1xNODE};\n"
                                       "TOP.CommType=Ethernet(1); TOP.TStart=60; TOP.TByte=0.09;\n"
                                       "MID={3 x SLOW}; MID.commtype=NET; MID.TStart=2;\n"
                                       "NET={FAST}; NET.CommType=myrinet (4); NET.TByte=0.5;\n"
                                       "NODE={FAST,2*SLOW}; NODE.CommType=smp; NODE.TStart=1;\n"
                                       "NODE.TByte=0; // end\nFAST=2.0; SLOW=5e-1;",
                                       NULL, 0, &error);

  g_assert_no_error (error);
  assert_speeds (m, "0.5 0.5 0.5 0.5 0.5 0.5 2 2 0.5 0.5");
  const PdMachineNetwork *mid = get_node (m->network, 0)->network;
  assert_param (mid, "channels", "4");
  assert_param (mid, "startup", "2 us");
  assert_param (mid, "per-byte", "500 ns/B");
  assert_param (get_node (m->network, 2)->memory, "channels", "0");
}

/* ---- placement: nodes of 2, 2, 1, 1, 4, 1, 1, 4, 1, 1, 4 processors */

static const struct
{
  const char *name;
  const char *map;
  guint32 n_ranks;
  int code; /* -1: valid */
  const char *processors;
} maps[] = {
  { "default", NULL, 3, -1, "0 1 2" },
  { "block", "block", 22, -1, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21" },
  { "cyclic", "cyclic", 22, -1, "0 2 4 5 6 10 11 12 16 17 18 1 3 7 13 19 8 14 20 9 15 21" },
  { "interleaved", "interleaved", 11, -1, "0 2 4 5 6 10 11 12 16 17 18" },
  { "interleaved-full", "interleaved", 22, PD_MACHINE_ERROR_MAP, NULL },
  { "per-node", "per-node:1", 6, -1, "0 2 4 5 6 10" },
  { "per-node-two", "per-node:2", 3, -1, "0 1 2" },
  { "per-node-too-many", "per-node:2", 5, PD_MACHINE_ERROR_MAP, NULL },
  { "per-node-few-nodes", "per-node:1", 12, PD_MACHINE_ERROR_SIZE, NULL },
  { "per-node-zero", "per-node:0", 1, PD_MACHINE_ERROR_MAP, NULL },
  { "per-node-word", "per-node:x", 1, PD_MACHINE_ERROR_MAP, NULL },
  { "list", "5,0,7-9", 5, -1, "5 0 7 8 9" },
  { "list-longer", "5,0,7-9", 3, -1, "5 0 7" },
  { "list-shorter", "5,0", 3, PD_MACHINE_ERROR_SIZE, NULL },
  { "list-twice", "5,4-6", 3, PD_MACHINE_ERROR_MAP, NULL },
  { "list-outside", "22", 1, PD_MACHINE_ERROR_MAP, NULL },
  { "list-backward", "7-5", 1, PD_MACHINE_ERROR_MAP, NULL },
  { "list-open", "7-", 1, PD_MACHINE_ERROR_MAP, NULL },
  { "word", "random", 1, PD_MACHINE_ERROR_MAP, NULL },
  { "empty", "", 1, PD_MACHINE_ERROR_MAP, NULL },
  { "too-many", "block", 23, PD_MACHINE_ERROR_SIZE, NULL },
  { "none", "block", 0, PD_MACHINE_ERROR_SIZE, NULL },
};

static void
test_map (gconstpointer data)
{
  gsize n = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = pd_machine_load ("tests/data/machine-full.xml", NULL, 0, NULL);
  g_autofree guint32 *processors = pd_machine_place (m, maps[n].map, maps[n].n_ranks, &error);
  g_autoptr (GString) all = g_string_new (NULL);

  if (maps[n].code >= 0)
    {
      g_assert_null (processors);
      g_assert_error (error, PD_MACHINE_ERROR, maps[n].code);
      return;
    }
  g_assert_no_error (error);
  for (guint32 r = 0; r < maps[n].n_ranks; r++)
    g_string_append_printf (all, "%s%u", r > 0 ? " " : "", processors[r]);
  g_assert_cmpstr (all->str, ==, maps[n].processors);
}

/* ---- the installed machines, and the schema */

static void
test_installed (void)
{
  g_auto (GStrv) names = pd_machine_list ();

  g_assert_true (g_strv_contains ((const char *const *) names, "mvs1000"));
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMachine) m = pd_machine_load (names[i], NULL, 1, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (m->name, ==, names[i]);
      g_assert_cmpstr (m->description, !=, "");
    }
}

static void
test_describe (void)
{
  g_autoptr (PdMachine) m = pd_machine_load ("tests/data/machine-full.xml", NULL, 0, NULL);
  g_autofree char *first = pd_machine_describe (m);
  g_autofree char *second = pd_machine_describe (m);

  g_assert_cmpstr (first, ==, second);
  g_assert_nonnull (strstr (first, "+- 3 x myrinet 'inner': startup 7 us"));
  g_assert_nonnull (strstr (first, "   +- 1 x node of 4 processors, speed 1\n"));
  g_assert_nonnull (strstr (first, "|  +- memory: startup 1 us"));
}

/* Where values come from, those to be trusted most first. */
static void
test_describe_sources (void)
{
  static const char text[] =
      "<machine name='m' year='2011'>"
      "<source path='network/nodes/count' kind='estimate'>a  guess</source>"
      "<source path='network/type\n network/nodes/speed' kind='measured'>by\n us</source>" SIMPLE
      "</machine>";
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = load_text (text, NULL, 0, &error);

  g_assert_no_error (error);
  g_autofree char *shown = pd_machine_describe (m);
  g_autofree char *kinds = pd_machine_describe_sources (m);
  g_autofree char *topology = pd_machine_describe_topology (m->network);
  const char *measured =
      strstr (shown, "\nmeasured             network/type, network/nodes/speed: by us\n");

  g_assert_cmpint (m->year, ==, 2011);
  g_assert_nonnull (strstr (shown, "\nyear                 2011\n"));
  g_assert_nonnull (measured);
  g_assert_nonnull (strstr (measured, "\nestimate             network/nodes/count: a guess\n"));
  g_assert_cmpstr (kinds, ==, "measured, estimate");
  g_assert_cmpstr (topology, ==, m->network->class->type);
}

/* A description that was fitted says so by what it was fitted to, and when. */
static void
test_describe_fitted (void)
{
  g_autoptr (PdMachine) m = pd_machine_load ("machines/two-cores-2026-mpich.xml", NULL, 0, NULL);
  g_autofree char *kinds = pd_machine_describe_sources (m);
  g_autoptr (PdMachine) star =
      pd_machine_load ("flow:topology=star,nic-bandwidth=1GB/s", NULL, 4, NULL);
  g_autofree char *none = pd_machine_describe_sources (star);
  g_autofree char *topology = pd_machine_describe_topology (star->network);

  g_assert_cmpint (m->year, ==, 2026);
  g_assert_cmpstr (kinds, ==, "fitted");
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (topology, ==, "star");
}

/* A flow network shows what was left open, and not what its topology has not. */
static void
test_describe_flow (void)
{
  g_autoptr (PdMachine) m = pd_machine_load (
      "flow:topology=fat-tree,latency=1us,bandwidth=1GB/s,arity=4", NULL, 20, NULL);
  g_autofree char *text = pd_machine_describe (m);

  g_assert_nonnull (strstr (text, "flow: topology fat-tree"));
  g_assert_nonnull (strstr (text, "nic-bandwidth 1 GB/s, arity 4, levels 3, oversubscription 1"));
  g_assert_null (strstr (text, "dimensions"));

  g_autoptr (PdMachine) torus =
      pd_machine_load ("flow:topology=torus,bandwidth=1GB/s", NULL, 200, NULL);
  g_autofree char *second = pd_machine_describe (torus);
  g_assert_nonnull (strstr (second, "dimensions 8x8x4"));
}

/* Measured tables, and their paths. */
static void
test_contention (void)
{
  static const char *const list[] = { "network/table[@level='network']/row[1]/size=20kB", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = pd_machine_load ("tests/data/machine-contention.xml", list, 16, &error);

  g_assert_no_error (error);
  g_autofree char *text = pd_machine_describe (m);
  g_assert_nonnull (strstr (text, "|  table memory: 2 sizes from 1000 B to 100000 B, cf 1 to 4\n"));
  g_assert_nonnull (strstr (text, "|  table network: 2 sizes from 1000 B to 20000 B, cf 1 to 2\n"));
}

static void
collect_attributes (xmlNode *node, GPtrArray *names)
{
  for (; node != NULL; node = node->next)
    {
      if (node->type == XML_ELEMENT_NODE && g_str_equal (node->name, "attribute"))
        {
          xmlChar *name = xmlGetProp (node, (const xmlChar *) "name");
          g_ptr_array_add (names, g_strdup ((const char *) name));
          xmlFree (name);
        }
      else
        collect_attributes (node->children, names);
    }
}

/* The schema has a definition "params.TYPE" for every class, with the same
 * attributes. */
static void
test_schema_tables (void)
{
  xmlDoc *schema = xmlReadFile ("schemas/machine.rng", NULL, XML_PARSE_NONET);

  g_assert_nonnull (schema);
  for (guint i = 0; pd_network_class_get (i) != NULL; i++)
    {
      const PdNetworkClass *class = pd_network_class_get (i);
      g_autofree char *wanted = g_strconcat ("params.", class->type, NULL);
      g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
      gboolean found = FALSE;
      guint n = 0;
      for (xmlNode *d = xmlDocGetRootElement (schema)->children; d != NULL; d = d->next)
        {
          xmlChar *name =
              d->type == XML_ELEMENT_NODE ? xmlGetProp (d, (const xmlChar *) "name") : NULL;
          if (name != NULL && g_str_equal (name, wanted))
            {
              found = TRUE;
              collect_attributes (d->children, names);
            }
          xmlFree (name);
        }
      g_assert_true (found);
      for (; class->params[n].name != NULL; n++)
        g_assert_true (
            g_ptr_array_find_with_equal_func (names, class->params[n].name, g_str_equal, NULL));
      g_assert_cmpuint (names->len, ==, n);
    }
  xmlFreeDoc (schema);
}

static void
ignore_message (void *data, const char *format, ...)
{
  (void) data;
  (void) format;
}

static gboolean
fits_schema (xmlRelaxNG *schema, const char *text, gsize size)
{
  xmlDoc *doc = xmlReadMemory (text, (int) size, "test", NULL,
                               XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  xmlRelaxNGValidCtxt *context = xmlRelaxNGNewValidCtxt (schema);
  gboolean fits;

  g_assert_nonnull (doc);
  xmlRelaxNGSetValidErrors (context, ignore_message, ignore_message, NULL);
  fits = xmlRelaxNGValidateDoc (context, doc) == 0;
  xmlRelaxNGFreeValidCtxt (context);
  xmlFreeDoc (doc);
  return fits;
}

/* The schema by itself, for editors and other programs, refuses what is wrong
 * in structure and accepts the full example. */
static void
test_schema_alone (void)
{
  xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewParserCtxt ("schemas/machine.rng");
  xmlRelaxNG *schema = xmlRelaxNGParse (parser);
  g_autofree char *text = NULL;
  gsize size;

  g_assert_nonnull (schema);
  g_assert_true (g_file_get_contents ("tests/data/machine-full.xml", &text, &size, NULL));
  g_assert_true (fits_schema (schema, text, size));
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    if (bad[i].code == PD_MACHINE_ERROR_SCHEMA && bad[i].text[0] == '<')
      g_assert_false (fits_schema (schema, bad[i].text, strlen (bad[i].text)));
  xmlRelaxNGFree (schema);
  xmlRelaxNGFreeParserCtxt (parser);
}

static void
add_cases (const char *folder, const char *name, gsize i, GTestDataFunc func)
{
  g_autofree char *path = g_strconcat ("/comsys/machine/", folder, "/", name, NULL);

  g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comsys/machine/xml/full", test_full);
  g_test_add_func ("/comsys/machine/xml/defaults", test_defaults);
  g_test_add_func ("/comsys/machine/xml/line", test_line);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    add_cases ("bad", bad[i].name, i, test_bad);
  g_test_add_data_func ("/comsys/machine/truncated/xml", "tests/data/machine-full.xml",
                        test_truncated);
  g_test_add_data_func ("/comsys/machine/truncated/contention", "tests/data/machine-contention.xml",
                        test_truncated);
  g_test_add_data_func ("/comsys/machine/truncated/par", "tests/data/Predictor.par",
                        test_truncated);
  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    add_cases ("setting", settings[i].name, i, test_setting);
  g_test_add_func ("/comsys/machine/setting/absent", test_setting_absent);
  g_test_add_func ("/comsys/machine/setting/alias", test_setting_alias);
  g_test_add_func ("/comsys/machine/setting/ratio", test_setting_ratio);
  g_test_add_func ("/comsys/machine/setting/ratio-table", test_setting_ratio_table);
  g_test_add_func ("/comsys/machine/setting/meant", test_setting_meant);
  g_test_add_func ("/comsys/machine/setting/other-root", test_setting_other_root);
  for (gsize i = 0; i < G_N_ELEMENTS (inlines); i++)
    add_cases ("inline", inlines[i].name, i, test_inline);
  g_test_add_func ("/comsys/machine/inline/values", test_inline_values);
  g_test_add_func ("/comsys/machine/import/nodes-with-memory", test_import);
  g_test_add_func ("/comsys/machine/import/loggopsim", test_import_loggopsim);
  g_test_add_func ("/comsys/machine/import/nested", test_import_nested);
  for (gsize i = 0; i < G_N_ELEMENTS (maps); i++)
    add_cases ("map", maps[i].name, i, test_map);
  g_test_add_func ("/comsys/machine/installed", test_installed);
  g_test_add_func ("/comsys/machine/describe", test_describe);
  g_test_add_func ("/comsys/machine/describe/sources", test_describe_sources);
  g_test_add_func ("/comsys/machine/describe/fitted", test_describe_fitted);
  g_test_add_func ("/comsys/machine/describe/flow", test_describe_flow);
  g_test_add_func ("/comsys/machine/contention", test_contention);
  g_test_add_func ("/comsys/machine/schema/tables", test_schema_tables);
  g_test_add_func ("/comsys/machine/schema/alone", test_schema_alone);
  return g_test_run ();
}
