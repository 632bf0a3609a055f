# Everything a person needs to build, try and check Shoebox; `make` alone lists it.

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT := $(or $(SWIFT),$(shell .ci/find-swift))
# One place for all programs; they run where no Swift toolchain is, and load libraries of the system only.
RELEASE = .build/release
RELEASE_FLAGS = -c release --static-swift-stdlib --disable-local-rpath -debug-info-format $(DEBUG_INFO) $(TESTABLE)
# What debuggers and profilers need: dwarf or none.
DEBUG_INFO ?= dwarf
# Packages set these: their tools strip the programs, and zsh of Debian looks for completions elsewhere.
INSTALL_PROGRAM = install -s -m 755
ZSH_COMPLETIONS = zsh/site-functions
# For all builds but those of the programs: .ci/run sets them, so that nothing is compiled twice.
BUILD_FLAGS ?=
CONFIGURATION ?= debug
MODULES = .build/$(CONFIGURATION)/Modules

.PHONY: help setup build demo test check lint architecture api api-changes docs install bench fuzz sanitize clean
.PHONY: site pictures check-howto install-nightly uninstall-nightly test-nightly test-cluster test-portability
.PHONY: programs install-files uninstall deb dist image release test-packages

help:
	@echo "make demo      make a small sample library, scan it, list it, export from it"
	@echo "make test      run the tests (SHOEBOX_CORPUS=DIR adds the comparison with real media)"
	@echo "make install   put the programs, manual pages and completions under PREFIX ($(PREFIX))"
	@echo "make uninstall  remove them from PREFIX"
	@echo "make install-nightly  a timer for LIBRARY (config): your own, or the system's with SYSTEM=1"
	@echo "make deb       make the Debian packages for this machine's release, in .build/packages/here"
	@echo "make dist      make tarballs of the source and of the programs, in .build/packages/here"
	@echo "make image     make an OCI image with the packages of make deb"
	@echo "make release VERSION=X.Y.Z  check the version numbers and the tree, make all of that with checksums"
	@echo "make build     build the programs into $(RELEASE)"
	@echo "make check     the house rules, then the tests"
	@echo "make check-howto  run every command of docs/howto but cluster.md, and compare what it prints"
	@echo "make architecture  the diagram in docs/architecture.md, from Package.swift"
	@echo "make api       the list of ShoeboxKit's public declarations, .ci/public-api.txt"
	@echo "make api-changes  what breaks programs that were written for ShoeboxKit of BASE (a tag or commit; HEAD~1)"
	@echo "make docs      the reference of ShoeboxKit, as a DocC archive below .build"
	@echo "make site      the pages of docs/ as a web site below .build, with its links checked"
	@echo "make pictures  the pictures of docs/, from drawn media, in Chromium"
	@echo "make bench     the figures of docs/performance.md (BENCH_FULL=1 for the long ones)"
	@echo "make test-nightly  try the nightly run in a booted Debian without network (needs root)"
	@echo "make test-cluster  try docs/howto/cluster.md: a private Slurm, 200,000 files, the image (needs root)"
	@echo "make test-portability SUITE=NAME  build and test in another release (MIRROR=URL; needs root)"
	@echo "make test-packages  build, install, upgrade and remove the packages on a new Debian 12 and 13 (needs root)"
	@echo "make fuzz      fuzz each reader for FUZZ_SECONDS (60); TARGET=NAME runs one"
	@echo "make sanitize  scan and export SHOEBOX_CORPUS/hostile with AddressSanitizer in all programs"
	@echo "make clean     remove what was built"
	@echo "Missing system packages are installed by apt, with sudo where that is needed."

build:
	@.ci/setup build
	@$(MAKE) --no-print-directory programs

# What remains of "make build" if all system packages are there.
programs:
	@mkdir -p .build/static
	-@for library in libstdc++ libsqlite3; do \
	  ln -sf "$$($(dir $(SWIFT))clang -print-file-name=$$library.a)" .build/static/; done
	$(SWIFT) build $(RELEASE_FLAGS)

demo:
	@.ci/setup all
	@$(MAKE) --no-print-directory build
	@.ci/demo $(RELEASE)

test:
	@.ci/setup all
	@.ci/run-tests "$(SWIFT)"

