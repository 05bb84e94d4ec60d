# Configuration of lit, read after the build directory's lit.site.cfg.py.
#
# Substitutions: %models (real TOSA programs, kept beside the checkout),
# %examples, %shapes, %python, %libdir, %cxx (the compiler of this build),
# %source, %mlir-opt (LLVM's own), %broadloom. Features: models (%models is there),
# avx512 (this processor has AVX-512), sanitizer (the build has one).

import os
import sys

import lit.formats

if not hasattr(config, "broadloom_build_dir"):
    lit_config.fatal("run lit on the test folder of a build directory, e.g. 'lit build/test', or 'ninja check-lit'")

source = config.broadloom_source_dir

config.name = "Broadloom"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["runtime-alone", "lib", "out-of-tree", "Inputs", "corpus", "CMakeLists.txt"]
config.test_source_root = os.path.join(source, "test")
config.test_exec_root = os.path.join(config.broadloom_build_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [config.broadloom_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
for name in ("HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "PYTHONPATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# The verifier runs behind each pass, unless the environment says otherwise.
config.environment["BROADLOOM_VERIFY_PASSES"] = os.environ.get("BROADLOOM_VERIFY_PASSES", "1")
# What a test does must not depend on what an earlier one has compiled.
config.environment["BROADLOOM_CACHE"] = "0"
# Sanitizers see this project's code only: MLIR's libraries, which come without
# instrumentation, keep memory until the process ends and share containers
# with ours.
if config.sanitizer:
    config.available_features.add("sanitizer")
    config.environment.setdefault("ASAN_OPTIONS", "detect_leaks=0:detect_container_overflow=0")

models = os.environ.get(
    "BROADLOOM_MODELS",
    os.path.join(os.path.dirname(source), "shared", "models"),
)
if os.path.isdir(models):
    config.available_features.add("models")
if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo") as processors:
        if "avx512f" in processors.read():
            config.available_features.add("avx512")

config.substitutions += [
    ("%models", models),
    ("%examples", os.path.join(source, "examples")),
    ("%shapes", os.path.join(source, "shapes")),
    ("%python", '"%s"' % (config.python_executable or sys.executable)),
    ("%mlir-opt", os.path.join(config.llvm_tools_dir, "mlir-opt")),
    ("%broadloom", os.path.join(config.broadloom_tools_dir, "broadloom")),
    ("%libdir", config.broadloom_library_dir),
    ("%cxx", config.compiler),
    ("%source", source),
]
