/* Studies: values of axes, points, samples, lists, XML.
 * SPDX-License-Identifier: MIT */
#include "sweep/study/pd-sobol.h"
#include "sweep/study/pd-study.h"
#include "sweep/study/pd-study-list.h"
#include "sweep/study/pd-study-xml.h"

#include <glib/gstdio.h>
#include <string.h>

/* ---- values */

static const struct
{
  const char *name;
  const char *text;
  const char *expected; /* values; NULL: refused with @code */
  const char *unit;     /* NULL: words */
  int code;
} values[] = {
  { "one", "5", "5", "", 0 },
  { "list", "1,2,4", "1 2 4", "", 0 },
  { "blanks", " 1us , 2us ", "1us 2us", "s", 0 },
  { "unit-of-the-last", "1,10,25,100GB/s", "1GB/s 10GB/s 25GB/s 100GB/s", "B/s", 0 },
  { "own-unit", "1KiB,2MB,3MiB", "1KiB 2MB 3MiB", "B", 0 },
  { "zero", "0,5us", "0us 5us", "s", 0 },
  { "zero-last", "5us,0", "5us 0", "s", 0 },
  { "per-byte", "4ns/B,5ns/B", "4ns/B 5ns/B", "s/B", 0 },
  { "words", "ethernet,myrinet", "ethernet myrinet", NULL, 0 },
  { "semicolons", "ethernet:startup=1us,per-byte=2ns;ideal",
    "ethernet:startup=1us,per-byte=2ns ideal", NULL, 0 },
  { "mixed", "1,two", "1 two", NULL, 0 },
  { "kinds", "1us,2KiB", "1us 2KiB", NULL, 0 },
  { "linear", "0:10:lin5", "0 3 5 8 10", "", 0 },
  { "linear-real", "0.0:10:lin5", "0 2.5 5 7.5 10", "", 0 },
  { "linear-unit", "1:2us:lin3", "1us 1.5us 2us", "s", 0 },
  { "linear-one", "7:9:lin1", "7", "", 0 },
  { "logarithmic", "0.5us:50us:log5", "0.5us 1.58114us 5us 15.8114us 50us", "s", 0 },
  { "logarithmic-whole", "1:64:log7", "1 2 4 8 16 32 64", "", 0 },
  { "logarithmic-bytes", "1B:10B:log3", "1B 3B 10B", "B", 0 },
  { "logarithmic-few", "1:3:log9", "1 2 3", "", 0 },
  { "two-units", "500ns:2us:lin4", "500ns 1000ns 1500ns 2000ns", "s", 0 },
  { "steps", "1:2:+0.25", "1 1.25 1.5 1.75 2", "", 0 },
  { "steps-tenth", "0.1:0.5:+0.1", "0.1 0.2 0.3 0.4 0.5", "", 0 },
  { "steps-beyond", "1:6:+4", "1 5", "", 0 },
  { "factors", "1us:100us:x10", "1us 10us 100us", "s", 0 },
  { "factors-beyond", "1:100:x3", "1 3 9 27 81", "", 0 },
  { "several-ranges", "1:3:+1,10:30:+10", "1 2 3 10 20 30", "", 0 },
  { "inline-machine", "loggops:L=1us", "loggops:L=1us", NULL, 0 },
  { "map", "per-node:4,per-node:2", "per-node:4 per-node:2", NULL, 0 },
  /* refused */
  { "empty", "", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "blank", "  ", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "comma", ",", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "trailing-comma", "1,", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "backwards", "2:1:lin3", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "log-of-zero", "0:1:log3", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "no-steps", "1:2:", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "step-zero", "1:2:+0", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "step-back", "1:2:+-1", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "step-unit", "0us:9us:+1ms", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "step-tail", "0us:9s:+1e-.00", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "factor-tail", "1:9:x2q", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "factor-one", "1:2:x1", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "factor-of-zero", "0:2:x2", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "lin-zero", "1:2:lin0", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "lin-word", "1:2:linear", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "end-word", "1:b:lin2", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "other-kind", "1us:2KiB:lin2", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "bare-range", "1us:100us", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "bare-range-unit", "1:100us", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "bare-range-in-list", "1us,2us:3us", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "open-range", "1:2:log", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "range-not-alone", "1,1:2:log", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "too-many", "0:1:lin1000000000000", NULL, NULL, PD_STUDY_ERROR_SIZE },
  { "too-many-steps", "0:1000000000000:+1", NULL, NULL, PD_STUDY_ERROR_SIZE },
  { "huge-steps", "0:1e300:+1e-300", NULL, NULL, PD_STUDY_ERROR_SIZE },
  { "control", "a\001b", NULL, NULL, PD_STUDY_ERROR_VALUES },
  { "not-utf8", "a\377b", NULL, NULL, PD_STUDY_ERROR_VALUES },
};

