! A stencil in Fortran, in columns, with the old interface of mpif.h. The planted
! problem: each step ends with a broadcast from the last rank, which comes latest,
! because it converts what all have computed first. With more CONVERTERS the last
! ranks divide that.
!
!   mpiexec -n 4 ./stencil [CONVERTERS]
! SPDX-License-Identifier: MIT
program stencil
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 512, steps = 40
  double precision :: column(n), left(n), right(n), limit
  integer :: rank, nproc, before, behind, step, ierr, converters
  character(len=8) :: word

  converters = 1
  call get_command_argument(1, word)
  if (word /= '') read (word, *) converters
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  before = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  behind = merge(rank + 1, MPI_PROC_NULL, rank < nproc - 1)
  column = rank
  left = 0
  right = 0
  do step = 1, steps
    call exchange()
    column = (left + column + right) / 3
    call busy(1.0d-3)
    if (rank >= nproc - converters) call busy(1.0d-3 / converters)
    limit = column(1)
    call MPI_Bcast(limit, 1, MPI_DOUBLE_PRECISION, nproc - 1, MPI_COMM_WORLD, ierr)
  end do
  call MPI_Finalize(ierr)

contains

  subroutine exchange()
    integer :: status(MPI_STATUS_SIZE)
    call MPI_Sendrecv(column, n, MPI_DOUBLE_PRECISION, behind, 1, left, n, &
                      MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, status, ierr)
    call MPI_Sendrecv(column, n, MPI_DOUBLE_PRECISION, before, 2, right, n, &
                      MPI_DOUBLE_PRECISION, behind, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange

  ! Keeps the processor busy.
  subroutine busy(seconds)
    double precision, intent(in) :: seconds
    integer(8) :: end, now, rate
    call system_clock(now, rate)
    end = now + int(seconds * rate, 8)
    do while (now < end)
      call system_clock(now)
    end do
  end subroutine busy

end program stencil
