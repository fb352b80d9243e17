! The same with the module mpi_f08, in short, for the tests of the recorder.
! SPDX-License-Identifier: MIT
program fortran08
  use mpi_f08, of_the_module => MPI_Pcontrol
  implicit none
  external :: MPI_Pcontrol ! which may have a number
  integer, parameter :: n = 64
  integer :: rank, nranks, next, before, which
  type(MPI_Request) :: requests(3)
  type(MPI_Status) :: status
  type(MPI_Comm) :: half
  double precision, asynchronous :: a(n), b(n)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks)
  next = mod(rank + 1, nranks)
  before = mod(rank + nranks - 1, nranks)
  a = rank
  call MPI_Pcontrol(100, 7)
  call MPI_Irecv(b, n, MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, requests(1))
  call MPI_Send(a, 2, MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD)
  call MPI_Wait(requests(1), status)
  if (status%MPI_SOURCE /= before .or. b(1) /= before) stop 1
  call MPI_Sendrecv(a, 3, MPI_INTEGER, next, 2, b, n, MPI_INTEGER, MPI_ANY_SOURCE, 2, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  requests(1) = MPI_REQUEST_NULL
  requests(2) = MPI_REQUEST_NULL
  call MPI_Irecv(b, n, MPI_INTEGER, before, 3, MPI_COMM_WORLD, requests(3))
  call MPI_Send(a, 4, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
  call MPI_Waitany(3, requests, which, MPI_STATUS_IGNORE)
  call MPI_Irecv(b, n, MPI_INTEGER, before, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(a, 6, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(3))
  call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
  b = 1
  call MPI_Allreduce(MPI_IN_PLACE, b, 8, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (b(8) /= nranks) stop 3
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  call MPI_Allreduce(a, b, 10, MPI_INTEGER, MPI_SUM, half)
  call MPI_Comm_free(half)
  call MPI_Pcontrol(101, 7)
  call of_the_module(5)
  call MPI_Finalize()
end program fortran08