static char *
join (const PdAxis *axis)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < axis->texts->len; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : " ",
                            (char *) g_ptr_array_index (axis->texts, i));
  return g_string_free (text, FALSE);
}

static void
test_values (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdStudy) study = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;
  gboolean ok = pd_study_add_axis (study, "x", values[i].text, &error)
                && pd_study_complete (study, PD_STUDY_DEFAULT_LIMIT, &error);

  if (values[i].expected == NULL)
    {
      g_assert_false (ok);
      g_assert_error (error, PD_STUDY_ERROR, values[i].code);
      return;
    }
  g_assert_no_error (error);
  g_assert_true (ok);
  const PdAxis *axis = pd_study_get_axis (study, 0);
  g_autofree char *text = join (axis);
  g_assert_cmpstr (text, ==, values[i].expected);
  g_assert_cmpint (axis->kind, ==, values[i].unit != NULL ? PD_AXIS_NUMBER : PD_AXIS_WORD);
  g_assert_cmpstr (axis->unit, ==, values[i].unit != NULL ? values[i].unit : "");
  g_assert_cmpuint (axis->numbers->len, ==, axis->texts->len);
}

/* Numbers are in base units, and equal to what one writes in them. */
static void
test_numbers (void)
{
  g_autoptr (PdStudy) study = pd_study_new (NULL);

  g_assert_true (pd_study_add_axis (study, "x", "0,10us,1ms", NULL));
  g_assert_true (pd_study_add_axis (study, "y", "2KiB,3kB", NULL));
  g_assert_true (pd_study_add_axis (study, "z", "4ns/B", NULL));
  g_assert_true (pd_study_complete (study, 100, NULL));
  const gdouble expected[][3] = { { 0, 1e-05, 1e-3 }, { 2048, 3000 }, { 4e-9 } };
  for (guint a = 0; a < 3; a++)
    for (guint i = 0; i < pd_study_get_axis (study, a)->numbers->len; i++)
      g_assert_cmpfloat (g_array_index (pd_study_get_axis (study, a)->numbers, gdouble, i), ==,
                         expected[a][i]);
}

/* ---- points */

static void
test_product (void)
{
  g_autoptr (PdStudy) study = pd_study_new (NULL);
  static const char *const expected[] = { "a=1 b=x c=p", "a=1 b=x c=q", "a=1 b=y c=p",
                                          "a=1 b=y c=q", "a=1 b=z c=p", "a=1 b=z c=q",
                                          "a=2 b=x c=p", "a=2 b=x c=q" };

  g_assert_true (pd_study_add_axis (study, "a", "1,2", NULL));
  g_assert_true (pd_study_add_axis (study, "b", "x,y,z", NULL));
  g_assert_true (pd_study_add_axis (study, "c", "p,q", NULL));
  g_assert_true (pd_study_complete (study, 12, NULL));
  g_assert_cmpint (pd_study_get_n_points (study), ==, 12);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *text = pd_study_describe_point (study, i);
      g_assert_cmpstr (text, ==, expected[i]);
    }
}

