//===- SignatureJson.cpp - signatures of functions as JSON ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/saved/SignatureJson.h"

#include "runtime/abi/Abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/MathExtras.h"

using namespace broadloom;

static llvm::json::Value write(const TensorSignature &tensor) {
  llvm::json::Object object{{"type", int64_t(tensor.elementType)},
                            {"signless", tensor.signless},
                            {"shape", toString(tensor.shape)}};
  if (!tensor.name.empty())
    object["name"] = tensor.name;
  if (tensor.isScalar)
    object["scalar"] = true;
  if (tensor.isMemory)
    object["memory"] = true;
  if (tensor.isReadOnly)
    object["readOnly"] = true;
  if (!tensor.names.empty())
    object["names"] = llvm::json::Array(tensor.names);
  if (tensor.shape.isRanked())
    object["rank"] = int64_t(tensor.shape.rank());
  return object;
}

static llvm::json::Array write(const std::vector<TensorSignature> &tensors) {
  llvm::json::Array array;
  for (const TensorSignature &tensor : tensors)
    array.push_back(write(tensor));
  return array;
}

static bool read(const llvm::json::Value &value, TensorSignature &tensor) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return false;
  auto type = object->getInteger("type");
  auto shape = object->getString("shape");
  if (!type || *type < 0 || *type > BROADLOOM_F64 || !shape)
    return false;
  tensor.elementType = BroadloomElementType(*type);
  tensor.signless = object->getBoolean("signless").value_or(true);
  tensor.isScalar = object->getBoolean("scalar").value_or(false);
  tensor.isMemory = object->getBoolean("memory").value_or(false);
  tensor.isReadOnly = object->getBoolean("readOnly").value_or(false);
  auto rank = object->getInteger("rank");
  std::optional<Shape> parsed =
      rank && *rank == 0 ? Shape(nullptr, 0) : parseShape(*shape);
  if (!parsed)
    return false;
  tensor.shape = std::move(*parsed);
  tensor.name = object->getString("name").value_or("").str();
  if (const llvm::json::Array *names = object->getArray("names"))
    for (const llvm::json::Value &name : *names)
      tensor.names.push_back(name.getAsString().value_or("").str());
  return true;
}

static bool read(const llvm::json::Array *array,
                 std::vector<TensorSignature> &tensors) {
  return array && llvm::all_of(*array, [&](const llvm::json::Value &value) {
           return read(value, tensors.emplace_back());
         });
}

static llvm::json::Array write(const std::vector<VariableSignature> &list) {
  llvm::json::Array array;
  for (const VariableSignature &variable : list)
    array.push_back(llvm::json::Object{
        {"name", variable.name},
        {"type", write(variable.type)},
        {"written", variable.isWritten},
        {"extents", llvm::json::Array(variable.initialExtents)},
        {"initial", llvm::encodeBase64(variable.initial)}});
  return array;
}

static bool read(const llvm::json::Value &value, VariableSignature &variable) {
  const llvm::json::Object *object = value.getAsObject();
  const llvm::json::Value *type = object ? object->get("type") : nullptr;
  auto initial = object ? object->getString("initial") : std::nullopt;
  const llvm::json::Array *extents =
      object ? object->getArray("extents") : nullptr;
  std::vector<char> bytes;
  if (!type || !read(*type, variable.type) || !initial || !extents ||
      llvm::errorToBool(llvm::decodeBase64(*initial, bytes)))
    return false;
  variable.name = object->getString("name").value_or("").str();
  variable.isWritten = object->getBoolean("written").value_or(false);
  variable.initial.assign(bytes.begin(), bytes.end());
  int64_t element = broadloomElementBytes(variable.type.elementType);
  int64_t all = element, given = int64_t(bytes.size());
  bool isCounted = true;
  for (const llvm::json::Value &extent : *extents) {
    int64_t number = extent.getAsInteger().value_or(-1);
    if (number < 0)
      return false;
    isCounted &= !llvm::MulOverflow(all, number, all);
    variable.initialExtents.push_back(number);
  }
  return extents->size() <= BROADLOOM_MAX_RANK &&
         (given == 0 || given == element || (isCounted && given == all));
}

llvm::json::Array
broadloom::toJson(const std::vector<FunctionSignature> &list) {
  llvm::json::Array array;
  for (const FunctionSignature &function : list)
    array.push_back(llvm::json::Object{{"name", function.name},
                                       {"arguments", write(function.arguments)},
                                       {"results", write(function.results)},
                                       {"variables", write(function.variables)},
                                       {"no_shapes", function.whyNoShapes}});
  return array;
}

bool broadloom::fromJson(const llvm::json::Array *array,
                         std::vector<FunctionSignature> &list) {
  return array && llvm::all_of(*array, [&](const llvm::json::Value &value) {
           const llvm::json::Object *object = value.getAsObject();
           if (!object)
             return false;
           FunctionSignature &function = list.emplace_back();
           function.name = object->getString("name").value_or("").str();
           function.whyNoShapes =
               object->getString("no_shapes").value_or("").str();
           if (const llvm::json::Array *variables =
                   object->getArray("variables"))
             for (const llvm::json::Value &variable : *variables)
               if (!read(variable, function.variables.emplace_back()))
                 return false;
           return read(object->getArray("arguments"), function.arguments) &&
                  read(object->getArray("results"), function.results);
         });
}
