//===- Library.cpp - loading shape libraries ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Library.h"
#include "dialect/LoomShapeOps.h"
#include "infer/functions/LibraryVerifier.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The text of shapes/tosa.mlir, from the build.
extern const char *const broadloomTosaShapes;

ShapeLibrary::ShapeLibrary(MLIRContext *context) : context(context) {
  context->loadDialect<arith::ArithDialect, index::IndexDialect,
                       loom::LoomDialect, scf::SCFDialect, shape::ShapeDialect,
                       tensor::TensorDialect, tosa::TosaDialect>();
}

/// Parses text whose locations are `name`'s.
static OwningOpRef<ModuleOp> parse(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                   MLIRContext *context) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  // add() verifies.
  return parseSourceFile<ModuleOp>(
      sources, ParserConfig(context, /*verifyAfterParse=*/false));
}

LogicalResult ShapeLibrary::load(StringRef text, StringRef name) {
  OwningOpRef<ModuleOp> module =
      parse(llvm::MemoryBuffer::getMemBufferCopy(text, name), context);
  return module ? add(std::move(module)) : failure();
}

LogicalResult ShapeLibrary::loadFile(StringRef path) {
  // A device may have no end. abi-3
  llvm::sys::fs::file_status status;
  using Type = llvm::sys::fs::file_type;
  if (!llvm::sys::fs::status(path, status) &&
      status.type() != Type::regular_file && status.type() != Type::fifo_file)
    return emitError(UnknownLoc::get(context))
           << "cannot read shape library '" << path << "': it is no file";
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "cannot read shape library '" << path
           << "': " << buffer.getError().message();
  if (isBytecode(**buffer))
    return emitError(UnknownLoc::get(context))
           << "shape library '" << path
           << "' is bytecode; a library is read as text only";
  OwningOpRef<ModuleOp> module = parse(std::move(*buffer), context);
  return module ? add(std::move(module)) : failure();
}

LogicalResult ShapeLibrary::add(OwningOpRef<ModuleOp> module) {
  if (failed(verify(*module)))
    return failure();
  LibraryVerifier verifier(*this);
  if (failed(verifier.verify(*module)))
    return failure();
  verifier.commit();
  modules.push_back(std::move(module));
  return success();
}

LogicalResult ShapeLibrary::loadTosa() {
  return load(broadloomTosaShapes, "shapes/tosa.mlir");
}

const ShapeFunction *ShapeLibrary::lookup(StringRef operation) const {
  auto it = functions.find(operation);
  return it == functions.end() ? nullptr : &it->second;
}

std::vector<std::string> ShapeLibrary::getOperations() const {
  std::vector<std::string> names;
  for (const auto &entry : functions)
    names.push_back(entry.getKey().str());
  llvm::sort(names);
  return names;
}
