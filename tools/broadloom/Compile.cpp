//===- Compile.cpp - broadloom compile ------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/ExternalCalls.h"
#include "codegen/machine/MachineCode.h"
#include "codegen/machine/TableSymbol.h"
#include "codegen/target/CodeTarget.h"
#include "driver/steps/EmittedForms.h"
#include "tools/broadloom/BugReport.h"
#include "tools/broadloom/SharedLibrary.h"
#include "tools/broadloom/Terminal.h"
#include "tools/io/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <iterator>
#include <tuple>

using namespace broadloom;
using namespace broadloom::tool;

namespace {

/// The ending of a file's name, with the dot; empty if there is none.
llvm::StringRef endingOf(llvm::StringRef file) {
  llvm::StringRef name = llvm::sys::path::filename(file);
  return name.drop_front(name.starts_with(".")).contains('.')
             ? llvm::sys::path::extension(name)
             : llvm::StringRef();
}

/// The form that the command line chooses: by name, or by the ending of the
/// output, or the first one for an output without an ending. The end of the
/// table if there is no form of that name or ending.
const Form *findForm(const Options &options) {
  llvm::StringRef name = options.emit, ending = endingOf(options.out);
  if (name.empty() && ending.empty())
    return &kForms[0];
  return llvm::find_if(kForms, [&](const Form &form) {
    return name.empty() ? form.ending == ending : form.name == name;
  });
}

/// The error for an unknown form.
std::string explainForm(const Options &options) {
  if (!options.emit.empty())
    return "--emit=" + options.emit + ": there are " +
           listForms(/*withLinked=*/true);
  return options.out + ": no form has the ending " +
         endingOf(options.out).str() + "; there are " + listFormEndings() +
         ", and --emit names the form of a file with any other";
}

/// What code calls in other libraries than the runtime.
struct OutsideCalls {
  /// Functions of -lmvec.
  std::vector<std::string> vectorMath;
  /// Functions that neither these libraries have nor the C library.
  std::vector<std::string> missing;

  OutsideCalls(llvm::StringRef object,
               const std::vector<std::string> &libraries) {
    auto symbols = codegen::findUndefinedSymbols(object);
    if (!symbols) {
      llvm::consumeError(symbols.takeError());
      return;
    }
    for (llvm::StringRef name : *symbols) {
      // The prefix of the vector functions of the GNU C library (vector ABI).
      if (name.starts_with("_ZGV"))
        vectorMath.push_back(name.str());
      // Names of the runtime, of compilers and of linkers.
      else if (!name.starts_with("broadloom") && !name.starts_with("_") &&
               !codegen::hasExternal(name, libraries))
        missing.push_back(name.str());
    }
  }

  std::string listMissing() const {
    return "'" + llvm::join(missing, "', '") + "'";
  }
};

/// Prints the libraries with which an object file must be linked.
void noteLibraries(llvm::StringRef object) {
  OutsideCalls calls(object, {});
  llvm::errs() << "broadloom: note: link with -lbroadloom_runtime";
  if (!calls.vectorMath.empty())
    llvm::errs() << " -lmvec";
  llvm::errs() << " -lm";
  if (!calls.vectorMath.empty())
    llvm::errs() << " (" << calls.vectorMath.front()
                 << (calls.vectorMath.size() > 1 ? " and others are" : " is")
                 << " in -lmvec)";
  if (!calls.missing.empty())
    llvm::errs() << ", and with what has " << calls.listMissing();
  llvm::errs() << '\n';
}

/// Prints what a shared library calls that is not linked in.
void noteMissing(llvm::StringRef object,
                 const std::vector<std::string> &libraries) {
  OutsideCalls calls(object, libraries);
  if (!calls.missing.empty())
    llvm::errs() << "broadloom: note: " << calls.listMissing()
                 << (calls.missing.size() == 1 ? " is" : " are")
                 << " in no library that is linked in; name the one that has "
                    "it with --library=FILE, or load that one first, with "
                    "RTLD_GLOBAL\n";
}

} // namespace

int broadloom::tool::compileProgram(const Options &options) {
  const Form *form = findForm(options);
  if (form == std::end(kForms))
    return fail(kUsage, explainForm(options));
  if (std::string wrong =
          codegen::describeWrongTableSymbol(options.compile.tableSymbol);
      !wrong.empty())
    return fail(kUsage,
                "--symbol=" + options.compile.tableSymbol + ": " + wrong);
  const auto &[target, cpu] =
      std::tie(options.compile.target, options.compile.cpu);
  if (!target.empty() || !cpu.empty())
    if (auto known = codegen::CodeTarget::get(target, cpu); !known)
      return fail(kUsage, llvm::toString(known.takeError()));
  if (form->name == "so" && !target.empty())
    return fail(kUsage,
                "--emit=so links for this machine alone; for --target=" +
                    target + " use --emit=obj and a linker of that target");
  bool toScreen = options.out == "-";
  if (toScreen && (form->emit == Emit::Object || form->emit == Emit::Tosa))
    return fail(kUsage, "--emit=" + form->name.str() +
                            " is no text; name a file with -o");
  std::optional<io::OutputFile> file;
  if (!toScreen) {
    auto opened = io::OutputFile::open(options.out);
    if (!opened)
      return fail(kRejected, opened.error());
    file.emplace(std::move(*opened));
  }

  Compiler compiler(options.compile);
  std::string output;
  bool good = [&] {
    Progress progress("compiling " + nameFile(options.file),
                      options.compile.verbose);
    return compiler.emit(Source::file(options.file), form->emit, output);
  }();
  printDiagnostics(compiler.diagnostics());
  if (!good)
    return rejected(compiler);
  if (form->name == "obj")
    noteLibraries(output);
  if (form->isLinked) {
    noteMissing(output, options.compile.libraries);
    auto linked = linkSharedLibrary(output, options.compile.libraries);
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
