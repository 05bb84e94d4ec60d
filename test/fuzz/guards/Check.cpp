//===- Check.cpp - programs of a case against its rules -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Check.h"

#include "driver/State.h"

#include <algorithm>
#include <iostream>
#include <sys/time.h>
#include <unistd.h>

using namespace broadloom;
using namespace broadloom::guards;

std::string broadloom::guards::underway;
const Inputs *broadloom::guards::underwayInputs = nullptr;

/// A case with types, and the function that comes of it.
struct Checker::Program {
  const Case &it;
  const std::vector<Pattern> &arguments;
  const std::vector<Pattern> &results;
  Strategy strategy;
  std::string text;
  std::unique_ptr<CompiledModule> module;
  std::unique_ptr<Invocation> invocation;
  /// Whether the shapes of results can be queried alone (abi-2).
  bool hasShapes = false;
  int64_t calls = 0;
  bool failed = false;

  Verdict judge(const Inputs &inputs) const;
};

/// Where the rules of the operation allow the call: whether its results are
/// what the program declares (rt-4).
Verdict Checker::Program::judge(const Inputs &inputs) const {
  Verdict verdict = it.judge(inputs);
  if (!verdict)
    return std::nullopt;
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].matches((*verdict)[i]))
      return std::nullopt;
  if (strategy != Strategy::Rfc)
    return verdict;
  // rfc-4: where both are open, R's unsigned maximum makes 1 of 0 and 1, unless
  // a type tells the result's extent.
  size_t rank = verdict->front().size();
  for (size_t axis = 0; axis < rank; ++axis) {
    bool none = false, one = false, told = false;
    for (size_t i = 0; i < inputs.shapes.size(); ++i) {
      size_t missing = rank - inputs.shapes[i].size();
      if (axis < missing)
        continue;
      int64_t declared = arguments[i].extents[axis - missing];
      told |= declared != kAny && declared != 1;
      if (declared != kAny)
        continue;
      none |= inputs.shapes[i][axis - missing] == 0;
      one |= inputs.shapes[i][axis - missing] == 1;
    }
    if (none && one && !told)
      return std::nullopt;
  }
  return verdict;
}

/// Returns false where `visit` has said to stop.
static bool
forEachInputsFrom(const Case &it, const std::vector<Pattern> &arguments,
                  size_t i, Inputs &inputs,
                  const std::function<bool(const Inputs &)> &visit) {
  if (i == arguments.size())
    return visit(inputs);
  bool goesOn = true;
  auto withShape = [&](const Extents &shape) {
    if (!goesOn || !arguments[i].matches(shape))
      return;
    inputs.shapes[i] = shape;
    for (int64_t value : it.arguments[i].values) {
      inputs.values[i] = value;
      goesOn = goesOn && forEachInputsFrom(it, arguments, i + 1, inputs, visit);
    }
  };
  if (arguments[i].ranked) {
    forEachShape(arguments[i].extents.size(), withShape);
    return goesOn;
  }
  for (size_t rank = 0; rank <= kMostRank; ++rank)
    forEachShape(rank, withShape);
  return goesOn;
}

void broadloom::guards::forEachInputs(
    const Case &it, const std::vector<Pattern> &arguments,
    const std::function<bool(const Inputs &)> &visit) {
  Inputs inputs{std::vector<Extents>(arguments.size()),
                std::vector<int64_t>(arguments.size()), it.initialState};
  forEachInputsFrom(it, arguments, 0, inputs, visit);
}

/// How many inputs there are.
static double countInputs(const Case &it,
                          const std::vector<Pattern> &arguments) {
  double count = 1;
  for (size_t i = 0; i < arguments.size(); ++i) {
    double shapes = 0;
    auto countShape = [&](const Extents &shape) {
      shapes += arguments[i].matches(shape);
    };
    if (arguments[i].ranked)
      forEachShape(arguments[i].extents.size(), countShape);
    else
      for (size_t rank = 0; rank <= kMostRank; ++rank)
        forEachShape(rank, countShape);
    count *= shapes * double(it.arguments[i].values.size());
  }
  return count;
}

