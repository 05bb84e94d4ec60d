//===- Invocation.cpp - calling a compiled function -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/calls/LoadedModule.h"
#include "driver/calls/VariableValues.h"
#include "runtime/calls/Call.h"
#include "shape/TakesText.h"

#include <algorithm>

using namespace broadloom;

struct Invocation::Impl {
  /// Null if no function was found; `message` says why.
  const FunctionSignature *signature = nullptr;
  const CompiledModule *module = nullptr;
  CompiledQueries *queries;
  /// Null until the first request.
  BroadloomShapes shapes = nullptr;
  CallContext context;
  Failure failure;

  /// The state of the calls; null until the first use. The invocation's own if
  /// the caller gave none.
  State *state = nullptr;
  std::unique_ptr<State> own;
  /// The entries of `state` for the function's variables, in their order; null
  /// for one that the state, of another program, does not have.
  std::vector<State::Impl::Entry *> held;
  /// The arguments, followed by the variables.
  std::vector<const BroadloomTensor *> all;

  State &getState() {
    if (!state) {
      own = std::make_unique<State>(*module);
      use(own.get());
    }
    return *state;
  }
  void use(State *used) {
    state = used;
    held.clear();
    if (used && signature)
      for (const VariableSignature &variable : signature->variables)
        held.push_back(used->impl->find(variable.name));
  }
  /// Appends the values of the variables to the arguments. Returns a status.
  int32_t addVariables(const BroadloomTensor *const *inputs, size_t count);
  /// Calls `work` with `all`, while no other thread uses the state.
  template <typename Work>
  int32_t withVariables(const BroadloomTensor *const *inputs, size_t count,
                        Work work) {
    std::atomic<bool> &isBusy = getState().impl->isBusy;
    if (isBusy.exchange(true))
      return refuse(BROADLOOM_INVALID_ARGUMENT,
                    "the state is in use by another call; calls at the same "
                    "time need a state each");
    int32_t status = addVariables(inputs, count);
    if (status == BROADLOOM_OK)
      status = work();
    isBusy = false;
    return status;
  }
  int32_t computeShapes(const BroadloomTensor *const *given, size_t count,
                        std::vector<BroadloomShape> &shapes);
  int32_t runOnState(const BroadloomTensor *const *inputs, size_t count);
  template <typename Visit> void forEachWritten(Visit visit);
  void allowInPlace(size_t numInputs);
  int32_t takeVariables();
  /// Whether the result is the caller's: those after it are variables.
  bool isResult(size_t index) const {
    return !signature || signature->variables.empty() ||
           index < signature->results.size();
  }
  int32_t refuseResult(size_t index) {
    return refuse(BROADLOOM_INVALID_ARGUMENT,
                  "there is no result " + std::to_string(index) + "; '" +
                      signature->name + "' has " +
                      countText(signature->results.size(), "result"));
  }

  /// Keeps the failure of a status that is not BROADLOOM_OK.
  int32_t note(int32_t status) {
    if (status != BROADLOOM_OK)
      failure = context.failure();
    return status;
  }

  /// Notes a failure that does not come from the runtime.
  int32_t refuse(int32_t status, std::string message) {
    failure = Failure();
    failure.status = status;
    failure.message = std::move(message);
    return status;
  }

