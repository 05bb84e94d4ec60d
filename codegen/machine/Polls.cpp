//===- Polls.cpp - loops that a cancelled call leaves ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/Polls.h"

#include "codegen/machine/CountedLoop.h"
#include "codegen/machine/RestOfLoop.h"
#include "runtime/abi/Description.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <limits>

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

/// Bytes that take no longer than some numbers do.
static constexpr uint64_t kShortMemory = uint64_t(1) << 12;

static constexpr StringLiteral kKeepingPoll = "loom_poll";

namespace {

class FunctionPolls {
public:
  FunctionPolls(Function &function, ArrayRef<CallInst *> entries,
                Function &poll, const TargetLibraryInfoImpl &libraries,
                bool isOptimised)
      : function(function), entries(entries), poll(poll),
        library(libraries, &function), isOptimised(isOptimised) {
    for (CallInst *entry : entries)
      if (isa<Argument>(entry->getArgOperand(0)))
        state = entry->getArgOperand(0);
  }

  void insert() {
    if (state && returnsStatus()) {
      DominatorTree tree(function);
      LoopInfo loops(tree);
      findHeads(loops, tree);
      for (Loop *loop : innermost)
        if (std::optional<CountedLoop> counted = CountedLoop::find(*loop))
          inChunks(*loop, *counted, loops, tree);
        else
          heads.push_back(loop->getHeader());
      for (BasicBlock *head : heads)
        pollAt(head, head->getFirstInsertionPt());
    }
    for (CallInst *entry : entries)
      readAhead(entry);
  }

private:
  bool returnsStatus() const {
    Type *type = function.getReturnType();
    if (auto *results = dyn_cast<StructType>(type))
      type = results->getNumElements() ? results->getElementType(0) : nullptr;
    return type && type->isIntegerTy(32);
  }

  /// Whether the instruction may take longer than some numbers do, and does not
  /// read the flag: a call of a function that is none of mathematics, or of
  /// memory whose size is not known.
  bool mayTakeLong(const Instruction &instruction) const {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || isPolling(instruction))
      return false;
    if (auto *memory = dyn_cast<MemIntrinsic>(call)) {
      auto *length = dyn_cast<ConstantInt>(memory->getLength());
      return !length || length->getValue().ugt(kShortMemory);
    }
    const Function *callee = call->getCalledFunction();
    if (!callee || !callee->isDeclaration())
      return true;
    if (callee->isIntrinsic())
      return false;
    LibFunc known;
    bool isMath = library.getLibFunc(*callee, known) ||
                  callee->getName().starts_with("_ZGV") ||
                  callee->getName().starts_with("__");
    return !isMath || llvm::any_of(callee->args(), [](const Argument &it) {
      return it.getType()->isPointerTy();
    });
  }

  /// Whether a call in each iteration looks at the flag itself.
  static bool isPolled(const Loop &loop, const DominatorTree &tree) {
    SmallVector<BasicBlock *> latches;
    loop.getLoopLatches(latches);
    return llvm::any_of(loop.blocks(), [&](BasicBlock *block) {
      return llvm::any_of(*block, isPolling) &&
             llvm::all_of(latches, [&](BasicBlock *latch) {
               return tree.dominates(block, latch);
             });
    });
  }
  static bool isPolling(const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && llvm::is_contained({abi::broadloomPoll.name,
                                         abi::broadloomLaunchAll.name,
                                         abi::broadloomCheckStack.name,
                                         abi::broadloomMemoryAllocate.name},
                                        callee->getName());
  }

