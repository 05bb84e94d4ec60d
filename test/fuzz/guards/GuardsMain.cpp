//===- GuardsMain.cpp - guards against the rules --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every operation, every pattern of types, and every shape with extents of
// 0 to 3: a call is accepted if and only if the rules accept it, and nothing
// outside its memory is read or written. scripts/fuzz guards runs it.
//
// First all operations with operands of `?` and of unknown rank, with all
// shapes; then, until the time is up, types with some static extents, chosen by
// the seed.
//
// A finding is printed between FINDING and END, a crash between CRASH and END,
// and the last line has the numbers.
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Check.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <unistd.h>

using namespace broadloom;
using namespace broadloom::guards;

namespace {

struct Options {
  uint64_t seed = 1;
  double seconds = 10;
  size_t shard = 0, shards = 1;
  /// The case to begin with, of those with open types; after the last one,
  /// only types that the seed chooses are tried.
  size_t from = 0;
  std::string only;
  bool all = false;
};

/// What ends the process says what was going on. Exit status 86.
void handle(int signal) {
  auto print = [](const char *text, size_t size) {
    return ::write(STDOUT_FILENO, text, size);
  };
  std::string head = "CRASH signal " + std::to_string(signal) + "\n";
  (void)print(head.data(), head.size());
  (void)print(underway.data(), underway.size());
  if (underwayInputs) {
    std::string inputs = toText(*underwayInputs) + "\n";
    (void)print(inputs.data(), inputs.size());
  }
  (void)print("END\n", 4);
  _exit(86);
}

void installHandlers() {
  static char stack[1 << 16];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  for (int signal :
       {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGPROF})
    sigaction(signal, &action, nullptr);
}

std::vector<Case> makeCases() {
  std::vector<Case> cases;
  addElementwise(cases);
  addReductions(cases);
  addLayouts(cases);
  addProducts(cases);
  addImages(cases);
  addShapeValues(cases);
  addTensors(cases);
  addStructured(cases);
  addQuantised(cases);
  addControl(cases);
  addScalars(cases);
  addVariables(cases);
  addLoom(cases);
  addUsers(cases);
  return cases;
}

class Guards {
public:
  Guards(const Options &options, std::vector<Case> cases)
      : options(options), cases(std::move(cases)), random(options.seed),
        checker(random) {}

  const Tally &run() {
    auto end = std::chrono::steady_clock::now() +
               std::chrono::duration<double>(options.seconds);
    std::vector<const Case *> mine;
    for (size_t i = 0; i < cases.size(); ++i) {
      if (i % options.shards != options.shard ||
          cases[i].name.find(options.only) == std::string::npos)
        continue;
      mine.push_back(&cases[i]);
      if (i < options.from)
        continue;
      std::cout << "AT " << i << std::endl;
      checkOpen(cases[i]);
      if (options.all)
        forEachPattern(cases[i], 0, {});
    }
    std::cout << "AT " << cases.size() << std::endl;
    checker.mostCalls = 20000;
    if (!options.all && !mine.empty())

      while (std::chrono::steady_clock::now() < end)
        checkSample(*mine[random() % mine.size()]);
    return checker.tally;
  }

private:
  /// `?` of every rank, and no rank at all.
  void checkOpen(const Case &it) {
    std::vector<Pattern> patterns(it.arguments.size());
    forEachRank(it, 0, patterns);
    for (size_t i = 0; i < patterns.size(); ++i)
      patterns[i] =
          it.arguments[i].isScalar() ? openPattern(0) : unrankedPattern();
    bool anyTensor =
        std::any_of(patterns.begin(), patterns.end(),
                    [](const Pattern &pattern) { return !pattern.ranked; });
    if (anyTensor && !it.openOnly)
      checkWithOpenResults(it, patterns);
  }

  void forEachRank(const Case &it, size_t i, std::vector<Pattern> &patterns) {
    if (i == patterns.size())
      return checkWithOpenResults(it, patterns);
    if (it.arguments[i].isScalar()) {
      patterns[i] = openPattern(0);
      return forEachRank(it, i + 1, patterns);
    }
    for (size_t rank : it.arguments[i].ranks) {
      patterns[i] = openPattern(rank);
      forEachRank(it, i + 1, patterns);
    }
  }

  void checkWithOpenResults(const Case &it,
                            const std::vector<Pattern> &patterns) {
    std::vector<Pattern> results = checker.openResults(it, patterns);
    checker.check(it, patterns, results, Strategy::Default);
    bool ranked =
        std::all_of(patterns.begin(), patterns.end(),
                    [](const Pattern &pattern) { return pattern.ranked; });
    if (it.alsoRfc && ranked)
      checker.check(it, patterns, results, Strategy::Rfc);
  }

