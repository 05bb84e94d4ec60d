//===- Run.cpp - broadloom run --------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/MemoryOutputs.h"
#include "tools/broadloom/Options.h"
#include "tools/broadloom/Sequence.h"
#include "tools/io/ElementText.h"
#include "tools/io/Npy.h"
#include "tools/io/OutputFile.h"
#include "tools/io/PrintTensor.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using namespace broadloom::tool;

/// Writes the text of an element as JSON, which has no infinities.
static void writeElement(llvm::json::OStream &json, llvm::StringRef text) {
  if (text == "True" || text == "False")
    json.value(text == "True");
  else if (text.contains("inf") || text.contains("nan"))
    json.value(text);
  else
    json.rawValue(text);
}

/// Writes a tensor, with its elements if `hasValues`.
static void writeTensor(llvm::json::OStream &json,
                        const BroadloomTensor &tensor, bool hasValues) {
  json.attribute("shape",
                 toString(Shape::fromIntegers(tensor.dims, tensor.rank)));
  json.attribute("element_type", broadloomElementTypeName(tensor.elementType));
  json.attribute("extents",
                 llvm::json::Array(llvm::ArrayRef(tensor.dims, tensor.rank)));
  if (!hasValues)
    return;
  json.attributeArray("values", [&] {
    char element[8];
    for (io::RowMajorReader reader(tensor); reader.read(element, 1);)
      writeElement(json, io::scalarText(tensor.elementType, element));
  });
}

/// Prints the shapes of all results and the elements of those from `begin` on,
/// and the same of arguments that are memory.
static void printJson(const LoadedCall &loaded,
                      const std::vector<io::OwnedTensor> &results, size_t begin,
                      const MemoryOutputs &memory, bool shapesOnly) {
  llvm::json::OStream json(llvm::outs(), 2);
  json.object([&] {
    json.attribute("function", llvm::json::fixUTF8(loaded.function->name));
    json.attributeArray("results", [&] {
      for (size_t i = 0; i < results.size(); ++i)
        json.object([&] { writeTensor(json, *results[i], i >= begin); });
    });
    const auto &arguments = loaded.function->arguments;
    if (llvm::none_of(arguments, [](const auto &it) { return it.isMemory; }))
      return;
    json.attributeArray("arguments", [&] {
      for (size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].isMemory)
          json.object([&] {
            json.attribute("argument", int64_t(i));
            json.attribute("name", llvm::json::fixUTF8(arguments[i].name));
            writeTensor(json, *loaded.inputs[i],
                        !shapesOnly && !memory.hasFile(i));
          });
    });
  });
  llvm::outs() << '\n';
}

static int deliver(const Options &options, const LoadedCall &loaded,
                   std::vector<io::OutputFile> &files,
                   std::vector<io::OwnedTensor> &results,
                   MemoryOutputs &memory) {
  for (size_t i = 0; i < files.size(); ++i)
    if (io::Error error = io::writeNpy(files[i], *results[i]); !error.empty())
      return fail(kRejected, error);
  if (io::Error error = memory.write(loaded); !error.empty())
    return fail(kRejected, error);
  // Files are committed only after all are written.
  for (io::OutputFile &file : files)
    if (io::Error error = file.commit(); !error.empty())
      return fail(kRejected, error);
  if (io::Error error = memory.commit(); !error.empty())
    return fail(kRejected, error);
  if (options.json) {
    printJson(loaded, results,
              options.shapesOnly ? results.size() : files.size(), memory,
              options.shapesOnly);
    llvm::outs().flush();
    return kDone;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const BroadloomTensor &result = *results[i];
    if (options.shapesOnly) {
      llvm::outs() << toString(Shape::fromIntegers(result.dims, result.rank))
                   << '\n';
    } else if (i >= files.size()) {
      io::printTensor(result,
                      [](std::string_view text) { llvm::outs() << text; });
      llvm::outs() << '\n';
    }
  }
  if (!options.shapesOnly)
    memory.print(loaded);
  llvm::outs().flush();
  return kDone;
}

static int runOnce(Invocation &call, const LoadedCall &loaded,
                   std::vector<io::OwnedTensor> &results) {
  if (int failed = reportCall(runCall(call, loaded), call))
    return failed;
  for (size_t i = 0; i < results.size(); ++i)
    if (int failed = reportCall(call.takeResult(i, &*results[i]), call))
      return failed;
  return kDone;
}

/// Why no result can be written to `path`; empty if it can. A name tells of
/// another form than .npy by its ending, unless it is that of a device or FIFO.
std::string broadloom::tool::findWrongOutput(const std::string &path) {
  if (path == "-")
    return "--output=-: a .npy file is not text; name a file, or leave the "
           "option out to print the result";
  llvm::StringRef ending = llvm::sys::path::extension(path);
  llvm::sys::fs::file_status status;
  bool isSpecial =
      !llvm::sys::fs::status(path, status) && llvm::sys::fs::is_other(status);
  if (ending.empty() || ending == "." || ending == ".npy" || isSpecial)
    return {};
  llvm::SmallString<64> better(path);
  llvm::sys::path::replace_extension(better, ".npy");
  return ("--output=" + path + ": a result is written as a .npy file; write " +
          "--output=" + better)
      .str();
}

int broadloom::tool::runProgram(const Options &options) {
  std::vector<io::OutputFile> files;
  for (const std::string &path : options.outputs) {
    if (std::string wrong = findWrongOutput(path); !wrong.empty())
      return fail(kUsage, wrong);
    auto file = io::OutputFile::open(path);
    if (!file)
      return fail(kRejected, file.error());
    files.push_back(std::move(*file));
  }
  int status = kDone;
  std::optional<LoadedCall> loaded = load(options, status);
  if (!loaded)
    return status;
  size_t numResults = loaded->function->results.size();
  MemoryOutputs memory;
  if (io::Error error = memory.open(options.argumentOutputs, *loaded->function);
      !error.empty())
    return fail(kUsage, error);
  Invocation call(*loaded->module, *loaded->function);
  call.setThreads(options.threads);
  call.setFindsLeaks(options.leaks);
  State *state = options.state.empty() ? nullptr : call.state();
  if (!options.state.empty() && !state)
    return fail(kUsage, "--state=" + options.state + ": '" +
                            loaded->function->name + "' has no variables");
  if (int failed = state ? readState(*state, options.state) : kDone)
    return failed;
  std::vector<io::OwnedTensor> results(numResults);
  if (int failed = options.sequence ? runSequence(call, *loaded, results)
                                    : runOnce(call, *loaded, results))
    return failed;
  if (int failed = state ? writeState(*state, options.state) : kDone)
    return failed;
  return deliver(options, *loaded, files, results, memory);
}