  void findHeads(LoopInfo &loops, DominatorTree &tree) {
    AssumptionCache assumptions(function);
    std::optional<ScalarEvolution> evolution;
    if (isOptimised && !loops.empty())
      evolution.emplace(function, library, assumptions, tree, loops);
    if (!loops.empty())
      for (const BasicBlock &block : function)
        if (llvm::any_of(block, [&](const Instruction &instruction) {
              return mayTakeLong(instruction);
            }))
          longBlocks.insert(&block);
    for (Loop *loop : loops)
      findHeads(*loop, tree, evolution ? &*evolution : nullptr);
    // Blocks at which cycles of another form are entered.
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
    FindFunctionBackedges(function, edges);
    for (auto [from, to] : edges) {
      auto *head = const_cast<BasicBlock *>(to);
      if (!loops.isLoopHeader(head) && !llvm::is_contained(heads, head))
        heads.push_back(head);
    }
  }

  /// Of the loop and those in it. Returns how many iterations all of them have
  /// at most in one run of the loop: up to kChunk that are short need no read,
  /// such as those of what is left of an unrolled loop, and of a nest of few
  /// known iterations. Without `evolution`, in code that is not optimised, each
  /// loop may have many.
  uint64_t findHeads(Loop &loop, const DominatorTree &tree,
                     ScalarEvolution *evolution) {
    constexpr uint64_t many = std::numeric_limits<uint64_t>::max();
    uint64_t inside = 1;
    for (Loop *inner : loop)
      inside = SaturatingAdd(inside, findHeads(*inner, tree, evolution));
    uint64_t trips =
        evolution ? evolution->getSmallConstantMaxTripCount(&loop) : 0;
    if (evolution && trips == 0)
      trips = getMostOfRest(loop, *evolution);
    uint64_t iterations =
        trips == 0 ? many : SaturatingMultiply<uint64_t>(trips, inside);
    bool isLong = llvm::any_of(loop.blocks(), [&](BasicBlock *block) {
      return longBlocks.contains(block);
    });
    if ((isLong || iterations > uint64_t(kChunk)) && !isPolled(loop, tree)) {
      if (loop.isInnermost() && !isLong)
        innermost.push_back(&loop);
      else
        heads.push_back(loop.getHeader());
    }
    return isLong ? many : iterations;
  }

  /// Where the first limit is computed: in front of all loops in which it is
  /// the same.
  static Instruction *findPlace(Loop &loop, BasicBlock *before,
                                const CountedLoop &it, const Value *initial) {
    for (Loop *outer = loop.getParentLoop();
         outer && outer->getLoopPreheader() &&
         outer->isLoopInvariant(it.bound) && outer->isLoopInvariant(initial);
         outer = outer->getParentLoop())
      before = outer->getLoopPreheader();
    return before->getTerminator();
  }

