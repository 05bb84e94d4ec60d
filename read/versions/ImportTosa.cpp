//===- ImportTosa.cpp - TOSA's text of other versions of LLVM -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/ImportTosa.h"
#include "read/versions/InexactWindows.h"
#include "read/versions/OldDialect.h"
#include "read/versions/OldText.h"

#include "dialect/LocationText.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace broadloom::read;

bool broadloom::read::mentionsTosa(StringRef text) {
  return text.contains("tosa.");
}

bool broadloom::read::hasOtherForms(StringRef text, ModuleOp module) {
  if (text.contains("mode") && prepareText(text).hasTextEnumerators)
    return true;
  auto isOther = [](NamedAttribute attribute) {
    return !saysNothing(attribute);
  };
  WalkResult result = module->walk([&](Operation *op) {
    bool found = op->getName().getDialectNamespace() == "tosa" &&
                 (!op->isRegistered() ||
                  llvm::any_of(op->getDiscardableAttrs(), isOther));
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

ReadText broadloom::read::readAnyVersion(const llvm::MemoryBuffer &text,
                                         MLIRContext *context) {
  context->getOrLoadDialect<OldDialect>();
  context->getOrLoadDialect<tosa::TosaDialect>();
  OldText prepared = prepareText(text.getBuffer());
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(
                                  prepared.text, text.getBufferIdentifier()),
                              llvm::SMLoc());
  ParserConfig config(context, /*verifyAfterParse=*/false);
  ReadText read;
  read.module = parseSourceFile<ModuleOp>(sources, config);
  for (unsigned i = 0; i < prepared.numByteConstants; ++i)
    read.changes.add("constants of i1 have one bit for each element here",
                     getLocationAt(text, prepared.firstByteConstant, context));
  return read;
}

static Rules makeRules() {
  Rules rules;
  addSumRules(rules);
  addShapeRules(rules);
  addScalarRules(rules);
  addProgramRules(rules);
  return rules;
}

static LogicalResult convert(Operation *op, const Rules &rules,
                             Changes &changes) {
  OldOperation old(op, changes);
  auto rule = rules.find(old.name);
  if (rule != rules.end() && failed(rule->second(old)))
    return failure();
  return old.finish();
}

llvm::LogicalResult broadloom::read::bringToToday(ReadText &text) {
  SmallVector<Operation *> operations;
  text.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getName().getDialectNamespace() == kNamespace)
      operations.push_back(op);
  });
  Rules rules = makeRules();
  LogicalResult result = success();
  for (Operation *op : operations)
    if (failed(convert(op, rules, text.changes)))
      result = failure();
  if (failed(result) || text.changes.empty())
    return result;
  text.module->walk([&](Operation *op) { cutToWindows(op, text.changes); });
  return success();
}
