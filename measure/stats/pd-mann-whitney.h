/* Whether two samples differ: the test of Mann and Whitney, and Holm's correction for many
 * tests. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MANN_WHITNEY_H
#define PD_MANN_WHITNEY_H

#include <glib.h>

typedef struct
{
  gdouble u;         /* pairs in which the first is greater, ties count half */
  gdouble p;         /* two-sided */
  gdouble least_p;   /* that samples of these numbers can give, without ties */
  gboolean is_exact; /* or of the normal approximation */
} PdMannWhitney;

/**
 * pd_mann_whitney:
 * @first: (array length=n_first): in any order, no NaN
 * @n_first: at least 1
 * @second: (array length=n_second): likewise
 * @n_second: at least 1
 * @out: (out caller-allocated): the result
 *
 * H. B. Mann, D. R. Whitney: On a Test of Whether one of Two Random Variables is
 * Stochastically Larger than the Other (Ann. Math. Statist. 18, 1947). Without ties, and
 * up to %PD_MANN_WHITNEY_EXACT pairs, the distribution of U by their recursion
 *
 *     P (u; n, m) = n / (n + m) P (u - m; n - 1, m) + m / (n + m) P (u; n, m - 1);
 *
 * else the normal distribution with continuity correction and, of tied groups of t values
 * among N (E. L. Lehmann: Nonparametrics, 1975, 1.4), the variance
 *
 *     n m / 12 (N + 1 - sum (t^3 - t) / (N (N - 1))).
 */
void pd_mann_whitney (const gdouble *first, gsize n_first, const gdouble *second, gsize n_second,
                      PdMannWhitney *out);

#define PD_MANN_WHITNEY_EXACT 2500

/**
 * pd_holm:
 * @p: (array length=n): of all tests
 * @adjusted: (array length=n) (out caller-allocated): at most 1, in the order of @p
 *
 * S. Holm: A Simple Sequentially Rejective Multiple Test Procedure (Scand. J. Statist. 6,
 * 1979): those at most a are wrong with a probability of at most a in all.
 */
void pd_holm (const gdouble *p, gsize n, gdouble *adjusted);

#endif