check: lint
	@.ci/setup all
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error $(BUILD_FLAGS)
	@.ci/public-api "$(SWIFT)" $(MODULES) --check
	@python3 benchmarks/test_benchmarks.py
	@.ci/run-tests "$(SWIFT)" --skip-build -c $(CONFIGURATION)
	@# What "make release" asks for: the commit that has passed, if nothing is changed in it.
	@if [[ -z $$(git status --porcelain) ]]; then git rev-parse HEAD >.build/checked; fi

check-howto:
	@.ci/setup all
	@$(MAKE) --no-print-directory build
	@.ci/check-howto $(RELEASE)

lint:
	@.ci/house-rules "$(SWIFT)"

api:
	$(SWIFT) build $(BUILD_FLAGS) --target ShoeboxKit
	@.ci/public-api "$(SWIFT)" $(MODULES)

# Builds the package of BASE too, in a folder below .build that the next run uses again.
BASE ?= HEAD~1
api-changes:
	$(SWIFT) package diagnose-api-breaking-changes $(BASE) --products ShoeboxKit

architecture:
	@.ci/architecture "$(SWIFT)"

docs:
	$(SWIFT) build $(BUILD_FLAGS) --target ShoeboxKit
	@.ci/build-docs "$(SWIFT)" $(MODULES)

# The pictures of the pages are committed: make them again when the programs look different.
pictures: build
	@.ci/setup site
	@.ci/pictures $(RELEASE)

site:
	@.ci/setup site
	@.ci/build-site

install: build
	@$(MAKE) --no-print-directory install-files

