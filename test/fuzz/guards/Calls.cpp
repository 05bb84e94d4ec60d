//===- Calls.cpp - calls of a program against its rules -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/State.h"
#include "test/fuzz/guards/Check.h"

#include <iostream>

using namespace broadloom;
using namespace broadloom::guards;

static BroadloomElementType elementType(const std::string &name) {
  if (name == "index")
    return BROADLOOM_I64;
  for (int type = BROADLOOM_I1; type <= BROADLOOM_F64; ++type)
    if (name == broadloomElementTypeName(BroadloomElementType(type)))
      return BroadloomElementType(type);
  std::cerr << "guards: no element type is called " << name << '\n';
  std::exit(2);
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

static Extents extentsOf(const BroadloomShape &shape) {
  return Extents(shape.extents, shape.extents + shape.rank);
}

/// What is wrong with the shapes that are told without a call (abi-2), or
/// nothing.
static std::string
checkShapesAlone(Invocation &invocation,
                 const std::vector<const BroadloomTensor *> &arguments,
                 const Verdict &verdict) {
  std::vector<BroadloomShape> shapes;
  int32_t status = invocation.resultShapes(arguments, shapes);
  if ((status == BROADLOOM_OK) != verdict.has_value())
    return "of the shapes alone: " + statusText(status, invocation);
  for (size_t i = 0; verdict && i < verdict->size(); ++i)
    if (extentsOf(shapes[i]) != (*verdict)[i])
      return "of the shapes alone: " + toText(extentsOf(shapes[i]));
  return "";
}

/// Results of every other call go to memory of the caller's. Which shape that
/// needs is not known where the call is refused: then the output may be what
/// is wrong. Returns whether they do.
bool Checker::giveOutputs(Program &program, const Verdict &verdict,
                          int64_t number) {
  bool given = verdict ? number % 2 == 0 : number % 8 == 0;
  for (size_t i = 0; i < program.it.results.size(); ++i) {
    if (!given) {
      program.invocation->setOutput(i, nullptr);
      continue;
    }
    Extents extents =
        verdict ? (*verdict)[i] : Extents(program.results[i].extents.size(), 1);
    BroadloomTensor output =
        outputs[i].prepare(elementType(program.it.results[i]), extents,
                           Layout(number / 2 % kLayouts));
    program.invocation->setOutput(i, &output);
  }
  return given;
}

/// Calls the program. What is wrong with that, or nothing.
std::string
Checker::checkRun(Program &program,
                  const std::vector<const BroadloomTensor *> &inputs,
                  const Verdict &verdict, bool given) {
  Invocation &invocation = *program.invocation;
  int32_t status = invocation.run(inputs);
  if ((status == BROADLOOM_OK) != verdict.has_value() ||
      (!verdict && !given && status != BROADLOOM_GUARD_FAILED) ||
      (!verdict && invocation.message().empty()))
    return statusText(status, invocation);
  for (size_t i = 0; i < program.it.results.size(); ++i) {
    if (given && !outputs[i].isClean(/*untouched=*/!verdict))
      return "something written outside result " + std::to_string(i) + ", " +
             statusText(status, invocation);
    if (!verdict)
      continue;
    BroadloomTensor result;
    invocation.takeResult(i, &result);
    Extents extents(result.dims, result.dims + result.rank);
    broadloomTensorRelease(&result);
    if (extents != (*verdict)[i])
      return toText(extents);
  }
  return "";
}

/// Returns false where something was found.
bool Checker::callOnState(Program &program, const Inputs &inputs) {
  Verdict verdict = program.judge(inputs);
  underwayInputs = &inputs;
  int64_t number = program.calls++;
  ++(verdict ? tally.accepted : tally.refused);

  std::vector<BroadloomTensor> tensors;
  std::vector<const BroadloomTensor *> pointers;
  for (size_t i = 0; i < inputs.shapes.size(); ++i) {
    BroadloomElementType type = elementType(program.it.arguments[i].element);
    tensors.push_back(place(pagesOf(type, inputs.values[i]), type,
                            inputs.shapes[i],
                            Layout((number + int64_t(i)) % kLayouts)));
  }
  for (const BroadloomTensor &tensor : tensors)
    pointers.push_back(&tensor);

  bool given = giveOutputs(program, verdict, number);
  std::string wrong;
  if (program.hasShapes)
    wrong = checkShapesAlone(*program.invocation, pointers, verdict);
  if (wrong.empty())
    wrong = checkRun(program, pointers, verdict, given);
  if (!wrong.empty())
    reportCall(program, inputs, verdict, wrong);
  return wrong.empty();
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
