//===- Arguments.cpp - which function is called, and with what ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks of the arguments of every call, for functions that were compiled
// in this process and for those of objects and shared libraries.
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/PickFunction.h"
#include "runtime/abi/Processor.h"
#include "runtime/calls/Call.h"
#include "runtime/calls/ElementFacts.h"
#include "runtime/calls/ElementTypes.h"
#include "runtime/memory/Space.h"
#include "shape/Memory.h"
#include "shape/TakesText.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace broadloom;

int32_t
BroadloomCall::setFunction(const BroadloomFunction &newFunction) noexcept {
  function = nullptr;
  const int32_t *types = newFunction.resultTypes;
  static_assert(sizeof(BroadloomElementType) == sizeof(int32_t),
                "the table of a program has types as they are");
  if (int32_t status =
          setResultTypes(reinterpret_cast<const BroadloomElementType *>(types),
                         newFunction.numResults))
    return status;
  function = &newFunction;
  return BROADLOOM_OK;
}

namespace {

struct FunctionRange {
  const BroadloomFunctions &program;

  const BroadloomFunction *begin() const { return program.functions; }
  const BroadloomFunction *end() const { return begin() + size(); }
  size_t size() const { return size_t(program.numFunctions); }
};

} // namespace

/// The message if `name` selects no function.
static std::string describeChoice(const FunctionRange &functions,
                                  std::string_view name) {
  if (functions.size() == 0)
    return "the program has no functions";
  std::string names;
  for (const BroadloomFunction &function : functions)
    names += std::string(names.empty() ? "" : ", ") + function.name;
  if (name.empty())
    return "the program has several functions and none is 'main'; name one of "
           "them: " +
           names;
  return "the program has no function '" + std::string(name) +
         "'; it has: " + names;
}

int32_t BroadloomCall::setFunction(const BroadloomFunctions &program,
                                   std::string_view name) noexcept {
  function = nullptr;
  forgetFailure();
  auto reject = [&](auto makeText) {
    return fail(BROADLOOM_INVALID_ARGUMENT, makeText);
  };
  if (program.abiVersion != BROADLOOM_ABI_VERSION)
    return reject([&] {
      return "the program was compiled for version " +
             std::to_string(program.abiVersion) +
             " of the runtime's interface but this runtime has version " +
             std::to_string(BROADLOOM_ABI_VERSION) +
             "; compile the program again";
    });
  if (!hasInstructionSets(program.instructionSets))
    return reject([&] {
      return "the program was compiled for a processor with " +
             missingInstructionSets(program.instructionSets) +
             ", which this one does not have; compile it on this machine";
    });
  FunctionRange functions{program};
  const BroadloomFunction *picked = pickFunction(functions, name);
  return picked ? setFunction(*picked)
                : reject([&] { return describeChoice(functions, name); });
}

void BroadloomCall::setArgumentNames(std::vector<std::string> given) noexcept {
  names = std::move(given);
}

std::string BroadloomCall::argumentText(int32_t index) const {
  bool hasName = size_t(index) < names.size();
  return broadloom::argumentText(index, hasName ? names[size_t(index)] : "");
}

int32_t BroadloomCall::refuseProgram() noexcept {
  function = nullptr;
  forgetFailure();
  return fail(BROADLOOM_INVALID_ARGUMENT, "there is no program: it is null");
}

/// The name of an entry of BroadloomFunction::argumentTypes.
static const char *typeName(int32_t declared) {
  return broadloomElementTypeName(BroadloomElementType(
      declared & ~(BROADLOOM_SIGNLESS | BROADLOOM_MEMORY)));
}

static bool hasType(const BroadloomTensor &tensor, int32_t declared) {
  BroadloomElementType type = tensor.elementType;
  declared &= ~BROADLOOM_MEMORY;
  if (declared & BROADLOOM_SIGNLESS)
    return int32_t(withoutSign(type)) == (declared & ~BROADLOOM_SIGNLESS);
  return int32_t(type) == declared;
}

/// A tensor without elements needs no memory.
static bool hasMemory(const BroadloomTensor &tensor) {
  const int64_t *end = tensor.dims + tensor.rank;
  return tensor.data || std::find(tensor.dims, end, int64_t(0)) != end;
}

