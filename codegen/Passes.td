//===- Passes.td - from tensors to machine code ------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_PASSES_TD
#define BROADLOOM_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

class TargetOptions {
  list<Option> options = [
    Option<"target", "target", "std::string", "\"\"",
           "the machine's triple, as LLVM has it">,
    Option<"cpu", "cpu", "std::string", "\"\"",
           "the processor, as LLVM names it">];
}

def LoomSetTarget : Pass<"loom-set-target", "::mlir::ModuleOp"> {
  let summary = "Record the target machine in the module";
  let description = [{
    Later passes make code for the machine that the module names. Without
    options the pass records nothing, and code is made for this machine.
  }];
  let options = TargetOptions<>.options;
}

def LoomEraseAttributes : Pass<"loom-erase-attributes", "::mlir::ModuleOp"> {
  let summary = "Erase attributes that would tell LLVM something of the program";
  let description = [{
    A program that another tool has made may have attributes that code is made
    by, such as `passthrough = ["noreturn"]` of a function, `llvm.target_triple`
    of the module, or `bufferization.writable` of an argument. They are about
    that tool's calling convention and memory. Attributes of `loom` stay, but
    those of the module, which later passes set. Metadata of locations goes as
    well if it belongs to a dialect, as LLVM's debug information does.
  }];
}

def LoomMangleSymbols : Pass<"loom-mangle-symbols", "::mlir::ModuleOp"> {
  let summary = "Prefix the program's symbols, so that the compiler's own are free";
  let description = [{
    A function @f becomes @loom_function_f, any other symbol @loom_global_f. The
    compiler then adds its own symbols and those of the libraries that compiled
    code calls, and no symbol of the program clashes with them. Declarations of
    functions are erased, because no program may call them.
  }];
}

