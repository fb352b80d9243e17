! What is special in Fortran, with known arguments, for the tests of the recorder.
! SPDX-License-Identifier: MIT
program fortran
  implicit none
  include 'mpif.h'
  external :: MPI_Pcontrol
  integer, parameter :: n = 64
  integer :: rank, nranks, next, before, e, i, which, found
  integer :: requests(3), statuses(MPI_STATUS_SIZE, 3), status(MPI_STATUS_SIZE), indices(3)
  integer :: half, ring, name_length
  logical :: done
  double precision :: a(n), b(n)
  character(len=MPI_MAX_PROCESSOR_NAME) :: name

  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, e)
  call MPI_Get_processor_name(name, name_length, e)
  next = mod(rank + 1, nranks)
  before = mod(rank + nranks - 1, nranks)
  a = rank
  call MPI_Pcontrol(100, 7)

  ! 1: both ways of looking at a status
  call MPI_Irecv(b, n, MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, requests(1), e)
  call MPI_Send(a, 2, MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD, e)
  call MPI_Wait(requests(1), status, e)
  if (status(MPI_SOURCE) /= before .or. b(1) /= before) stop 1
  call MPI_Sendrecv(a, 3, MPI_INTEGER, next, 2, b, n, MPI_INTEGER, MPI_ANY_SOURCE, 2, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)

  ! 2: numbers of requests begin with 1
  requests(1) = MPI_REQUEST_NULL
  requests(2) = MPI_REQUEST_NULL
  call MPI_Irecv(b, n, MPI_INTEGER, before, 3, MPI_COMM_WORLD, requests(3), e)
  call MPI_Send(a, 4, MPI_INTEGER, next, 3, MPI_COMM_WORLD, e)
  call MPI_Waitany(3, requests, which, MPI_STATUS_IGNORE, e)
  if (which /= 3) stop 2
  call MPI_Irecv(b, n, MPI_INTEGER, before, 4, MPI_COMM_WORLD, requests(2), e)
  call MPI_Send(a, 5, MPI_INTEGER, next, 4, MPI_COMM_WORLD, e)
  call MPI_Waitsome(3, requests, found, indices, MPI_STATUSES_IGNORE, e)
  if (found /= 1 .or. indices(1) /= 2) stop 3

  ! 3: many at once, with and without statuses
  do i = 1, 2
    call MPI_Irecv(b, n, MPI_INTEGER, before, 5, MPI_COMM_WORLD, requests(1), e)
    call MPI_Irecv(b, n, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, requests(2), e)
    call MPI_Isend(a, 6, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(3), e)
    if (i == 1) call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, e)
    if (i == 2) call MPI_Waitall(3, requests, statuses, e)
  end do
  if (statuses(MPI_SOURCE, 1) /= before) stop 4
  call MPI_Irecv(b, n, MPI_INTEGER, before, 6, MPI_COMM_WORLD, requests(1), e)
  call MPI_Test(requests(1), done, MPI_STATUS_IGNORE, e)
  if (done) stop 5
  call MPI_Barrier(MPI_COMM_WORLD, e)
  call MPI_Send(a, 7, MPI_INTEGER, next, 6, MPI_COMM_WORLD, e)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, e)

  ! 4: in place, from the bottom
  b = 1
  call MPI_Allreduce(MPI_IN_PLACE, b, 8, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, e)
  if (b(8) /= nranks) stop 6
  call MPI_Bcast(b, 9, MPI_INTEGER, nranks - 1, MPI_COMM_WORLD, e)

  ! 5: communicators
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, e)
  call MPI_Comm_set_name(half, 'half', e)
  call MPI_Allreduce(a, b, 10, MPI_INTEGER, MPI_SUM, half, e)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, nranks, .true., .false., ring, e)
  call MPI_Sendrecv(a, 11, MPI_INTEGER, next, 7, b, n, MPI_INTEGER, before, 7, ring, status, e)
  call MPI_Comm_free(ring, e)
  call MPI_Comm_free(half, e)
  call MPI_Pcontrol(101, 7)
  call MPI_Finalize(e)
end program fortran
