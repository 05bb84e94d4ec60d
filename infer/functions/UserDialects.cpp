//===- UserDialects.cpp - dialects defined in a user's text ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/UserDialects.h"
#include "dialect/LoomDialect.h"
#include "infer/functions/Library.h"
#include "read/ParseText.h"
#include "read/tflite/TfliteDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/IRDL/IR/IRDL.h"
#include "mlir/Dialect/IRDL/IRDLLoading.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

/// The same location in another context.
static Location translate(Location loc, MLIRContext *context) {
  Location found = UnknownLoc::get(context);
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    found = FileLineColLoc::get(context, file.getFilename().getValue(),
                                file.getLine(), file.getColumn());
    return WalkResult::interrupt();
  });
  return found;
}

namespace {

/// The dialects that texts have defined in a context: their names and the text
/// of their definitions.
class KnownDialects : public DialectInterface::Base<KnownDialects> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KnownDialects)

  explicit KnownDialects(Dialect *dialect) : Base(dialect) {}

  static llvm::StringMap<std::string> &get(MLIRContext *context) {
    auto *dialect = context->getOrLoadDialect<loom::LoomDialect>();
    if (!dialect->getRegisteredInterface<KnownDialects>())
      dialect->addInterfaces<KnownDialects>();
    // The context owns it, and gives it to readers only.
    return const_cast<KnownDialects *>(
               dialect->getRegisteredInterface<KnownDialects>())
        ->definitions;
  }

private:
  llvm::StringMap<std::string> definitions;
};

/// Forwards the diagnostics of one context to another.
class Forwarder {
public:
  Forwarder(MLIRContext *from, MLIRContext *to)
      : handler(from, [to](Diagnostic &diagnostic) {
          InFlightDiagnostic copy =
              to->getDiagEngine().emit(translate(diagnostic.getLocation(), to),
                                       diagnostic.getSeverity())
              << diagnostic.str();
          for (Diagnostic &note : diagnostic.getNotes())
            copy.attachNote(translate(note.getLocation(), to)) << note.str();
          return success();
        }) {}

private:
  ScopedDiagnosticHandler handler;
};

/// Reads the text's dialects and checks them.
class Definitions {
public:
  explicit Definitions(MLIRContext *target)
      : scratch(target->getDialectRegistry(), MLIRContext::Threading::DISABLED),
        forwarder(&scratch, target), target(target) {
    scratch.allowUnregisteredDialects();
    scratch.printOpOnDiagnostic(false);
    scratch.loadDialect<irdl::IRDLDialect>();
  }

  LogicalResult read(StringRef text, StringRef name) {
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
    OwningOpRef<ModuleOp> module = read::parseText(sources, &scratch);
    if (!module)
      return failure();
    // The rest of the text may need these dialects.
    definitions = ModuleOp::create(module->getLoc());
    for (Operation &op : llvm::make_early_inc_range(*module->getBody()))
      if (isa<irdl::DialectOp>(op))
        op.moveBefore(definitions->getBody(), definitions->getBody()->end());
    return check();
  }

  /// The new definitions as text with locations, and their names and texts for
  /// KnownDialects.
  std::string print() {
    auto &known = KnownDialects::get(target);
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (auto dialect : definitions->getOps<irdl::DialectOp>()) {
      if (known.count(dialect.getName()))
        continue;
      known[dialect.getName()] = printPlain(dialect);
      dialect->print(stream, OpPrintingFlags().enableDebugInfo());
      stream << '\n';
    }
    return text;
  }

private:
  LogicalResult check() {
    auto &known = KnownDialects::get(target);
    bool isNew = false;
    for (auto dialect : definitions->getOps<irdl::DialectOp>()) {
      if (failed(checkContents(dialect)))
        return failure();
      auto it = known.find(dialect.getName());
      if (it != known.end() && it->second == printPlain(dialect))
        continue;
      if (it != known.end())
        return dialect.emitError("dialect '")
               << dialect.getName()
               << "' has been defined by another text already; give all its "
                  "operations in one place";
      if (isTaken(dialect.getName()))
        return dialect.emitError("dialect '")
               << dialect.getName()
               << "' is one of the program's own; choose another name";
      isNew = true;
    }
    return isNew ? verify(*definitions) : success();
  }

