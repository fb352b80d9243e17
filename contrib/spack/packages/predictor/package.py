# SPDX-License-Identifier: MIT
import os

from spack.package import *

try:  # Spack 1.0 and later, where compilers are dependencies, too
    from spack_repo.builtin.build_systems.makefile import MakefilePackage

    COMPILERS = ["c"]
except ImportError:  # before, spack.package has it
    COMPILERS = []


class Predictor(MakefilePackage):
    """Predicts from one recorded run how long a parallel program (MPI, or the DVM system) takes on a
    described machine, with any number of processors, and explains what its time is lost to."""

    homepage = "file:///usr/share/doc/predictor/README.md"
    url = f"file://{os.getcwd()}/predictor-1.0.0.tar.gz"
    manual_download = True

    license("MIT")

    # What "make dist" writes; a site that keeps it adds the checksum of predictor-1.0.0.tar.gz.sha256.
    version("1.0.0")

    variant("mpi", default=True, description="Build predictor record, predictor-mpi and predictor-measure")

    for language in COMPILERS:
        depends_on(language, type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("glib@2.66:")
    depends_on("libxml2")
    depends_on("sqlite")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("otf2@2.3:")
    depends_on("elfutils")
    depends_on("gsl")
    depends_on("hwloc@2:")
    depends_on("mpi", when="+mpi")
    conflicts("^intel-oneapi-mpi", msg="the recorder is for MPICH and Open MPI")

    @property
    def mpis(self):
        """The Makefile's name of the MPI; it calls its compiler mpicc.NAME, as Debian does."""
        if "+mpi" not in self.spec:
            return ""
        return "openmpi" if self.spec["mpi"].name == "openmpi" else "mpich"

    def edit(self, spec, prefix):
        if self.mpis:
            mkdirp("spack-mpi")
            symlink(spec["mpi"].mpicc, join_path("spack-mpi", f"mpicc.{self.mpis}"))
            os.environ["PATH"] = join_path(os.getcwd(), "spack-mpi") + ":" + os.environ["PATH"]

    @property
    def common(self):
        return ["INSTALL_DEPS=no", f"PREFIX={self.prefix}", f"RECORD_MPIS={self.mpis}"]

    @property
    def build_targets(self):
        return self.common + ["all"]

    @property
    def install_targets(self):
        return self.common + ["install"]

    def check(self):
        """A prediction that README.md shows; 'make check' needs much more than this package does."""
        Executable("build/predictor/predictor")(
            "run", "tests/data/heat2d.ptr.gz", "-m", "machines/example-cluster.xml", "-n", "1,8x8", "--check"
        )

    def installcheck(self):
        Executable(join_path(self.prefix.bin, "predictor"))("machine", "check", "example-cluster")
