//===- LoomOps.td - operations of the loom dialect ---------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMOPS_TD
#define BROADLOOM_DIALECT_LOOMOPS_TD

include "dialect/LoomAccessSet.td"
include "dialect/LoomContract.td"
include "dialect/LoomExtents.td"
include "dialect/LoomLinearAlgebra.td"
include "dialect/LoomMemoryOps.td"
include "dialect/LoomRelation.td"
include "dialect/LoomSetShape.td"
include "dialect/LoomSort.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// A failed guard changes nothing but the outcome of the call. A resource of its
// own keeps guards alive and in order, and holds back nothing else (decision 66).
def Loom_FailureResource : Resource<"::broadloom::loom::FailureResource">;
def Loom_MayFail : MemoryEffects<[MemWrite<Loom_FailureResource>]>;

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

def Loom_MapOp : Loom_Op<"map", [
    Pure, IsolatedFromAbove, SingleBlock, Loom_ScalarBody, Loom_ReadsAnyStrides,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "an n-ary element-wise computation with NumPy broadcasting";
  let description = [{
    Broadcasts its operands against each other (bcast-1 to bcast-4) and computes
    each element of its results from the elements of its operands by the scalar
    function in its region. Operands may differ in rank, be unranked, or be
    scalars. All results have one shape, the broadcast of all operands, also
    of those that the region does not read (rt-6).

    ```mlir
    %r = loom.map(%x = %a : tensor<?x4xf32>, %y = %b : tensor<4xf32>) -> tensor<?x4xf32> {
      %s = arith.addf %x, %y : f32
      loom.yield %s : f32
    }
    ```

    That the operands do broadcast is not this operation's to check: the
    constraints beside it say so. The optional `kinds` say for each operand what
    is known of how its axes are read (`#loom.access`).
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
                       OptionalAttr<Loom_AccessArrayAttr>:$kinds);
  let results = (outs Variadic<AnyTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$inputs)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
    /// The operands that are shaped, i.e. not scalars.
    ::llvm::SmallVector<::mlir::Value> getShapedInputs();
  }];
  let hasCanonicalizeMethod = 1;
}

def Loom_YieldOp : Loom_Op<"yield", [Pure, Terminator, ReturnLike,
                                     ParentOneOf<["MapOp", "LaunchOp", "ContractOp",
                                                  "FusedReductionOp", "ReduceOp"]>]> {
  let summary = "the scalars that a map computes";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def Loom_FusedReductionOp : Loom_Op<"fused_reduction", [
    Pure, IsolatedFromAbove, SingleBlock, Loom_ScalarBody, Loom_ReadsAnyStrides,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "reductions and what is computed around them, row by row";
  let description = [{
    A `loom.map` whose body may reduce values over the axes `axes`: all elements
    that differ along these alone are a row. A value that is reduced, or computed
    from such values and from operands of extent 1 along `axes`, has one element
    for each row, and is repeated where it meets others. All operands broadcast
    as in a map, and all results have the rank of the space.

    ```mlir
    %e = loom.fused_reduction(%x) over [1] : (tensor<?x?xf32>) -> tensor<?x?xf32> {
    ^bb0(%a: f32):
      %m = loom.reduce %a from 0xFF800000 : f32 {
      ^bb0(%l: f32, %r: f32):
        %g = arith.maximumf %l, %r : f32
        loom.yield %g : f32
      }
      %s = arith.subf %a, %m : f32
      loom.yield %s : f32
    }
    ```

    The extents of each value are the broadcast of those it is computed from, 1
    along `axes` for what is reduced: what a row is depends on the value that is
    reduced and not on the others. So no pass may fold the scalar operations of a
    body: `%x - %x` has the extents of `%x`, which the constant 0 has not. The
    pipeline makes kernels of bodies before it runs such passes.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, DenseI64ArrayAttr:$axes);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `over` $axes attr-dict `:` functional-type($inputs, $outputs)
    $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
  }];
}

def Loom_ReduceOp : Loom_Op<"reduce", [
    Pure, SingleBlock, ParentOneOf<["FusedReductionOp", "LaunchOp"]>]> {
  let summary = "reduces the elements of a row to one";
  let description = [{
    The region combines two values into one; it is associative and commutative
    but for rounding, and `neutral` changes nothing that it is combined with.
    The order is the runtime's; if the result may depend on it, it depends on
    extents alone. A row without elements gives `neutral`.
  }];
  let arguments = (ins AnyType:$value, TypedAttrInterface:$neutral);
  let results = (outs AnyType:$result);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $value `from` $neutral attr-dict `:` type($value) `->` type($result) $combine
  }];
  let hasRegionVerifier = 1;
}