  /// Makes a loop of chunks around the loop:
  ///
  ///   chunk:  the numbers that the loop carries, and the limit
  ///   loop:   as before, to the limit
  ///   ended:  leaves where the limit is the loop's bound, or reads the flag
  ///
  /// The outer loop computes with the limit, not with the counter of the inner
  /// one: LLVM would keep a second counter in the inner loop for that.
  void inChunks(Loop &loop, const CountedLoop &it, LoopInfo &loops,
                DominatorTree &tree) {
    BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
    BasicBlock *before = loop.getLoopPreheader();
    if (!before)
      before = InsertPreheaderForLoop(&loop, &tree, &loops, nullptr, false);
    if (!before)
      return heads.push_back(header);
    Value *initial = it.counter->getIncomingValueForBlock(before);
    IRBuilder<> b(findPlace(loop, before, it, initial));
    // A loop in loops whose limit is another one each time branches to where it
    // is computed: a processor goes on with the loop before it has compared.
    Value *isNear = loop.getParentLoop() && b.GetInsertBlock() == before
                        ? it.isNear(b, initial)
                        : nullptr;
    if (isNear && isa<Constant>(isNear))
      isNear = nullptr;
    LLVMContext &context = function.getContext();
    BasicBlock *first = before;
    if (isNear) {
      first = BasicBlock::Create(context, "far", &function);
      b.SetInsertPoint(first);
    }
    Value *firstLimit = it.getLimit(b, initial);
    if (firstLimit == it.bound) {
      if (isNear)
        first->eraseFromParent();
      return;
    }
    auto *chunk = BasicBlock::Create(context, "chunk", &function, header);
    auto *ended =
        BasicBlock::Create(context, "ended", &function, latch->getNextNode());
    bool goesOnIfTrue = loop.contains(it.branch->getSuccessor(0));
    BasicBlock *exit = it.branch->getSuccessor(goesOnIfTrue ? 1 : 0);

    if (isNear) {
      b.CreateBr(chunk);
      b.SetInsertPoint(before->getTerminator());
      b.CreateCondBr(isNear, chunk, first,
                     MDBuilder(context).createLikelyBranchWeights());
      before->getTerminator()->eraseFromParent();
    } else {
      before->getTerminator()->replaceSuccessorWith(header, chunk);
    }
    b.SetInsertPoint(chunk);
    PHINode *limit = b.CreatePHI(it.bound->getType(), 2, "limit");
    limit->addIncoming(firstLimit, first);
    if (isNear)
      limit->addIncoming(it.bound, before);
    SmallVector<std::pair<PHINode *, PHINode *>> carried;
    for (PHINode &phi : header->phis()) {
      PHINode *outer = b.CreatePHI(phi.getType(), 2);
      int index = phi.getBasicBlockIndex(before);
      outer->addIncoming(phi.getIncomingValue(index), before);
      if (isNear)
        outer->addIncoming(phi.getIncomingValue(index), first);
      phi.setIncomingBlock(index, chunk);
      phi.setIncomingValue(index, outer);
      carried.push_back({&phi, outer});
    }
    b.CreateBr(header);

    b.SetInsertPoint(it.branch);
    Value *next = it.counter->getIncomingValueForBlock(latch);
    Value *compared = it.ahead ? next : it.counter;
    it.branch->setCondition(b.CreateICmp(it.predicate, compared, limit));
    it.branch->setSuccessor(0, header);
    it.branch->setSuccessor(1, ended);
    if (!goesOnIfTrue)
      it.branch->swapProfMetadata();

    b.SetInsertPoint(ended);
    auto *poll = BasicBlock::Create(context, "poll", &function, exit);
    b.CreateCondBr(b.CreateICmpNE(limit, it.bound), poll, exit,
                   MDBuilder(context).createUnlikelyBranchWeights());
    exit->replacePhiUsesWith(latch, ended);
    b.SetInsertPoint(poll);
    int64_t further = it.getOvershoot() + (it.ahead ? 0 : it.step);
    Value *reached =
        b.CreateAdd(limit, ConstantInt::getSigned(limit->getType(), further));
    Value *nextLimit = it.getLimit(b, reached);
    auto *jump = b.CreateBr(chunk);
    limit->addIncoming(nextLimit, poll);
    for (auto [phi, outer] : carried)
      outer->addIncoming(
          phi == it.counter ? reached : phi->getIncomingValueForBlock(latch),
          poll);
    pollAt(poll, jump->getIterator());
  }

  /// Reads the flag before `at`; where it is set, the runtime decides.
  void pollAt(BasicBlock *block, BasicBlock::iterator at) {
    BasicBlock *rest = block->splitBasicBlock(at, "polled");
    block->getTerminator()->eraseFromParent();
    IRBuilder<> b(block);
    LLVMContext &context = function.getContext();
    auto *look = BasicBlock::Create(context, "look", &function);
    MDNode *rarely = MDBuilder(context).createUnlikelyBranchWeights();
    b.CreateCondBr(readFlag(b), look, rest, rarely);
    b.SetInsertPoint(look);
    CallInst *status = b.CreateCall(&poll, {state});
    status->setCallingConv(poll.getCallingConv());
    BasicBlock *failure = getFailure();
    cast<PHINode>(failure->front()).addIncoming(status, look);
    b.CreateCondBr(b.CreateIsNotNull(status), failure, rest, rarely);
  }

