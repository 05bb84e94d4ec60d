//===- FunctionSignature.h - what functions take and return -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_FUNCTIONSIGNATURE_H
#define BROADLOOM_DRIVER_FUNCTIONSIGNATURE_H

#include "runtime/calls/Tensor.h"
#include "shape/Shape.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

/// An argument or result as the program declares it.
struct TensorSignature {
  BroadloomElementType elementType;
  /// Whether the type is signless: it then accepts signed and unsigned
  /// integers.
  bool signless = true;
  Shape shape;
  /// Of an argument: the name of each extent (abi-1), empty where it has none;
  /// no entries where there are no names at all.
  std::vector<std::string> names = {};
  /// Of an argument: its name in the program (dialect/ArgumentName.h); empty if
  /// it has none.
  std::string name = "";
  /// Whether the program has it as a number, `f64` and not `tensor<f64>`.
  bool isScalar = false;
  /// Whether it is memory (mem-1): of an argument, the caller's own, which the
  /// function reads and writes.
  bool isMemory = false;
  /// Of memory that is an argument: whether no call writes it (mem-17).
  bool isReadOnly = false;
};

/// A variable that a function uses (`tosa.variable`, driver/State.h).
struct VariableSignature {
  std::string name;
  TensorSignature type;
  bool isWritten = false;
  /// The value that it has first: its extents, and its elements in row-major
  /// order, one where all are equal, and none for zeros.
  std::vector<int64_t> initialExtents;
  std::string initial;
};

struct FunctionSignature {
  std::string name;
  std::vector<TensorSignature> arguments;
  std::vector<TensorSignature> results;
  /// Compiled code takes the variables after the arguments, and returns those
  /// that it writes after the results. An Invocation passes and keeps them.
  std::vector<VariableSignature> variables;
  /// Why the function has no shape query (Invocation::resultShapes); empty if
  /// it has one.
  std::string whyNoShapes;
  /// The bytes that each call needs for those temporaries whose sizes the types
  /// tell, which live in one piece of memory (decision 46). Others are
  /// allocated while the function runs.
  int64_t plannedBytes = 0;
};

/// The type as text: `tensor<4x?xf32>`, `memref<4x?xf32>` of memory, and `i64`
/// of a number, also of one of type `index`, as which callers give it.
std::string typeText(const TensorSignature &value);

/// The arguments of `function` as text, with their names, as in messages and
/// `broadloom inspect` (shape/TakesText.h).
std::vector<std::string> argumentTexts(const FunctionSignature &function);
/// The names of its arguments, empty ones among them.
std::vector<std::string> argumentNames(const FunctionSignature &function);

/// The function of that name; for an empty name the only function, or `main`.
/// Null if there is no such function, or several that could be meant.
const FunctionSignature *
findFunction(const std::vector<FunctionSignature> &functions,
             std::string_view name = {});

} // namespace broadloom

#endif // BROADLOOM_DRIVER_FUNCTIONSIGNATURE_H
