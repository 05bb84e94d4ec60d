//===- MemoryOutputs.cpp - what arguments hold after a call ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/MemoryOutputs.h"

#include "shape/TakesText.h"
#include "tools/io/Npy.h"
#include "tools/io/PrintTensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using namespace broadloom::tool;

/// The argument of that number or name; the number of arguments if there is
/// none.
static size_t findArgument(const FunctionSignature &function,
                           llvm::StringRef which) {
  size_t number = function.arguments.size();
  if (!which.getAsInteger(10, number))
    return std::min(number, function.arguments.size());
  for (size_t i = 0; i < function.arguments.size(); ++i)
    if (function.arguments[i].name == which)
      return i;
  return function.arguments.size();
}

io::Error MemoryOutputs::open(const std::vector<std::string> &texts,
                              const FunctionSignature &function) {
  files.resize(function.arguments.size());
  for (const std::string &text : texts) {
    std::string option = "--output-argument=" + text + ": ";
    auto [which, path] = llvm::StringRef(text).split(':');
    if (path.empty())
      return option + "write the argument's number or name, a colon and a file";
    size_t index = findArgument(function, which);
    if (index >= function.arguments.size())
      return option + "there is no argument '" + which.str() + "'; " +
             takesText(function.name, argumentTexts(function));
    if (!function.arguments[index].isMemory)
      return option +
             argumentText(int64_t(index), function.arguments[index].name) +
             " is no memory, so that the call does not change it";
    if (files[index])
      return option + "another file is given for this argument";
    if (std::string wrong = findWrongOutput(path.str()); !wrong.empty())
      return wrong;
    auto file = io::OutputFile::open(path.str());
    if (!file)
      return file.error();
    files[index] = std::move(*file);
  }
  return {};
}

io::Error MemoryOutputs::write(const LoadedCall &call) {
  for (size_t i = 0; i < files.size(); ++i)
    if (files[i])
      if (io::Error error = io::writeNpy(*files[i], *call.inputs[i]);
          !error.empty())
        return error;
  return {};
}

io::Error MemoryOutputs::commit() {
  for (std::optional<io::OutputFile> &file : files)
    if (file)
      if (io::Error error = file->commit(); !error.empty())
        return error;
  return {};
}

void MemoryOutputs::print(const LoadedCall &call) const {
  for (size_t i = 0; i < files.size(); ++i) {
    const TensorSignature &argument = call.function->arguments[i];
    if (!argument.isMemory || files[i])
      continue;
    llvm::outs() << argumentText(int64_t(i), argument.name) << ":\n";
    io::printTensor(*call.inputs[i],
                    [](std::string_view text) { llvm::outs() << text; });
    llvm::outs() << '\n';
  }
}
