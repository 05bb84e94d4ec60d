//===- Listing.cpp - a program's text with its operations' lines ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/Listing.h"

#include "infer/report/OperationNumber.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

/// The line of `file` that the location names first; 0 for none.
static unsigned findLine(Location location, StringRef file) {
  unsigned line = 0;
  location->walk([&](Location part) {
    auto own = dyn_cast<FileLineColLoc>(part);
    if (!own || own.getFilename() != file)
      return WalkResult::advance();
    line = own.getLine();
    return WalkResult::interrupt();
  });
  return line;
}

/// Prints the module, large constants in short; gives each operation's line.
static std::string print(ModuleOp module, bool isValid,
                         ArrayRef<Operation *> operations,
                         std::vector<unsigned> &lines) {
  OpPrintingFlags flags;
  flags.assumeVerified();
  // The custom printers of operations assume a valid program.
  if (!isValid)
    flags.printGenericOpForm();
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  AsmState::LocationMap linesOf;
  AsmState state(module, flags, &linesOf);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, state);
  stream << '\n';
  for (auto [line, op] : llvm::zip(lines, operations))
    if (auto it = linesOf.find(op); it != linesOf.end())
      line = it->second.first;
  return text;
}

void broadloom::makeListing(ModuleOp module, const llvm::MemoryBuffer &source,
                            read::ProgramForm form, CheckedProgram &program) {
  std::vector<Operation *> operations;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      program.functions.push_back(
          {function.getName().str(), static_cast<int64_t>(operations.size())});
    operations.push_back(op);
  });
  program.lines.assign(operations.size(), 0);
  StringRef file = source.getBufferIdentifier();
  if (form != read::ProgramForm::Bytecode)
    for (auto [line, op] : llvm::zip(program.lines, operations)) {
      line = findLine(op->getLoc(), file);
      program.isSource |= line != 0 && op != module;
    }
  program.text = program.isSource ? source.getBuffer().str()
                                  : print(module, program.isAccepted,
                                          operations, program.lines);
}