/// Memory is not copied, so that its elements must be aligned (makeViews).
static bool isMisaligned(const BroadloomTensor &tensor, int32_t declared) {
  return (declared & BROADLOOM_MEMORY) &&
         !isAligned(tensor.data, getTypeBytes(tensor.elementType));
}

/// The check of every call; describeFault writes the message.
static bool isSound(const BroadloomTensor *tensor, int32_t declared,
                    bool needsMemory) {
  return tensor && hasType(*tensor, declared) &&
         uint32_t(tensor->rank) <= BROADLOOM_MAX_RANK &&
         canExist(tensor->dims, tensor->rank,
                  getTypeBytes(tensor->elementType)) &&
         (!needsMemory ||
          (hasMemory(*tensor) && !isMisaligned(*tensor, declared)));
}

/// The error about an argument for which isSound is false.
static std::string describeFault(const std::string &name,
                                 const BroadloomTensor *tensor,
                                 int32_t declared) {
  if (!tensor)
    return name + " is null";
  if (!hasType(*tensor, declared))
    return wrongTypeText(name, broadloomElementTypeName(tensor->elementType),
                         typeName(declared));
  if (uint32_t(tensor->rank) > BROADLOOM_MAX_RANK)
    return name + " has rank " + std::to_string(tensor->rank) +
           ", a tensor has 0 to " + std::to_string(BROADLOOM_MAX_RANK) +
           " axes";
  for (int32_t axis = 0; axis < tensor->rank; ++axis)
    if (tensor->dims[axis] < 0)
      return name + " has extent " + std::to_string(tensor->dims[axis]) +
             " along axis " + std::to_string(axis);
  if (!canExist(tensor->dims, tensor->rank, getTypeBytes(tensor->elementType)))
    return describeTooLarge(name, formatExtents(tensor->dims, tensor->rank));
  if (hasMemory(*tensor))
    return name + " is not aligned to its elements of " +
           std::to_string(getTypeBytes(tensor->elementType)) +
           " bytes; the function writes to it, so that it is not copied";
  return name + " has elements but its data pointer is null";
}

/// The message has element types only, because the table of a program has no
/// shapes.
static std::string describeWrongCount(const BroadloomFunction &function,
                                      int32_t given) {
  std::vector<std::string> types;
  for (int32_t i = 0; i < function.numArguments; ++i)
    types.push_back(typeName(function.argumentTypes[i]));
  return wrongCountText(size_t(std::max(given, 0)), function.name, types);
}

// The entry (broadloomEnter) checks ranks and extents.
int32_t BroadloomCall::checkArguments(const BroadloomTensor *const *arguments,
                                      int32_t count,
                                      bool needsMemory) noexcept {
  if (!function)
    return BROADLOOM_OK;
  if (count != function->numArguments)
    return fail(BROADLOOM_INVALID_ARGUMENT,
                [&] { return describeWrongCount(*function, count); });
  if (!arguments && count > 0)
    return fail(BROADLOOM_INVALID_ARGUMENT,
                [&] { return nullArrayText(size_t(count)); });
  for (int32_t i = 0; i < count; ++i)
    if (int32_t declared = function->argumentTypes[i];
        !isSound(arguments[i], declared, needsMemory))
      return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
        return describeFault(argumentText(i), arguments[i], declared);
      });
  return BROADLOOM_OK;
}

int32_t BroadloomCall::run(const BroadloomTensor *const *arguments,
                           int32_t count) noexcept {
  forgetFailure();
  if (!function)
    return fail(BROADLOOM_INVALID_ARGUMENT,
                "no function has been chosen for this call");
  if (int32_t status = checkArguments(arguments, count, /*needsMemory=*/true))
    return status;
  return run(function->entry, arguments, count);
}

int32_t BroadloomCall::computeShapes(const BroadloomTensor *const *arguments,
                                     int32_t count,
                                     BroadloomShape *results) noexcept {
  forgetFailure();
  if (!function)
    return fail(BROADLOOM_INVALID_ARGUMENT,
                "no function has been chosen for this call");
  if (!function->shapes)
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "the result shapes of '" + std::string(function->name) +
             "' are known only when it has run: " + function->whyNoShapes;
    });
  if (!results && function->numResults > 0)
    return fail(BROADLOOM_INVALID_ARGUMENT,
                "the array for the results' shapes is null");
  return computeShapes(function->shapes, arguments, count, results);
}