def LoomPlaceMemory : Pass<"loom-place-memory", "::mlir::ModuleOp"> {
  let summary = "Give a program over memory its stack slots and lifetime checks";
  let description = [{
    A small `memref.alloca` whose memory does not leave its scope gets a slot on
    the stack; any other becomes memory of the call, which is freed where its
    block ends. Before each use of memory that may have been freed, the pass adds
    a check (mem-6). Globals
    become the program's own (mem-14), and memory whose layout is a map gets the
    shape that the map gives, and memory whose shape is a set one axis.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LoomEraseDeadStores : Pass<"loom-erase-dead-stores", "::mlir::func::FuncOp"> {
  let summary = "Leave out loops over memory whose stores nothing reads";
  let description = [{
    Of programs over memory that have their guards. A loop nest that only stores to one
    memref does not run where nests behind it surely store to the same elements before
    anything reads them, fails or is called (eff-6). Where other memory is read
    meanwhile, one check compares the addresses. Stores to memory that the function
    makes and nothing reads are erased.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def LoomParallelizeNests : Pass<"loom-parallelize-nests", "::mlir::ModuleOp"> {
  let summary = "Run loops over memory on several threads";
  let description = [{
    Of programs over memory. A loop whose iterations touch no element that another one
    writes becomes a function, which the runtime calls with parts of the iterations.
    One check in front compares the addresses of the loop's memory; where it overlaps,
    the loop runs in order.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LoomVersionNests : Pass<"loom-version-nests", "::mlir::func::FuncOp"> {
  let summary = "Give loops over memory a version for memory that does not overlap";
  let description = [{
    Of programs over memory that have their guards. An innermost loop with checks of
    what it loads, such as that of `x[at[i]]`, gets a version that checks blocks of
    several iterations at once, and what no iteration changes in front of the loop
    (decision 127).

    In front of a loop nest that writes memory and accesses
    other memory too, one check compares the addresses. Where no memory that is written
    overlaps with any other, a second version runs, whose accesses tell LLVM that
    (`noalias`). Nests that are large, or that have calls or checks, have none of these.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LoomApplySchedule : Pass<"loom-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Edit loops over memory by a schedule";
  let description = [{
    Runs the edits of a text of the transform dialect (sch-1), such as
    `transform.loom.tile`, behind all guards. An edit that would change the order
    of two accesses to one element is an error at its line.
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"", "the schedule">,
    Option<"prints", "print", "bool", "false",
           "print the schedule tree in front of the edits and behind each">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::transform::TransformDialect"];
}

def LoomScheduleNests : Pass<"loom-schedule-nests", "::mlir::ModuleOp"> {
  let summary = "Edit loops over memory by a schedule that is found";
  let description = [{
    Interchanges loops so that the innermost one goes through memory element by
    element, tiles those that use elements again, and jams rows that share them
    (sch-17), where no two accesses to one element change their order. Nests
    that are contractions are left to loom-raise-nests.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def LoomPrintSchedule : Pass<"loom-print-schedule", "::mlir::ModuleOp"> {
  let summary = "Print the loops over memory as schedule trees";
  let description = [{
    Of programs over memory: domains, bands, sequences, filters and marks
    (sch-11). The program stays as it is.
  }];
}

def LoomReadBoundaries : Pass<"loom-read-boundaries", "::mlir::func::FuncOp"> {
  let summary = "Read memory in place of its boundaries";
  let description = [{
    Of programs over memory. A load of a `loom.boundary` becomes one of the memory
    that it is of, by an index that is computed (bnd-1). A loop that has such loads
    becomes three, one behind the other. In the middle one, indices that are sums
    of its variable, of those of inner loops, and of numbers, are known to be
    inside. The order of the iterations stays. Nests that are contractions
    are not split: a kernel gathers what they read. Neither are loops with names, and
    loops around them.
  }];
  let options = [
    Option<"splits", "split", "bool", "true", "Make three loops of one">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LoomRaiseNests : Pass<"loom-raise-nests", "::mlir::ModuleOp"> {
  let summary = "Give loop nests that are contractions a version by kernels";
  let description = [{
    Of programs over memory. A loop nest that adds products of elements of two memrefs
    to elements of a third one, and whose values may be those of `loom.contract`
    (mem-16), gets a second version: launches that read the factors and write the
    sums in this memory. Loops over tiles are joined with those over elements. One
    check in front compares the addresses and the number of products. A factor
    that is not indexed by single loops, or stands under a condition, is gathered
    strip by strip.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LoomSeparateTensors : Pass<"loom-separate-tensors", "::mlir::ModuleOp"> {
  let summary = "Make functions of what computes tensors in functions over memory";
  let description = [{
    In functions over memory, runs of operations that compute tensors become private
    functions over tensors, which are called. A tensor that is taken from memory is
    a copy of it, and so is memory that is made of a tensor. The attribute
    `loom.tensor_arguments` has the numbers of arguments that are tensors.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LoomCheckCallsFirst : Pass<"loom-check-calls-first", "::mlir::ModuleOp"> {
  let summary = "Check at entry what called functions check of arguments";
  let description = [{
    Of programs over memory. What a function checks at its entry, its callers check at
    theirs too, if their own arguments decide it and the call is reached
    whatever they have computed before. So a call that fails in a called function has
    written nothing (mem-2). Functions that call themselves are left out. A
    caller that has done so calls a version without the checks of further calls.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect"];
}

def LoomShareNests : Pass<"loom-share-nests", "::mlir::ModuleOp"> {
  let summary = "Make one function of equal loop nests of a long program";
  let description = [{
    Of programs over memory that are longer than the limit. Loop nests that are equal but
    for the memory and the numbers that they use become calls of one function
    (decision 89). Numbers that decide how fast a nest is, and the places of
    guards, are part of it; nests that are known to be short stay.
  }];
  let options = [
    Option<"longest", "longest", "size_t", "2000",
           "the number of operations beyond which a program is long">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def LoomSplitFunctions : Pass<"loom-split-functions", "::mlir::ModuleOp"> {
  let summary = "Split long functions over memory into functions of few loops";
  let description = [{
    LLVM takes more than linear time for a function of many loops. A block with
    loops that is longer than the limit becomes calls of private functions, each
    of which has a run of its operations that ends with a loop (decision 76). In
    a program that is longer than the limit, what finds the failing access of a
    nest becomes a function that LLVM does not optimise. Expects structured
    control flow.
  }];
  let options = [
    Option<"longest", "longest", "size_t", "2000",
           "the number of operations beyond which a program or block is long">,
    Option<"piece", "piece", "size_t", "400",
           "the number of operations with which a piece ends">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def LoomBufferize : Pass<"loom-bufferize", "::mlir::ModuleOp"> {
  let summary = "Convert tensors to buffers and maps to launches";
  let description = [{
    Runs upstream's bufferization across function boundaries, after an analysis
    of this project decides which operations write in place
    (codegen/buffers/Ownership.h). Arguments may have any strides and are never
    written. Maps read them as they are; all other operations read them through
    `loom.contiguous`. This pass frees no buffer: `loom-free-temporaries` does
    that, and the rest is freed when the call ends.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LoomPackWeights : Pass<"loom-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Lay out constant weights as the kernels read them";
  let description = [{
    The weight of a `loom.contract` over channels becomes panels of as many
    output channels as its kernel sums at a time, for the processor that the
    module names. Weights that are not constant are laid out when the program
    runs: once, if they are an argument with `loom.constant` (abi-9), which is
    marked as packed and stays as it is, and else in each launch.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect"];
}

def LoomMarkSites : Pass<"loom-mark-sites", "::mlir::ModuleOp"> {
  let summary = "Insert the sites at which a profile measures time";
  let description = [{
    Inserts a `loom.site` before and after every launch, `linalg` loop and copy.
    The module's attribute `loom.sites` has for each site its function, its kind
    and the numbers (infer/report/OperationNumber.h) of the operations that it
    computes. Kernels are the same as without this pass.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomReadTransposed : Pass<"loom-read-transposed", "::mlir::ModuleOp"> {
  let summary = "Let contractions read transposed operands without a copy";
  let description = [{
    A `loom.contract` without a window reads its image and its weight with any
    strides while it lays them out for its kernel. A `linalg.transpose` of such
    an operand becomes `loom.transposed`, which writes nothing to memory.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomCopyTransposed : Pass<"loom-copy-transposed", "::mlir::ModuleOp"> {
  let summary = "Write transposed tensors by copies of the runtime";
  let description = [{
    A `linalg.transpose` on buffers becomes a `memref.copy` of the transposed
    operand, unless it is known to have few elements. A loop would read or write
    one element of each cache line; the runtime copies blocks that stay in the
    first cache, with as many threads as the call has.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LoomLinalgToLoops : Pass<"loom-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "Convert the remaining linalg operations on buffers to loops";
  let description = [{
    Like upstream's convert-linalg-to-loops, but the rest of the function does
    not change. Upstream's pass merges equal blocks, and would lose the locations
    of guards in them. Where an operation has `loom.writes_apart`, what does not
    change in an inner loop stands in front of it, guards too, and loads and
    stores have scopes that tell LLVM what does not overlap.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
  let options = [
    Option<"ofMemory", "of-memory", "bool", /*default=*/"false",
           "Only in functions over memory">];
}

def LoomScfToCf : Pass<"loom-scf-to-cf"> {
  let summary = "Branches and loops of scf to blocks of cf";
  let description = [{
    As upstream's convert-scf-to-cf, in a time that is linear in the number of
    operations of a block.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect"];
}

def LoomAssignBuffers : Pass<"loom-assign-buffers", "::mlir::ModuleOp"> {
  let summary = "Assign each result of a function its buffer";
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomWriteInPlace : Pass<"loom-write-in-place", "::mlir::ModuleOp"> {
  let summary = "Write variables to the memory that they have";
  let description = [{
    Of a variable that says `in_place`, the memory of the next value begins as a
    copy of the last one, if only a part changes. It gets the memory of the last
    one as its destination, which the caller may allow (decision 91).
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomPlaceParts : Pass<"loom-place-parts", "::mlir::func::FuncOp"> {
  let summary = "Compute the parts of a concatenation where they belong";
  let description = [{
    An operand of a concatenation is copied to its part of the result's memory.
    Where a launch or loops make the operand, and its elements are one run in the
    result, they write it there (decision 45). The memory is allocated before
    them for that. Copies that are known to have nothing to do are erased.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::broadloom::loom::LoomDialect"];
}

def LoomOutlineKernels : Pass<"loom-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Outline launches as strip kernels and descriptions of their programs";
  let description = [{
    The body of a launch is cut into stages: where a value that is worth keeping
    depends on fewer operands than its user (decision 1), and where the body
    grows too large for the registers. Equal stages share a kernel, and equal
    launches share a program, which lists the stages for the runtime. The
    remaining `linalg` operations become functions of loops; equal operations
    share a function (decision 39).
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect"];
}

def LoomExpandConversions : Pass<"loom-expand-conversions", "::mlir::ModuleOp"> {
  let summary = "Expand conversions to and from narrow floats to arithmetic";
  let description = [{
    Conversions of floats and integers to and from bf16 and floats of 8 bits
    become arithmetic that rounds once (el-7). Conversions between bf16 and f32
    stay; `loom-to-llvm` converts them. Other operations on floats of 8 bits are
    computed in f32.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LoomExpandMath : Pass<"loom-expand-math", "::mlir::ModuleOp"> {
  let summary = "Expand functions of f32 to inline arithmetic";
  let description = [{
    `math.exp`, `log`, `tanh`, `erf`, `sin`, `cos` and `powf` on f32 become
    straight-line arithmetic (scalar/MathExpansion.h, decision 34) where the
    processor has the instructions that scalar/MathFunctions.def names for them;
    `exp` always does. The processor is that of the options, else that of the
    module, else that of this machine. Other functions stay, and `loom-to-llvm`
    makes calls of them. `arith.maxnumf` and `minnumf` become comparisons that
    tell +0 from -0 (el-5).
  }];
  let options = TargetOptions<>.options;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect"];
}

def LoomFreeTemporaries : Pass<"loom-free-temporaries", "::mlir::ModuleOp"> {
  let summary = "Free each temporary after the last operation that reads it";
  let description = [{
    References are counted at run time (`loom.retain`, `loom.release`), so that
    buffers may pass through branches, loops and calls. Expects structured
    control flow. In a function with several blocks it frees only buffers that
    one block alone uses.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomPlanMemory : Pass<"loom-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Place temporaries of known sizes in one piece of memory";
  let description = [{
    The temporaries of a function's outermost block whose types have static
    shapes, and which are released in that block, get offsets in one allocation,
    such that those that live at the same time do not overlap. No references to
    them are counted. A result that the runtime would write over an operand gets
    the operand's offset. Other temporaries stay as they are.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::broadloom::loom::LoomDialect",
    "::mlir::memref::MemRefDialect"];
}

def LoomLowerIndices : Pass<"loom-lower-indices", "::mlir::ModuleOp"> {
  let summary = "Lower index arithmetic so that it wraps, and loops so that they end";
  let description = [{
    Affine maps become arithmetic without overflow flags. Loops in steps other
    than 1 count their iterations, so that they end also where the next index
    would not fit 64 bits. Switches compare all 64 bits; upstream's lowering
    compares 32.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect"];
}

def LoomLowerCalls : Pass<"loom-lower-calls", "::mlir::ModuleOp"> {
  let summary = "Make functions return a status, and loom operations runtime calls";
  let description = [{
    Every function gets the call's state as its first argument and a status as
    its first result (decision 66). Expects unstructured control flow and the symbols that
    `loom-mangle-symbols` makes. Makes an entry of the runtime's ABI for every
    public function.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect"];
}

def LoomBodiesToLLVM : Pass<"loom-bodies-to-llvm", "::mlir::func::FuncOp"> {
  let summary = "Convert what of a function needs nothing of the module";
  let description = [{
    The part of `loom-to-llvm` that several threads do at once. Functions, calls,
    and what declares functions of the C library stay.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LoomToLLVM : Pass<"loom-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert all remaining operations to the LLVM dialect";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // BROADLOOM_CODEGEN_PASSES_TD