static void
test_limit (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdStudy) study = pd_study_new (NULL), huge = pd_study_new (NULL);

  for (guint i = 0; i < 3; i++)
    {
      char name[2] = { (char) ('a' + i), '\0' };
      g_assert_true (pd_study_add_axis (study, name, "1:4:+1", NULL));
    }
  g_assert_false (pd_study_complete (study, 63, &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_SIZE);
  g_assert_true (pd_study_complete (study, 64, NULL));
  g_clear_error (&error);

  /* more than 2^63 */
  for (guint i = 0; i < PD_STUDY_MAX_AXES; i++)
    {
      char name[2] = { (char) ('a' + i), '\0' };
      g_assert_true (pd_study_add_axis (huge, name, "1:1000:+1", NULL));
    }
  g_assert_false (pd_study_add_axis (huge, "more", "1", &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_SIZE);
  g_clear_error (&error);
  g_assert_false (pd_study_complete (huge, G_MAXINT64, &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_SIZE);
}

static void
test_twice (void)
{
  g_autoptr (PdStudy) study = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_study_set (study, "a", "1", NULL));
  g_assert_false (pd_study_set (study, "a", "2", &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES);
  g_clear_error (&error);
  g_assert_false (pd_study_add_axis (study, "a", "2", &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES);
  g_clear_error (&error);
  g_assert_false (pd_study_complete (study, 10, &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES);
}

/* ---- samples */

/* Each dimension has one of the first 2^k points in each of 2^k equal parts, and the first
 * two have one in each box of equal size, however it is cut; shifted or not. */
static void
test_sobol (void)
{
  const guint n = 256;

  for (guint32 seed = 0; seed < 3; seed++)
    {
      PdSobol sobol;
      gdouble point[PD_SOBOL_MAX_DIMENSIONS];
      g_autofree guint8 *met = g_new0 (guint8, PD_SOBOL_MAX_DIMENSIONS * n);
      g_autofree guint8 *boxes = g_new0 (guint8, 9 * n);
      pd_sobol_init (&sobol, PD_SOBOL_MAX_DIMENSIONS, seed);
      for (guint i = 0; i < n; i++)
        {
          pd_sobol_next (&sobol, point);
          for (guint d = 0; d < PD_SOBOL_MAX_DIMENSIONS; d++)
            {
              g_assert_true (point[d] >= 0 && point[d] < 1);
              met[d * n + (guint) (point[d] * n)]++;
            }
          for (guint k = 0; k <= 8; k++)
            boxes[k * n + ((guint) (point[0] * (1u << k)) << (8 - k))
                  + (guint) (point[1] * (1u << (8 - k)))]++;
        }
      for (guint i = 0; i < PD_SOBOL_MAX_DIMENSIONS * n; i++)
        g_assert_cmpuint (met[i], ==, 1);
      for (guint i = 0; i < 9 * n; i++)
        g_assert_cmpuint (boxes[i], ==, 1);
    }
}

/* As tables of the sequence have it. */
static void
test_sobol_values (void)
{
  static const gdouble expected[][3] = { { 0, 0, 0 },
                                         { 0.5, 0.5, 0.5 },
                                         { 0.75, 0.25, 0.25 },
                                         { 0.25, 0.75, 0.75 },
                                         { 0.375, 0.375, 0.625 },
                                         { 0.875, 0.875, 0.125 },
                                         { 0.625, 0.125, 0.875 },
                                         { 0.125, 0.625, 0.375 } };
  gdouble point[3];
  PdSobol sobol;

  pd_sobol_init (&sobol, 3, 0);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      pd_sobol_next (&sobol, point);
      for (guint d = 0; d < 3; d++)
        g_assert_cmpfloat_with_epsilon (point[d], expected[i][d], 1e-9);
    }
}

static void
test_sample (void)
{
  g_autoptr (PdStudy) study = pd_study_new (NULL), few = pd_study_new (NULL);

  g_assert_true (pd_study_add_axis (study, "x", "1us:100us:log", NULL));
  g_assert_true (pd_study_add_axis (study, "y", "a,b,c,d", NULL));
  g_assert_true (pd_study_set_sample (study, "sobol:64:7", NULL));
  g_assert_true (pd_study_complete (study, 64, NULL));
  g_assert_cmpint (pd_study_get_n_points (study), ==, 64);
  guint counts[4] = { 0 };
  for (gint64 p = 0; p < 64; p++)
    counts[pd_study_get_value (study, p, 1)]++;
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (counts[i], ==, 16);
  g_assert_cmpint (pd_study_get_axis (study, 0)->kind, ==, PD_AXIS_NUMBER);

  /* of six combinations there are no ten */
  g_assert_true (pd_study_add_axis (few, "x", "1,2,3", NULL));
  g_assert_true (pd_study_add_axis (few, "y", "a,b", NULL));
  g_assert_true (pd_study_set_sample (few, "sobol:100", NULL));
  g_assert_true (pd_study_complete (few, 100, NULL));
  g_assert_cmpint (pd_study_get_n_points (few), ==, 6);
}

static void
test_bad_samples (void)
{
  static const char *const texts[] = { "sobol",    "sobol:",    "sobol:0",
                                       "sobol:-1", "sobol:1:x", "sobol:1:2:3",
                                       "random:5", "",          "sobol:99999999999999999999" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PdStudy) study = pd_study_new (NULL);
      g_autoptr (GError) error = NULL;
      g_assert_false (pd_study_set_sample (study, texts[i], &error));
      g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES);
    }
}

/* ---- lists */

static const struct
{
  const char *name;
  const char *text;
  const char *expected; /* points; NULL: refused */
  int code;
} lists[] = {
  { "plain", "a,b\n1,x\n2,y\n", "a=1 b=x;a=2 b=y", 0 },
  { "windows", "a,b\r\n1,x\r\n2,y", "a=1 b=x;a=2 b=y", 0 },
  { "quoted", "a,\"b\"\n\"0,2-3\",\"say \"\"x\"\"\"\n", "a=0,2-3 b=say \"x\"", 0 },
  { "blank-lines", "\na\n\n1\n\n1\n", "a=1;a=1", 0 },
  { "empty", "", NULL, PD_STUDY_ERROR_FORMAT },
  { "only-names", "a,b\n", NULL, PD_STUDY_ERROR_FORMAT },
  { "short", "a,b\n1\n", NULL, PD_STUDY_ERROR_VALUES },
  { "long", "a\n1,2\n", NULL, PD_STUDY_ERROR_VALUES },
  { "blank-value", "a,b\n1,\"  \"\n", NULL, PD_STUDY_ERROR_VALUES },
  { "no-value", "a,b\n1,\n", NULL, PD_STUDY_ERROR_VALUES },
  { "no-name", "a,\n1,2\n", NULL, PD_STUDY_ERROR_VALUES },
  { "same-name", "a,a\n1,2\n", NULL, PD_STUDY_ERROR_VALUES },
  { "not-closed", "a,b\n1,\"x\n", NULL, PD_STUDY_ERROR_FORMAT },
  { "behind-quote", "a,b\n1,\"x\"y\n", NULL, PD_STUDY_ERROR_FORMAT },
  { "line-in-value", "a\n\"x\ny\"\n", NULL, PD_STUDY_ERROR_VALUES },
};

static char *
write_file (const char *text)
{
  char *path = NULL;
  int fd = g_file_open_tmp ("predictor-study-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static char *
describe (const PdStudy *study)
{
  GString *text = g_string_new (NULL);

  for (gint64 p = 0; p < pd_study_get_n_points (study); p++)
    {
      g_autofree char *point = pd_study_describe_point (study, p);
      g_string_append_printf (text, "%s%s", p == 0 ? "" : ";", point);
    }
  return g_string_free (text, FALSE);
}

static void
test_lists (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *path = write_file (lists[i].text);
  g_autoptr (PdStudy) study = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;
  gboolean ok = pd_study_add_list (study, path, &error)
                && pd_study_complete (study, PD_STUDY_DEFAULT_LIMIT, &error);

  g_unlink (path);
  if (lists[i].expected == NULL)
    {
      g_assert_false (ok);
      g_assert_error (error, PD_STUDY_ERROR, lists[i].code);
      return;
    }
  g_assert_no_error (error);
  g_autofree char *text = describe (study);
  g_assert_cmpstr (text, ==, lists[i].expected);
}

/* All of a file, or nothing. */
static void
test_list_bytes (void)
{
  static const char mark[] = "\xef\xbb\xbf"
                             "a,b\n1,2\n",
                    zero[] = "a\n1\n\0002\n";
  g_autofree char *path = write_file (mark);
  g_autoptr (PdStudy) study = pd_study_new (NULL), other = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_study_add_list (study, path, &error));
  g_assert_no_error (error);
  g_assert_nonnull (pd_study_find_axis (study, "a"));
  g_assert_true (g_file_set_contents (path, zero, sizeof zero - 1, NULL));
  g_assert_false (pd_study_add_list (other, path, &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT);
  g_unlink (path);
}

/* ---- XML */

static gboolean
read_text (PdStudy *study, const char *text, gsize size, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, size);

  return pd_study_read (study, bytes, "test.xml", error)
         && pd_study_complete (study, PD_STUDY_DEFAULT_LIMIT, error);
}

/* A study of each kind. */
static PdStudy *
make_study (guint kind)
{
  PdStudy *study = pd_study_new (NULL);
  const char *const points[][2] = { { "1us", "<&\"'>" }, { "2us", "p,q" }, { "1us", "x;y" } };

  g_assert_true (pd_study_set (study, "zeta", "a 'b' <c> & \"d\"", NULL));
  g_assert_true (pd_study_set (study, "alpha", "\303\244", NULL));
  pd_study_set_per_processor (study, kind == 1);
  if (kind == 2)
    {
      g_assert_true (pd_study_add_axis_values (study, "x", NULL, 0, NULL));
      g_assert_true (pd_study_add_axis_values (study, "y", NULL, 0, NULL));
      for (guint i = 0; i < 3; i++)
        g_assert_true (pd_study_add_point (study, points[i], 2, NULL));
    }
  else
    {
      g_assert_true (
          pd_study_add_axis (study, "x", kind == 1 ? "1us:9ms:log" : "1:9us:log5", NULL));
      g_assert_true (pd_study_add_axis (study, "y", "a,b;c:d=e,f", NULL));
    }
  if (kind == 1)
    g_assert_true (pd_study_set_sample (study, "sobol:50:3", NULL));
  g_assert_true (pd_study_complete (study, 1000, NULL));
  return study;
}

static void
test_round_trip (void)
{
  for (guint kind = 0; kind < 3; kind++)
    {
      g_autoptr (PdStudy) study = make_study (kind), again = pd_study_new (NULL);
      g_autoptr (GString) one = g_string_new (NULL), two = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      pd_study_write (study, one);
      g_assert_true (read_text (again, one->str, one->len, &error));
      g_assert_no_error (error);
      g_assert_true (pd_study_compare (again, study, &error));
      pd_study_write (again, two);
      g_assert_cmpstr (one->str, ==, two->str);
      g_autofree char *a = describe (study), *b = describe (again);
      g_assert_cmpstr (a, ==, b);
      g_assert_cmpint (pd_study_get_per_processor (again), ==, kind == 1);
    }
}

/* Cut anywhere, it is an error, and no crash. */
static void
test_cut (void)
{
  for (guint kind = 0; kind < 3; kind++)
    {
      g_autoptr (PdStudy) study = make_study (kind);
      g_autoptr (GString) text = g_string_new (NULL);
      pd_study_write (study, text);
      for (gsize n = 0; n + 1 < text->len; n++)
        {
          g_autoptr (PdStudy) again = pd_study_new (NULL);
          g_autoptr (GError) error = NULL;
          g_assert_false (read_text (again, text->str, n, &error));
          g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT);
        }
    }
}

static const struct
{
  const char *name;
  const char *text;
  int code;
} bad_files[] = {
  { "other-root", "<machine version='1'/>", PD_STUDY_ERROR_FORMAT },
  { "no-version", "<study/>", PD_STUDY_ERROR_FORMAT },
  { "version", "<study version='2'/>", PD_STUDY_ERROR_FORMAT },
  { "attribute", "<study version='1' x='1'/>", PD_STUDY_ERROR_FORMAT },
  { "per-processor", "<study version='1' per-processor='1'/>", PD_STUDY_ERROR_FORMAT },
  { "element", "<study version='1'><x/></study>", PD_STUDY_ERROR_FORMAT },
  { "no-name", "<study version='1'><axis values='1'/></study>", PD_STUDY_ERROR_FORMAT },
  { "empty-name", "<study version='1'><axis name='' values='1'/></study>", PD_STUDY_ERROR_VALUES },
  { "no-values", "<study version='1'><axis name='a'/></study>", PD_STUDY_ERROR_VALUES },
  { "empty-values", "<study version='1'><axis name='a' values=''/></study>",
    PD_STUDY_ERROR_VALUES },
  { "empty-value", "<study version='1'><axis name='a'><value/></axis></study>",
    PD_STUDY_ERROR_VALUES },
  { "values-twice", "<study version='1'><axis name='a' values='1'><value>2</value></axis></study>",
    PD_STUDY_ERROR_FORMAT },
  { "no-axes", "<study version='1'/>", PD_STUDY_ERROR_VALUES },
  { "sample", "<study version='1'><sample method='x' points='3'/></study>", PD_STUDY_ERROR_VALUES },
  { "sample-huge",
    "<study version='1'><axis name='a' values='1:2:lin'/>"
    "<sample method='sobol' points='1000000000000'/></study>",
    PD_STUDY_ERROR_SIZE },
  { "point-without-axes", "<study version='1'><point><value>1</value></point></study>",
    PD_STUDY_ERROR_VALUES },
  { "point-and-values",
    "<study version='1'><axis name='a' values='1'/><point><value>1</value></point></study>",
    PD_STUDY_ERROR_VALUES },
  { "point-and-sample",
    "<study version='1'><axis name='a'/><point><value>1</value></point>"
    "<sample method='sobol' points='3'/></study>",
    PD_STUDY_ERROR_VALUES },
  { "doctype", "<!DOCTYPE study [<!ENTITY a 'b'>]><study version='1'/>", PD_STUDY_ERROR_FORMAT },
  { "text", "procs=1,2", PD_STUDY_ERROR_FORMAT },
};

static void
test_bad_files (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdStudy) study = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (read_text (study, bad_files[i].text, strlen (bad_files[i].text), &error));
  g_assert_error (error, PD_STUDY_ERROR, bad_files[i].code);
}

