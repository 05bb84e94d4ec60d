//===- CApiState.cpp - variables from C -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/capi/Handles.h"

using namespace broadloom;

BroadloomState *broadloomStateCreate(const BroadloomModule *module) {
  return new BroadloomState(*module->module);
}

void broadloomStateDestroy(BroadloomState *state) { delete state; }

int32_t broadloomStateNumVariables(const BroadloomState *state) {
  return static_cast<int32_t>(state->names.size());
}

const char *broadloomStateName(const BroadloomState *state, int32_t index) {
  return index >= 0 && size_t(index) < state->names.size()
             ? state->names[size_t(index)].c_str()
             : nullptr;
}

const BroadloomTensor *broadloomStateGet(const BroadloomState *state,
                                         const char *name) {
  return name ? state->state.get(name) : nullptr;
}

int32_t broadloomStateCopy(BroadloomState *state, const char *name,
                           BroadloomTensor *out) {
  return name && out ? state->state.copy(name, *out)
                     : int32_t(BROADLOOM_INVALID_ARGUMENT);
}

int32_t broadloomStateElementType(const BroadloomState *state,
                                  const char *name) {
  const TensorSignature *type = name ? state->state.type(name) : nullptr;
  return type ? int32_t(type->elementType) : -1;
}

int32_t broadloomStateSet(BroadloomState *state, const char *name,
                          const BroadloomTensor *value) {
  if (!name || !value)
    return BROADLOOM_INVALID_ARGUMENT;
  return state->state.set(name, *value);
}

int32_t broadloomStateSetAll(BroadloomState *state, int32_t count,
                             const char *const *names,
                             const BroadloomTensor *const *values) {
  if (count < 0 || (count > 0 && (!names || !values)))
    return BROADLOOM_INVALID_ARGUMENT;
  std::vector<std::string_view> called;
  for (int32_t i = 0; i < count; ++i) {
    if (!names[i] || !values[i])
      return BROADLOOM_INVALID_ARGUMENT;
    called.push_back(names[i]);
  }
  return state->state.set(called, {values, values + count});
}

int32_t broadloomStateReset(BroadloomState *state) {
  return state->state.reset();
}

const char *broadloomStateMessage(const BroadloomState *state) {
  return state->state.message().c_str();
}