# What remains of "make install" if the programs are built; the packages and tarballs use it, too.
SHARE = $(DESTDIR)$(PREFIX)/share
USER_UNITS = $(DESTDIR)$(PREFIX)/lib/systemd/user
install-files:
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec"
	$(INSTALL_PROGRAM) $(RELEASE)/shoebox "$(DESTDIR)$(PREFIX)/bin/shoebox"
	$(INSTALL_PROGRAM) $(RELEASE)/shoebox-codec "$(DESTDIR)$(PREFIX)/libexec/shoebox-codec"
	$(INSTALL_PROGRAM) $(RELEASE)/shoebox-probe "$(DESTDIR)$(PREFIX)/libexec/shoebox-probe"
	$(INSTALL_PROGRAM) $(RELEASE)/shoebox-picker "$(DESTDIR)$(PREFIX)/libexec/shoebox-picker"
	install -D -m 644 -t "$(USER_UNITS)" debian/systemd/user/shoebox-picker*
	sed -i 's|^ExecStart=/usr/bin/shoebox |ExecStart=$(PREFIX)/bin/shoebox |' "$(USER_UNITS)/shoebox-picker-server.service"
	install -D -m 755 .ci/install-nightly "$(DESTDIR)$(PREFIX)/bin/shoebox-nightly-setup"
	install -D -m 644 -t "$(SHARE)/man/man1" debian/shoebox-nightly-setup.1
	install -D -m 644 -t "$(SHARE)/shoebox/systemd/system" debian/systemd/system/*
	install -D -m 644 -t "$(SHARE)/shoebox/systemd/user" debian/systemd/user/shoebox-n*
	install -D -m 644 -t "$(SHARE)/shoebox/systemd/sysusers.d" debian/systemd/sysusers.d/*
	install -D -m 644 -t "$(SHARE)/metainfo" debian/metainfo/*.metainfo.xml
	@ZSH_COMPLETIONS=$(ZSH_COMPLETIONS) .ci/install-manual $(RELEASE)/shoebox "$(SHARE)"

# Removes what install-files puts under PREFIX; folders that other programs may use stay.
UNINSTALLED = bin/shoebox bin/shoebox-nightly-setup $(addprefix libexec/shoebox-,codec probe picker) \
  lib/systemd/user/shoebox-picker* share/shoebox share/metainfo/*.shoebox.metainfo.xml \
  share/metainfo/*.shoebox_picker.metainfo.xml share/man/man1/shoebox.1 share/man/man1/shoebox-*.1 \
  share/bash-completion/completions/shoebox share/$(ZSH_COMPLETIONS)/_shoebox share/fish/vendor_completions.d/shoebox.fish
uninstall:
	cd "$(DESTDIR)$(PREFIX)" && rm -rf $(UNINSTALLED)

# The programs must be in PREFIX: make install. See docs/operations.md.
NIGHTLY = PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" SYSTEM="$(SYSTEM)" LIBRARY="$(LIBRARY)" .ci/install-nightly
install-nightly:
	@$(NIGHTLY) install

uninstall-nightly:
	@$(NIGHTLY) uninstall

test-nightly:
	@.ci/setup nightly
	@$(MAKE) --no-print-directory build
	@.ci/test-nightly $(RELEASE)

# FILES=0 leaves out the large tree, CLUSTER_IMAGE= the image.
FILES = 200000
SHARDS = 64
CLUSTER_IMAGE = 1
test-cluster:
	@.ci/setup cluster
	@$(MAKE) --no-print-directory build
	@CLUSTER_IMAGE=$(CLUSTER_IMAGE) .ci/test-cluster $(RELEASE) $(FILES) $(SHARDS)

# SUITE is a release of Debian, or one of the distribution that MIRROR has.
test-portability:
	@.ci/setup nightly
	@.ci/test-portability "$(SUITE)"

# As on a server that builds packages, but with the results and the changes in one folder.
OUTPUT = $(CURDIR)/.build/packages/here
LINTIAN = lintian
deb:
	@.ci/setup packages
	@mkdir -p "$(OUTPUT)"
	SHOEBOX_OUTPUT="$(OUTPUT)" SHOEBOX_COMPRESSION="$(SHOEBOX_COMPRESSION)" SWIFT="$(SWIFT)" \
	  dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes \
	  --buildinfo-option=-u"$(OUTPUT)" --changes-option=-u"$(OUTPUT)" \
	  --buildinfo-file="$(OUTPUT)/shoebox.buildinfo" --changes-file="$(OUTPUT)/shoebox.changes"
	@# Each release's lintian has tags that the other's does not know.
	$(LINTIAN) --suppress-tags alien-tag --fail-on error,warning "$(OUTPUT)/shoebox.changes"

dist:
	@.ci/setup build
	@$(MAKE) --no-print-directory programs
	@.ci/make-tarballs "$(OUTPUT)"

IMAGE = shoebox
image:
	@.ci/make-image "$(OUTPUT)" "$(IMAGE)"

release:
	@.ci/release "$(VERSION)"

test-packages:
	@.ci/setup guests
	@.ci/test-packages

# BENCH_FULL=1 measures all, BENCH_ONLY=scan,rescan some parts, BENCH_CORES=2 is the number of cores for both sides.
bench:
	@.ci/setup bench
	@[[ -z "$(BENCH_FULL)" ]] || .ci/setup all
	@$(MAKE) --no-print-directory build
	@[[ -z "$(BENCH_FULL)" ]] || SHOEBOX_BENCH=1 $(SWIFT) build $(RELEASE_FLAGS) --product kit-bench
	benchmarks/run $(RELEASE)

fuzz:
	@.ci/setup all
	SHOEBOX_FUZZ=1 $(SWIFT) build --scratch-path .build/fuzz -c release --sanitize address \
	  -Xswiftc -sanitize=fuzzer --product fuzz
	@.ci/fuzz .build/fuzz/release/fuzz $(TARGET)

sanitize:
	@.ci/setup all
	@[[ -d "$(SHOEBOX_CORPUS)/hostile" ]] || { echo "SHOEBOX_CORPUS names no folder with hostile/" >&2; exit 64; }
	for product in shoebox-codec shoebox-probe shoebox; do \
	  $(SWIFT) build --scratch-path .build/sanitize --sanitize address --product $$product || exit; done
	@.ci/sanitize .build/sanitize/debug "$(SHOEBOX_CORPUS)/hostile"

clean:
	@[[ ! -d .build/nightly || -w .build/nightly ]] || sudo rm -rf .build/nightly
	@[[ ! -d .build/cluster || -w .build/cluster ]] || sudo rm -rf .build/cluster
	@[[ ! -d .build/portability || -w .build/portability ]] || sudo rm -rf .build/portability
	rm -rf .build .build-* benchmarks/work
