//===- State.cpp - the variables of a program, from call to call ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/calls/VariableValues.h"
#include "runtime/calls/Call.h"
#include "runtime/memory/Arena.h"
#include "runtime/memory/Fill.h"
#include "runtime/memory/StridedCopy.h"
#include "shape/TakesText.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

static BroadloomTensor emptyTensor() {
  BroadloomTensor tensor{};
  broadloomTensorRelease(&tensor);
  return tensor;
}

State::Impl::~Impl() {
  for (Entry &entry : entries)
    broadloomTensorRelease(&entry.value);
}

State::Impl::Entry *State::Impl::find(std::string_view name) {
  auto it =
      std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) {
        return entry.variable->name == name;
      });
  return it == entries.end() ? nullptr : &*it;
}

int32_t State::Impl::reset(Entry &entry) {
  const VariableSignature &variable = *entry.variable;
  BroadloomTensor value;
  int32_t status = broadloomTensorCreate(
      variable.type.elementType,
      static_cast<int32_t>(variable.initialExtents.size()),
      variable.initialExtents.data(), &value);
  if (status != BROADLOOM_OK)
    return refuse(status, "there is no memory for the variable '" +
                              variable.name + "'");
  size_t element = size_t(broadloomElementBytes(value.elementType));
  size_t bytes = size_t(broadloomTensorCount(&value)) * element;
  char *data = static_cast<char *>(value.data);
  if (bytes != 0 && variable.initial.empty())
    std::memset(data, 0, bytes);
  else if (bytes != 0 && variable.initial.size() == element)
    fillSplat(data, variable.initial.data(), broadloomTensorCount(&value),
              int32_t(element));
  else if (bytes != 0)
    std::memcpy(data, variable.initial.data(), bytes);
  entry.give(value);
  return BROADLOOM_OK;
}

State::State(const CompiledModule &module) : impl(std::make_unique<Impl>()) {
  for (const FunctionSignature &function : module.functions())
    for (const VariableSignature &variable : function.variables)
      if (!impl->find(variable.name))
        impl->entries.push_back({&variable, emptyTensor()});
  (void)reset();
}

State::~State() = default;

std::vector<std::string> State::names() const {
  std::vector<std::string> names;
  for (const Impl::Entry &entry : impl->entries)
    names.push_back(entry.variable->name);
  return names;
}

const BroadloomTensor *State::get(std::string_view name) const {
  const Impl::Entry *entry = impl->find(name);
  return entry && !impl->isBusy && entry->isThere ? &entry->value : nullptr;
}

static std::string describeValue(const BroadloomTensor &value) {
  return tensorText(Shape::fromIntegers(value.dims, value.rank), {},
                    broadloomElementTypeName(value.elementType));
}

static bool fits(const TensorSignature &type, const BroadloomTensor &value) {
  if (value.elementType != type.elementType ||
      size_t(value.rank) != type.shape.rank())
    return false;
  for (size_t axis = 0; axis < type.shape.rank(); ++axis)
    if (type.shape[axis].isFixed() &&
        !type.shape[axis].isFixed(value.dims[axis]))
      return false;
  return true;
}

const TensorSignature *State::type(std::string_view name) const {
  const Impl::Entry *entry = impl->find(name);
  return entry ? &entry->variable->type : nullptr;
}

int32_t State::Impl::copy(std::string_view name, const BroadloomTensor &from,
                          BroadloomTensor &to) {
  int32_t status =
      broadloomTensorCreate(from.elementType, from.rank, from.dims, &to);
  int64_t bytes = broadloomElementBytes(from.elementType);
  Arena arena;
  if (status == BROADLOOM_OK && broadloomTensorCount(&from) != 0 &&
      !copyStrided(arena, /*threads=*/1, from.dims, from.rank, bytes,
                   {static_cast<char *>(to.data), to.dims + to.rank},
                   {static_cast<char *>(from.data) + from.offset * bytes,
                    from.dims + from.rank})) {
    broadloomTensorRelease(&to);
    status = BROADLOOM_OUT_OF_MEMORY;
  }
  return status == BROADLOOM_OK ? status : refuseMemory(status, name);
}

int32_t State::copy(std::string_view name, BroadloomTensor &out) {
  Impl::Entry *entry = impl->find(name);
  if (!entry)
    return impl->refuseName(name);
  if (int32_t status = impl->take())
    return status;
  int32_t status = entry->isThere ? impl->copy(name, entry->value, out)
                   : entry->isLost
                       ? impl->refuse(BROADLOOM_INVALID_ARGUMENT,
                                      Impl::describeMissing(*entry))
                       : impl->refuseMemory(BROADLOOM_OUT_OF_MEMORY, name);
  impl->isBusy = false;
  return status;
}

int32_t State::Impl::copyFitting(std::string_view name,
                                 const BroadloomTensor &from,
                                 BroadloomTensor &to) {
  const Entry *entry = find(name);
  if (!entry)
    return refuseName(name);
  const TensorSignature &type = entry->variable->type;
  if (!fits(type, from))
    return refuse(BROADLOOM_INVALID_ARGUMENT,
                  "the variable '" + std::string(name) + "' is " +
                      tensorText(type.shape, {},
                                 broadloomElementTypeName(type.elementType)) +
                      ", but the value given is " + describeValue(from));
  return copy(name, from, to);
}

int32_t State::set(std::string_view name, const BroadloomTensor &value) {
  return set(std::vector<std::string_view>{name},
             std::vector<const BroadloomTensor *>{&value});
}

int32_t State::set(const std::vector<std::string_view> &names,
                   const std::vector<const BroadloomTensor *> &values) {
  // All steps that can fail run first, so that a failure changes no variable.
  std::vector<BroadloomTensor> copied;
  int32_t status = BROADLOOM_OK;
  for (size_t i = 0; status == BROADLOOM_OK && i < names.size(); ++i) {
    BroadloomTensor value;
    status = impl->copyFitting(names[i], *values[i], value);
    if (status == BROADLOOM_OK)
      copied.push_back(value);
  }
  if (status == BROADLOOM_OK)
    status = impl->take();
  if (status != BROADLOOM_OK) {
    for (BroadloomTensor &value : copied)
      broadloomTensorRelease(&value);
    return status;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    impl->find(names[i])->give(copied[i]);
  }
  impl->isBusy = false;
  return BROADLOOM_OK;
}

int32_t State::reset() {
  if (int32_t status = impl->take())
    return status;
  int32_t status = BROADLOOM_OK;
  // A function can be called where there is no memory for the variables of
  // others.
  for (Impl::Entry &entry : impl->entries)
    if (int32_t failed = impl->reset(entry); status == BROADLOOM_OK)
      status = failed;
  impl->isBusy = false;
  return status;
}

const std::string &State::message() const { return impl->message; }