  /// Whether there are as many arguments as the function takes. The runtime
  /// checks that too, but its message cannot have the shapes.
  bool hasCount(const BroadloomTensor *const *inputs, size_t given) {
    if (given != signature->arguments.size())
      refuse(BROADLOOM_INVALID_ARGUMENT,
             wrongCountText(given, signature->name, argumentTexts(*signature)));
    else if (!inputs && given > 0)
      refuse(BROADLOOM_INVALID_ARGUMENT, nullArrayText(given));
    else
      return true;
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
  impl->module = &module;
  impl->queries = module.impl->queries.get();
  const BroadloomFunctions *program = module.impl->program;
  if (!program)
    impl->refuse(BROADLOOM_INVALID_ARGUMENT,
                 "the program has no public function to call");
  // The table may have more functions than the module, since callees are
  // compiled too. So the function is found by its name.
  else if (impl->note(impl->context.setFunction(
               *program, function ? function->name : name)) == BROADLOOM_OK) {
    impl->signature = function;
    impl->context.setKeptPanels(&module.impl->panels);
    if (function)
      impl->context.setArgumentNames(argumentNames(*function));
  }
}

Invocation::~Invocation() = default;

void Invocation::setThreads(int threads) { impl->context.setThreads(threads); }

void Invocation::setProfile(Profile *profile) {
  impl->context.setProfile(profile);
}

void Invocation::setState(State *state) {
  impl->use(state ? state : impl->own.get());
}

State *Invocation::state() {
  return impl->signature && !impl->signature->variables.empty()
             ? &impl->getState()
             : nullptr;
}

int32_t Invocation::setOutput(size_t index, const BroadloomTensor *output) {
  if (!impl->isResult(index))
    return impl->refuseResult(index);
  return impl->note(
      impl->context.setOutput(static_cast<int32_t>(index), output));
}

int32_t Invocation::takeResult(size_t index, BroadloomTensor *out) {
  if (!impl->isResult(index))
    return impl->refuseResult(index);
  return impl->note(impl->context.takeResult(static_cast<int32_t>(index), out));
}

int64_t Invocation::operations() const { return impl->context.operations(); }

void Invocation::cancel() { impl->context.cancel(); }

void Invocation::onPause(int32_t (*function)(void *), void *context) {
  impl->context.onPause(function, context);
}

void Invocation::pause() { impl->context.pause(); }

std::string Invocation::libraryCall() const {
  const BroadloomGuardSite *site = impl->context.getLibrarySite();
  if (!site)
    return "";
  std::string place = site->location;
  return (place.empty() ? "" : place + ": ") + "'" + site->operation + "'";
}

void Invocation::setFindsLeaks(bool wanted) {
  impl->context.setFindsLeaks(wanted);
}

const std::string &Invocation::message() const { return impl->failure.message; }

const Failure &Invocation::failure() const { return impl->failure; }

int32_t Invocation::run(const std::vector<const BroadloomTensor *> &inputs) {
  return run(inputs.data(), inputs.size());
}

int32_t Invocation::Impl::addVariables(const BroadloomTensor *const *inputs,
                                       size_t count) {
  all.assign(inputs, inputs + count);
  for (size_t i = 0; i < held.size(); ++i) {
    const State::Impl::Entry *entry = held[i];
    if (!entry)
      return refuse(BROADLOOM_INVALID_ARGUMENT,
                    "the state is of another program: it has no variable '" +
                        signature->variables[i].name + "'");
    if (!entry->isThere)
      return refuse(entry->isLost ? BROADLOOM_INVALID_ARGUMENT
                                  : BROADLOOM_OUT_OF_MEMORY,
                    State::Impl::describeMissing(*entry));
    all.push_back(&entry->value);
  }
  return BROADLOOM_OK;
}

/// Calls `visit` with each variable that the function writes, and the number of
/// its result.
template <typename Visit> void Invocation::Impl::forEachWritten(Visit visit) {
  auto index = static_cast<int32_t>(signature->results.size());
  for (size_t i = 0; i < held.size(); ++i)
    if (signature->variables[i].isWritten)
      visit(*held[i], index++);
}

/// Lets the call write the variables that share no memory with its arguments to
/// the memory that they have.
void Invocation::Impl::allowInPlace(size_t numInputs) {
  forEachWritten([&](State::Impl::Entry &entry, int32_t index) {
    bool isApart =
        std::none_of(all.begin(), all.begin() + ptrdiff_t(numInputs),
                     [&](const BroadloomTensor *input) {
                       return input && shareMemory(*input, entry.value);
                     });
    context.allowInPlace(index, isApart ? &entry.value : nullptr);
  });
}

/// Moves the variables that the function wrote to the state.
int32_t Invocation::Impl::takeVariables() {
  int32_t status = BROADLOOM_OK;
  forEachWritten([&](State::Impl::Entry &entry, int32_t index) {
    if (status != BROADLOOM_OK || context.isInPlace(index))
      return;
    BroadloomTensor value;
    status = note(context.takeResult(index, &value));
    if (status == BROADLOOM_OK)
      entry.give(value);
  });
  return status;
}

int32_t Invocation::Impl::runOnState(const BroadloomTensor *const *inputs,
                                     size_t count) {
  return withVariables(inputs, count, [&] {
    allowInPlace(count);
    int32_t status =
        note(context.run(all.data(), static_cast<int32_t>(all.size())));
    if (status == BROADLOOM_OK)
      return takeVariables();
    forEachWritten([&](State::Impl::Entry &entry, int32_t index) {
      entry.isLost = context.isInPlace(index);
      entry.isThere &= !entry.isLost;
    });
    return status;
  });
}

int32_t Invocation::run(const BroadloomTensor *const *inputs, size_t count) {
  if (!impl->signature)
    return BROADLOOM_INVALID_ARGUMENT;
  if (!impl->hasCount(inputs, count))
    return BROADLOOM_INVALID_ARGUMENT;
  if (!impl->signature->variables.empty())
    return impl->runOnState(inputs, count);
  return impl->note(impl->context.run(inputs, static_cast<int32_t>(count)));
}

int32_t Invocation::Impl::computeShapes(const BroadloomTensor *const *given,
                                        size_t count,
                                        std::vector<BroadloomShape> &answer) {
  return note(context.computeShapes(shapes, given, static_cast<int32_t>(count),
                                    answer.data()));
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
  if (!impl->hasCount(inputs.data(), inputs.size()))
    return BROADLOOM_INVALID_ARGUMENT;
  size_t numResults = impl->signature->results.size();
  if (impl->signature->variables.empty()) {
    shapes.resize(numResults);
    return impl->computeShapes(inputs.data(), inputs.size(), shapes);
  }
  // Compiled code returns the variables that it writes after the results.
  return impl->withVariables(inputs.data(), inputs.size(), [&] {
    shapes.resize(numResults + impl->signature->variables.size());
    int32_t status =
        impl->computeShapes(impl->all.data(), impl->all.size(), shapes);
    shapes.resize(numResults);
    return status;
  });
}
