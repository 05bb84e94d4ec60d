//===- KnownEffects.cpp - what well-known functions read and write --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/KnownEffects.h"

#include "dialect/DeclaredEffects.h"
#include "dialect/MemoryFunction.h"
#include "driver/inspect/NameValues.h"
#include "driver/sources/OwnMarks.h"
#include "infer/functions/Library.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringMap.h"
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

  /// The text for these elements.
  std::string instantiate() const {
    std::string made = text;
    for (auto [from, to] : {std::pair<StringRef, StringRef>("$T", type),
                            {"$p", letter},
                            {"$bytes", bytes}})
      for (size_t at = 0; (at = made.find(from, at)) != std::string::npos;)
        made.replace(at, from.size(), to);
    return made;
  }
};

/// A file of effects, or one of our own texts, which is parsed when a program
/// has a function of it.
struct EffectsText {
  std::string name, text;
  bool isOwn = false;
  OwningOpRef<ModuleOp> module;
  /// The program's copies of functions, by the names that these have here.
  llvm::StringMap<func::FuncOp> copies;
};

class KnownEffects {
public:
  KnownEffects(ModuleOp module) : module(module), symbols(module) {}

  LogicalResult readFiles(const std::vector<std::string> &files) {
    for (const std::string &path : files) {
      if (infer::isNoFile(path))
        return emitError(UnknownLoc::get(module.getContext()))
               << "cannot read the effects of '" << path
               << "': it is not a regular file";
      auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
      if (!buffer)
        return emitError(UnknownLoc::get(module.getContext()))
               << "cannot read the effects of '" << path
               << "': " << buffer.getError().message();
      texts.push_back({path, (*buffer)->getBuffer().str(), false, {}, {}});
      if (!parse(texts.back()))
        return failure();
    }
    for (const KnownText &known : getOwnTexts())
      texts.push_back({known.name.str(), known.instantiate(), true, {}, {}});
    return success();
  }

