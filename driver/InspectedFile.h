//===- InspectedFile.h - what is in a program or compiled code --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outcome of Compiler::inspect. Names and attributes are the program's
// and may hold any bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECTEDFILE_H
#define BROADLOOM_DRIVER_INSPECTEDFILE_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace broadloom {

/// Attributes as MLIR prints them, by name.
using AttributeTexts = std::vector<std::pair<std::string, std::string>>;
/// Kinds of operations and how many there are, the most frequent first.
using OperationCounts = std::vector<std::pair<std::string, size_t>>;

/// An argument or a result.
struct InspectedValue {
  /// As the program writes it.
  std::string type;
  /// Empty if the type cannot cross the C ABI; the rest is then empty too.
  std::string elementType;
  bool isRanked = true;
  /// Numbers, names (abi-1) and `?`.
  std::vector<std::string> extents;
  AttributeTexts attributes;
  /// Of an argument: its name in the program; empty if it has none.
  std::string name = "";

  /// `BxTx64`, `*` where it is not ranked, and nothing for rank 0.
  std::string shape() const;
  /// The text of shape/TakesText.h with the name; the type of what is no
  /// tensor, or cannot cross the C ABI.
  std::string text() const;
};

/// A node of the model that an importer made the program from.
struct InspectedNode {
  /// The operator and the node's name, such as `Gemm layer/gemm`.
  std::string operation;
  /// `model.onnx:3:1`, where 3 is the number of the node; empty if unknown.
  std::string location;
  /// The types that it gives.
  std::vector<std::string> results;
};

struct InspectedFunction {
  std::string name;
  /// Whether it can be called from outside.
  bool isPublic = true;
  bool hasBody = true;
  std::vector<InspectedValue> arguments, results;
  AttributeTexts attributes;
  /// Operations in it, inner ones counted.
  OperationCounts operations;
  /// In the order of the program; none if nobody imported it.
  std::vector<InspectedNode> nodes = {};
};

/// A program in machine code.
struct CompiledProgram {
  /// The symbol of its table of functions.
  std::string symbol;
  int32_t abiVersion = 0;
  /// Separated by commas.
  std::string instructionSets;
  std::vector<InspectedFunction> functions;
};

struct InspectedFile {
  enum class Form { Text, Bytecode, TosaFile, Object, SharedLibrary };
  Form form = Form::Text;

  /// Of text and bytecode.
  /// The producer of the bytecode, if it names one.
  std::string producer;
  AttributeTexts attributes;
  std::vector<InspectedFunction> functions;
  /// Operations outside functions.
  OperationCounts operations;
  /// Whether `check` finds no error in the program.
  bool isAccepted = false;

  /// Of object files and shared libraries: programs that are linked in.
  std::vector<CompiledProgram> compiled;
};

/// `text`, `bytecode`, `object file` or `shared library`.
const char *formName(InspectedFile::Form form);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECTEDFILE_H