/* ---- two studies */

static const struct
{
  const char *name;
  const char *text;
  const char *word; /* what the message names; NULL: the same study */
} others[] = {
  { "same",
    "<study version='1'><parameter name='p' value='1'/><axis name='a' values='1:3:+1'/>"
    "<axis name='b' values='x,y'/></study>",
    NULL },
  { "parameter",
    "<study version='1'><parameter name='p' value='2'/><axis name='a' values='1,2,3'/>"
    "<axis name='b' values='x,y'/></study>",
    "'p'" },
  { "parameter-less",
    "<study version='1'><axis name='a' values='1,2,3'/><axis name='b' values='x,y'/></study>",
    "'p'" },
  { "parameter-more",
    "<study version='1'><parameter name='p' value='1'/><parameter name='q' value='1'/>"
    "<axis name='a' values='1,2,3'/><axis name='b' values='x,y'/></study>",
    "'q'" },
  { "value",
    "<study version='1'><parameter name='p' value='1'/><axis name='a' values='1,2,4'/>"
    "<axis name='b' values='x,y'/></study>",
    "'a'" },
  { "longer",
    "<study version='1'><parameter name='p' value='1'/><axis name='a' values='1,2,3'/>"
    "<axis name='b' values='x,y,z'/></study>",
    "'b'" },
  { "axis-less",
    "<study version='1'><parameter name='p' value='1'/><axis name='a' values='1,2,3'/></study>",
    "axis number 2" },
  { "order",
    "<study version='1'><parameter name='p' value='1'/><axis name='b' values='x,y'/>"
    "<axis name='a' values='1,2,3'/></study>",
    "axis number 1" },
  { "sample",
    "<study version='1'><parameter name='p' value='1'/><axis name='a' values='1,2,3'/>"
    "<axis name='b' values='x,y'/><sample method='sobol' points='4'/></study>",
    "points" },
  { "per-processor",
    "<study version='1' per-processor='yes'><parameter name='p' value='1'/>"
    "<axis name='a' values='1,2,3'/><axis name='b' values='x,y'/></study>",
    "processor" },
};

