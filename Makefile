# Predictor: one Makefile, no recursion into folders.
#
#   make                 build everything into $(BUILD)
#   make check           all tests; ends with "N passed, N failed, N skipped"
#   make check T=REGEX   only tests whose path matches, e.g. T=comsys/net
#   make lint            layer rule, documentation of public functions, format
#   make golden          outputs of a thousand commands, compared with tests/golden
#   make docs-check      what the tutorials for developers say, done
#   make demo            predict a recorded program for 1 to 64 processors
#   make bench           speed measurements
#   make bench-accuracy  predicted against measured run times
#   make accuracy        writes the tables of docs/accuracy.md
#   make performance     writes the tables of docs/performance.md (idle machine, minutes)
#   make charts          fetch the chart library of pages (again)
#   make fuzz-smoke      every fuzz target for a few seconds (clang)
#   make torture         attacks programs and readers; TIME=SECONDS SEED=N ONLY='PART...', docs/reliability.md
#   make install         PREFIX=/usr/local DESTDIR= LIBDIR=; make uninstall, the same
#   make deb             Debian packages of the committed files, in $(BUILD)/deb
#   make dist            a tarball of the committed files that builds without git and network, in $(BUILD)/dist
#
# DEVELOPER=1 makes warnings errors; SANITIZE=address,undefined instruments.
# INSTALL_DEPS=no: packages that are missing are not looked for.

# CHANGELOG.md and debian/changelog begin with it, which a test holds.
VERSION := 1.0.0
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DOCDIR ?= $(PREFIX)/share/doc/predictor
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
DESTDIR ?=
CC ?= cc
BUILD ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(filter clang,$(CC)),-clang)
comma := ,

# Packages are looked for, and installed where that is possible, before
# anything below asks pkg-config about them.
GOALS := $(or $(MAKECMDGOALS),all)
NEED_TOOLS := $(if $(filter no,$(INSTALL_DEPS)),,$(filter all check golden demo bench bench-accuracy docs-check accuracy performance lint install deb fuzz-smoke torture,$(GOALS)))
ifneq ($(NEED_TOOLS),)
  ifneq ($(shell sh tools/install-deps $(GOALS) >&2; echo $$?),0)
    $(error packages are missing, see above)
  endif
endif

# V=1 shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $(1) $@")

PACKAGES := glib-2.0 zlib otf2
# Libraries that are loaded when they are needed (base/pd-library.h): libraries take most of the time in which short commands run.
LOADED := libxml-2.0 sqlite3 libzstd libdw libelf
PKG_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) $(LOADED) 2>/dev/null)
PKG_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -ldl
# Some tests call these themselves.
TEST_LIBS := $(shell pkg-config --libs libxml-2.0 sqlite3 libzstd 2>/dev/null)
SQLITE_LIBS := $(shell pkg-config --libs sqlite3 2>/dev/null)

# soname LIBRARY DEFAULT: the name by which the linker would have it loaded.
soname = $(or $(shell readelf -d "$$($(CC) -print-file-name=lib$(1).so)" 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'),$(2))
SONAMES := -DPD_SONAME_XML2='"$(call soname,xml2,libxml2.so.2)"' -DPD_SONAME_SQLITE3='"$(call soname,sqlite3,libsqlite3.so.0)"' \
           -DPD_SONAME_ZSTD='"$(call soname,zstd,libzstd.so.1)"' -DPD_SONAME_DW='"$(call soname,dw,libdw.so.1)"' -DPD_SONAME_ELF='"$(call soname,elf,libelf.so.1)"'

OPTIMISE ?= -O2
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wformat=2 \
            -Wstrict-prototypes -Wpointer-arith -Wundef
PD_CFLAGS = -std=c17 -g -fPIC -fno-semantic-interposition $(OPTIMISE) $(WARNINGS) $(if $(DEVELOPER),-Werror) \
            $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer) \
            -I. -I$(BUILD)/names -DPD_VERSION='"$(VERSION)"' -DPD_DATADIR='"$(PREFIX)/share/predictor"' \
            -DPD_LIBDIR='"$(LIBDIR)/predictor"' -DPD_MPIS='"$(RECORD_MPIS)"' \
            -DGLIB_VERSION_MIN_REQUIRED=GLIB_VERSION_2_66 -DGLIB_VERSION_MAX_ALLOWED=GLIB_VERSION_2_66 \
            -DG_LOG_DOMAIN='"predictor"' $(SONAMES) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS)
PD_LDFLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)
LIBS = $(PKG_LIBS) -lm
# Only of programs that measure: predictions need no statistics.
GSL_CFLAGS := $(shell pkg-config --cflags gsl 2>/dev/null)
GSL_LIBS := $(shell pkg-config --libs gsl 2>/dev/null)
# And no topology.
HWLOC_CFLAGS := $(shell pkg-config --cflags hwloc 2>/dev/null)
HWLOC_LIBS := $(shell pkg-config --libs hwloc 2>/dev/null)

