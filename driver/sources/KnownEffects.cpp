//===- KnownEffects.cpp - what well-known functions read and write --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/KnownEffects.h"

#include "dialect/MemoryFunction.h"
#include "driver/inspect/NameArguments.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace broadloom;

/// The texts of effects/, from the build.
extern const char *const broadloomBlasEffects;
extern const char *const broadloomMemoryEffects;

namespace {

/// One text for elements of one type.
struct KnownText {
  StringRef name;
  const char *text;
  StringRef type, letter, bytes;
};

class KnownEffects {
public:
  KnownEffects(ModuleOp module, const std::vector<std::string> &files)
      : module(module), symbols(module), files(files) {}

  LogicalResult declare(func::FuncOp func) {
    bool isKnown = false;
    Type other;
    auto take = [&](ModuleOp text, bool isOwn) {
      auto found = SymbolTable(text).lookup<func::FuncOp>(func.getName());
      if (!found || !found.isPublic() || found.isExternal())
        return false;
      isKnown = true;
      other = found.getFunctionType();
      // Of a well-known function, what it returns is known as well.
      bool givesOther = isOwn && func.getNumResults() > found.getNumResults();
      if (givesOther || !loom::fitsEffects(func, found))
        return false;
      func->setAttr(loom::kEffects, FlatSymbolRefAttr::get(copy(text, found)));
      return true;
    };
    if (failed(readFiles()))
      return failure();
    if (llvm::any_of(read,
                     [&](auto &text) { return take(*text, /*isOwn=*/false); }))
      return success();
    for (const KnownText &text : getOwnTexts())
      if (OwningOpRef<ModuleOp> known = instantiate(text, func.getName());
          known && take(*known, /*isOwn=*/true)) {
        auto effects = func->getAttrOfType<FlatSymbolRefAttr>(loom::kEffects);
        symbols.lookup(effects.getAttr())
            ->setAttr(loom::kKnownEffects, UnitAttr::get(func.getContext()));
        return success();
      }
    if (!isKnown)
      return success();
    return func.emitError("function '@")
           << func.getName() << "' is of type " << func.getFunctionType()
           << ", but what it reads and writes is known for " << other
           << "; declare it so, or declare '" << loom::kEffects << "'";
  }

private:
  static ArrayRef<KnownText> getOwnTexts() {
    static const KnownText texts[] = {
        {"effects/blas.mlir", broadloomBlasEffects, "f32", "s", "4"},
        {"effects/blas.mlir", broadloomBlasEffects, "f64", "d", "8"},
        {"effects/memory.mlir", broadloomMemoryEffects, "i8", "", "1"},
        {"effects/memory.mlir", broadloomMemoryEffects, "i32", "", "4"},
        {"effects/memory.mlir", broadloomMemoryEffects, "i64", "", "8"},
        {"effects/memory.mlir", broadloomMemoryEffects, "f32", "", "4"},
        {"effects/memory.mlir", broadloomMemoryEffects, "f64", "", "8"},
    };
    return texts;
  }

  OwningOpRef<ModuleOp> parse(StringRef text, StringRef name) {
    llvm::SourceMgr sources;
    auto buffer = llvm::MemoryBuffer::getMemBuffer(text, name);
    const llvm::MemoryBuffer &source = *buffer;
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    auto parsed = parseSourceFile<ModuleOp>(sources, module.getContext());
    if (parsed)
      nameArguments(*parsed, source);
    return parsed;
  }

  /// The module of a text that has a function of this name.
  OwningOpRef<ModuleOp> instantiate(const KnownText &known, StringRef name) {
    std::string text = known.text;
    for (auto [from, to] : {std::pair<StringRef, StringRef>("$T", known.type),
                            {"$p", known.letter},
                            {"$bytes", known.bytes}})
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
        text.replace(at, from.size(), to);
    if (!StringRef(text).contains(("func.func @" + name + "(").str()))
      return {};
    return parse(text, known.name);
  }

  LogicalResult readFiles() {
    while (read.size() < files.size()) {
      const std::string &path = files[read.size()];
      auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
      if (!buffer)
        return emitError(UnknownLoc::get(module.getContext()))
               << "cannot read the effects of '" << path
               << "': " << buffer.getError().message();
      OwningOpRef<ModuleOp> parsed = parse((*buffer)->getBuffer(), path);
      if (!parsed)
        return failure();
      read.push_back(std::move(parsed));
    }
    return success();
  }

  /// Copies a function, and what it calls, and returns its new name.
  StringAttr copy(ModuleOp text, func::FuncOp found) {
    SymbolTable others(text);
    llvm::MapVector<StringRef, func::FuncOp> copies;
    SmallVector<func::FuncOp> work = {found};
    while (!work.empty()) {
      func::FuncOp next = work.pop_back_val();
      if (copies.contains(next.getName()))
        continue;
      func::FuncOp made = next.clone();
      made.setPrivate();
      symbols.insert(made);
      copies[next.getName()] = made;
      next.walk([&](func::CallOp call) {
        if (auto callee = others.lookup<func::FuncOp>(call.getCallee()))
          work.push_back(callee);
      });
    }
    for (auto [name, made] : copies)
      made.walk([&](func::CallOp call) {
        if (func::FuncOp callee = copies.lookup(call.getCallee()))
          call.setCallee(callee.getName());
      });
    return copies.front().second.getNameAttr();
  }

  ModuleOp module;
  SymbolTable symbols;
  const std::vector<std::string> &files;
  std::vector<OwningOpRef<ModuleOp>> read;
};

} // namespace

LogicalResult broadloom::declareEffects(ModuleOp module,
                                        const std::vector<std::string> &files) {
  auto isOnMemory = [](func::FuncOp func) {
    return func.isExternal() && !func->hasAttr(loom::kEffects) &&
           llvm::any_of(func.getArgumentTypes(),
                        [](Type type) { return isa<BaseMemRefType>(type); });
  };
  auto found =
      llvm::filter_to_vector(module.getOps<func::FuncOp>(), isOnMemory);
  if (found.empty() && files.empty())
    return success();
  KnownEffects effects(module, files);
  return success(llvm::all_of(found, [&](func::FuncOp func) {
    return succeeded(effects.declare(func));
  }));
}
