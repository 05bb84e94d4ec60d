//===- Accuracy.cpp - compiled functions on every number ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: broadloom-bench-accuracy FUNCTION f32|f64 THREADS LOG2_SAMPLES
//
// Calls the kernel compiled for `tosa.FUNCTION` on all 2^32 numbers of f32, or
// on samples where there are two operands or f64 (or fewer than 2^26 samples
// are requested), and compares with a reference (Functions.h). Prints one line
// of JSON; what is outside the bounds of el-9 is in `wrong`.
//
//===----------------------------------------------------------------------===//

#include "bench/accuracy/Functions.h"
#include "driver/CApi.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace broadloom::bench;

static constexpr int64_t kChunk = 1 << 16;

namespace {

/// What one thread found.
struct Findings {
  int64_t count = 0, wrong = 0;
  double worstUlps = 0, worstShare = 0;
  double ulpsAt[2] = {0, 0}, shareAt[2] = {0, 0}, wrongAt[2] = {0, 0};
  double wrongGot = 0;
};

/// The program of one function, called on one chunk after another.
template <typename T> class Kernel {
public:
  Kernel(BroadloomModule *module, int operands)
      : invocation(broadloomInvocationCreate(module, nullptr)), result(kChunk),
        pointers(operands), arguments(operands) {
    broadloomInvocationSetThreads(invocation, 1);
    BroadloomElementType type = sizeof(T) == 4 ? BROADLOOM_F32 : BROADLOOM_F64;
    int64_t extent = kChunk;
    for (int i = 0; i < operands; ++i) {
      values[i].resize(kChunk);
      broadloomTensorBorrow(type, 1, &extent, nullptr, values[i].data(),
                            &arguments[i]);
      pointers[i] = &arguments[i];
    }
    BroadloomTensor out;
    broadloomTensorBorrow(type, 1, &extent, nullptr, result.data(), &out);
    broadloomInvocationSetOutput(invocation, 0, &out);
  }
  ~Kernel() { broadloomInvocationDestroy(invocation); }
  Kernel(const Kernel &) = delete;

  void run() {
    if (broadloomInvocationRun(invocation, pointers.data(), pointers.size()) !=
        BROADLOOM_OK) {
      std::fprintf(stderr, "%s\n", broadloomInvocationMessage(invocation));
      std::exit(1);
    }
  }

  BroadloomInvocation *invocation;
  std::vector<T> values[2], result;
  std::vector<const BroadloomTensor *> pointers;
  std::vector<BroadloomTensor> arguments;
};

/// The exact value, and the distance of `got` from it in units of the last
/// place; infinity stands for half a unit above the largest number.
template <typename T> struct Reference;

template <> struct Reference<float> {
  static double compute(const Function &f, float x, float y, float got,
                        double &ulps) {
    double exact = f.wide(x, y);
    double near = std::isinf(got) ? std::copysign(0x1p128, got) : got;
    int exponent = std::ilogb(exact);
    double unit = std::ldexp(1.0, std::max(exponent, -126) - 23);
    double limit = 0x1.ffffffp127;
    ulps =
        std::isinf(got) && std::fabs(exact) >= limit && (got > 0) == (exact > 0)
            ? 0
            : std::fabs(near - exact) / unit;
    return exact;
  }
};

template <> struct Reference<double> {
  static double compute(const Function &f, double x, double y, double got,
                        double &ulps) {
    Quad exact = f.quad(x, y);
    double rounded = static_cast<double>(exact);
    if (std::isinf(rounded) || std::isinf(got)) {
      // Beyond the range both are infinite; at its edge a unit or two decide.
      double other = std::isinf(rounded) ? got : rounded;
      bool same = (got > 0) == (rounded > 0);
      ulps = same && std::fabs(other) > 0x1.fffffffffff00p1023
                 ? 0
                 : std::numeric_limits<double>::infinity();
      return rounded;
    }
    int exponent = rounded == 0 ? -1022 : std::max(std::ilogb(rounded), -1022);
    Quad unit = std::ldexp(1.0, exponent - 52);
    Quad error = (static_cast<Quad>(got) - exact) / unit;
    ulps = std::fabs(static_cast<double>(error));
    return rounded;
  }
};

template <typename T>
void compare(const Function &f, T x, T y, T got, Findings &found) {
  ++found.count;
  double ulps;
  double exact = Reference<T>::compute(f, x, y, got, ulps);
  bool good;
  double share = 0;
  if (std::isnan(exact)) {
    good = std::isnan(got);
  } else if (std::isinf(exact)) {
    good = got == static_cast<T>(exact);
  } else {
    double allowed =
        allowedUlps(f, x, y, exact, std::numeric_limits<T>::epsilon(),
                    std::numeric_limits<T>::min());
    share = ulps / allowed;
    good = share <= 1 && got >= f.least && got <= f.most &&
           (!f.hasZeroSign || exact != 0 ||
            std::signbit(got) == std::signbit(exact));
    if (ulps > found.worstUlps) {
      found.worstUlps = ulps;
      found.ulpsAt[0] = x, found.ulpsAt[1] = y;
    }
    if (share > found.worstShare) {
      found.worstShare = share;
      found.shareAt[0] = x, found.shareAt[1] = y;
    }
  }
  if (!good && found.wrong++ == 0) {
    found.wrongAt[0] = x, found.wrongAt[1] = y;
    found.wrongGot = got;
  }
}

template <typename T>
void check(const Function &f, BroadloomModule *module, int64_t first,
           int64_t last, int thread, Findings &found) {
  Kernel<T> kernel(module, f.operands);
  std::mt19937_64 random(thread + 1);
  std::uniform_real_distribution<double> unit(-1, 1);
  bool byBits = sizeof(T) == 4 && f.operands == 1;
  auto anything = [&] {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    Bits bits = static_cast<Bits>(random());
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  };
  for (int64_t begin = first; begin < last; begin += kChunk) {
    for (int64_t i = 0; i < kChunk; ++i) {
      T &x = kernel.values[0][i];
      if (byBits) {
        // An odd factor: each number once, and some of everything early.
        uint32_t bits = static_cast<uint32_t>(begin + i) * 2654435761u;
        std::memcpy(&x, &bits, sizeof(x));
      } else if (f.operands == 2) {
        // Half of the powers are neither too large nor too small.
        x = std::fabs(i % 4 ? static_cast<T>(std::exp(unit(random) * f.spread))
                            : anything());
        double range = sizeof(T) == 4 ? 100 : 740;
        kernel.values[1][i] =
            i % 2 ? static_cast<T>(unit(random) * range / std::log(double(x)))
                  : static_cast<T>(unit(random) * 8);
      } else {
        x = i % 2 ? anything() : static_cast<T>(unit(random) * f.spread);
      }
    }
    kernel.run();
    for (int64_t i = 0; i < kChunk; ++i) {
      T y = f.operands == 2 ? kernel.values[1][i] : T(0);
      T x = kernel.values[0][i];
      // The rules say of pow only what positive numbers and zero give.
      if (f.operands == 2 && (!(x > 0) || std::isinf(x) || !std::isfinite(y)))
        continue;
      compare<T>(f, x, y, kernel.result[i], found);
    }
  }
}

std::string programFor(const Function &f, const std::string &type) {
  std::string t = "tensor<?x" + type + ">";
  std::string two = f.operands == 2 ? ", %b" : "";
  return "func.func @main(%a: " + t + (two.empty() ? "" : two + ": " + t) +
         ") -> " + t + " {\n  %0 = tosa." + f.name + " %a" + two + " : (" + t +
         (two.empty() ? "" : ", " + t) + ") -> " + t + "\n  return %0 : " + t +
         "\n}\n";
}

template <typename T>
void checkAll(const Function &f, BroadloomModule *module, int numThreads,
              int64_t count) {
  std::vector<Findings> found(numThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i) {
    int64_t chunks = count / kChunk;
    threads.emplace_back(
        check<T>, std::cref(f), module, chunks * i / numThreads * kChunk,
        chunks * (i + 1) / numThreads * kChunk, i, std::ref(found[i]));
  }
  for (std::thread &thread : threads)
    thread.join();
  Findings all = found[0];
  for (int i = 1; i < numThreads; ++i) {
    const Findings &other = found[i];
    all.count += other.count;
    if (other.worstUlps > all.worstUlps)
      all.worstUlps = other.worstUlps,
      std::memcpy(all.ulpsAt, other.ulpsAt, sizeof(all.ulpsAt));
    if (other.worstShare > all.worstShare)
      all.worstShare = other.worstShare,
      std::memcpy(all.shareAt, other.shareAt, sizeof(all.shareAt));
    if (all.wrong == 0) {
      std::memcpy(all.wrongAt, other.wrongAt, sizeof(all.wrongAt));
      all.wrongGot = other.wrongGot;
    }
    all.wrong += other.wrong;
  }
  // As text: infinities and NaNs have no other form in JSON.
  std::printf("{\"count\": %lld, \"wrong\": %lld, \"ulps\": \"%.4g\", "
              "\"ulps_at\": [\"%.9g\", \"%.9g\"], \"share\": \"%.4g\", "
              "\"share_at\": [\"%.9g\", \"%.9g\"], \"wrong_at\": [\"%.17g\", "
              "\"%.17g\"], \"wrong_got\": \"%.17g\"}\n",
              static_cast<long long>(all.count),
              static_cast<long long>(all.wrong), all.worstUlps, all.ulpsAt[0],
              all.ulpsAt[1], all.worstShare, all.shareAt[0], all.shareAt[1],
              all.wrongAt[0], all.wrongAt[1], all.wrongGot);
}

} // namespace

