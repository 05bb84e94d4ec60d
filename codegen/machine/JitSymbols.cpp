//===- JitSymbols.cpp - names of code for profilers and gdb ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/JitSymbols.h"

#include "llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace broadloom::codegen;

namespace {

/// Adds a line for each function to /tmp/perf-PID.map: address, size and name.
/// A line is written at once, so that threads may load code together.
class PerfMap : public orc::ObjectLinkingLayer::Plugin {
public:
  void modifyPassConfig(orc::MaterializationResponsibility &,
                        jitlink::LinkGraph &,
                        jitlink::PassConfiguration &config) override {
    config.PostFixupPasses.push_back(write);
  }
  Error notifyFailed(orc::MaterializationResponsibility &) override {
    return Error::success();
  }
  Error notifyRemovingResources(orc::JITDylib &, orc::ResourceKey) override {
    return Error::success();
  }
  void notifyTransferringResources(orc::JITDylib &, orc::ResourceKey,
                                   orc::ResourceKey) override {}

private:
  static Error write(jitlink::LinkGraph &graph) {
    std::string lines;
    raw_string_ostream stream(lines);
    for (const jitlink::Symbol *symbol : graph.defined_symbols())
      if (symbol->isCallable() && symbol->hasName() && symbol->getSize() != 0)
        stream << formatv("{0:x-} {1:x-} {2}\n",
                          symbol->getAddress().getValue(),
                          uint64_t(symbol->getSize()), *symbol->getName());
    std::string path =
        "/tmp/perf-" + std::to_string(sys::Process::getProcessId()) + ".map";
    std::error_code error;
    raw_fd_ostream file(path, error, sys::fs::OF_Append);
    if (!error) {
      file << lines;
      file.close();
      error = file.error();
      file.clear_error();
    }
    // Code works without names, so that the error is ignored.
    if (error)
      errs() << "broadloom: warning: BROADLOOM_JIT_SYMBOLS=perf: cannot write "
             << path << ": " << error.message() << '\n';
    return Error::success();
  }
};

} // namespace

static Error tellGdb(orc::LLJIT &jit, orc::ObjectLinkingLayer &linker) {
  Error error = Error::success();
  auto plugin = std::make_unique<orc::ELFDebugObjectPlugin>(
      jit.getExecutionSession(), /*RequireDebugSections=*/false,
      /*AutoRegisterCode=*/true, error);
  if (error)
    return error;
  linker.addPlugin(std::move(plugin));
  return Error::success();
}

/// The words of the list; empty where there is none.
static SmallVector<std::string> readRequest() {
  std::string list = sys::Process::GetEnv("BROADLOOM_JIT_SYMBOLS").value_or("");
  SmallVector<StringRef> words;
  StringRef(list).split(words, ',', -1, /*KeepEmpty=*/false);
  return SmallVector<std::string>(words.begin(), words.end());
}

std::string broadloom::codegen::checkSymbolRequest() {
  for (const std::string &word : readRequest())
    if (word != "perf" && word != "gdb")
      return "BROADLOOM_JIT_SYMBOLS has '" + word +
             "' in the environment; there are perf and gdb";
  return "";
}

Error broadloom::codegen::tellSymbols(orc::LLJIT &jit) {
  SmallVector<std::string> request = readRequest();
  auto *linker = dyn_cast<orc::ObjectLinkingLayer>(&jit.getObjLinkingLayer());
  if (!linker)
    return Error::success();
  if (is_contained(request, "perf"))
    linker->addPlugin(std::make_unique<PerfMap>());
  return is_contained(request, "gdb") ? tellGdb(jit, *linker)
                                      : Error::success();
}
