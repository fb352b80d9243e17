/* Patterns of communication, one a run: each computes, exchanges, and verifies what it received.
 * Ranks compute for a stated time, or, with OPERATIONS, do their part of so many in each step.
 * bench/scale.sh predicts the patterns for other numbers of ranks and compares.
 *
 *   mpiexec -n 16 ./patterns PATTERN [STEPS [MICROSECONDS [OPERATIONS]]]
 *
 * Two are for predictor scale to refuse: the partners of "random" are drawn, and "switch" sums in
 * another way on more than eight ranks.
 * SPDX-License-Identifier: MIT */
#include "busy.h" /* first: it says which functions of the system it needs */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define MOST  65536 /* values in a message */
#define WORLD MPI_COMM_WORLD

static int rank, size, steps;
static double work, operations;
static double toiled; /* what comes out, so that the work is not left out */
static double in[6][MOST], out[6][MOST];
static MPI_Comm grid;
static int n_dims, dims[3], at[3];

static void
make_grid (int n)
{
  int periods[3] = { 0, 0, 0 };

  n_dims = n;
  memset (dims, 0, sizeof dims);
  MPI_Dims_create (size, n, dims);
  MPI_Cart_create (WORLD, n, dims, periods, 0, &grid);
  MPI_Cart_coords (grid, rank, n, at);
}

/* The size of part @i of @n parts of @things: the first ones have one more. */
static int
share (int things, int n, int i)
{
  return (things + n - 1 - i) / n;
}

static void
fill (double *values, int n, double value)
{
  for (int i = 0; i < n; i++)
    values[i] = value;
}

static int
all_are (const double *values, int n, double value)
{
  for (int i = 0; i < n; i++)
    if (values[i] != value)
      return 0;
  return 1;
}

/* Computes a part of the work of a step. */
static void
compute (double part)
{
  if (operations > 0)
    toiled += toil (part * operations / size);
  else
    busy (part * work);
}

/* ---- grids */

/* Faces of a block with @local points in each dimension go to all neighbours. */
static int
exchange_faces (const int *local, int step)
{
  MPI_Request requests[12];
  MPI_Status statuses[12];
  int partners[6], n[6], n_requests = 0, fine = 1;

  for (int side = 0; side < 2 * n_dims; side++)
    {
      int d = side / 2, other;
      if (side % 2 == 0)
        MPI_Cart_shift (grid, d, 1, &partners[side], &other);
      else
        MPI_Cart_shift (grid, d, 1, &other, &partners[side]);
      n[side] = 1;
      for (int e = 0; e < n_dims; e++)
        n[side] *= e == d ? 1 : local[e];
      if (partners[side] == MPI_PROC_NULL)
        continue;
      fill (out[side], n[side], rank + 1000.0 * step);
      MPI_Irecv (in[side], n[side], MPI_DOUBLE, partners[side], d, grid, &requests[n_requests++]);
      MPI_Isend (out[side], n[side], MPI_DOUBLE, partners[side], d, grid, &requests[n_requests++]);
    }
  MPI_Waitall (n_requests, requests, statuses);
  for (int side = 0; side < 2 * n_dims; side++)
    if (partners[side] != MPI_PROC_NULL)
      fine = fine && all_are (in[side], n[side], partners[side] + 1000.0 * step);
  return fine;
}

