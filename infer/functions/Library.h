//===- Library.h - shape functions, by operation ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads shape libraries from text (decision 72, sf-1, sf-5) and finds the
// function of an operation. Texts may be loaded one after the other; a later
// one extends the earlier ones, may call their functions, and replaces their
// mappings. Operations that the compiler itself computes keep their own
// function; the function that a text maps them to applies in addition (lib-2).
//
// Invariant: every function in a library has passed verification: it calls only
// existing functions, is not recursive, and has only operations that the
// interpreter knows, so that it is pure (sf-2). A text with an error adds
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_LIBRARY_H
#define BROADLOOM_INFER_FUNCTIONS_LIBRARY_H

#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace broadloom::infer {

/// The attribute of a reference implementation, with the name of its operation
/// (legalize/user/References.h).
inline constexpr llvm::StringLiteral kImplementsAttr = "loom.implements";

/// The name of an operation in libraries: its own, or "tosa.custom:domain:name"
/// for a `tosa.custom`.
llvm::StringRef getOperationKey(mlir::Operation *op);

/// A verified shape function.
struct ShapeFunction {
  /// Null if there is only the operation's own inference.
  mlir::shape::FuncOp op;
  /// For each parameter, whether it stands for any number of operands.
  llvm::SmallVector<bool> isList;
  /// For each component in the order of the function's results: the number of
  /// the operation's result that it belongs to.
  llvm::SmallVector<unsigned> resultOf;
  /// The number of results; the last one stands for any number if
  /// `hasListResult`.
  unsigned numResults = 0;
  bool hasListResult = false;
  /// Whether the operation's own inference supplies the components that the
  /// function leaves open.
  bool hasInference = false;
};

/// Whether `path` exists and is neither a file nor a pipe. A device is not
/// read, because it may have no end. abi-3
bool isNoFile(llvm::StringRef path);

class ShapeLibrary {
public:
  /// Loads the dialects that shape functions are written in.
  explicit ShapeLibrary(mlir::MLIRContext *context);
  ShapeLibrary(const ShapeLibrary &) = delete;
  ShapeLibrary &operator=(const ShapeLibrary &) = delete;

  /// Defines all dialects (UserDialects.h) and adds all function libraries in
  /// `text`. Errors go to the context's diagnostics, at their location in
  /// `name` (abi-3).
  mlir::LogicalResult load(llvm::StringRef text, llvm::StringRef name);
  mlir::LogicalResult loadFile(llvm::StringRef path);
  /// Adds a module that was built in C++.
  mlir::LogicalResult add(mlir::OwningOpRef<mlir::ModuleOp> module);
  /// Adds the built-in library for TOSA; of it only what `operations` need if
  /// that is not null.
  mlir::LogicalResult loadTosa(const llvm::StringSet<> *operations = nullptr);
  /// Adds a text of this project, which is known to be valid.
  mlir::LogicalResult loadOwn(llvm::StringRef text, llvm::StringRef name);
  /// Adds the functions in, or named by, the definitions of registered
  /// operations (dialect/ShapeFunction.td) that no library maps.
  mlir::LogicalResult loadAttached();

  /// The function of an operation, e.g. "tosa.add"; null where there is none.
  /// "tosa.custom:domain:name" falls back to "tosa.custom".
  const ShapeFunction *lookup(llvm::StringRef operation) const;
  /// The function that a text adds for an operation that the compiler itself
  /// computes; null if there is none. lib-2
  const ShapeFunction *lookupAddition(llvm::StringRef operation) const;
  /// The same as lookup; else a function derived from the traits and interfaces
  /// of a registered operation (sf-9). May be called from several threads.
  const ShapeFunction *lookupOrDerive(llvm::StringRef operation) const;
  /// Whether a text maps or implements exactly this operation.
  bool speaksOf(llvm::StringRef operation) const;
  /// The function that a `loom.apply` calls.
  mlir::shape::FuncOp getCallee(mlir::Operation *apply) const {
    return callees.lookup(apply);
  }
  /// All operations that have a function, sorted.
  std::vector<std::string> getOperations() const;
  mlir::MLIRContext *getContext() const { return context; }
  /// The texts, in the order in which they were added.
  std::vector<mlir::ModuleOp> getModules() const {
    std::vector<mlir::ModuleOp> texts;
    for (const mlir::OwningOpRef<mlir::ModuleOp> &module : modules)
      texts.push_back(module.get());
    return texts;
  }

private:
  friend class LibraryVerifier;

  mlir::LogicalResult load(std::unique_ptr<llvm::MemoryBuffer> buffer);
  mlir::LogicalResult loadAttached(llvm::StringRef operation,
                                   llvm::StringRef text);
  /// Makes `function` that of the operation, or its addition. lib-2
  void setFunction(llvm::StringRef operation, ShapeFunction function);

  mlir::MLIRContext *context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  llvm::StringMap<mlir::shape::FunctionLibraryOp> libraries;
  llvm::StringMap<ShapeFunction> functions, additions;
  llvm::DenseMap<mlir::Operation *, mlir::shape::FuncOp> callees;
  /// Whether the text that is being loaded is built in.
  bool loadsOwn = false;

  /// Derived functions, made when they are first needed; nothing for an
  /// operation from which none can be derived.
  struct Derived {
    std::mutex mutex;
    std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
    llvm::StringMap<std::optional<ShapeFunction>> functions;
  };
  mutable Derived derived;
};

/// `paths` without those that a later path repeats, as the same file.
std::vector<std::string> withoutRepeats(llvm::ArrayRef<std::string> paths);

/// TOSA's library, the functions attached to operations, and the libraries in
/// these files, which may repeat.
mlir::FailureOr<std::shared_ptr<ShapeLibrary>>
loadLibraries(mlir::MLIRContext *context, llvm::ArrayRef<std::string> paths);

/// Whether a function may be derived for `op`, where no library maps it: `op`
/// makes tensors of tensors and of nothing else. sf-9
bool mayDerive(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_LIBRARY_H