  /// Every pattern of every rank (`--all`).
  void forEachPattern(const Case &it, size_t i, std::vector<Pattern> patterns) {
    if (it.openOnly)
      return;
    if (i == it.arguments.size())
      return checker.check(it, patterns, checker.openResults(it, patterns),
                           Strategy::Default);
    if (it.arguments[i].isScalar()) {
      patterns.push_back(openPattern(0));
      return forEachPattern(it, i + 1, patterns);
    }
    for (size_t rank : it.arguments[i].ranks) {
      // One more extent than there are stands for `?`.
      Extents digits(rank, 0);
      for (;;) {
        Pattern pattern = openPattern(rank);
        for (size_t axis = 0; axis < rank; ++axis)
          if (digits[axis] <= kLargest)
            pattern.extents[axis] = digits[axis];
        patterns.push_back(pattern);
        forEachPattern(it, i + 1, patterns);
        patterns.pop_back();
        size_t axis = 0;
        while (axis < rank && digits[axis] > kLargest)
          digits[axis++] = 0;
        if (axis == rank)
          break;
        ++digits[axis];
      }
    }
  }

  bool chance(double probability) {
    return std::uniform_real_distribution<>(0, 1)(random) < probability;
  }
  int64_t below(int64_t end) { return int64_t(random() % uint64_t(end)); }

  /// Inputs that the rules allow, if a few tries find some.
  Inputs chooseInputs(const Case &it, Verdict &verdict) {
    Inputs inputs;
    // Few extents in a call, so that many agree.
    int64_t pool[] = {below(kLargest + 1), below(kLargest + 1), 1};
    for (int round = 0; round < 100 && !verdict; ++round) {
      inputs = {{}, {}, it.initialState};
      for (const Argument &argument : it.arguments) {
        Extents shape;
        if (!argument.isScalar())
          shape.resize(
              argument.ranks[size_t(below(int64_t(argument.ranks.size())))]);
        for (int64_t &extent : shape)
          extent = chance(0.8) ? pool[below(3)] : below(kLargest + 1);
        inputs.shapes.push_back(shape);
        inputs.values.push_back(
            argument.values[size_t(below(int64_t(argument.values.size())))]);
      }
      verdict = it.judge(inputs);
    }
    return inputs;
  }

  Pattern generalise(const Extents &shape, double open, double wrong) {
    Pattern pattern{true, shape};
    for (int64_t &extent : pattern.extents) {
      if (chance(open))
        extent = kAny;
      else if (chance(wrong))
        extent = below(kLargest + 1);
    }
    return pattern;
  }

  void checkSample(const Case &it) {
    if (it.openOnly)
      return;
    Verdict verdict;
    Inputs inputs = chooseInputs(it, verdict);
    double open = chance(0.2) ? 0 : chance(0.5) ? 0.4 : 0.7;
    double wrong = chance(0.25) ? 0.3 : 0;
    std::vector<Pattern> patterns;
    bool ranked = true;
    for (size_t i = 0; i < inputs.shapes.size(); ++i) {
      patterns.push_back(generalise(inputs.shapes[i], open, wrong));
      if (it.arguments[i].isScalar() || !it.takesUnranked || !chance(0.12))
        continue;
      patterns.back() = unrankedPattern();
      ranked = false;
    }
    std::vector<Pattern> results = checker.openResults(it, patterns);
    if (it.resultTypes == ResultTypes::Free && verdict && chance(0.7))
      for (size_t i = 0; i < results.size(); ++i)
        if (ranked || chance(0.5))
          results[i] = generalise((*verdict)[i], chance(0.5) ? 0.8 : 0.3,
                                  chance(0.2) ? 0.5 : 0);
    bool rfc = it.alsoRfc && ranked && chance(0.25);
    checker.check(it, patterns, results,
                  rfc ? Strategy::Rfc : Strategy::Default);
  }

  Options options;
  std::vector<Case> cases;
  std::mt19937_64 random;
  Checker checker;
};

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    if (name == "--all") {
      options.all = true;
      continue;
    }
    if (++i == argc)
      return false;
    std::string value = argv[i];
    if (name == "--seed")
      options.seed = std::stoull(value);
    else if (name == "--seconds")
      options.seconds = std::stod(value);
    else if (name == "--shard")
      options.shard = std::stoull(value);
    else if (name == "--shards")
      options.shards = std::stoull(value);
    else if (name == "--from")
      options.from = std::stoull(value);
    else if (name == "--only")
      options.only = value;
    else
      return false;
  }
  return options.shard < options.shards;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::cerr << "guards [--seed N] [--seconds S] [--shard I --shards N] "
                 "[--from CASE] [--only NAME] [--all]\n";
    return 2;
  }
  installHandlers();
  Guards guards(options, makeCases());
  const Tally &tally = guards.run();
  std::cout << "DONE " << tally.programs << " programs " << tally.refuted
            << " refuted " << tally.accepted << " accepted " << tally.refused
            << " refused " << tally.findings << " findings" << std::endl;
  return tally.findings ? 1 : 0;
}