int main(int argc, char **argv) {
  const Function *function = nullptr;
  if (argc == 5)
    for (const Function &f : kFunctions)
      if (!std::strcmp(f.name, argv[1]))
        function = &f;
  std::string type = argc == 5 ? argv[2] : "";
  int threads = argc == 5 ? std::atoi(argv[3]) : 0;
  int samples = argc == 5 ? std::atoi(argv[4]) : 0;
  if (!function || (type != "f32" && type != "f64") || threads < 1 ||
      threads > 1024 || samples < 16 || samples > 40) {
    std::fprintf(stderr, "usage: %s FUNCTION f32|f64 THREADS LOG2_SAMPLES\n",
                 argv[0]);
    return 2;
  }
  BroadloomCompiler *compiler = broadloomCompilerCreate();
  std::string text = programFor(*function, type);
  BroadloomModule *module =
      broadloomCompileText(compiler, text.data(), text.size(), "accuracy.mlir");
  if (!module) {
    std::fprintf(stderr, "%s\n", broadloomDiagnostics(compiler));
    return 1;
  }
  bool isExhaustive = type == "f32" && function->operands == 1 && samples >= 26;
  int64_t count = int64_t(1) << (isExhaustive ? 32 : samples);
  if (type == "f32")
    checkAll<float>(*function, module, threads, count);
  else
    checkAll<double>(*function, module, threads, count);
  broadloomModuleDestroy(module);
  broadloomCompilerDestroy(compiler);
  return 0;
}
