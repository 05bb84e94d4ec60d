//===- CApiData.cpp - errors and signatures as C has them -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/capi/Handles.h"
#include "shape/ReadMessage.h"
#include "shape/TakesText.h"

using namespace broadloom;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

OwnedError::OwnedError(const Failure &failure)
    : location(failure.location), operation(failure.operation),
      extents(failure.values) {
  std::string_view message = failure.message;
  if (!location.empty() && message.substr(0, location.size()) == location)
    message.remove_prefix(std::min(message.size(), location.size() + 2));
  takeOperation(message);
  text = message;
  error.status = failure.status;
  error.axis = failure.axis;
  // An argument or an output that does not fit the function's types fails
  // without a guard (shape/Message.h, describeArgument).
  error.isAboutShapes = failure.status == BROADLOOM_GUARD_FAILED ||
                        text.find(" has shape ") != text.npos;
  readText();
}

OwnedError::OwnedError(const ProgramDiagnostic &diagnostic)
    : location(diagnostic.location), operation(diagnostic.operation),
      text(diagnostic.message) {
  error.severity = static_cast<int32_t>(diagnostic.severity);
  error.axis = -1;
  error.isAboutShapes = diagnostic.isAboutShapes;
  readText();
}

void OwnedError::readText() {
  if (auto conflict = readConflict(text)) {
    error.axis = static_cast<int32_t>(conflict->axis);
    extents = std::move(conflict->extents);
    operands = std::move(conflict->operands);
  }
  borrow();
}

void OwnedError::borrow() {
  for (const std::string &operand : operands)
    operandTexts.push_back(operand.c_str());
  error.location = location.c_str();
  error.operation = operation.c_str();
  error.text = text.c_str();
  error.numExtents = static_cast<int32_t>(extents.size());
  error.extents = extents.empty() ? nullptr : extents.data();
  error.numOperands = static_cast<int32_t>(operands.size());
  error.operands = operands.empty() ? nullptr : operandTexts.data();
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

struct OwnedFunctions::Value {
  std::vector<int64_t> extents;
  std::vector<const char *> names;
  std::string text;
  std::string called;
};

struct OwnedFunctions::Function {
  std::vector<Value> values;
  std::vector<BroadloomValueInfo> infos;
};

OwnedFunctions::~OwnedFunctions() = default;

OwnedFunctions::OwnedFunctions(
    const std::vector<FunctionSignature> &signatures) {
  for (const FunctionSignature &signature : signatures) {
    auto &owned = *functions.emplace_back(std::make_unique<Function>());
    size_t count = signature.arguments.size() + signature.results.size();
    owned.values.reserve(count);
    owned.infos.reserve(count);
    for (const auto *list : {&signature.arguments, &signature.results})
      for (const TensorSignature &given : *list) {
        size_t index = owned.values.size();
        Value &value = owned.values.emplace_back();
        bool isRanked = given.shape.isRanked();
        if (isRanked)
          for (Extent extent : given.shape)
            value.extents.push_back(extent.isFixed() ? extent.value() : -1);
        for (const std::string &name : given.names)
          value.names.push_back(name.c_str());
        value.text = typeText(given);
        if (list == &signature.arguments)
          value.called = argumentText(int64_t(index), given.name);
        owned.infos.push_back(
            {given.elementType, given.signless,
             isRanked ? static_cast<int32_t>(given.shape.rank()) : -1,
             isRanked ? value.extents.data() : nullptr,
             value.names.empty() ? nullptr : value.names.data(),
             value.text.c_str(), given.name.c_str(), value.called.c_str(),
             given.isMemory, given.isReadOnly});
      }
    infos.push_back({signature.name.c_str(),
                     static_cast<int32_t>(signature.arguments.size()),
                     static_cast<int32_t>(signature.results.size()),
                     owned.infos.data(),
                     owned.infos.data() + signature.arguments.size(),
                     signature.whyNoShapes.c_str(), signature.plannedBytes});
  }
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static Failure asFailure(const ShapeQueryResult &result) {
  Failure failure;
  failure.status = result.status;
  failure.message = result.message;
  // `file:line:column: 'tosa.add': text`
  size_t end = result.message.find(": '");
  if (result.status == BROADLOOM_GUARD_FAILED && end != std::string::npos) {
    std::string_view rest = std::string_view(result.message).substr(end + 2);
    failure.location = result.message.substr(0, end);
    failure.operation = takeOperation(rest);
  }
  return failure;
}

OwnedShapes::OwnedShapes(ShapeQueryResult given)
    : result(std::move(given)), error(asFailure(result)) {
  extents.reserve(result.results.size());
  for (const ShapeQueryResult::Result &shape : result.results) {
    auto &list = extents.emplace_back();
    for (const ExtentAnswer &extent : shape.extents)
      list.push_back(
          {extent.text.c_str(), extent.number.value_or(-1), extent.isBound});
    answers.push_back({shape.elementType,
                       shape.isRanked ? static_cast<int32_t>(list.size()) : -1,
                       list.data()});
  }
}