# ---- programs, libraries and objects

# The MPIs that are here. Stripped: where there is none, foreach leaves a blank, which is a value for if and ifneq.
RECORD_MPIS   := $(strip $(foreach mpi,mpich openmpi,$(if $(shell command -v mpicc.$(mpi) 2>/dev/null),$(mpi))))

# All sources in folders and their sub-folders; files of one name in all of them.
sources = $(sort $(shell find $(1) -name '*.c'))
named   = $(sort $(shell find $(1) -name '$(2)'))
MAIN          := $(call named,predictor,main.c)
MAIN_MPI      := $(call named,predictor,main-mpi.c)

COMSYS_SRC    := $(call sources,base comsys)
# The part of the recorder that needs no MPI.
RECORD_PLAIN_SRC := $(call named,record,pd-rec-*.c)
LIB_SRC       := $(COMSYS_SRC) $(call sources,traces serve dataserver intervals timeline analyse reports scale sweep) \
                 $(RECORD_PLAIN_SRC) $(filter-out $(MAIN) $(MAIN_MPI),$(call sources,predictor))
TEST_SUPPORT  := $(call sources,tests/support)
TESTS         := $(patsubst %.c,$(BUILD)/%,$(call named,tests,test-*.c))
FUZZ          := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz-*.c))
BENCHES       := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/bench-*.c))
# The sources of predictor-measure that need no MPI.
MEASURE_PLAIN_SRC := $(call named,measure,pd-*.c)
EXAMPLES      := $(patsubst examples/%.c,$(BUILD)/examples/%,$(wildcard examples/*.c))
SCRIPT_TESTS  := $(call named,tests,test-*.sh) $(call named,tests,kill-*.sh)
# With instruments these would run the same code as others once more, or none that is instrumented:
# measurements, pages in a browser, installation, examples in documents and for MPI,
# preloaded libraries that replace the sanitizer's functions, and how inputs and outputs are opened by all
# commands.
ONCE_TESTS    := $(call named,tests,test-measure*.sh) $(call named,tests/docs,test-*.sh) \
                 $(call named,tests,test-page.sh) $(call named,tests,test-install.sh) $(call named,tests,test-help.sh) \
                 $(call named,tests,test-completion*.sh) $(call named,tests,test-mpi-examples.sh) \
                 $(call named,tests,test-dist.sh) $(call named,tests,test-libraries.sh) $(call named,tests,test-torture.sh) $(call named,tests,test-files.sh) $(call named,tests,test-inputs.sh) \
                 $(call named,tests,test-wrong-answers.sh) $(call named,tests,test-outside-text.sh) $(call named,tests,test-otf2-cut.sh)
SCRIPT_TESTS  := $(if $(SANITIZE),$(filter-out $(ONCE_TESTS),$(SCRIPT_TESTS)),$(SCRIPT_TESTS))

obj = $(patsubst %.c,$(BUILD)/%.o,$(1))

# Likewise: the MPIs that tests use, and the part of random programs that they draw.
TEST_MPIS  ?= $(if $(SANITIZE),mpich,mpich openmpi)
TEST_SHARE := $(if $(SANITIZE),4,1)

PROGRAM    := $(BUILD)/predictor/predictor
LIB        := $(BUILD)/libpredictor.a
COMSYS_LIB := $(BUILD)/libpredictor-comsys.a
COMPLETION := $(BUILD)/completion/predictor

PAGE_MADE  := $(BUILD)/reports/pd-page-made.c

.PHONY: FORCE all charts record measure mpi benches check golden docs-check lint demo bench bench-accuracy accuracy performance install uninstall deb clean fuzz-smoke torture format
.SECONDARY:

all: $(PROGRAM) $(COMSYS_LIB) comsys-shared $(EXAMPLES) record measure mpi $(BUILD)/fit/predictor-fit $(COMPLETION)

$(PROGRAM): $(call obj,$(MAIN)) $(LIB)
	$(call say,LD)
	$(Q)$(CC) $(PD_LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(call obj,$(LIB_SRC)) $(PAGE_MADE:.c=.o)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(COMSYS_LIB): $(call obj,$(COMSYS_SRC))
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

# Rooms that every call of a recording passes through, 5 % fewer instructions of `analyse`; every event of a simulation, 6 % fewer of
# `run`, and of graphs, 2 %. OPTIMISE=… given to make wins.
$(foreach room,base intervals analyse traces/io traces/audit traces/otf2 traces/program traces/goal traces/graph predictor/graph comsys dataserver predictor/dvm/layout predictor/dvm/simulate predictor/dvm/step,$(BUILD)/$(room)/%.o): OPTIMISE := -O3

# Names of functions that stand for those of libraries loaded late, of each header that lists some.
LATE  := base/pd-xml.h reports/emit/pd-sqlite.h
NAMES := $(foreach header,$(LATE),$(BUILD)/names/$(basename $(notdir $(header)))-names.h)
define names-rule
$(BUILD)/names/$(basename $(notdir $(1)))-names.h: $(1)
	@mkdir -p $$(@D)
	$$(Q)grep -o 'F ([A-Za-z0-9_]*)' $$< | sed 's/F (\(.*\))/#define \1 (*$(subst -,_,$(basename $(notdir $(1)))).\1)/' > $$@
endef
$(foreach header,$(LATE),$(eval $(call names-rule,$(header))))

$(BUILD)/%.o: %.c | $(NAMES)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(PD_CFLAGS) -MMD -MP -c -o $@ $<

# Files that contain the installation folder, the version or the MPIs are made anew when these change.
FACTS := $(PREFIX) $(LIBDIR) $(VERSION) $(RECORD_MPIS)
WITH_FACTS := $(patsubst %.c,%.o,$(shell grep -lsE '\bPD_(DATADIR|LIBDIR|VERSION|MPIS)\b' $(sort $(LIB_SRC) $(MAIN) $(MAIN_MPI) $(call sources,record measure fit mpi tests))))
$(BUILD)/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(FACTS)' | cmp -s - $@ || echo '$(FACTS)' > $@
FORCE:
$(WITH_FACTS:%=$(BUILD)/%): $(BUILD)/prefix

# ---- the ComSys library for other programs, shared: exports only functions of
# public headers

# Those that do not say otherwise in their first comment.
PUBLIC_HEADERS := $(shell grep -LzE 'Not[[:space:]*]+installed\.' $(filter-out %-private.h,$(call named,base comsys,*.h)))
COMSYS_ABI     := 0
COMSYS_SONAME  := libpredictor-comsys.so.$(COMSYS_ABI)
COMSYS_SHARED  := $(BUILD)/$(COMSYS_SONAME)
COMSYS_MAP     := $(BUILD)/comsys/predictor-comsys.map
COMSYS_PC      := $(BUILD)/comsys/predictor-comsys.pc
COMSYS_LIBS    := $(shell pkg-config --libs glib-2.0 2>/dev/null) -ldl -lm

$(COMSYS_MAP): tools/make-map $(PUBLIC_HEADERS)
	@mkdir -p $(@D)
	$(Q)sh tools/make-map PREDICTOR_COMSYS_$(COMSYS_ABI) $(PUBLIC_HEADERS) > $@.new && mv $@.new $@

# A sanitizer's own functions are in the program.
$(COMSYS_SHARED): $(call obj,$(COMSYS_SRC)) $(COMSYS_MAP)
	$(call say,LD)
	$(Q)$(CC) $(PD_LDFLAGS) -shared -Wl,-soname,$(COMSYS_SONAME) -Wl,--version-script=$(COMSYS_MAP) \
	  -Wl,-Bsymbolic-functions -Wl,--as-needed $(if $(SANITIZE),,-Wl,-z,defs) -o $@ $(filter %.o,$^) $(COMSYS_LIBS)

$(BUILD)/libpredictor-comsys.so: $(COMSYS_SHARED)
	$(Q)ln -sf $(COMSYS_SONAME) $@

$(COMSYS_PC): comsys/predictor-comsys.pc.in $(BUILD)/prefix
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|; s|@VERSION@|$(VERSION)|' $< > $@

comsys-shared: $(BUILD)/libpredictor-comsys.so $(COMSYS_PC)
.PHONY: comsys-shared

# ---- tests: everything but the programs is one shared library, so that an edited source does not
# relink all of them. Benches link as the program does: from a shared library parsing is 9 % slower.

TEST_LIB  := $(BUILD)/tests/libpredictor-test.so
# -Bsymbolic: calls inside the library are direct, as in the program.
link-test  = $(CC) $(PD_LDFLAGS) -o $@ $(filter %.o %.a,$^) $(TEST_LIB) -Wl,-rpath,$(abspath $(BUILD)/tests) $(TEST_LIBS)

$(TEST_LIB): $(call obj,$(LIB_SRC) $(TEST_SUPPORT)) $(PAGE_MADE:.c=.o)
	$(call say,LD)
	$(Q)$(CC) $(PD_LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-Bsymbolic -o $@ $^ $(LIBS)

MEASURE_UNIT_TESTS := $(filter $(BUILD)/tests/measure/%,$(TESTS))
FIT_TESTS          := $(filter $(BUILD)/tests/fit/%,$(TESTS))

$(TESTS:=.o): PKG_CFLAGS += -DPD_TEST_SHARE=$(TEST_SHARE)
$(filter-out $(MEASURE_UNIT_TESTS) $(FIT_TESTS),$(TESTS)): %: %.o | $(TEST_LIB)
	$(call say,LD)
	$(Q)$(link-test) $(LIBS)

$(BUILD)/tests/fuzz/fuzz-otf2: $(if $(FUZZER),$(call obj,tests/support/otf2-both.c))
$(addprefix $(BUILD)/tests/fuzz/fuzz-,ti dim goal-text): $(if $(FUZZER),$(call obj,tests/support/mp/read-threads.c))
# Without FUZZER a fuzz target replays the files named on its command line.
$(BUILD)/tests/fuzz/fuzz-%: $(BUILD)/tests/fuzz/fuzz-%.o $(if $(FUZZER),$(LIB),$(BUILD)/tests/fuzz/replay.o) | $(if $(FUZZER),,$(TEST_LIB))
	$(call say,LD)
	$(Q)$(if $(FUZZER),$(CC) $(PD_LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(LIB),$(link-test)) $(LIBS)

$(BUILD)/tests/torture/changes: $(BUILD)/tests/torture/changes.o | $(TEST_LIB)
	$(call say,LD)
	$(Q)$(link-test) $(LIBS)

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(LIB)
	$(call say,LD)
	$(Q)$(CC) $(PD_LDFLAGS) -o $@ $^ $(LIBS)

# The examples see only what a user of libpredictor-comsys sees.
$(BUILD)/examples/%: examples/%.c $(COMSYS_LIB)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(PD_CFLAGS) $(PD_LDFLAGS) -o $@ $< $(COMSYS_LIB) $(COMSYS_LIBS)

# ---- pages: style, scripts and the chart library, which is fetched, become a table

# For all builds: one is enough. A release (make dist) brings its own.
CHARTS ?= $(if $(wildcard charts/echarts.min.js),charts,build/charts)

$(CHARTS)/echarts.min.js: tools/fetch-charts reports/page/package-lock.json
	$(call say,GET)
	$(Q)sh tools/fetch-charts $(@D)

charts:
	@rm -f $(CHARTS)/echarts.min.js
	@$(MAKE) -s $(CHARTS)/echarts.min.js

PAGE_FILES := $(wildcard reports/page/browser/*.css reports/page/browser/*.js) $(CHARTS)/echarts.min.js

$(PAGE_MADE): tools/make-page-files $(PAGE_FILES)
	@mkdir -p $(@D)
	$(call say,RES)
	$(Q)sh tools/make-page-files $(PAGE_FILES) >$@

$(PAGE_MADE:.c=.o): $(PAGE_MADE)
	$(call say,CC)
	$(Q)$(CC) $(PD_CFLAGS) -MMD -MP -c -o $@ $<

# ---- the recorder, for each MPI that is there: plain C, compiled by its own
# compiler, never instrumented, since it is loaded into other programs

RECORD_SRC   := $(filter-out record/choose/%,$(call sources,record))
RECORD_MADE  := pd-made-c pd-made-fortran
RECORD_TABLE := $(call named,record,make-wrappers.awk) $(call named,record,mpi-words.txt) $(call named,record,mpi-functions.txt)
RECORD_LIBS  := $(foreach mpi,$(RECORD_MPIS),$(BUILD)/record/libpredictor-record.$(mpi).so)
RECORD_CFLAGS = -std=c17 -g -O2 -fPIC -fvisibility=hidden $(WARNINGS) $(if $(DEVELOPER),-Werror) \
                -Wno-deprecated-declarations -I. $(shell pkg-config --cflags otf2) $(CPPFLAGS) $(CFLAGS)
# The library that finds the recorder in processes started by scripts, if there is a recorder.
RECORD_ANY   := $(if $(RECORD_MPIS),$(BUILD)/record/libpredictor-record.any.so)
# The one of the compiler that is called mpicc.
RECORD_FIRST := $(firstword $(filter $(RECORD_MPIS),$(shell mpicc -show 2>/dev/null | grep -o 'mpich\|openmpi')) $(RECORD_MPIS))

# mpicc.X with the compiler that everything else is compiled with.
record-cc = MPICH_CC="$(CC)" OMPI_CC="$(CC)" mpicc.$(1)

define record-rules
$(BUILD)/record/$(1)/names.list: $(RECORD_TABLE)
	@mkdir -p $$(@D)
	@echo '#include <mpi.h>' > $$(@D)/names.c
	$$(Q)$$(call record-cc,$(1)) -E $$(@D)/names.c | grep -o 'PMPI_[A-Za-z0-9_]*' | sort -u > $$@.new
	@test -s $$@.new && mv $$@.new $$@

$(BUILD)/record/$(1)/mpi-names.inc: $(BUILD)/record/$(1)/names.list
	$$(Q)awk -v language=names -f $(firstword $(RECORD_TABLE)) $$< $(wordlist 2,3,$(RECORD_TABLE)) > $$@

$(RECORD_MADE:%=$(BUILD)/record/$(1)/%.c): $(BUILD)/record/$(1)/pd-made-%.c: $(BUILD)/record/$(1)/names.list
	$$(Q)awk -v language=$$* -f $(firstword $(RECORD_TABLE)) $$< $(wordlist 2,3,$(RECORD_TABLE)) > $$@

$(BUILD)/record/$(1)/%.o: record/%.c $(BUILD)/record/$(1)/mpi-names.inc
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(call record-cc,$(1)) $$(RECORD_CFLAGS) -I$(BUILD)/record/$(1) -MMD -MP -c -o $$@ $$<

$(BUILD)/record/$(1)/pd-made-%.o: $(BUILD)/record/$(1)/pd-made-%.c $(BUILD)/record/$(1)/mpi-names.inc
	$$(call say,CC)
	$$(Q)$$(call record-cc,$(1)) $$(RECORD_CFLAGS) -I$(BUILD)/record/$(1) -MMD -MP -c -o $$@ $$<

$(BUILD)/record/libpredictor-record.$(1).so: $$(patsubst record/%.c,$(BUILD)/record/$(1)/%.o,$(RECORD_SRC)) \
                                          $$(RECORD_MADE:%=$(BUILD)/record/$(1)/%.o)
	$$(call say,LD)
	$$(Q)$$(call record-cc,$(1)) $(LDFLAGS) -shared -Wl,-soname,libpredictor-record.$(1).so -o $$@ $$^ $$(shell pkg-config --libs otf2) -ldl -lpthread
endef
$(foreach mpi,$(RECORD_MPIS),$(eval $(call record-rules,$(mpi))))

$(BUILD)/record/libpredictor-record.so: $(RECORD_LIBS)
	$(Q)ln -sf libpredictor-record.$(RECORD_FIRST).so $@

$(BUILD)/record/libpredictor-record.any.so: record/choose/pd-choose.c record/stream/pd-rec-report.c record/choose/pd-mpi-libraries.h
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) -std=c17 -g -O2 -fPIC -fvisibility=hidden $(WARNINGS) $(if $(DEVELOPER),-Werror) -I. $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -shared -o $@ $(filter %.c,$^)

record: $(if $(RECORD_MPIS),$(BUILD)/record/libpredictor-record.so) $(RECORD_ANY)

# ---- predictor-measure, for each MPI that is there

# gcc takes MPI_STATUSES_IGNORE, which is no address, for a small array.
MEASURE_PROGRAMS := $(RECORD_MPIS:%=$(BUILD)/measure/predictor-measure.%)
MEASURE_CFLAGS = -std=c17 -g -O2 $(WARNINGS) $(if $(DEVELOPER),-Werror) $(if $(findstring clang,$(CC)),,-Wno-stringop-overflow) -I. -DPD_VERSION='"$(VERSION)"' \
                 -DGLIB_VERSION_MIN_REQUIRED=GLIB_VERSION_2_66 -DGLIB_VERSION_MAX_ALLOWED=GLIB_VERSION_2_66 \
                 -DG_LOG_DOMAIN='"predictor-measure"' $(shell pkg-config --cflags glib-2.0 sqlite3) $(GSL_CFLAGS) $(HWLOC_CFLAGS) $(CPPFLAGS) $(CFLAGS)
MEASURE_LIBS = $(shell pkg-config --libs glib-2.0 sqlite3) $(GSL_LIBS) $(HWLOC_LIBS) -lm

# The sources of base/ that it uses, also without instruments.
MEASURE_BASE := base/pd-csv.o base/pd-error.o base/pd-number.o base/options/pd-option-help.o base/options/pd-option-words.o base/pd-target.o base/pd-text.o

define measure-rules
$(BUILD)/measure/$(1)/%.o: measure/%.c
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(call record-cc,$(1)) $$(MEASURE_CFLAGS) -DPD_MPI='"$(1)"' -MMD -MP -c -o $$@ $$<
$(BUILD)/measure/$(1)/base/%.o: base/%.c
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(call record-cc,$(1)) $$(MEASURE_CFLAGS) -MMD -MP -c -o $$@ $$<
$(filter $(BUILD)/measure/$(1)/%,$(WITH_FACTS:measure/%=$(BUILD)/measure/$(1)/%)): $(BUILD)/prefix

$(BUILD)/measure/predictor-measure.$(1): $$(patsubst measure/%.c,$(BUILD)/measure/$(1)/%.o,$$(call sources,measure)) $$(MEASURE_BASE:%=$(BUILD)/measure/$(1)/%)
	$$(call say,LD)
	$$(Q)$$(call record-cc,$(1)) $(LDFLAGS) -o $$@ $$^ $$(MEASURE_LIBS)
$(BUILD)/tests/measure/$(1)/%.o: tests/measure/programs/%.c
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(call record-cc,$(1)) $$(MEASURE_CFLAGS) -MMD -MP -c -o $$@ $$<

$(BUILD)/tests/measure/%.$(1): $(BUILD)/tests/measure/$(1)/%.o $$(patsubst measure/%.c,$(BUILD)/measure/$(1)/%.o,$$(call named,measure,mpi-operation*.c) $$(call named,measure,mpi-tools.c) $(MEASURE_PLAIN_SRC)) $$(MEASURE_BASE:%=$(BUILD)/measure/$(1)/%)
	$$(call say,LD)
	$$(Q)$$(call record-cc,$(1)) -o $$@ $$^ $$(MEASURE_LIBS)
endef
$(foreach mpi,$(RECORD_MPIS),$(eval $(call measure-rules,$(mpi))))

# Programs that tests/test-measure-*.sh start under each MPI.
MEASURE_TESTS := $(foreach mpi,$(RECORD_MPIS),$(patsubst tests/measure/programs/%.c,$(BUILD)/tests/measure/%.$(mpi),$(wildcard tests/measure/programs/*.c)))

$(BUILD)/measure/predictor-measure: $(MEASURE_PROGRAMS)
	$(Q)ln -sf predictor-measure.$(RECORD_FIRST) $@

measure: $(if $(RECORD_MPIS),$(BUILD)/measure/predictor-measure)

# Its parts without MPI have unit tests, instrumented like all.
$(call obj,$(MEASURE_PLAIN_SRC)) $(MEASURE_UNIT_TESTS:=.o): PKG_CFLAGS += $(GSL_CFLAGS) $(HWLOC_CFLAGS)
$(MEASURE_UNIT_TESTS): %: %.o $(call obj,$(MEASURE_PLAIN_SRC)) | $(TEST_LIB)
	$(call say,LD)
	$(Q)$(link-test) $(LIBS) $(GSL_LIBS) $(HWLOC_LIBS)

# Of what measures, too.
$(BUILD)/tests/fuzz/fuzz-measure-csv: $(call obj,$(MEASURE_PLAIN_SRC))
$(BUILD)/tests/fuzz/fuzz-measure-csv: LIBS += $(SQLITE_LIBS) $(GSL_LIBS) $(HWLOC_LIBS)

# ---- predictor-fit: what fits descriptions to measurements; by itself because of GSL

FIT_PROGRAM := $(BUILD)/fit/predictor-fit
FIT_SRC     := $(filter-out fit/main.c,$(call sources,fit))
FIT_LIB     := $(BUILD)/libpredictor-fit.a

$(call obj,$(call sources,fit)): PKG_CFLAGS += $(GSL_CFLAGS)

$(FIT_LIB): $(call obj,$(FIT_SRC) $(MEASURE_PLAIN_SRC))
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(FIT_PROGRAM): $(BUILD)/fit/main.o $(FIT_LIB) $(COMSYS_LIB)
	$(call say,LD)
	$(Q)$(CC) $(PD_LDFLAGS) -o $@ $^ $(LIBS) $(SQLITE_LIBS) $(GSL_LIBS)

$(FIT_TESTS:=.o): PKG_CFLAGS += $(GSL_CFLAGS)
$(FIT_TESTS): %: %.o $(FIT_LIB) | $(TEST_LIB)
	$(call say,LD)
	$(Q)$(link-test) $(LIBS) $(GSL_LIBS)

$(BUILD)/tests/fuzz/fuzz-sheet: $(call obj,$(FIT_SRC) $(MEASURE_PLAIN_SRC))
$(BUILD)/tests/fuzz/fuzz-sheet: LIBS += $(SQLITE_LIBS) $(GSL_LIBS) $(HWLOC_LIBS)

# ---- predictor-mpi, for each MPI that is there: all of predictor, with ranks for
# workers

MPI_PROGRAMS := $(RECORD_MPIS:%=$(BUILD)/predictor/predictor-mpi.%)
MPI_SRC      := $(MAIN_MPI) $(call sources,mpi)

define mpi-rules
$(BUILD)/ranks/$(1)/%.o: %.c | $(NAMES)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(call record-cc,$(1)) $$(PD_CFLAGS) -DPD_MPI='"$(1)"' -MMD -MP -c -o $$@ $$<
$(patsubst %.c,$(BUILD)/ranks/$(1)/%.o,$(MAIN_MPI)): $(BUILD)/prefix

$(BUILD)/predictor/predictor-mpi.$(1): $$(patsubst %.c,$(BUILD)/ranks/$(1)/%.o,$(MPI_SRC)) $(LIB)
	$$(call say,LD)
	$$(Q)$$(call record-cc,$(1)) $$(PD_LDFLAGS) -o $$@ $$^ $$(LIBS)
endef
$(foreach mpi,$(RECORD_MPIS),$(eval $(call mpi-rules,$(mpi))))

$(BUILD)/predictor/predictor-mpi: $(MPI_PROGRAMS)
	$(Q)ln -sf predictor-mpi.$(RECORD_FIRST) $@

mpi: $(if $(RECORD_MPIS),$(BUILD)/predictor/predictor-mpi)

# ---- completion for bash, zsh and fish, made from the --help texts of the programs

FIRST_PROGRAMS := $(PROGRAM) $(if $(RECORD_MPIS),$(BUILD)/predictor/predictor-mpi $(BUILD)/measure/predictor-measure)

# The one for bash is written last.
$(COMPLETION): tools/make-completion tools/help-lines $(wildcard tools/completion*) $(FIRST_PROGRAMS)
	$(Q)sh tools/make-completion $(@D) $(FIRST_PROGRAMS)

# ---- targets

# Those whose path in the source tree matches T. Scripts start the programs, other tests do not.
matching  = $(if $(T),$(shell printf '%s\n' $(1) | grep -E -- '$(T)'),$(1))
CHECKED  := $(call matching,$(TESTS) $(FUZZ) $(SCRIPT_TESTS))

$(if $(and $(filter check,$(GOALS)),$(T)),$(if $(CHECKED),,$(error no test's path matches T=$(T))))

check: $(filter-out %.sh,$(CHECKED)) $(if $(filter %.sh,$(CHECKED)),all $(MEASURE_TESTS))
	@BUILD=$(BUILD) CC="$(CC)" TEST_MPIS="$(TEST_MPIS)" sh tests/run-tests $(CHECKED)

golden: $(PROGRAM) $(FIT_PROGRAM)
	@BUILD=$(BUILD) sh tools/golden

docs-check: all
	@BUILD=$(BUILD) CC="$(CC)" sh tools/docs-check

lint:
	@sh tools/lint

demo: all
	@BUILD=$(BUILD) sh tools/demo

benches: $(BENCHES)

bench-accuracy: $(PROGRAM)
	@BUILD=$(BUILD) sh bench/accuracy.sh
	@BUILD=$(BUILD) sh bench/reproduce-examples.sh

# Files built and measured here do not count.
ifneq ($(filter accuracy performance,$(GOALS)),)
export load_before := $(shell . tools/host-facts; load)
endif

accuracy: all
	@BUILD=$(BUILD) sh tools/make-accuracy

performance: all benches
	@BUILD=$(BUILD) sh tools/make-performance

bench: all benches
	@BUILD=$(BUILD) sh bench/run $(BENCHES)

fuzz-smoke:
	@sh tests/fuzz/smoke

# The builds of its parts; those with instruments are what check and fuzz-smoke make, too.
SANITIZED ?= build-address-undefined
THREADS   ?= build-thread
tortured = $(if $(ONLY),$(filter $(1),$(ONLY)),$(1))

torture: all $(BUILD)/tests/torture/changes
	$(if $(call tortured,mutation),@$(MAKE) -s SANITIZE=address$(comma)undefined OPTIMISE=-O1 BUILD=$(SANITIZED) $(SANITIZED)/predictor/predictor $(SANITIZED)/fit/predictor-fit \
	  $(if $(RECORD_MPIS),$(SANITIZED)/measure/predictor-measure $(SANITIZED)/predictor/predictor-mpi))
	$(if $(call tortured,fuzz),@FUZZ_SECONDS=0 sh tests/fuzz/smoke)
	$(if $(call tortured,threads),@$(MAKE) -s SANITIZE=thread OPTIMISE=-O1 BUILD=$(THREADS) $(THREADS)/predictor/predictor)
	@BUILD=$(BUILD) SANITIZED=$(SANITIZED) THREADS=$(THREADS) CC="$(CC)" TIME="$(TIME)" SEED="$(SEED)" ONLY="$(ONLY)" sh tests/torture/torture

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

# ---- installation: what has been built, that is without MPI no program of it

TO      = $(DESTDIR)$(PREFIX)
TOLIB   = $(DESTDIR)$(LIBDIR)
TODOC   = $(DESTDIR)$(DOCDIR)
TOSHARE = $(TO)/share/predictor
TOBASH  = $(TO)/share/bash-completion/completions
TOZSH   = $(DESTDIR)$(ZSHDIR)
TOFISH  = $(TO)/share/fish/vendor_completions.d
SAMPLES = heat2d.ptr.gz ring.ti imbalance.txt

# Installed headers stand without rooms in base/ and comsys/, and find each other by relative paths.
installed = $(TO)/include/predictor/$(firstword $(subst /, ,$(1)))/$(notdir $(1))
install-header = sed -E 's!^\#include "(base|comsys)/(.*/)?!\#include "../\1/!' $(1) > "$(call installed,$(1))" && chmod 644 "$(call installed,$(1))"

install: all install-programs install-library install-data install-docs

install-programs: all
	install -d "$(TO)/bin" "$(TOLIB)/predictor" "$(TOBASH)" "$(TOZSH)" "$(TOFISH)"
	install -m 755 $(PROGRAM) $(MEASURE_PROGRAMS) $(MPI_PROGRAMS) "$(TO)/bin/"
	install -m 755 $(FIT_PROGRAM) $(RECORD_LIBS) $(RECORD_ANY) "$(TOLIB)/predictor/"
	install -m 644 $(COMPLETION) "$(TOBASH)/predictor"
	install -m 644 $(dir $(COMPLETION))_predictor "$(TOZSH)/"
	install -m 644 $(dir $(COMPLETION))predictor.fish "$(TOFISH)/"
ifneq ($(RECORD_MPIS),)
	ln -sf predictor-measure.$(RECORD_FIRST) "$(TO)/bin/predictor-measure"
	ln -sf predictor-mpi.$(RECORD_FIRST) "$(TO)/bin/predictor-mpi"
	ln -sf libpredictor-record.$(RECORD_FIRST).so "$(TOLIB)/predictor/libpredictor-record.so"
	for p in predictor-measure predictor-mpi $(notdir $(MEASURE_PROGRAMS) $(MPI_PROGRAMS)); do \
	  ln -sf predictor "$(TOBASH)/$$p" && ln -sf predictor.fish "$(TOFISH)/$$p.fish" || exit 1; done
endif

install-library: all
	install -d "$(TOLIB)/pkgconfig" "$(TO)/include/predictor/base" "$(TO)/include/predictor/comsys"
	install -m 644 $(COMSYS_LIB) $(COMSYS_SHARED) "$(TOLIB)/"
	ln -sf $(COMSYS_SONAME) "$(TOLIB)/libpredictor-comsys.so"
	install -m 644 $(COMSYS_PC) "$(TOLIB)/pkgconfig/"
	$(foreach h,$(PUBLIC_HEADERS),$(call install-header,$(h)) && ) :

install-data: all
	install -d "$(TOSHARE)/machines" "$(TOSHARE)/schemas"
	install -m 644 machines/*.xml "$(TOSHARE)/machines/"
	install -m 644 schemas/* "$(TOSHARE)/schemas/"

install-docs: all
	install -d "$(TO)/share/man/man1" "$(TO)/share/man/man3" "$(TO)/share/man/man5" "$(TODOC)/docs" "$(TODOC)/machines" "$(TODOC)/examples"
	for s in 1 3 5; do install -m 644 man/*.$$s "$(TO)/share/man/man$$s/" || exit 1; done
	install -m 644 README.md CHANGELOG.md LICENSE "$(TODOC)/"
	install -m 644 machines/README.md "$(TODOC)/machines/"
	install -m 644 examples/*.c $(SAMPLES:%=tests/data/%) "$(TODOC)/examples/"
	cp -R docs/. "$(TODOC)/docs/" && cp -R examples/mpi "$(TODOC)/examples/"
	[ ! -s $(CHARTS)/LICENSE ] || { install -m 644 $(CHARTS)/LICENSE "$(TODOC)/echarts-LICENSE" && \
	  install -m 644 $(CHARTS)/NOTICE "$(TODOC)/echarts-NOTICE"; }
	chmod -R u=rwX,go=rX "$(TODOC)"

# The same files as install, found by installing them elsewhere.
uninstall: all
	@rm -rf $(BUILD)/stage
	@$(MAKE) -s --no-print-directory install DESTDIR=$(abspath $(BUILD))/stage >/dev/null
	cd $(BUILD)/stage && find . ! -type d | while read -r f; do rm -f "$(DESTDIR)/$$f"; done
	cd $(BUILD)/stage && find . -depth -type d -path '*predictor*' | while read -r d; do rmdir "$(DESTDIR)/$$d" 2>/dev/null || :; done
	@rm -rf $(BUILD)/stage

# Of the committed files; needs only the packages of debian/control from outside.
deb:
	@BUILD=$(BUILD) VERSION=$(VERSION) CHARTS=$(CHARTS) sh tools/make-deb

dist: $(CHARTS)/echarts.min.js
	@BUILD=$(BUILD) VERSION=$(VERSION) CHARTS=$(CHARTS) sh tools/make-dist

.PHONY: dist install-programs install-library install-data install-docs

clean:
	rm -rf build build-*

# Not of packages, nor of roots that they and others are tried in.
-include $(shell find $(BUILD) \( -path $(BUILD)/deb -o -path $(BUILD)/chroot -o -path $(BUILD)/fresh \) -prune -o -type f -name '*.d' -print 2>/dev/null)
