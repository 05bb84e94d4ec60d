//===- Compile.cpp - broadloom compile ------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/Options.h"
#include "tools/broadloom/SharedLibrary.h"
#include "tools/io/OutputFile.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using namespace broadloom::tool;

int broadloom::tool::compileProgram(const Options &options) {
  bool library = options.emit == "so";
  auto form = llvm::StringSwitch<std::optional<Emit>>(options.emit)
                  .Case("loom", Emit::Loom)
                  .Case("linalg", Emit::Linalg)
                  .Case("llvm", Emit::LLVM)
                  .Case("shape-library", Emit::ShapeLibrary)
                  .Case("asm", Emit::Assembly)
                  .Cases({"obj", "so"}, Emit::Object)
                  .Default(std::nullopt);
  if (!form)
    return fail(kUsage, "--emit=" + options.emit +
                            ": there are loom, linalg, llvm, asm, obj, so and "
                            "shape-library");
  bool toScreen = options.out == "-";
  if (toScreen && *form == Emit::Object)
    return fail(kUsage,
                "--emit=" + options.emit + " is no text; name a file with -o");
  std::optional<io::OutputFile> file;
  if (!toScreen) {
    auto opened = io::OutputFile::open(options.out);
    if (!opened)
      return fail(kRejected, opened.error());
    file.emplace(std::move(*opened));
  }

  Compiler compiler(options.compile);
  std::string output;
  bool good = compiler.emitFile(options.file, *form, output);
  llvm::errs() << compiler.diagnostics();
  if (!good)
    return kRejected;
  if (library) {
    auto linked = linkSharedLibrary(output);
    if (!linked)
      return fail(kRejected, linked.error());
    output = std::move(*linked);
  }
  if (toScreen) {
    llvm::outs() << output;
    return kDone;
  }
  if (io::Error error = file->write(output.data(), output.size());
      !error.empty())
    return fail(kRejected, error);
  if (io::Error error = file->commit(); !error.empty())
    return fail(kRejected, error);
  return kDone;
}