  bool isTaken(StringRef name) {
    // A text may define all of TensorFlow Lite's dialect, of which this project
    // has two operations.
    return target->getLoadedDialect(name) ||
           (name != read::TfliteDialect::getDialectNamespace() &&
            llvm::is_contained(target->getAvailableDialects(), name));
  }

  /// Checks what upstream's loader does not.
  LogicalResult checkContents(irdl::DialectOp dialect) {
    auto result = dialect->walk([&](Operation *op) {
      if (op == dialect)
        return WalkResult::advance();
      if (!isa_and_nonnull<irdl::IRDLDialect>(op->getDialect()) ||
          isa<irdl::CPredOp, irdl::DialectOp>(op)) {
        op->emitError("the definition of a dialect cannot have '")
            << op->getName() << "'";
        return WalkResult::interrupt();
      }
      for (Value operand : op->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (!def || def->getBlock() != op->getBlock() ||
            !def->isBeforeInBlock(op)) {
          op->emitError("uses a constraint that does not stand before it");
          return WalkResult::interrupt();
        }
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  static std::string printPlain(Operation *op) {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    return text;
  }

  MLIRContext scratch;
  Forwarder forwarder;
  MLIRContext *target;
  OwningOpRef<ModuleOp> definitions;
};

} // namespace

LogicalResult infer::defineDialects(StringRef text, StringRef name,
                                    MLIRContext *context) {
  std::string found;
  {
    Definitions definitions(context);
    if (failed(definitions.read(text, name)))
      return failure();
    found = definitions.print();
  }
  if (found.empty())
    return success();
  context->getOrLoadDialect<irdl::IRDLDialect>();
  auto module = parseSourceString<ModuleOp>(found, ParserConfig(context), name);
  return module ? irdl::loadDialects(*module) : failure();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {

class UserTexts : public DialectExtension<UserTexts, func::FuncDialect> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UserTexts)

  explicit UserTexts(std::vector<std::string> paths)
      : paths(std::move(paths)) {}

  void apply(MLIRContext *context, func::FuncDialect *) const override {
    // Definitions are read in a context of their own, of the same registry.
    static thread_local bool isBusy = false;
    if (isBusy)
      return;
    llvm::SaveAndRestore busy(isBusy, true);
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
    for (const std::string &path : paths) {
      // What reads the library tells this.
      if (infer::isNoFile(path))
        continue;
      auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
      if (buffer && (*buffer)->getBuffer().contains("irdl.dialect"))
        (void)infer::defineDialects((*buffer)->getBuffer(), path, context);
    }
  }

private:
  std::vector<std::string> paths;
};

} // namespace

void infer::registerUserDialects(DialectRegistry &registry,
                                 std::vector<std::string> paths) {
  registry.addExtension(TypeID::get<UserTexts>(),
                        std::make_unique<UserTexts>(std::move(paths)));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool infer::isUserType(Type type) {
  return isa<DynamicDialect>(type.getDialect());
}

TensorType infer::getCarriedType(Type type) {
  auto user = dyn_cast<DynamicType>(type);
  if (!user || user.getParams().size() != 1)
    return {};
  auto parameter = dyn_cast<TypeAttr>(user.getParams().front());
  return parameter ? dyn_cast<TensorType>(parameter.getValue()) : TensorType();
}

Type infer::withCarriedType(Type type, TensorType carried) {
  auto ignore = [&] {
    InFlightDiagnostic error =
        emitError(UnknownLoc::get(type.getContext()), "");
    error.abandon();
    return error;
  };
  return DynamicType::getChecked(ignore, cast<DynamicType>(type).getTypeDef(),
                                 {TypeAttr::get(carried)});
}
