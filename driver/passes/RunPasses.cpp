//===- RunPasses.cpp - passes, and whose fault it is ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/passes/RunPasses.h"

#include "dialect/LocationText.h"
#include "dialect/LoomDialect.h"
#include "driver/Compiler.h"
#include "driver/passes/KnownPasses.h"
#include "read/structure/VerifyLoosely.h"
#include "runtime/abi/Abi.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/SaveAndRestore.h"

#include <atomic>
#include <cstdlib>

using namespace mlir;
using namespace broadloom;

namespace {
/// A pass at work.
struct Work {
  Pass *pass = nullptr;
  Operation *op = nullptr;
};

/// A failure of the current pass that a test provokes.
enum class Provoked { None, Fails, LeavesUnsound };
} // namespace

// Several threads may each run a pass on a function. Plain pointers, because a
// signal handler may read them at any time.
static thread_local Work current;
static thread_local Provoked provokedNow = Provoked::None;
/// Whether what the current pass leaves is verified.
static thread_local bool isVerifying = false;
static thread_local const char *currentText = nullptr;
/// The same of any thread, for threads that work on a part of it.
static std::atomic<const char *> latestText = nullptr;

CurrentWork::CurrentWork(const char *text) : before(currentText) {
  currentText = text;
  latestText = text;
}
CurrentWork::~CurrentWork() {
  currentText = before;
  latestText = before;
}

ProvokedBug::ProvokedBug(StringRef text)
    : crashes(text.consume_front("!")), isUnsound(text.consume_front("~")) {
  auto [first, second] = text.split('/');
  pass = first.str();
  operation = second.str();
}

static StringRef getName(Pass *pass) {
  return pass->getArgument().empty() ? pass->getName() : pass->getArgument();
}

static std::string describeWork(const Work &work, StringRef verb) {
  std::string text = "pass '" + getName(work.pass).str() + "' " + verb.str() +
                     " on '" + work.op->getName().getStringRef().str() + "'";
  if (auto name =
          work.op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    text += " @" + name.str();
  return text;
}

std::string broadloom::describeBug(StringRef text) {
  return "this is a bug in broadloom: " + text.str();
}

std::string broadloom::describeCurrentWork() {
  const char *outside = currentText ? currentText : latestText.load();
  if (!current.pass)
    return outside ? std::string("a crash in ") + outside : "";
  std::string where = getLocationText(current.op->getLoc());
  return describeWork(current, "crashes") +
         (where.empty() ? "" : " (" + where + ")");
}

/// A pass that runs another one where it is needed has that one's name.
static bool has(Pass *pass, PassTraits traits) {
  return passHas(getName(pass), traits);
}

bool broadloom::isCheckingShapes() {
  return current.pass && has(current.pass, ChecksShapes);
}

/// Whether MLIR's dialect conversion reports a missing pattern, which is a bug
/// of the compiler.
static bool isOfConversion(StringRef text) {
  return text.starts_with("failed to legalize") ||
         text.starts_with("failed to convert");
}

/// Whether programs are verified behind each pass, as tests request by the
/// environment. Where assertions are checked, they are unless that says no.
static bool verifiesPasses() {
#ifdef NDEBUG
  StringRef verifies = "0";
#else
  StringRef verifies = "1";
#endif
  if (const char *value = std::getenv("BROADLOOM_VERIFY_PASSES"))
    verifies = value;
  return verifies == "1";
}

static bool hasOperation(Operation *op, StringRef name) {
  auto find = [&](Operation *inner) {
    return inner->getName().getStringRef() == name ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  };
  return name.empty() || op->walk(find).wasInterrupted();
}

namespace {

/// The first pass that failed, as text: its operation may no longer exist after
/// later passes.
struct Failed {
  std::optional<Location> location;
  std::string text;
  bool checksProgram = false;

  void note(Pass *pass, Operation *op) {
    if (location)
      return;
    checksProgram = has(pass, ChecksProgram);
    location = op->getLoc();
    text = describeWork({pass, op}, "fails");
  }
};

/// Records the current pass and the first one that failed. MLIR calls it from
/// one thread at a time.
class Watch : public PassInstrumentation {
public:
  Watch(Failed &failed, const ProvokedBug &provoked)
      : failed(failed), provoked(provoked), verifies(verifiesPasses()) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    current = {pass, op};
    if (!isProvoked(pass, op))
      return;
    if (provoked.crashes)
      LLVM_BUILTIN_TRAP;
    provokedNow =
        provoked.isUnsound ? Provoked::LeavesUnsound : Provoked::Fails;
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    Provoked now = std::exchange(provokedNow, Provoked::None);
    if (now == Provoked::LeavesUnsound)
      addUnsound(op);
    if (now == Provoked::Fails || !verify(pass, op))
      failed.note(pass, op);
    current = {};
  }
  // The innermost pass fails first, then the passes that ran it.
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    failed.note(pass, op);
    current = {};
    provokedNow = Provoked::None;
  }

private:
  bool isProvoked(Pass *pass, Operation *op) const {
    return !provoked.pass.empty() && pass->getArgument() == provoked.pass &&
           hasOperation(op, provoked.operation);
  }

  /// Adds an operation that no verifier accepts where it stands.
  static void addUnsound(Operation *op) {
    OpBuilder builder = OpBuilder::atBlockEnd(&op->getRegion(0).front());
    loom::YieldOp::create(builder, op->getLoc(), ValueRange());
  }

  /// False, with the errors reported, if the verifier rejects the program that
  /// the pass leaves. Only the first such pass is reported.
  bool verify(Pass *pass, Operation *op) {
    if (!verifies || failed.location || has(pass, LeavesUnlegalized))
      return true;
    llvm::SaveAndRestore verifying(isVerifying, true);
    return succeeded(read::verifyAllLoosely(op));
  }

  Failed &failed;
  const ProvokedBug &provoked;
  const bool verifies;
};

} // namespace

int32_t broadloom::runPasses(PassManager &pm, ModuleOp module,
                             const ProvokedBug &provoked) {
  Failed failed;
  pm.addInstrumentation(std::make_unique<Watch>(failed, provoked));
  // The first error that is not about the program. It counts only if the pass
  // then fails.
  std::optional<Location> firstLocation;
  std::string text;
  size_t numErrors = 0;
  Pass *refusing = nullptr;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(
        module.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          std::string message = diagnostic.str();
          // What passes report of functions comes in the order of the
          // functions once all passes are done, where there are threads.
          bool checksProgram = current.pass ? has(current.pass, ChecksProgram)
                               : failed.location ? failed.checksProgram
                                                 : true;
          bool isOurs =
              isVerifying || !checksProgram ||
              ((current.pass || failed.location) && isOfConversion(message));
          if (!isOurs) {
            ++numErrors;
            // Only the first pass that rejects the program reports errors.
            // Later ones run only to complete a report.
            if (!refusing)
              refusing = current.pass;
            return success(refusing != current.pass);
          }
          if (!firstLocation) {
            firstLocation = diagnostic.getLocation();
            text = std::move(message);
          }
          return success();
        });
    result = pm.run(module);
  }
  if (numErrors != 0)
    return BROADLOOM_INVALID_ARGUMENT;
  if (succeeded(result) && !failed.location)
    return BROADLOOM_OK;
  // If no pass failed, the pipeline itself could not be run.
  std::string what =
      failed.location ? failed.text : std::string("the passes cannot be run");
  emitError(firstLocation.value_or(failed.location.value_or(module.getLoc())))
      << describeBug(what + (text.empty() ? "" : ": " + text));
  return BROADLOOM_INTERNAL_ERROR;
}
