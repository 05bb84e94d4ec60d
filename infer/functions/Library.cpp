//===- Library.cpp - loading shape libraries ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Library.h"
#include "dialect/LoomShapeOps.h"
#include "infer/functions/LibraryVerifier.h"
#include "infer/functions/SelectFunctions.h"
#include "infer/functions/UserDialects.h"
#include "read/ParseText.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/IRDL/IR/IRDL.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/SourceMgr.h"

#include <set>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The text of shapes/tosa.mlir, from the build.
extern const char *const broadloomTosaShapes;

StringRef infer::getOperationKey(Operation *op) {
  auto custom = dyn_cast<tosa::CustomOp>(op);
  if (!custom)
    return op->getName().getStringRef();
  // Owned by the context.
  return StringAttr::get(op->getContext(),
                         "tosa.custom:" + custom.getDomainName() + ":" +
                             custom.getOperatorName())
      .getValue();
}

ShapeLibrary::ShapeLibrary(MLIRContext *context) : context(context) {
  context->loadDialect<arith::ArithDialect, index::IndexDialect,
                       func::FuncDialect, irdl::IRDLDialect, loom::LoomDialect,
                       scf::SCFDialect, shape::ShapeDialect,
                       tensor::TensorDialect, tosa::TosaDialect>();
}

LogicalResult ShapeLibrary::load(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  StringRef text = buffer->getBuffer(), name = buffer->getBufferIdentifier();
  if (text.contains("irdl.dialect") &&
      failed(defineDialects(text, name, context)))
    return failure();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  // add() verifies.
  OwningOpRef<ModuleOp> module = read::parseText(sources, context, loadsOwn);
  return module ? add(std::move(module)) : failure();
}

LogicalResult ShapeLibrary::load(StringRef text, StringRef name) {
  return load(llvm::MemoryBuffer::getMemBufferCopy(text, name));
}

bool broadloom::infer::isNoFile(StringRef path) {
  llvm::sys::fs::file_status status;
  using Type = llvm::sys::fs::file_type;
  return !llvm::sys::fs::status(path, status) &&
         status.type() != Type::regular_file &&
         status.type() != Type::fifo_file;
}

LogicalResult ShapeLibrary::loadFile(StringRef path) {
  if (isNoFile(path))
    return emitError(UnknownLoc::get(context))
           << "cannot read shape library '" << path
           << "': it is not a regular file";
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "cannot read shape library '" << path
           << "': " << buffer.getError().message();
  if (isBytecode(**buffer))
    return emitError(UnknownLoc::get(context))
           << "shape library '" << path
           << "' is bytecode; a library is read as text only";
  return load(std::move(*buffer));
}

LogicalResult ShapeLibrary::add(OwningOpRef<ModuleOp> module) {
  if (failed(verifyText(*module)))
    return failure();
  LibraryVerifier verifier(*this);
  if (failed(verifier.verify(*module)))
    return failure();
  verifier.commit();
  // Definitions are no longer needed, and may have the names of libraries.
  for (Operation &op : llvm::make_early_inc_range(*module->getBody()))
    if (isa<irdl::DialectOp>(op))
      op.erase();
  modules.push_back(std::move(module));
  return success();
}

LogicalResult ShapeLibrary::loadOwn(StringRef text, StringRef name) {
  llvm::SaveAndRestore own(loadsOwn, true);
  return load(text, name);
}

LogicalResult ShapeLibrary::loadTosa(const llvm::StringSet<> *operations) {
  StringRef name = "shapes/tosa.mlir";
  if (!operations)
    return loadOwn(broadloomTosaShapes, name);
  // A library without functions has no valid text.
  return operations->empty()
             ? success()
             : loadOwn(selectFunctions(broadloomTosaShapes, *operations), name);
}

bool ShapeLibrary::speaksOf(StringRef operation) const {
  auto implements = [&](func::FuncOp function) {
    auto name = function->getAttrOfType<StringAttr>(kImplementsAttr);
    return name && name.getValue() == operation;
  };
  return functions.contains(operation) ||
         llvm::any_of(modules, [&](const OwningOpRef<ModuleOp> &text) {
           return llvm::any_of(text.get().getOps<func::FuncOp>(), implements);
         });
}

const ShapeFunction *ShapeLibrary::lookup(StringRef operation) const {
  auto it = functions.find(operation);
  if (it == functions.end() && operation.contains(':'))
    it = functions.find(operation.split(':').first);
  return it == functions.end() ? nullptr : &it->second;
}

const ShapeFunction *ShapeLibrary::lookupAddition(StringRef operation) const {
  auto it = additions.find(operation);
  return it == additions.end() ? nullptr : &it->second;
}

std::vector<std::string> ShapeLibrary::getOperations() const {
  std::set<std::string> names;
  for (const auto *map : {&functions, &additions})
    for (const auto &entry : *map)
      names.insert(entry.getKey().str());
  return {names.begin(), names.end()};
}

/// Checks dialects once all texts are loaded.
static LogicalResult checkDialects(const ShapeLibrary &library) {
  MLIRContext *context = library.getContext();
  if (context->allowsUnregisteredDialects())
    return success();
  for (const std::string &name : library.getOperations()) {
    StringRef dialect = StringRef(name).split('.').first;
    if (context->getLoadedDialect(dialect) ||
        llvm::is_contained(context->getAvailableDialects(), dialect))
      continue;
    const ShapeFunction *function = library.lookupAddition(name);
    if (!function)
      function = library.lookup(name);
    return function->op->getParentOp()->emitError("'")
           << name << "' is mapped, but there is no dialect '" << dialect
           << "'; define it with 'irdl.dialect', in this text or in one "
              "before it";
  }
  return success();
}

std::vector<std::string> infer::withoutRepeats(ArrayRef<std::string> paths) {
  std::vector<std::string> kept;
  std::set<llvm::sys::fs::UniqueID> seen;
  for (const std::string &path : llvm::reverse(paths)) {
    llvm::sys::fs::UniqueID file;
    // A file that cannot be read is reported when it is read.
    if (llvm::sys::fs::getUniqueID(path, file) || seen.insert(file).second)
      kept.push_back(path);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

FailureOr<std::shared_ptr<ShapeLibrary>>
infer::loadLibraries(MLIRContext *context, ArrayRef<std::string> paths) {
  auto library = std::make_shared<ShapeLibrary>(context);
  if (failed(library->loadTosa()))
    return failure();
  for (const std::string &path : withoutRepeats(paths))
    if (failed(library->loadFile(path)))
      return failure();
  if (failed(checkDialects(*library)))
    return failure();
  // A library's functions take precedence, and attached ones may name them.
  if (failed(library->loadAttached()))
    return failure();
  return library;
}
