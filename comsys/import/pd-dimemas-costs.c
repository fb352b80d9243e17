/* Dimemas' files of the costs of collective operations: lines
 * "Machine globalop: MACHINE OPERATION IN SIZE OUT SIZE".
 * SPDX-License-Identifier: MIT */
#include "comsys/import/pd-dimemas-cfg-private.h"
#include "comsys/description/pd-machine-elements.h"
#include "base/pd-file.h"

#include <stdio.h>
#include <string.h>

/* In Dimemas' order. */
static const char *const operations[] = {
  "barrier",        "bcast",
  "gather",         "gatherv",
  "scatter",        "scatterv",
  "allgather",      "allgatherv",
  "alltoall",       "alltoallv",
  "reduce",         "allreduce",
  "reduce-scatter", "reduce-scatter-block",
  "scan",           "alltoallw",
};

#define REDUCE 10

static const struct
{
  const char *word;
  const char *value;
} models[] = {
  { "0", "none" },
  { "CTE", "constant" },
  { "CT", "constant" },
  { "LIN", "linear" },
  { "LOG", "logarithmic" },
}, sizes[] = {
  { "MIN", "min" },
  { "MAX", "max" },
  { "MEAN", "mean" },
  { "2MAX", "twice-max" },
  { "S+R", "sum" },
};

static const char *
find_model (const char *word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    if (strcmp (models[i].word, word) == 0)
      return models[i].value;
  return NULL;
}

static const char *
find_size (const char *word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (strcmp (sizes[i].word, word) == 0)
      return sizes[i].value;
  return NULL;
}

static gboolean
fail (GError **error, const char *path, guint line, const char *what)
{
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE, "%s:%u: %s", path, line, what);
  return FALSE;
}

/* The words behind the machine: operation, in, its size, out, its size. */
static gboolean
add_cost (char **words, PdElement *collectives, const char **problem)
{
  guint64 op;

  if (!g_ascii_string_to_unsigned (words[0], 10, 0, 31, &op, NULL))
    {
      *problem = "expected the number of an operation, 0 to 31";
      return FALSE;
    }
  const char *values[4] = { find_model (words[1]), find_size (words[2]), find_model (words[3]),
                            find_size (words[4]) };
  if (values[0] == NULL || values[2] == NULL || values[1] == NULL || values[3] == NULL)
    {
      *problem = "expected two times a model (0, CTE, LIN or LOG) and a size (MIN, MAX, MEAN, "
                 "2MAX or S+R)";
      return FALSE;
    }
  /* Dimemas leaves out that of MPI_Reduce, too; non-blocking ones are not costed apart */
  if (op == REDUCE || op >= G_N_ELEMENTS (operations))
    return TRUE;
  for (PdElement *child = collectives->children, *next; child != NULL; child = next)
    {
      const char *other = pd_element_get (child, "operation");
      next = child->next;
      if (g_strcmp0 (other, operations[op]) != 0)
        continue;
      pd_element_remove (child);
    }
  PdElement *cost = pd_element_add (collectives, "cost");
  pd_element_set (cost, "operation", operations[op]);
  pd_element_set (cost, "in", values[0]);
  pd_element_set (cost, "in-size", values[1]);
  pd_element_set (cost, "out", values[2]);
  pd_element_set (cost, "out-size", values[3]);
  return TRUE;
}

/* The words of a line, without empty ones. */
static GPtrArray *
split_words (const char *line)
{
  g_auto (GStrv) parts = g_strsplit_set (line, " \t\r", -1);
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_ptr_array_add (words, g_strdup (parts[i]));
  return words;
}

static gboolean
has_head (const GPtrArray *words, const char *first, const char *second, guint n)
{
  return words->len == n && g_str_equal (words->pdata[0], first)
         && g_str_equal (words->pdata[1], second);
}

static gboolean
read_line (const char *line, PdElement *collectives, const char **problem)
{
  g_autoptr (GPtrArray) words = split_words (line);

  if (words->len == 0 || *(const char *) words->pdata[0] == '#'
      || has_head (words, "External", "globalop:", 7))
    return TRUE;
  if (has_head (words, "Machine", "globalop:", 8))
    {
      if (g_str_equal (words->pdata[2], "0"))
        return add_cost ((char **) words->pdata + 3, collectives, problem);
      *problem = "expected machine 0; several machines are not covered";
      return FALSE;
    }
  if (has_head (words, "Machine", "policy:", 4) && g_str_equal (words->pdata[3], "FIFO"))
    return TRUE;
  if (words->len == 6 && g_ascii_isdigit (*(const char *) words->pdata[0]))
    return add_cost ((char **) words->pdata, collectives, problem);
  *problem = "expected 'Machine globalop: 0 OPERATION MODEL SIZE MODEL SIZE'";
  return FALSE;
}

gboolean
pd_dimemas_add_costs (const char *path, PdElement *collectives, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;

  if (!pd_file_exists (path) || !pd_file_read (path, &text, NULL, &local))
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND,
                   "%s: the file of collective operations cannot be read", path);
      return FALSE;
    }
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *problem = NULL;
      if (!read_line (lines[i], collectives, &problem))
        return fail (error, path, i + 1, problem);
    }
  return TRUE;
}
