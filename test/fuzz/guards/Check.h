//===- Check.h - programs of a case against its rules -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_GUARDS_CHECK_H
#define BROADLOOM_TEST_FUZZ_GUARDS_CHECK_H

#include "test/fuzz/guards/Memory.h"
#include "test/fuzz/guards/Program.h"

#include <random>

namespace broadloom::guards {

/// What was tried.
struct Tally {
  int64_t programs = 0;
  /// Programs in which an error is due whatever they are called with.
  int64_t refuted = 0;
  int64_t accepted = 0;
  int64_t refused = 0;
  int64_t findings = 0;
};

/// What is going on, for the handler of signals.
extern std::string underway;
extern const Inputs *underwayInputs;

class Checker {
public:
  explicit Checker(std::mt19937_64 &random) : random(random) {
    outputs.reserve(3);
    for (int i = 0; i < 3; ++i)
      outputs.emplace_back(8192);
  }

  /// Compiles the case for these types and calls it with all shapes that they
  /// allow, up to `mostCalls`, and with some that they do not.
  void check(const Case &it, const std::vector<Pattern> &arguments,
             const std::vector<Pattern> &results, Strategy strategy);

  /// The types of results that go with those of arguments: open ones.
  std::vector<Pattern> openResults(const Case &it,
                                   const std::vector<Pattern> &arguments);

  Tally tally;
  /// Of a program that can be called with more, so many are chosen.
  int64_t mostCalls = 700000;

private:
  void checkRejection(Program &program, const std::string &diagnostics,
                      bool contradict);
  void callWithAll(Program &program);
  void report(Program &program, const std::string &what);
  void reportCall(Program &program, const Inputs &inputs,
                  const Verdict &verdict, const std::string &got);

  // One call (Calls.cpp).
  void call(Program &program, const Inputs &inputs);
  bool callOnState(Program &program, const Inputs &inputs);
  void checkState(Program &program, const Inputs &inputs);
  bool giveOutputs(Program &program, const Verdict &verdict, int64_t number);
  std::string checkRun(Program &program,
                       const std::vector<const BroadloomTensor *> &inputs,
                       const Verdict &verdict, bool given);
  void callWrongly(Program &program);

  std::mt19937_64 &random;
  std::vector<Output> outputs;
};

} // namespace broadloom::guards

#endif // BROADLOOM_TEST_FUZZ_GUARDS_CHECK_H
