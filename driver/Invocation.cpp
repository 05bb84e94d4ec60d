//===- Invocation.cpp - calling a compiled function -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CompilerImpl.h"

using namespace broadloom;

struct Invocation::Impl {
  const FunctionSignature *signature;
  /// Null for a function of another module.
  BroadloomEntry entry;
  Companions *companions;
  /// Null until it is asked for.
  BroadloomShapes shapes = nullptr;
  CallContext context;
  std::string message;
};

Invocation::Invocation(const CompiledModule &module,
                       const FunctionSignature &function)
    : impl(std::make_unique<Impl>()) {
  impl->signature = &function;
  impl->entry = module.impl->entries.lookup(function.name);
  impl->companions = module.impl->companions.get();
  std::vector<BroadloomElementType> types;
  for (const TensorSignature &result : function.results)
    types.push_back(result.elementType);
  impl->context.setResultTypes(types.data(),
                               static_cast<int32_t>(types.size()));
}

Invocation::~Invocation() = default;

void Invocation::setThreads(int threads) { impl->context.setThreads(threads); }

int32_t Invocation::setOutput(size_t index, const BroadloomTensor *output) {
  int32_t status = impl->context.setOutput(static_cast<int32_t>(index), output);
  if (status != BROADLOOM_OK)
    impl->message = impl->context.failure().message;
  return status;
}

int32_t Invocation::takeResult(size_t index, BroadloomTensor *out) {
  return impl->context.takeResult(static_cast<int32_t>(index), out);
}

int64_t Invocation::operations() const { return impl->context.operations(); }

const std::string &Invocation::message() const { return impl->message; }

/// The type of the other sign and the same width, for signless integers.
static BroadloomElementType withoutSign(BroadloomElementType type) {
  switch (type) {
  case BROADLOOM_U8:
    return BROADLOOM_I8;
  case BROADLOOM_U16:
    return BROADLOOM_I16;
  case BROADLOOM_U32:
    return BROADLOOM_I32;
  case BROADLOOM_U64:
    return BROADLOOM_I64;
  default:
    return type;
  }
}

// Ranks and extents are the entry's to check (broadloomEnter).
int32_t Invocation::checkArguments(const BroadloomTensor *const *inputs,
                                   size_t count) {
  const FunctionSignature &function = *impl->signature;
  auto reject = [&](std::string text) {
    impl->message = std::move(text);
    return BROADLOOM_INVALID_ARGUMENT;
  };
  if (count != function.arguments.size())
    return reject("'" + function.name + "' takes " +
                  std::to_string(function.arguments.size()) +
                  " arguments but " + std::to_string(count) + " are given");
  for (size_t i = 0; i < count; ++i) {
    const TensorSignature &declared = function.arguments[i];
    const BroadloomTensor &actual = *inputs[i];
    BroadloomElementType type = declared.signless
                                    ? withoutSign(actual.elementType)
                                    : actual.elementType;
    if (type != declared.elementType)
      return reject("argument " + std::to_string(i) + " has element type " +
                    broadloomElementTypeName(actual.elementType) +
                    " but the function takes " +
                    broadloomElementTypeName(declared.elementType));
  }
  return BROADLOOM_OK;
}

int32_t Invocation::run(const std::vector<const BroadloomTensor *> &inputs) {
  return run(inputs.data(), inputs.size());
}

int32_t Invocation::run(const BroadloomTensor *const *inputs, size_t count) {
  int32_t status = checkArguments(inputs, count);
  if (status != BROADLOOM_OK)
    return status;
  if (!impl->entry) {
    impl->message = "'" + impl->signature->name +
                    "' is no function of the module that it is called in";
    return BROADLOOM_INVALID_ARGUMENT;
  }
  status = impl->context.run(impl->entry, inputs, static_cast<int32_t>(count));
  if (status != BROADLOOM_OK)
    impl->message = impl->context.failure().message;
  return status;
}

bool Invocation::findCompanion() {
  const FunctionSignature &function = *impl->signature;
  if (!function.whyNoShapes.empty()) {
    impl->message = "the result shapes of '" + function.name +
                    "' are known only when it has run: " + function.whyNoShapes;
    return false;
  }
  impl->shapes = impl->companions->get(function.name, impl->message);
  return impl->shapes != nullptr;
}

int32_t
Invocation::resultShapes(const std::vector<const BroadloomTensor *> &inputs,
                         std::vector<BroadloomShape> &shapes) {
  int32_t status = checkArguments(inputs.data(), inputs.size());
  if (status != BROADLOOM_OK)
    return status;
  if (!impl->shapes && !findCompanion())
    return BROADLOOM_INVALID_ARGUMENT;
  shapes.resize(impl->signature->results.size());
  status = impl->context.computeShapes(impl->shapes, inputs.data(),
                                       static_cast<int32_t>(inputs.size()),
                                       shapes.data());
  if (status != BROADLOOM_OK)
    impl->message = impl->context.failure().message;
  return status;
}
