//===- Passes.td - passes from an input program to loom ----*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_PASSES_TD
#define BROADLOOM_LEGALIZE_PASSES_TD

include "infer/PassOptions.td"
include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Users' operations
//===----------------------------------------------------------------------===//

def LoomExpandUserOperations
    : Pass<"loom-expand-user-operations", "::mlir::ModuleOp"> {
  let summary = "Replace users' operations by their reference implementations";
  let description = [{
    Takes a module that was parsed with verification deferred. Operations of
    dialects that the texts define, and `tosa.custom`, are checked and refined
    by their shape functions; those with a reference implementation
    (`loom.implements`) are replaced by its body, or, where it computes on
    scalars, by a `loom.map` (sf-5). Those without one stay.
  }];
  let options = [
    DynamicToStaticOption,
    ListOption<"libraries", "libraries", "std::string",
               "Texts with dialects, shape functions and references">,
    Option<"standIns", "stand-ins", "bool", /*default=*/"false",
           "Whether tensors of the shapes that shape functions give, with "
           "arbitrary elements, replace operations without a reference">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

// A step of legalization (legalize/LegalizationPass.h). Takes a module that was
// parsed with verification deferred, and whose structure it checks first unless
// a step before has done that.
class LegalizationPass<string argument>
    : PassBase<argument, "::broadloom::legalize::LegalizationPass">;

//===----------------------------------------------------------------------===//
// Before the check of the program
//===----------------------------------------------------------------------===//

def LoomCheckStructure : LegalizationPass<"loom-check-structure"> {
  let summary = "Check that every accessor of every operation can be called";
  let description = [{
    Checks blocks, terminators, counts, attributes, groups of operands, types and
    dominance, of a module that was parsed with verification deferred. Reports the
    first error of each operation, and changes nothing. Every other step of
    legalization begins with this check if it has not been made.
  }];
}

def LoomExpandSparseConstants
    : LegalizationPass<"loom-expand-sparse-constants"> {
  let summary = "Convert sparse constants of TensorFlow Lite to tosa.const";
  let description = [{
    Replaces `tfl.pseudo_sparse_const`, and `tfl.densify` of it, by
    `tosa.const`, and checks them first. Any other operation of the dialect
    `tfl` is an error, unless a user's text defines it. The compiler has
    expanded these when it has read a program; programs in pipelines of other
    tools may have them.
  }];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

def LoomMarkMemoryFunctions : LegalizationPass<"loom-mark-memory-functions"> {
  let summary = "Mark the functions of a program over memory";
  let description = [{
    Gives each function that works on memrefs the attribute `loom.memory`, and removes
    that attribute elsewhere (decision 60). In a module without tensors, all functions
    get it; in one with both, also those that call such functions. Arguments of
    such functions that are memrefs are the caller's memory.
  }];
}

def LoomUnmarkMemoryFunctions : LegalizationPass<"loom-unmark-memory-functions"> {
  let summary = "Erase the marks of a program over memory";
  let description = [{
    Erases the attribute `loom.memory` and what passes have noted at the operations of such
    functions, for pipelines without the dialect loom. The names of loops stay.
  }];
}

def LoomNormalizeMemory : LegalizationPass<"loom-normalize-memory"> {
  let summary = "Give memory one space, and layouts and accesses fewer forms";
  let description = [{
    In programs over memory, removes the memory spaces of types, which mean nothing
    on a processor, with `memref.memory_space_cast`, and writes layouts that are
    maps as an offset and strides where they are that. An allocation of such a
    layout becomes a view of row-major memory. Casts from unranked memory, and
    `memref.rank`, see the memory of a known rank that has been cast. `memref.reshape` becomes other
    views, and `memref.atomic_rmw` and `memref.generic_atomic_rmw` a load and a
    store: a call runs in order. `ub.poison` becomes 0, and prefetches vanish. These are named as the old operations in messages.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::vector::VectorDialect"];
}

def LoomLiftState : LegalizationPass<"loom-lift-state"> {
  let summary = "Convert variables to arguments and results of functions";
  let description = [{
    Replaces `tosa.variable`, `tosa.variable_read` and `tosa.variable_write`. The
    variables that a function uses become further arguments, after its own, and
    those that it writes become further results. The attribute `loom.state` of a
    public function names the variables and has their initial values.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def LoomEraseIdentities : LegalizationPass<"loom-erase-identities"> {
  let summary = "Erase casts to the same type and transpositions of scalars";
  let description = [{
    Erases `builtin.unrealized_conversion_cast` between equal types, which
    converters of models leave, and `linalg.transpose` of tensors without axes, on
    which upstream's verifier crashes. A transposition of memory without axes becomes
    a copy.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LoomCastCalls : LegalizationPass<"loom-cast-calls"> {
  let summary = "Insert tensor.cast where calls and signatures differ in extents";
  let description = [{
    Inserts a `tensor.cast` where the types of a call or a return have other static
    extents than the signature, for example after a signature has changed from a
    number to `?`. The cast is guarded like any other (rt-4). The same for branches
    of `tosa.cond_if` and the body of `tosa.while_loop` whose types differ from the
    operation's. What no cast can mend is left to the check of the program.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def LoomClearArithmeticFlags : LegalizationPass<"loom-clear-arithmetic-flags"> {
  let summary = "Remove flags that make results of arithmetic undefined";
  let description = [{
    Removes the flags `nsw`, `nuw` and `exact`, because overflow wraps and division
    rounds (rt-13), those of fast-math (el-11), and the rounding mode that is the
    default. Arithmetic that only constraints read keeps `nsw`, which there means
    mathematical integers.
  }];
}

def LoomFlattenTuples : LegalizationPass<"loom-flatten-tuples"> {
  let summary = "Give functions the elements of tuples";
  let description = [{
    Arguments and results of functions that are tuples become their elements, one
    behind another, and those of tuples in them (abi-10).
    `builtin.unrealized_conversion_cast` between a tuple and its elements goes.
    Any other operation that has a tuple is an error.
  }];
}

def LoomPackSetTensors : LegalizationPass<"loom-pack-set-tensors"> {
  let summary = "Give tensors whose shape is a set their elements as one axis";
  let description = [{
    Tensors with the encoding `#loom.shape<...>` become tensors of one axis, also
    as arguments and results of functions (set-5). Element-wise operations stay,
    `loom.to_set`, `loom.from_set`, transpositions and products become loops over
    slices, and any other operation on such a tensor is an error.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LoomLocateBodies : LegalizationPass<"loom-locate-bodies"> {
  let summary = "Give bodies of named operations of linalg a location";
  let description = [{
    The parser creates the body of a named operation of `linalg` without locations;
    it gets the location of the operation.
  }];
}

//===----------------------------------------------------------------------===//
// The check of the program
//===----------------------------------------------------------------------===//

def LoomCheckProgram : LegalizationPass<"loom-check-program"> {
  let summary = "Report every error of the program that needs no conversion";
  let description = [{
    Checks every operation (decision 70): element-wise ones by the rules of this project,
    others by upstream's verifier, less strictly. One error lists the operations
    that cannot be compiled; if one cannot because its rank is not known, ranks are
    inferred first. Constants of one element become dense. Nothing else changes.
  }];
  let options = [
    DynamicToStaticOption,
    ListOption<"libraries", "libraries", "std::string",
               "Files of shape libraries, beside the one for TOSA, whose "
               "messages replace those of upstream's verifiers">];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Behind it
//===----------------------------------------------------------------------===//

def LoomNormalizeBlocks : LegalizationPass<"loom-normalize-blocks"> {
  let summary = "Erase unreachable blocks, and give each region of scf one yield";
  let description = [{
    Upstream's conversions skip unreachable blocks, which then cannot be translated,
    and its bufferization assumes that each region of `scf` has one terminator that
    yields. A `cf.switch` without cases becomes a branch, because upstream's
    translation reads the numbers of its cases.
  }];
  let dependentDialects = [
    "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect"];
}

def LoomLowerParallelLoops : LegalizationPass<"loom-lower-parallel-loops"> {
  let summary = "Convert parallel loops to scf.for and affine.for";
  let description = [{
    Replaces each `scf.parallel` by an `scf.for` for each of its axes, the first one
    outermost, which carry what it reduces; each `scf.forall` over memory alike; and
    each `affine.parallel` by an `affine.for` for each axis. The analysis and later passes then know one form of
    such loops; nothing runs them in parallel.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
}

def LoomDecomposeLinalg : LegalizationPass<"loom-decompose-linalg"> {
  let summary = "Convert operations of linalg that are no loops to such that are";
  let description = [{
    `linalg.softmax`, `linalg.pack`, `linalg.unpack` and the transforms of Winograd,
    as upstream decomposes them. What they become is on tensors: a softmax that works
    on memory takes what that holds, and its result is written there.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LoomLowerBuffers : LegalizationPass<"loom-lower-buffers"> {
  let summary = "Convert what bufferization makes and copies";
  let description = [{
    Of functions over memory. `bufferization.alloc_tensor` becomes `tensor.empty` or
    the tensor that it copies, `bufferization.clone` becomes `memref.alloc` and
    `memref.copy`, and `bufferization.dealloc_tensor` is erased. `bufferization.dealloc`
    becomes a `memref.dealloc` of each of its memrefs, in a branch that compares
    allocations.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LoomLowerVectors : LegalizationPass<"loom-lower-vectors"> {
  let summary = "Convert vectors to their elements";
  let description = [{
    Of functions over memory. Each vector becomes as many numbers as it has elements,
    and each access one of each element. The first and the last element of a vector
    that is all inside are checked before any is read or written; elements with a
    mask, or that may be outside, are accessed on a branch.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def LoomBindExternals : LegalizationPass<"loom-bind-externals"> {
  let summary = "Give functions of other libraries checks and a call";
  let description = [{
    Of programs over memory. A function without a body whose attribute
    `loom.effects` names another function gets that one's body: its loads and
    stores become checks of what the library reads and writes, its assertions
    stay, and `loom.external_call` stands behind them (ffi-1). One that declares
    sets gets loops over these (ffi-4). A function with a body is compared with
    the sets that it declares (ffi-6). Of equal calls of a function that is
    declared to be deterministic and to write nothing, the first one is left
    where nothing is written between them (ffi-7).
  }];
  let options = [
    Option<"watchesEffects", "watch-effects", "bool", /*default=*/"false",
           "Whether memory is compared before and behind the call, so that what "
           "the library writes besides is an error (ffi-3)">];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def LoomInferEffects : LegalizationPass<"loom-infer-effects"> {
  let summary = "Declare what functions with bodies read and write";
  let description = [{
    Gives each function with memory among its arguments, and with a body, the
    attribute `loom.effects` with the sets of elements that it reads and writes
    (ffi-5), and with the words that hold of it (ffi-7). What is not affine may be
    all elements. Calls are those of the sets of the called functions; a function
    that calls itself, or one of which nothing is known, may read and write all
    elements of the memory that it gets.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def LoomGuardNests : LegalizationPass<"loom-guard-nests"> {
  let summary = "Check the accesses of loops in front of the outermost loop, or at entry";
  let description = [{
    Of programs over memory, with loops and branches of `affine` and `scf`. Where the condition under which all accesses of a nest are
    inside is known exactly (poly/), it stands in front of the outermost loop, and the
    accesses get the attribute `loom.checked`. A condition that depends on arguments alone
    stands in front of all that writes memory, and one that is about memory made in the
    function stands behind what makes it. Where it does not hold, the nest runs
    once with its checks alone, from the first iteration of the outermost loop on that
    fails, so that the first failing access is told and nothing has been written
    (mem-2). An access is left out that repeats one which an earlier guard covers.
    For a report, nothing is changed: it gets the conditions.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LoomLowerAffineAccesses : LegalizationPass<"loom-lower-affine-accesses"> {
  let summary = "Convert affine.load and affine.store of programs over memory";
  let description = [{
    Replaces `affine.load` by `memref.load` and `affine.store` by `memref.store`, with
    indices that `affine.apply` computes. The new operations are named as the old
    ones in messages.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"];
}

def LoomNormalizeIndices : LegalizationPass<"loom-normalize-indices"> {
  let summary = "Give axes of loom.extent and shapes of tensor.reshape one form";
  let description = [{
    Axes of `loom.extent` are counted from the left where the rank is known, because
    passes look for such axes (bcast-1); beyond the rank the extent is 1. The shape
    of a `tensor.reshape` becomes a list of `index`, because other integers have no
    lowering.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LoomGeneralizeMaps : LegalizationPass<"loom-generalize-maps"> {
  let summary = "Convert linalg.map that reads its destination to linalg.generic";
  let description = [{
    The interface of `linalg.map` denies that its body reads the element of the
    destination, so that passes would not keep the destination's elements. A map
    whose body does not read it stays. Not for a report, which has the operations of
    the program.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LoomIsolatePadding : LegalizationPass<"loom-isolate-padding"> {
  let summary = "Compute what a tensor.pad puts around its source for padding alone";
  let description = [{
    Puts what the body of a `tensor.pad` computes, if it may have a guard, on a
    branch that only padding takes. Upstream runs the body for all elements of the
    result, and writes the source over some of them; a guard in the body may fail
    for these (rt-1). Not for a report.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LoomMatchExtents : LegalizationPass<"loom-match-extents"> {
  let summary = "Make extents dynamic that operations of linalg declare in two ways";
  let description = [{
    Upstream's verifiers of some operations of `linalg` compare the extents in
    types, so that `?` and a number are an error. By the rules it is unknown whether
    they agree (ext-2). Such extents become dynamic, with casts around the
    operation. Not for a report.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def LoomWidenElements : LegalizationPass<"loom-widen-elements"> {
  let summary = "Compute in wider elements where later passes know no narrow ones";
  let description = [{
    Integers of 4 bits become integers of 8 bits. Convolutions, pools, products and
    resizing of floats of 8 bits compute in f16, and `tosa.argmax` to i64 in i32,
    between `tosa.cast` operations (el-12). Zero points of floats become the constant
    0. Not for a report, which has the types of the program.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tosa::TosaDialect"];
}

def LoomConstrainAssertions : LegalizationPass<"loom-constrain-assertions"> {
  let summary = "Convert cf.assert and loom.assume to constraints";
  let description = [{
    What the program itself asserts becomes `loom.constrain`, which is proved or
    becomes a guard. So does an assumption, which nothing else checks. Not where
    constraints are not recorded.
  }];
  let dependentDialects = ["::broadloom::loom::LoomDialect"];
}

def ConvertTosaToLoom : Pass<"convert-tosa-to-loom", "::mlir::ModuleOp"> {
  let summary = "Convert element-wise TOSA to loom.map, with constraints";
  let description = [{
    The last step of legalization: turns element-wise operations into
    `loom.map`, with a constraint beside each for what the types leave open.
    `tosa.const` becomes `arith.constant`. Other operations stay, with
    constraints on their data; `loom-refine-shapes` makes those on their
    extents, and refines their result types. Nothing is folded.

    The steps above must have run before, with no other pass behind them that
    changes the program: the pipeline `broadloom-prepare`. `broadloom-legalize`
    has all of them. Else the pass fails.
  }];
  let dependentDialects = [
    "::broadloom::loom::LoomDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
    "::mlir::tosa::TosaDialect"];
  let options = [DynamicToStaticOption];
}

#endif // BROADLOOM_LEGALIZE_PASSES_TD