static BroadloomElementType elementType(const std::string &name) {
  if (name == "index")
    return BROADLOOM_I64;
  for (int type = BROADLOOM_I1; type <= BROADLOOM_F64; ++type)
    if (name == broadloomElementTypeName(BroadloomElementType(type)))
      return BroadloomElementType(type);
  std::cerr << "guards: no element type is called " << name << '\n';
  std::exit(2);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::string broadloom::guards::toText(const Inputs &inputs) {
  std::string text = "inputs:";
  for (size_t i = 0; i < inputs.shapes.size(); ++i)
    text += " " + toText(inputs.shapes[i]) + " of " +
            std::to_string(inputs.values[i]);
  for (const Extents &shape : inputs.state)
    text += ", a variable " + toText(shape);
  return text;
}

static std::string statusText(int32_t status, const Invocation &call) {
  return "status " + std::to_string(status) + ", " + call.message();
}

/// The shapes of the variables that calls work on.
static std::vector<Extents> getState(Invocation &call) {
  std::vector<Extents> shapes;
  State *state = call.state();
  for (const std::string &name : state->names()) {
    const BroadloomTensor *value = state->get(name);
    shapes.emplace_back(value->dims, value->dims + value->rank);
  }
  return shapes;
}

void Checker::call(Program &program, const Inputs &next) {
  Inputs inputs = next;
  if (program.it.stateAfter)
    inputs.state = getState(*program.invocation);
  if (callOnState(program, inputs) && program.it.stateAfter)
    checkState(program, inputs);
}

/// abi-8.
void Checker::checkState(Program &program, const Inputs &inputs) {
  Verdict verdict = program.judge(inputs);
  std::vector<Extents> expected =
      verdict ? program.it.stateAfter(inputs) : inputs.state;
  std::vector<Extents> state = getState(*program.invocation);
  if (state == expected)
    return;
  std::string got = "variables:";
  for (const Extents &shape : state)
    got += " " + toText(shape);
  reportCall(program, inputs, verdict, got);
}

/// Returns false where something was found.
bool Checker::callOnState(Program &program, const Inputs &inputs) {
  const Case &it = program.it;
  Invocation &invocation = *program.invocation;
  Verdict verdict = program.judge(inputs);
  underwayInputs = &inputs;
  int64_t number = program.calls++;
  ++(verdict ? tally.accepted : tally.refused);

  std::vector<BroadloomTensor> tensors;
  std::vector<const BroadloomTensor *> pointers;
  for (size_t i = 0; i < inputs.shapes.size(); ++i) {
    BroadloomElementType type = elementType(it.arguments[i].element);
    tensors.push_back(place(pagesOf(type, inputs.values[i]), type,
                            inputs.shapes[i],
                            Layout((number + int64_t(i)) % kLayouts)));
  }
  for (const BroadloomTensor &tensor : tensors)
    pointers.push_back(&tensor);

  auto fail = [&](const std::string &got) {
    reportCall(program, inputs, verdict, got);
    return false;
  };
  // Results of every other call go to memory of the caller's. Which shape that
  // needs is not known where the call is refused: then the output may be what
  // is wrong.
  bool given = verdict ? number % 2 == 0 : number % 8 == 0;
  size_t numResults = it.results.size();
  for (size_t i = 0; i < numResults; ++i) {
    if (!given) {
      invocation.setOutput(i, nullptr);
      continue;
    }
    Extents extents =
        verdict ? (*verdict)[i] : Extents(program.results[i].extents.size(), 1);
    BroadloomTensor output = outputs[i].prepare(
        elementType(it.results[i]), extents, Layout(number / 2 % kLayouts));
    invocation.setOutput(i, &output);
  }

  if (program.hasShapes) {
    std::vector<BroadloomShape> shapes;
    int32_t status = invocation.resultShapes(pointers, shapes);
    if ((status == BROADLOOM_OK) != verdict.has_value())
      return fail("of the shapes alone: " + statusText(status, invocation));
    for (size_t i = 0; verdict && i < numResults; ++i)
      if (Extents(shapes[i].extents, shapes[i].extents + shapes[i].rank) !=
          (*verdict)[i])
        return fail("of the shapes alone: " +
                    toText(Extents(shapes[i].extents,
                                   shapes[i].extents + shapes[i].rank)));
  }

  int32_t status = invocation.run(pointers);
  if ((status == BROADLOOM_OK) != verdict.has_value() ||
      (!verdict && !given && status != BROADLOOM_GUARD_FAILED) ||
      (!verdict && invocation.message().empty()))
    return fail(statusText(status, invocation));
  for (size_t i = 0; i < numResults; ++i) {
    if (given && !outputs[i].isClean(/*untouched=*/!verdict))
      return fail("something written outside result " + std::to_string(i) +
                  ", " + statusText(status, invocation));
    if (!verdict)
      continue;
    BroadloomTensor result;
    invocation.takeResult(i, &result);
    Extents extents(result.dims, result.dims + result.rank);
    broadloomTensorRelease(&result);
    if (extents != (*verdict)[i])
      return fail(toText(extents));
  }
  return true;
}

/// Arguments that contradict the function's types are no valid call.
void Checker::callWrongly(Program &program) {
  const Case &it = program.it;
  for (int i = 0; i < 8; ++i) {
    std::vector<BroadloomTensor> tensors;
    std::vector<const BroadloomTensor *> pointers;
    Inputs inputs;
    bool wrong = false;
    for (size_t k = 0; k < it.arguments.size(); ++k) {
      Extents shape(random() % (kMostRank + 1));
      for (int64_t &extent : shape)
        extent = int64_t(random() % (kLargest + 1));
      wrong |= !program.arguments[k].matches(shape);
      int64_t value = it.arguments[k].values.front();
      BroadloomElementType type = elementType(it.arguments[k].element);
      tensors.push_back(
          place(pagesOf(type, value), type, shape, Layout::AtEnd));
      inputs.shapes.push_back(shape);
      inputs.values.push_back(value);
    }
    if (!wrong)
      continue;
    for (const BroadloomTensor &tensor : tensors)
      pointers.push_back(&tensor);
    for (size_t k = 0; k < it.results.size(); ++k)
      program.invocation->setOutput(k, nullptr);
    ++tally.refused;
    if (program.invocation->run(pointers) == BROADLOOM_OK)
      return reportCall(program, inputs, std::nullopt,
                        "accepted, though the types are others");
  }
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

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
  program.module = compiler.compileText(program.text, "program.mlir");
  bool contradict = it.typesContradict && it.typesContradict(arguments);
  if (program.module && contradict)
    return report(program, "accepted, though its types contradict each other");
  if (!program.module) {
    bool unranked = std::any_of(arguments.begin(), arguments.end(),
                                [](const Pattern &p) { return !p.ranked; });
    bool mayRefuse = (unranked && !it.takesUnranked) || contradict;
    if (compiler.diagnostics().find("error: ") == std::string::npos)
      return report(program, "rejected without an error");
    ++tally.refuted;
    // ext-2: an error is one for every call.
    std::optional<Inputs> valid;
    if (!mayRefuse)
      forEachInputs(it, arguments, [&](const Inputs &inputs) {
        if (program.judge(inputs))
          valid = inputs;
        return !valid;
      });
    if (valid)
      reportCall(program, *valid, program.judge(*valid),
                 "rejected when it is compiled: " + compiler.diagnostics());
    return;
  }
  const FunctionSignature *function = program.module->function("f");
  program.invocation = std::make_unique<Invocation>(*program.module, *function);
  // Calls are too small for more than one.
  program.invocation->setThreads(1);
  bool dataDecides = std::any_of(
      it.arguments.begin(), it.arguments.end(),
      [](const Argument &argument) { return argument.values.size() > 1; });
  program.hasShapes = function->whyNoShapes.empty() && !dataDecides &&
                      (tally.programs % 2 == 0);
  double share = double(mostCalls) / countInputs(it, arguments);
  std::uniform_real_distribution<> dice(0, 1);
  forEachInputs(it, arguments, [&](const Inputs &inputs) {
    if (share >= 1 || dice(random) < share)
      call(program, inputs);
    return !program.failed;
  });

  underwayInputs = nullptr;
  if (!program.failed)
    callWrongly(program);
}

std::string
broadloom::guards::makeProgram(const Case &it,
                               const std::vector<Pattern> &arguments,
                               const std::vector<Pattern> &results) {
  std::vector<std::string> types, resultTypes;
  for (size_t i = 0; i < arguments.size(); ++i)
    types.push_back(it.arguments[i].isScalar()
                        ? it.arguments[i].element
                        : arguments[i].type(it.arguments[i].element));
  for (size_t i = 0; i < results.size(); ++i)
    resultTypes.push_back(results[i].type(it.results[i]));

  auto list = [](const std::vector<std::string> &texts) {
    std::string text;
    for (const std::string &each : texts)
      text += (text.empty() ? "" : ", ") + each;
    return text;
  };
  std::vector<std::string> parameters, values;
  for (size_t i = 0; i < types.size(); ++i) {
    parameters.push_back("%" + std::to_string(i) + ": " + types[i]);
    if (i < it.argumentAttributes.size() && !it.argumentAttributes[i].empty())
      parameters.back() += " {" + it.argumentAttributes[i] + "}";
  }
  for (size_t i = 0; i < resultTypes.size(); ++i)
    values.push_back(resultTypes.size() == 1 ? "%r" : "%r" + std::to_string(i));
  std::string body;
  for (size_t i = 0; i < it.body.size(); ++i) {
    if (it.body[i] != '$') {
      body += it.body[i];
      continue;
    }
    bool isResult = it.body[i + 1] == 'r';
    i += isResult ? 2 : 1;
    size_t number = size_t(it.body[i] - '0');
    body += (isResult ? resultTypes : types).at(number);
  }
  return it.before + "func.func @f(" + list(parameters) + ") -> (" +
         list(resultTypes) + ") {\n" + body + "\nreturn " + list(values) +
         " : " + list(resultTypes) + "\n}\n";
}