/* 240 points in each dimension. */
static int
halo (int n)
{
  int local[3], fine = 1;
  double one = 1, sum = 0;

  make_grid (n);
  for (int d = 0; d < n; d++)
    local[d] = share (240, dims[d], at[d]);
  for (int step = 0; step < steps; step++)
    {
      compute (1);
      fine = exchange_faces (local, step) && fine;
      if (step % 5 == 4)
        MPI_Allreduce (&one, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
  return fine && (steps < 5 || sum == size);
}

static int
halo1d (void)
{
  return halo (1);
}

static int
halo2d (void)
{
  return halo (2);
}

static int
halo3d (void)
{
  return halo (3);
}

/* A sweep from one corner of the grid to the other: each rank is one later than its neighbours. */
static int
wavefront (void)
{
  int west, east, north, south, fine = 1;

  make_grid (2);
  MPI_Cart_shift (grid, 0, 1, &north, &south);
  MPI_Cart_shift (grid, 1, 1, &west, &east);
  for (int step = 0; step < steps; step++)
    {
      int n = share (512, dims[1], at[1]), m = share (512, dims[0], at[0]);
      fill (in[0], n, 0);
      fill (in[1], m, 0);
      MPI_Recv (in[0], n, MPI_DOUBLE, north, 0, grid, MPI_STATUS_IGNORE);
      MPI_Recv (in[1], m, MPI_DOUBLE, west, 1, grid, MPI_STATUS_IGNORE);
      compute (1);
      double come = in[0][n - 1] > in[1][m - 1] ? in[0][n - 1] : in[1][m - 1];
      fine = fine && come == at[0] + at[1];
      fill (out[0], n, come + 1);
      fill (out[1], m, come + 1);
      MPI_Send (out[0], n, MPI_DOUBLE, south, 0, grid);
      MPI_Send (out[1], m, MPI_DOUBLE, east, 1, grid);
    }
  return fine;
}

/* Levels of a grid of 256 x 256 points, each half as fine as the one before, down to blocks of two
 * points; the coarsest is solved on rank 0. */
static int
multigrid (void)
{
  int fine = 1;

  make_grid (2);
  for (int step = 0; step < steps; step++)
    {
      double value = rank, sum = 0;
      for (int n = 256; n / dims[0] >= 2; n /= 2)
        {
          int local[2] = { n / dims[0], n / dims[1] };
          compute (n / 256.0);
          fine = exchange_faces (local, step) && fine;
        }
      MPI_Reduce (&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
      MPI_Bcast (&sum, 1, MPI_DOUBLE, 0, grid);
      fine = fine && sum == size * (size - 1) / 2.0;
    }
  return fine;
}

/* ---- rows and columns */

/* Blocks of a matrix change places in the rows of the grid, then in its columns. */
static int
transpose (void)
{
  MPI_Comm lines[2];
  int fine = 1;

  make_grid (2);
  MPI_Comm_split (WORLD, at[0], at[1], &lines[0]);
  MPI_Comm_split (WORLD, at[1], at[0], &lines[1]);
  for (int step = 0; step < steps; step++)
    for (int line = 0; line < 2; line++)
      {
        int n = dims[1 - line], block = 14400 / size;
        compute (1);
        for (int i = 0; i < n; i++)
          fill (out[0] + i * block, block, rank * 1000.0 + i);
        MPI_Alltoall (out[0], block, MPI_DOUBLE, in[0], block, MPI_DOUBLE, lines[line]);
        for (int i = 0; i < n; i++)
          {
            int sender = line == 0 ? at[0] * dims[1] + i : i * dims[1] + at[1];
            fine = fine && all_are (in[0] + i * block, block, sender * 1000.0 + at[1 - line]);
          }
      }
  MPI_Comm_free (&lines[0]);
  MPI_Comm_free (&lines[1]);
  return fine;
}

/* ---- conjugate gradients */

typedef struct
{
  int n, rows, columns, partner; /* partner: who has my result's columns */
  int my_row, my_column;
} Cg;

/* Sums @n values over the row by recursive doubling. */
static void
sum_row (const Cg *cg, double *values, int n)
{
  for (int bit = 1; bit < cg->columns; bit *= 2)
    {
      int partner = cg->my_row * cg->columns + (cg->my_column ^ bit);
      MPI_Request request;
      MPI_Irecv (in[0], n, MPI_DOUBLE, partner, bit, WORLD, &request);
      MPI_Send (values, n, MPI_DOUBLE, partner, bit, WORLD);
      MPI_Wait (&request, MPI_STATUS_IGNORE);
      for (int i = 0; i < n; i++)
        values[i] += in[0][i];
    }
}

/* @result = A @x, with A = 1 + 1/n in the diagonal and 1/n elsewhere; @x is dealt out over columns,
 * as the result is. */
static void
multiply (const Cg *cg, const double *x, double *result)
{
  int n_rows = cg->n / cg->rows, n_columns = cg->n / cg->columns;
  double sum = 0;

  compute (1);
  for (int i = 0; i < n_columns; i++)
    sum += x[i] / cg->n;
  for (int i = 0; i < n_rows; i++)
    {
      int column = cg->my_row * n_rows + i - cg->my_column * n_columns;
      out[0][i] = sum + (column >= 0 && column < n_columns ? x[column] : 0);
    }
  sum_row (cg, out[0], n_rows);
  const double *mine = out[0] + cg->my_column % (cg->columns / cg->rows) * n_columns;
  MPI_Request request;
  MPI_Irecv (result, n_columns, MPI_DOUBLE, cg->partner, 0, WORLD, &request);
  MPI_Send (mine, n_columns, MPI_DOUBLE, cg->partner, 0, WORLD);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
}

static double
dot (const Cg *cg, const double *a, const double *b)
{
  double sum = 0;

  for (int i = 0; i < cg->n / cg->columns; i++)
    sum += a[i] * b[i];
  sum_row (cg, &sum, 1);
  return sum;
}

/* The grid is square, or has twice as many columns; columns / rows neighbours of a row share
 * the part of one rank of a square. */
static void
set_cg (Cg *cg)
{
  cg->n = 7168;
  for (cg->rows = 1; 4 * cg->rows * cg->rows <= size; cg->rows *= 2)
    ;
  cg->columns = size / cg->rows;
  cg->my_row = rank / cg->columns;
  cg->my_column = rank % cg->columns;
  int times = cg->columns / cg->rows;
  cg->partner = (cg->my_column / times * cg->columns) + cg->my_row * times + rank % times;
}

/* Solves A x = b, all b = 2: all x = 1. */
static int
cg (void)
{
  static double x[7168], r[7168], p[7168], q[7168];
  Cg cg;

  set_cg (&cg);
  int n = cg.n / cg.columns;
  fill (r, n, 2);
  fill (p, n, 2);
  double rho = dot (&cg, r, r);
  for (int step = 0; step < steps; step++)
    {
      multiply (&cg, p, q);
      double along = dot (&cg, p, q), alpha = along > 0 ? rho / along : 0, before = rho;
      for (int i = 0; i < n; i++)
        {
          x[i] += alpha * p[i];
          r[i] -= alpha * q[i];
        }
      rho = dot (&cg, r, r);
      for (int i = 0; i < n; i++)
        p[i] = r[i] + (before > 0 ? rho / before : 0) * p[i];
    }
  for (int i = 0; i < n; i++)
    if (x[i] < 1 - 1e-9 || x[i] > 1 + 1e-9)
      return 0;
  return (size & (size - 1)) == 0;
}

/* ---- lines and trees */

static int
ring (void)
{
  int token = rank, left = (rank + size - 1) % size, right = (rank + 1) % size;

  for (int step = 0; step < steps; step++)
    {
      compute (1);
      MPI_Sendrecv_replace (&token, 1, MPI_INT, right, 0, left, 0, WORLD, MPI_STATUS_IGNORE);
    }
  return token == ((rank - steps) % size + size) % size;
}

/* Each rank receives from the one without its lowest bit. */
static int
broadcast (void)
{
  int fine = 1;

  for (int step = 0; step < steps; step++)
    {
      double value = rank == 0 ? step : -1;
      int bit = 1;
      compute (1);
      while (bit < size && (rank & bit) == 0)
        bit *= 2;
      if (rank != 0)
        MPI_Recv (&value, 1, MPI_DOUBLE, rank - bit, 0, WORLD, MPI_STATUS_IGNORE);
      for (bit /= 2; bit > 0; bit /= 2)
        if (rank + bit < size)
          MPI_Send (&value, 1, MPI_DOUBLE, rank + bit, 0, WORLD);
      fine = fine && value == step;
    }
  return fine;
}

static double
sum_by_butterfly (double value)
{
  for (int bit = 1; bit < size; bit *= 2)
    {
      double other;
      MPI_Sendrecv (&value, 1, MPI_DOUBLE, rank ^ bit, 0, &other, 1, MPI_DOUBLE, rank ^ bit, 0,
                    WORLD, MPI_STATUS_IGNORE);
      value += other;
    }
  return value;
}

static double
sum_by_ring (double value)
{
  double sum = value;

  for (int i = 1; i < size; i++)
    {
      MPI_Sendrecv_replace (&value, 1, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size,
                            0, WORLD, MPI_STATUS_IGNORE);
      sum += value;
    }
  return sum;
}

static int
repeat_sum (double (*sum) (double value))
{
  int fine = 1;

  for (int step = 0; step < steps; step++)
    {
      compute (1);
      fine = fine && sum (rank) == size * (size - 1) / 2.0;
    }
  return fine;
}

static int
butterfly (void)
{
  return repeat_sum (sum_by_butterfly);
}

/* ---- what cannot be predicted for other numbers of ranks */

static int
change (void)
{
  return repeat_sum (size > 8 ? sum_by_butterfly : sum_by_ring);
}

/* Ranks give what they have to others by a permutation that is drawn anew. */
static int
draw (void)
{
  int fine = 1, *order = malloc ((size_t) size * sizeof *order);
  unsigned seed = 1;

  for (int step = 0; step < steps; step++)
    {
      int me = 0, got;
      for (int i = 0; i < size; i++)
        order[i] = i;
      for (int i = size - 1; i > 0; i--)
        {
          seed = seed * 1103515245u + 12345u;
          int j = (int) (seed / 65536 % (unsigned) (i + 1)), kept = order[i];
          order[i] = order[j];
          order[j] = kept;
        }
      while (order[me] != rank)
        me++;
      int to = order[(me + 1) % size], from = order[(me + size - 1) % size];
      compute (1);
      MPI_Sendrecv (&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, WORLD, MPI_STATUS_IGNORE);
      fine = fine && got == from;
    }
  free (order);
  return fine;
}

/* ---- main */

static const struct
{
  const char *name;
  int (*run) (void); /* returns whether the result is right */
} patterns[] = {
  { "ring", ring },           { "halo1d", halo1d },
  { "halo2d", halo2d },       { "halo3d", halo3d },
  { "wavefront", wavefront }, { "multigrid", multigrid },
  { "transpose", transpose }, { "cg", cg },
  { "broadcast", broadcast }, { "butterfly", butterfly },
  { "random", draw },         { "switch", change },
};

int
main (int argc, char **argv)
{
  int fine = 0, all = 0;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (WORLD, &rank);
  MPI_Comm_size (WORLD, &size);
  steps = argument (argc, argv, 2, 10);
  work = 1e-6 * argument (argc, argv, 3, 100);
  operations = argument (argc, argv, 4, 0);
  for (size_t i = 0; argc > 1 && i < sizeof patterns / sizeof *patterns; i++)
    if (strcmp (argv[1], patterns[i].name) == 0)
      fine = patterns[i].run ();
  MPI_Reduce (&fine, &all, 1, MPI_INT, MPI_LAND, 0, WORLD);
  if (rank == 0)
    puts (all && toiled >= 0 ? "right" : "wrong");
  MPI_Finalize ();
  return rank == 0 && !all;
}