static void
test_others (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdStudy) expected = pd_study_new (NULL), study = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_study_set (expected, "p", "1", NULL));
  g_assert_true (pd_study_add_axis (expected, "a", "1,2,3", NULL));
  g_assert_true (pd_study_add_axis (expected, "b", "x,y", NULL));
  g_assert_true (pd_study_complete (expected, 100, NULL));
  g_assert_true (read_text (study, others[i].text, strlen (others[i].text), &error));
  g_assert_cmpint (pd_study_compare (study, expected, &error), ==, others[i].word == NULL);
  if (others[i].word == NULL)
    return;
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS);
  g_assert_nonnull (strstr (error->message, others[i].word));
}

#define ADD_TABLE(prefix, table, func)                                                             \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *path = g_strconcat (prefix, table[i].name, NULL);                           \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);                                     \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_TABLE ("/sweep/values/", values, test_values);
  g_test_add_func ("/sweep/values/numbers", test_numbers);
  g_test_add_func ("/sweep/points/product", test_product);
  g_test_add_func ("/sweep/points/limit", test_limit);
  g_test_add_func ("/sweep/points/twice", test_twice);
  g_test_add_func ("/sweep/lists/bytes", test_list_bytes);
  g_test_add_func ("/sweep/sobol/even", test_sobol);
  g_test_add_func ("/sweep/sobol/values", test_sobol_values);
  g_test_add_func ("/sweep/sobol/sample", test_sample);
  g_test_add_func ("/sweep/sobol/bad", test_bad_samples);
  ADD_TABLE ("/sweep/list/", lists, test_lists);
  g_test_add_func ("/sweep/xml/round-trip", test_round_trip);
  g_test_add_func ("/sweep/xml/cut", test_cut);
  ADD_TABLE ("/sweep/xml/bad/", bad_files, test_bad_files);
  ADD_TABLE ("/sweep/compare/", others, test_others);
  return g_test_run ();
}