def Loom_IndexOp : Loom_Op<"index", [
    Pure, ParentOneOf<["FusedReductionOp", "LaunchOp"]>]> {
  let summary = "which element of its row is computed";
  let description = [{
    Counted from 0 along the axis that is reduced, of which there must be one.
    Together with the value of the element it makes a reduction find where the
    largest is.
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Shapes as values
//===----------------------------------------------------------------------===//

def Loom_ShapeOfOp : Loom_Op<"shape_of", [Pure, Loom_ReadsAnyStrides]> {
  let summary = "the shape of a tensor";
  let description = [{
    Of a `loom.map`'s result it folds to the broadcast of the operands' shapes,
    so that no shape value holds on to a tensor that fusion removes.
  }];
  let arguments = (ins AnyType:$tensor);
  let results = (outs Loom_ShapeType:$shape);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `->` type($shape)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Loom_BroadcastOp : Loom_Op<"broadcast", [Pure]> {
  let summary = "the shape that shapes broadcast to";
  let description = [{
    bcast-4 over shape values. Where the shapes do not broadcast the result is
    unspecified: a constraint stands beside it.
  }];
  let arguments = (ins Variadic<Loom_ShapeType>:$shapes);
  let results = (outs Loom_ShapeType:$shape);
  let assemblyFormat = "$shapes attr-dict `:` functional-type($shapes, $shape)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Loom_FromExtentsOp : Loom_Op<"from_extents", [Pure]> {
  let summary = "the shape with these extents";
  let arguments = (ins Variadic<Index>:$extents);
  let results = (outs Loom_ShapeType:$shape);
  let assemblyFormat = "$extents attr-dict `:` type($shape)";
  let hasVerifier = 1;
}

def Loom_RankOp : Loom_Op<"rank", [Pure]> {
  let summary = "the rank of a shape";
  let arguments = (ins Loom_ShapeType:$shape);
  let results = (outs Index:$rank);
  let assemblyFormat = "$shape attr-dict `:` type($shape)";
  let hasFolder = 1;
}

def Loom_ExtentOp : Loom_Op<"extent", [Pure]> {
  let summary = "one extent of a shape";
  let description = [{
    Axes count from the left; of a shape whose rank is known at run time only,
    from the right as -1, -2, ...; an axis beyond the shape's rank has extent 1
    (bcast-1).
  }];
  let arguments = (ins Loom_ShapeType:$shape, I64Attr:$axis);
  let results = (outs Index:$extent);
  let assemblyFormat = "$shape `[` $axis `]` attr-dict `:` type($shape)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Constraints and guards
//===----------------------------------------------------------------------===//

def Loom_ConstrainBroadcastOp : Loom_Op<"constrain_broadcast", [Loom_MayFail]> {
  let summary = "these shapes must broadcast";
  let description = [{
    Recorded when an operation is converted (sf-11): `origin` is its name as
    the user wrote it, the location its own.
  }];
  let arguments = (ins StrAttr:$origin, Variadic<Loom_ShapeType>:$shapes);
  let assemblyFormat = "$origin `,` $shapes attr-dict `:` type($shapes)";
}

def Loom_ConstrainResultOp : Loom_Op<"constrain_result", [Loom_MayFail]> {
  let summary = "a shape must be that of a declared result type";
  let description = [{
    Recorded where an operation's result type says more than its operands give
    (verify-3, rt-4).
  }];
  let arguments = (ins StrAttr:$origin, Loom_ShapeType:$shape,
                       TypeAttrOf<AnyType>:$declared);
  let assemblyFormat =
    "$origin `,` $shape `is` $declared attr-dict `:` type($shape)";
}

def Loom_ConstrainOp : Loom_Op<"constrain", [Loom_MayFail,
                                             AttrSizedOperandSegments]> {
  let summary = "a condition on values must hold";
  let description = [{
    For what concerns data and not extents, such as a shift amount that is a
    function argument. `message` has `{0}`, `{1}`, ... for the values. In the
    same way `operands`, which follows the message, has the extents: of which
    operands it speaks, and where they come from. Where somebody promised the
    condition, `promise` says what, in words.
  }];
  let arguments = (ins StrAttr:$origin, I1:$condition, StrAttr:$message,
                       Variadic<AnyTypeOf<[AnyInteger, Index]>>:$values,
                       OptionalAttr<StrAttr>:$operands,
                       Variadic<Index>:$extents,
                       OptionalAttr<StrAttr>:$promise);
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$origin, "::mlir::Value":$condition,
                   "::llvm::StringRef":$message, "::mlir::ValueRange":$values), [{
      build($_builder, $_state, origin, condition, message, values, {}, {}, {});
    }]>];
  let assemblyFormat = [{
    $origin `,` $condition `,` $message (`(` $values^ `:` type($values) `)`)?
    (`of` $operands^ `[` $extents `]`)? (`promised` $promise^)? attr-dict
  }];
  let hasCanonicalizeMethod = 1;
}

def Loom_AssumeOp : Loom_Op<"assume", [Loom_MayFail]> {
  let summary = "a condition that holds, since all who get here have checked it";
  let description = [{
    What the callers of a function that nobody else can call must see
    to (abi-1). `origin` says who checks it, for reasons.
  }];
  let arguments = (ins I1:$condition, StrAttr:$origin);
  let assemblyFormat = "$condition `,` $origin attr-dict";
}

def Loom_RequireOp : Loom_Op<"require", [Loom_MayFail]> {
  let summary = "a guard: the call fails with this message unless the condition holds";
  let description = [{
    What is left of a constraint that could not be proved. The message follows
    rt-2, with `{0}`, `{1}`, ... for the values, numbers and shapes; `axis` is
    the result axis that it is about, -1 where there is none.
  }];
  let arguments = (ins I1:$condition, StrAttr:$origin, StrAttr:$message,
                       DefaultValuedAttr<I64Attr, "-1">:$axis,
                       Variadic<AnyTypeOf<[AnyInteger, Index,
                                           Loom_ShapeType]>>:$values);
  let assemblyFormat = [{
    $condition `,` $origin `,` $message (`(` $values^ `:` type($values) `)`)?
    attr-dict
  }];
  let hasCanonicalizeMethod = 1;
}

def Loom_RequireBroadcastOp : Loom_Op<"require_broadcast", [Loom_MayFail]> {
  let summary = "a guard over shapes whose rank is known at run time only";
  let description = [{
    The call fails unless the shapes broadcast (bcast-4). `owners` says for each
    of them whose it is, such as `argument 0`, for the message (rt-2); empty
    where that has no name.
  }];
  let arguments = (ins StrAttr:$origin, Variadic<Loom_ShapeType>:$shapes,
                       OptionalAttr<StrArrayAttr>:$owners);
  let assemblyFormat = [{
    $origin `,` $shapes (`of` $owners^)? attr-dict `:` type($shapes)
  }];
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$origin, "::mlir::ValueRange":$shapes,
                   "::llvm::ArrayRef<::llvm::StringRef>":$owners), [{
      build($_builder, $_state, origin, shapes,
            $_builder.getStrArrayAttr(owners));
    }]>];
  let hasVerifier = 1;
}

def Loom_RequireFunctionOp
    : Loom_Op<"require_function", [Loom_MayFail, Loom_ReadsAnyStrides]> {
  let summary = "a guard: a shape function, evaluated when the program runs";
  let description = [{
    For what no expression of extents says before ranks are known (sf-4).
    `program` and `texts` are the shape function as numbers
    (shape/FunctionProgram.h); the inputs are shapes, or tensors whose elements
    it reads. A program that could read anything else is refused. The call fails
    with its author's message where a constraint does not hold, and, if
    `strict`, where one cannot be decided.

    ```mlir
    loom.require_function "mine.op"(%a, %b) runs [5, 60, ...] with ["the shapes {0} and {1} differ"] {strict} : !loom.shape<*>, !loom.shape<*>
    ```
  }];
  let arguments = (ins StrAttr:$origin, Variadic<AnyType>:$inputs,
                       DenseI64ArrayAttr:$program, StrArrayAttr:$texts,
                       UnitAttr:$strict);
  let assemblyFormat = [{
    $origin `(` $inputs `)` `runs` $program `with` $texts attr-dict
    (`:` type($inputs)^)?
  }];
  let hasVerifier = 1;
}

def Loom_AnyOp : Loom_Op<"any", [Pure, Loom_ReadsAnyStrides]> {
  let summary = "whether any element of a tensor is true";
  let description = [{
    What a guard checks in all elements of a map, such as whether one was
    divided by 0 (rt-11). False where there are no elements.
  }];
  let arguments = (ins AnyType:$flags);
  let results = (outs I1:$result);
  let assemblyFormat = "$flags attr-dict `:` type($flags)";
  let hasVerifier = 1;
}

#endif // BROADLOOM_DIALECT_LOOMOPS_TD
