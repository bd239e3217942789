# Ravning: every target installs what it needs (it looks first, and says so) and names what it can't.
SWIFT ?= swift
DEMOS := band heart door serial thermostat

.PHONY: help demo test test-interop test-guest bench bench-compare lint format docs fuzz mutants conformance-driver captures clean
.PHONY: security $(DEMOS:%=demo-%)

help:
	@echo "make demo                the demos of all tutorials, one after another, each with its capture"
	@echo "make demo-NAME           one of them, both programs in view: $(DEMOS)"
	@echo "make test                what CI runs, but for the guests"
	@echo "make test-guest          our host against Linux' Bluetooth and BlueZ, in throw-away guests (root, x86-64)"
	@echo "make test-interop        our programs against foreign stacks, and Bumble's tests over our controllers"
	@echo "make bench               the benchmarks, as ratios to a floor in the same run"
	@echo "make lint | format       what the sources must look like"
	@echo "make docs                the documentation, into .build/documentation"
	@echo "make fuzz SECONDS=30     the fuzzers"
	@echo "make security            the cases of what an attacker can do (Documentation/SecurityCases.md)"
	@echo "make mutants             shows that each test of the behaviour contract can fail"
	@echo "make conformance-driver  the ATT driver for foreign test suites; prints its path"

demo:
	@Scripts/packages.sh build
	@Scripts/demo.sh $(DEMOS)

$(DEMOS:%=demo-%):
	@Scripts/packages.sh build
	@Scripts/demo.sh $(@:demo-%=%)

test:
	@Scripts/packages.sh build test
	@Scripts/test.sh

test-guest:
	@Scripts/packages.sh build test usb
	@Scripts/test-guest.sh

test-interop:
	@Scripts/packages.sh build test
	@Scripts/test-interop.sh

bench:
	@Scripts/packages.sh build bench
	@Scripts/bench.sh

bench-compare:
	@Scripts/packages.sh build bench
	@Scripts/bench.sh --compare

lint:
	@Scripts/packages.sh lint
	@Scripts/lint.sh

format:
	@$(SWIFT) format -i -r Package.swift Sources Tests Examples $(wildcard Fuzz Tools Benchmarks)

docs:
	@Scripts/packages.sh build
	@Scripts/docs.sh

SECONDS ?= 30
fuzz:
	@Scripts/packages.sh build fuzz
	@Scripts/fuzz.sh $(SECONDS)

mutants:
	@Scripts/packages.sh build
	@Scripts/mutants.py

security:
	@Scripts/packages.sh build test
	@$(SWIFT) test --filter "$$(Scripts/security_cases.py --filter)"

conformance-driver:
	@Scripts/packages.sh build >&2
	@Scripts/conformance-driver.sh

clean:
	rm -rf .build .build-*
