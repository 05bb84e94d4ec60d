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
  let summary = "Say in the module which machine its code is made for";
  let description = [{
    Without options, that is this machine, and the module says nothing. Passes
    behind this one make code for the machine that the module names.
  }];
  let options = TargetOptions<>.options;
}

def LoomMangleSymbols : Pass<"loom-mangle-symbols", "::mlir::ModuleOp"> {
  let summary = "Prefixes for a program's symbols, which compiled code lacks";
  let description = [{
    A function @f becomes @loom_function_f, anything else @loom_global_f, before
    the compiler adds symbols of its own and those of the libraries that
    compiled code calls. Erases declarations of functions, which nothing may
    call.
  }];
}

def LoomBufferize : Pass<"loom-bufferize", "::mlir::ModuleOp"> {
  let summary = "Tensors to buffers; maps to launches";
  let description = [{
    Upstream's bufferization with function boundaries, behind an analysis of our
    own of what is written in place (codegen/buffers/Ownership.h). Arguments are strided
    in any way and never written; maps read them as they are, all other
    operations through `loom.contiguous`. Buffers belong to the call: there is no
    deallocation.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LoomPackWeights : Pass<"loom-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Constant weights as the machine reads them";
  let description = [{
    The weight of a `loom.contract` over channels becomes panels of as many
    output channels as its kernel sums at a time, for the processor that the
    module names. Weights that are not constant are laid out when the program
    runs.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect"];
}

def LoomMarkSites : Pass<"loom-mark-sites", "::mlir::ModuleOp"> {
  let summary = "Say where the time of a profiled call goes";
  let description = [{
    A `loom.site` stands before and behind every launch, loop of `linalg` and
    copy. The module's `loom.sites` tells of each its function, its kind and the
    numbers (infer/report/OperationNumber.h) of the operations that it computes.
    Kernels are the same as without this pass.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomReadTransposed : Pass<"loom-read-transposed", "::mlir::ModuleOp"> {
  let summary = "Contractions read transposed operands where they are";
  let description = [{
    The image and the weight of a `loom.contract` without a window are read with
    any strides, while they are laid out for its kernel. So what
    `linalg.transpose` would write to memory first becomes `loom.transposed`.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomLinalgToLoops : Pass<"loom-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "What is still of linalg, on buffers, to loops";
  let description = [{
    As upstream's convert-linalg-to-loops, but nothing else of the function
    changes: upstream's merges equal blocks, whose guards have locations of their
    own.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LoomScfToCf : Pass<"loom-scf-to-cf"> {
  let summary = "Branches and loops of scf to blocks of cf";
  let description = [{
    As upstream's convert-scf-to-cf, in a time that is linear in the number of
    operations of a block.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
}

def LoomAssignBuffers : Pass<"loom-assign-buffers", "::mlir::ModuleOp"> {
  let summary = "Say which buffer is which result of its function";
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomOutlineKernels : Pass<"loom-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Launches to strip kernels and the programs that run them";
  let description = [{
    The body of a launch is cut into stages where a value that is worth keeping
    depends on fewer operands than its user (D3), and where it grows too large
    for the registers. Equal stages share one kernel, equal launches one
    program. What is still of `linalg` becomes functions of loops, which equal
    operations share.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect"];
}

def LoomExpandConversions : Pass<"loom-expand-conversions", "::mlir::ModuleOp"> {
  let summary = "Conversions to and from narrow floats as arithmetic";
  let description = [{
    Conversions of floats and integers to and from bf16 and floats of 8 bits
    become arithmetic that rounds once (el-7). What stays is that between bf16
    and f32, which `loom-to-llvm` knows. Other operations on floats of 8 bits are
    computed in f32.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LoomExpandMath : Pass<"loom-expand-math", "::mlir::ModuleOp"> {
  let summary = "Functions of f32 to inline arithmetic";
  let description = [{
    `math.exp`, `log`, `tanh` and `erf` on f32, scalars and vectors, become
    straight lines of arithmetic for the processor that code is made for
    (scalar/MathExpansion.h): that of the options, else the one that the module
    names, else this machine's. Other functions stay, for `loom-to-llvm` to make
    calls of.
  }];
  let options = TargetOptions<>.options;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect"];
}

def LoomFreeTemporaries : Pass<"loom-free-temporaries", "::mlir::ModuleOp"> {
  let summary = "Free each temporary behind the last operation that reads it";
  let description = [{
    References are counted at run time (`loom.retain`, `loom.release`), so that
    buffers may pass through branches, loops and calls. Expects structured
    control flow; of unstructured functions it frees what stays in one block.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomLowerIndices : Pass<"loom-lower-indices", "::mlir::ModuleOp"> {
  let summary = "Index arithmetic that wraps, and loops that end";
  let description = [{
    Affine maps become arithmetic without flags. Loops in steps other than 1
    count their rounds, so that they end also where the next index would not fit
    64 bits. Switches compare all 64 bits, of which upstream's lowering takes 32.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LoomLowerCalls : Pass<"loom-lower-calls", "::mlir::ModuleOp"> {
  let summary = "Calls return a status; loom operations become runtime calls";
  let description = [{
    Every function gets the call's state as its first argument and a status as
    its first result (D5). Expects structured control flow to be gone, and
    symbols as `loom-mangle-symbols` leaves them. Makes an entry of the runtime's
    ABI for every public function.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect"];
}

def LoomToLLVM : Pass<"loom-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Everything that is left to the LLVM dialect, in one conversion";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // BROADLOOM_CODEGEN_PASSES_TD
