//===- Check.cpp - programs of a case against its rules -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Check.h"
#include "test/fuzz/guards/ForEachInputs.h"

#include <algorithm>
#include <iostream>
#include <sys/time.h>
#include <unistd.h>

using namespace broadloom;
using namespace broadloom::guards;

std::string broadloom::guards::underway;
const Inputs *broadloom::guards::underwayInputs = nullptr;

void Checker::report(Program &program, const std::string &what) {
  program.failed = true;
  ++tally.findings;
  std::cout << "FINDING " << program.it.name
            << (program.strategy == Strategy::Rfc ? " (strategy rfc)" : "")
            << '\n'
            << program.text << what << "\nEND" << std::endl;
}

void Checker::reportCall(Program &program, const Inputs &inputs,
                         const Verdict &verdict, const std::string &got) {
  std::string text = toText(inputs);
  text += "\nexpected: ";
  if (!verdict)
    text += "refused";
  else
    for (const Extents &shape : *verdict)
      text += toText(shape) + " ";
  report(program, text + "\ngot: " + got);
}

std::vector<Pattern>
Checker::openResults(const Case &it, const std::vector<Pattern> &arguments) {
  std::vector<Pattern> results(it.results.size(), unrankedPattern());
  for (const Pattern &pattern : arguments)
    if (!pattern.ranked)
      return results;
  if (it.resultTypes == ResultTypes::LikeLast) {
    for (size_t i = 0; i < arguments.size(); ++i)
      if (!it.arguments[i].isScalar())
        results.assign(results.size(), arguments[i]);
    return results;
  }
  // The rank is that of any call which the rules allow; where there is none, a
  // guess.
  bool found = false;
  forEachInputs(it, arguments, [&](const Inputs &inputs) {
    Verdict verdict = it.judge(inputs);
    found = verdict.has_value();
    for (size_t i = 0; found && i < results.size(); ++i)
      results[i] = openPattern((*verdict)[i].size());
    return !found;
  });
  if (!found) {
    size_t rank = 0;
    for (const Pattern &pattern : arguments)
      rank = std::max(rank, pattern.extents.size());
    results.assign(results.size(), openPattern(rank));
  }
  return results;
}

/// Ends the process with SIGPROF where a program takes more than 300 s of the
/// processor's time. On a machine with other work that may take much longer;
/// what waits without computing ends with SIGALRM.
static void startClock() {
  constexpr int kMostSeconds = 300;
  itimerval limit{};
  limit.it_value.tv_sec = kMostSeconds;
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(30 * kMostSeconds);
}

/// ext-2: an error is one for every call.
void Checker::checkRejection(Program &program, const std::string &diagnostics,
                             bool contradict) {
  const std::vector<Pattern> &arguments = program.arguments;
  if (diagnostics.find("error: ") == std::string::npos)
    return report(program, "rejected without an error");
  ++tally.refuted;
  bool unranked = std::any_of(arguments.begin(), arguments.end(),
                              [](const Pattern &p) { return !p.ranked; });
  if ((unranked && !program.it.takesUnranked) || contradict)
    return;
  std::optional<Inputs> valid;
  forEachInputs(program.it, arguments, [&](const Inputs &inputs) {
    if (program.judge(inputs))
      valid = inputs;
    return !valid;
  });
  if (valid)
    reportCall(program, *valid, program.judge(*valid),
               "rejected when it is compiled: " + diagnostics);
}

/// With all that it can be called with, or with `mostCalls` of that.
void Checker::callWithAll(Program &program) {
  double share = double(mostCalls) / countInputs(program.it, program.arguments);
  std::uniform_real_distribution<> dice(0, 1);
  forEachInputs(program.it, program.arguments, [&](const Inputs &inputs) {
    if (share >= 1 || dice(random) < share)
      call(program, inputs);
    return !program.failed;
  });
  underwayInputs = nullptr;
  if (!program.failed)
    callWrongly(program);
}

void Checker::check(const Case &it, const std::vector<Pattern> &arguments,
                    const std::vector<Pattern> &results, Strategy strategy) {
  Program program{it,
                  arguments,
                  results,
                  strategy,
                  makeProgram(it, arguments, results),
                  nullptr,
                  nullptr};
  underway = it.name + "\n" + program.text;
  underwayInputs = nullptr;
  ++tally.programs;
  startClock();
  CompileOptions options;
  options.strategy = strategy;
  if (!it.library.empty())
    options.shapeLibraries.push_back(it.library);
  Compiler compiler(options);
  program.module = compiler.compile(Source::text(program.text, "program.mlir"));
  bool contradict = it.typesContradict && it.typesContradict(arguments);
  if (program.module && contradict)
    return report(program, "accepted, though its types contradict each other");
  if (!program.module)
    return checkRejection(program, compiler.diagnostics(), contradict);
  const FunctionSignature *function = program.module->function("f");
  program.invocation = std::make_unique<Invocation>(*program.module, *function);
  // Calls are too small for more than one.
  program.invocation->setThreads(1);
  bool dataDecides = std::any_of(
      it.arguments.begin(), it.arguments.end(),
      [](const Argument &argument) { return argument.values.size() > 1; });
  program.hasShapes = function->whyNoShapes.empty() && !dataDecides &&
                      (tally.programs % 2 == 0);
  callWithAll(program);
}