  LogicalResult declare(func::FuncOp func) {
    if (failed(checkHidden(func)))
      return failure();
    Type other;
    for (EffectsText &text : texts) {
      bool isAsked = func.isExternal() || !text.isOwn;
      func::FuncOp found =
          isAsked ? find(text, func.getName()) : func::FuncOp();
      if (!found)
        continue;
      other = found.getFunctionType();
      // Of a well-known function, what it returns is known as well.
      bool givesOther =
          text.isOwn && func.getNumResults() > found.getNumResults();
      if (givesOther || !loom::fitsEffects(func, found))
        continue;
      if (failed(checkOthers(func, text)))
        return failure();
      Attribute sets = getSets(found);
      if (!sets && !func.isExternal())
        return refuseBody(func);
      func->setAttr(loom::kEffects, sets ? sets : summarize(text, found));
      return success();
    }
    if (!other)
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

  bool parse(EffectsText &text) {
    llvm::SourceMgr sources;
    auto buffer = llvm::MemoryBuffer::getMemBuffer(text.text, text.name);
    const llvm::MemoryBuffer &source = *buffer;
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    text.module = parseSourceFile<ModuleOp>(sources, module.getContext());
    if (text.module) {
      dropOwnMarks(*text.module);
      nameValues(*text.module, source);
    }
    return bool(text.module);
  }

  /// What a function of a text declares, if that is sets (ffi-4). Of one with a
  /// body, words may stand alone (ffi-7).
  static Attribute getSets(func::FuncOp found) {
    auto effects = found->getAttrOfType<DictionaryAttr>(loom::kEffects);
    bool hasSets = effects && (found.isExternal() ||
                               llvm::any_of(effects, [](NamedAttribute entry) {
                                 return !isa<UnitAttr>(entry.getValue());
                               }));
    return hasSets ? effects : DictionaryAttr();
  }

  /// A copy of a function with a body, and the words that it has.
  Attribute summarize(EffectsText &text, func::FuncOp found) {
    FlatSymbolRefAttr copied = copy(text, found);
    auto words = found->getAttrOfType<DictionaryAttr>(loom::kEffects);
    if (!words || words.empty())
      return copied;
    NamedAttrList entries(words);
    entries.set(loom::kSummary, copied);
    return entries.getDictionary(found.getContext());
  }

  /// Of two files that tell the effects of a function, none counts more. Those
  /// of our own texts count less.
  LogicalResult checkOthers(func::FuncOp func, const EffectsText &text) {
    if (text.isOwn)
      return success();
    for (EffectsText &other : texts) {
      if (&other == &text || other.isOwn)
        continue;
      func::FuncOp found = find(other, func.getName());
      if (found && loom::fitsEffects(func, found))
        return func.emitError("the effects of function '@")
               << func.getName() << "' are told by '" << text.name
               << "' and by '" << other.name << "'; leave one of them out";
    }
    return success();
  }

  /// A function of a user's file that has the name of one without a body, and
  /// tells nothing of it.
  LogicalResult checkHidden(func::FuncOp func) {
    if (!func.isExternal())
      return success();
    for (EffectsText &text : texts) {
      if (text.isOwn)
        continue;
      auto found = text.module->lookupSymbol<func::FuncOp>(func.getName());
      if (!found || find(text, func.getName()))
        continue;
      return func.emitError("the effects of function '@")
             << func.getName() << "' are not told by that of '" << text.name
             << (found.isExternal()
                     ? "', which has neither a body nor 'loom.effects'; give "
                       "it one of them"
                     : "', which is private, a part of others there; leave "
                       "'private' out");
    }
    return success();
  }

  static LogicalResult refuseBody(func::FuncOp func) {
    return func.emitError("function '@")
           << func.getName()
           << "' has a body, and so has the function that tells its effects; a "
              "body is compared with sets";
  }

  /// The function of a text that tells the effects of one of this name.
  func::FuncOp find(EffectsText &text, StringRef name) {
    bool mayHave = text.module || StringRef(text.text).contains(
                                      ("func.func @" + name + "(").str());
    if (!mayHave || (!text.module && !parse(text)))
      return {};
    auto found = text.module->lookupSymbol<func::FuncOp>(name);
    bool tells =
        found && (getSets(found) || (found.isPublic() && !found.isExternal()));
    return tells ? found : func::FuncOp();
  }

  /// Copies a function, and what it calls, where there are no copies yet.
  FlatSymbolRefAttr copy(EffectsText &text, func::FuncOp found) {
    SmallVector<func::FuncOp> work = {found}, made;
    while (!work.empty()) {
      func::FuncOp next = work.pop_back_val();
      auto [it, isNew] = text.copies.try_emplace(next.getName());
      if (!isNew)
        continue;
      it->second = next.clone();
      it->second->removeAttr(loom::kEffects);
      it->second.setPrivate();
      symbols.insert(it->second);
      made.push_back(it->second);
      next.walk([&](func::CallOp call) {
        if (auto callee =
                text.module->lookupSymbol<func::FuncOp>(call.getCallee()))
          work.push_back(callee);
      });
    }
    for (func::FuncOp func : made) {
      func.walk([&](func::CallOp call) {
        if (func::FuncOp callee = text.copies.lookup(call.getCallee()))
          call.setCallee(callee.getName());
      });
      if (text.isOwn)
        func->setAttr(loom::kKnownEffects, UnitAttr::get(func.getContext()));
    }
    return FlatSymbolRefAttr::get(text.copies.lookup(found.getName()));
  }

  ModuleOp module;
  SymbolTable symbols;
  /// In the order in which they count.
  std::vector<EffectsText> texts;
};

} // namespace

LogicalResult broadloom::declareEffects(ModuleOp module,
                                        const std::vector<std::string> &files) {
  // Bodies are compared with what a user's file declares.
  auto isOnMemory = [&](func::FuncOp func) {
    return (func.isExternal() || !files.empty()) &&
           !func->hasAttr(loom::kEffects) &&
           llvm::any_of(func.getArgumentTypes(),
                        [](Type type) { return isa<BaseMemRefType>(type); });
  };
  auto found =
      llvm::filter_to_vector(module.getOps<func::FuncOp>(), isOnMemory);
  if (found.empty())
    return success();
  KnownEffects effects(module);
  return success(succeeded(effects.readFiles(files)) &&
                 llvm::all_of(found, [&](func::FuncOp func) {
                   return succeeded(effects.declare(func));
                 }));
}