  Value *readFlag(IRBuilder<> &b) {
    LoadInst *flag = b.CreateLoad(b.getInt32Ty(), state);
    flag->setAtomic(AtomicOrdering::Monotonic);
    flag->setAlignment(Align(4));
    return b.CreateIsNotNull(flag);
  }

  /// Returns the status that its only phi has.
  BasicBlock *getFailure() {
    if (failure)
      return failure;
    failure = BasicBlock::Create(function.getContext(), "cancelled", &function);
    IRBuilder<> b(failure);
    Value *result = b.CreatePHI(b.getInt32Ty(), 2);
    if (auto *type = dyn_cast<StructType>(function.getReturnType()))
      result = b.CreateInsertValue(Constant::getNullValue(type), result, {0});
    b.CreateRet(result);
    return failure;
  }

  /// Calls broadloomPoll only where the flag is set.
  void readAhead(CallInst *entry) {
    if (!state)
      return;
    IRBuilder<> b(entry);
    Value *isSet = readFlag(b);
    BasicBlock *head = entry->getParent();
    Instruction *end = SplitBlockAndInsertIfThen(
        isSet, entry->getIterator(), /*Unreachable=*/false,
        MDBuilder(function.getContext()).createUnlikelyBranchWeights());
    BasicBlock *rest = entry->getParent();
    entry->moveBefore(end->getIterator());
    b.SetInsertPoint(rest, rest->begin());
    PHINode *status = b.CreatePHI(b.getInt32Ty(), 2);
    entry->replaceAllUsesWith(status);
    status->addIncoming(b.getInt32(0), head);
    status->addIncoming(entry, end->getParent());
  }

  Function &function;
  ArrayRef<CallInst *> entries;
  /// What a loop calls where the flag is set.
  Function &poll;
  TargetLibraryInfo library;
  bool isOptimised;
  /// The state of the call, an argument of the function.
  Value *state = nullptr;
  /// Those with an instruction that may take long.
  DenseSet<const BasicBlock *> longBlocks;
  SmallVector<Loop *> innermost;
  SmallVector<BasicBlock *> heads;
  BasicBlock *failure = nullptr;
};

} // namespace

/// A function that calls `poll` and keeps the registers of integers and
/// addresses. With a plain call in a loop, which hardly ever runs, those that
/// calls do not keep would be taken for nothing that lives in the loop, and the
/// others would not suffice. It does not keep vectors as well (`preserve_all`):
/// LLVM restores them and then clears their upper halves by `vzeroupper`.
static Function &makeKeepingPoll(Function &poll) {
  Triple triple(poll.getParent()->getTargetTriple());
  if (triple.getArch() != Triple::x86_64 && triple.getArch() != Triple::aarch64)
    return poll;
  auto *function =
      Function::Create(poll.getFunctionType(), GlobalValue::InternalLinkage,
                       kKeepingPoll, poll.getParent());
  function->setCallingConv(CallingConv::PreserveMost);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr(Attribute::Cold);
  IRBuilder<> b(BasicBlock::Create(poll.getContext(), "entry", function));
  b.CreateRet(b.CreateCall(&poll, {function->getArg(0)}));
  return *function;
}

void broadloom::codegen::insertPolls(Module &module, bool isOptimised) {
  Function *poll = module.getFunction(abi::broadloomPoll.name);
  if (!poll)
    return;
  MapVector<Function *, SmallVector<CallInst *>> entries;
  for (User *user : poll->users())
    if (auto *call = dyn_cast<CallInst>(user))
      entries[call->getFunction()].push_back(call);
  if (entries.empty())
    return;
  Function &keeping = makeKeepingPoll(*poll);
  TargetLibraryInfoImpl libraries(Triple(module.getTargetTriple()));
  for (auto &[function, calls] : entries)
    FunctionPolls(*function, calls, keeping, libraries, isOptimised).insert();
  if (&keeping != poll && keeping.use_empty())
    keeping.eraseFromParent();
}
