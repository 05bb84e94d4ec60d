//===- Invocation.cpp - calling a compiled function -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CompilerImpl.h"
#include "shape/TakesText.h"

using namespace broadloom;

struct Invocation::Impl {
  /// Null where no function has been found; `message` says why.
  const FunctionSignature *signature = nullptr;
  ShapeQueries *queries;
  /// Null until it is asked for.
  BroadloomShapes shapes = nullptr;
  CallContext context;
  Failure failure;

  /// Keeps the failure of a status that is not BROADLOOM_OK.
  int32_t note(int32_t status) {
    if (status != BROADLOOM_OK)
      failure = context.failure();
    return status;
  }

  /// A failure that the runtime knows nothing of.
  int32_t refuse(int32_t status, std::string message) {
    failure = Failure();
    failure.status = status;
    failure.message = std::move(message);
    return status;
  }

  /// Whether there are as many arguments as the function takes. The runtime
  /// sees that too, but does not know their shapes.
  bool hasCount(size_t given) {
    if (given == signature->arguments.size())
      return true;
    refuse(BROADLOOM_INVALID_ARGUMENT,
           wrongCountText(given, signature->name, argumentTexts(*signature)));
    return false;
  }
};

Invocation::Invocation(const CompiledModule &module,
                       const FunctionSignature &function)
    : impl(std::make_unique<Impl>()) {
  choose(module, &function, function.name);
}

Invocation::Invocation(const CompiledModule &module, std::string_view name)
    : impl(std::make_unique<Impl>()) {
  choose(module, module.function(name), name);
}

void Invocation::choose(const CompiledModule &module,
                        const FunctionSignature *function,
                        std::string_view name) {
  impl->queries = module.impl->queries.get();
  const BroadloomFunctions *program = module.impl->program;
  if (!program)
    impl->refuse(BROADLOOM_INVALID_ARGUMENT,
                 "the program has no public function to call");
  // There may be more functions in the table than in the module: what one of
  // those calls is compiled, too. So it is found by its name.
  else if (impl->note(impl->context.setFunction(
               *program, function ? function->name : name)) == BROADLOOM_OK)
    impl->signature = function;
}

Invocation::~Invocation() = default;

void Invocation::setThreads(int threads) { impl->context.setThreads(threads); }

int32_t Invocation::setOutput(size_t index, const BroadloomTensor *output) {
  return impl->note(
      impl->context.setOutput(static_cast<int32_t>(index), output));
}

int32_t Invocation::takeResult(size_t index, BroadloomTensor *out) {
  return impl->note(impl->context.takeResult(static_cast<int32_t>(index), out));
}

int64_t Invocation::operations() const { return impl->context.operations(); }

void Invocation::cancel() { impl->context.cancel(); }

const std::string &Invocation::message() const { return impl->failure.message; }

const Failure &Invocation::failure() const { return impl->failure; }

int32_t Invocation::run(const std::vector<const BroadloomTensor *> &inputs) {
  return run(inputs.data(), inputs.size());
}

int32_t Invocation::run(const BroadloomTensor *const *inputs, size_t count) {
  if (!impl->signature)
    return BROADLOOM_INVALID_ARGUMENT;
  if (!impl->hasCount(count))
    return BROADLOOM_INVALID_ARGUMENT;
  return impl->note(impl->context.run(inputs, static_cast<int32_t>(count)));
}

int32_t Invocation::findShapeQuery() {
  const FunctionSignature &function = *impl->signature;
  if (!function.whyNoShapes.empty())
    return impl->refuse(
        BROADLOOM_INVALID_ARGUMENT,
        "the result shapes of '" + function.name +
            "' are known only when it has run: " + function.whyNoShapes);
  std::string error;
  impl->shapes = impl->queries->get(function.name, error);
  return impl->shapes ? int32_t(BROADLOOM_OK)
                      : impl->refuse(BROADLOOM_INTERNAL_ERROR, error);
}

int32_t
Invocation::resultShapes(const std::vector<const BroadloomTensor *> &inputs,
                         std::vector<BroadloomShape> &shapes) {
  if (!impl->signature)
    return BROADLOOM_INVALID_ARGUMENT;
  if (!impl->shapes)
    if (int32_t status = findShapeQuery())
      return status;
  if (!impl->hasCount(inputs.size()))
    return BROADLOOM_INVALID_ARGUMENT;
  shapes.resize(impl->signature->results.size());
  return impl->note(impl->context.computeShapes(
      impl->shapes, inputs.data(), static_cast<int32_t>(inputs.size()),
      shapes.data()));
}
