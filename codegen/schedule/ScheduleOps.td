//===- ScheduleOps.td - edits of loop nests ----------------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of MLIR's transform dialect that name the loops of a program over
// memory and edit them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEOPS_TD
#define BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

/// A loop. Scripts need not write its type.
def ScheduledLoop
    : Type<And<[Transform_OperationType.predicate,
                CPred<"::llvm::cast<::mlir::transform::OperationType>($_self)"
                      ".getOperationName() == \"scf.for\"">]>,
           "handle of a loop", "::mlir::transform::OperationType">,
      BuildableType<"::mlir::transform::OperationType::get("
                    "$_builder.getContext(), \"scf.for\")">;

class Edit<string mnemonic>
    : Op<Transform_Dialect, "loom." # mnemonic,
         [DeclareOpInterfaceMethods<TransformOpInterface>,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::broadloom::codegen";
}

def ScheduleNestOp : Edit<"nest"> {
  let summary = "the loops of a nest, the outermost first";
  let description = [{
    Names the nest of a function that has the given number, counted from 0 by
    its outermost loops. There are as many results as are asked for: the
    outermost loop, the one loop in it, and so on (sch-2).

    ```mlir
    %i, %j, %k = transform.loom.nest @gemm 0 : 3
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$function, I64Attr:$number);
  let results = (outs Variadic<ScheduledLoop>:$loops);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def ScheduleLoopOp : Edit<"loop"> {
  let summary = "the loop that has a name";
  let description = [{
    The loop of a function whose attribute `loom.loop` is the name (sch-2).

    ```mlir
    %k = transform.loom.loop @gemm "k"
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$function, StrAttr:$name);
  let results = (outs ScheduledLoop:$result);
  let assemblyFormat = "$function $name attr-dict";
}

def ScheduleInterchangeOp : Edit<"interchange"> {
  let summary = "other order of loops that stand in each other";
  let description = [{
    The loops are given from the outermost on, each with nothing but the next
    one in it. The numbers say which loop comes first, second, and so on
    (sch-4).

    ```mlir
    %k2, %i2, %j2 = transform.loom.interchange %i, %j, %k to [2, 0, 1]
    ```
  }];
  let arguments = (ins Variadic<ScheduledLoop>:$loops, DenseI64ArrayAttr:$order);
  let results = (outs Variadic<ScheduledLoop>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def ScheduleTileOp : Edit<"tile"> {
  let summary = "iterations of loops that stand in each other, by tiles";
  let description = [{
    Each loop becomes two: one over tiles of so many iterations, and one over
    the iterations of a tile. All loops over tiles stand outside (sch-5).

    ```mlir
    %it, %jt, %i2, %j2 = transform.loom.tile %i, %j by [32, 64]
    ```
  }];
  let arguments = (ins Variadic<ScheduledLoop>:$loops, DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<ScheduledLoop>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def ScheduleReverseOp : Edit<"reverse"> {
  let summary = "iterations of a loop from the last to the first";
  let description = [{
    ```mlir
    %i2 = transform.loom.reverse %i
    ```
  }];
  let arguments = (ins ScheduledLoop:$loop);
  let results = (outs ScheduledLoop:$result);
  let assemblyFormat = "$loop attr-dict";
}

def ScheduleUnrollOp : Edit<"unroll"> {
  let summary = "several iterations of a loop in one";
  let description = [{
    The first result is a loop that runs so many iterations in one, the second
    one runs those that are left (sch-7).

    ```mlir
    %main, %rest = transform.loom.unroll %k by 4
    ```
  }];
  let arguments = (ins ScheduledLoop:$loop, I64Attr:$factor);
  let results = (outs ScheduledLoop:$main, ScheduledLoop:$rest);
  let assemblyFormat = "$loop `by` $factor attr-dict";
  let hasVerifier = 1;
}

def ScheduleUnrollAndJamOp : Edit<"unroll_and_jam"> {
  let summary = "several iterations of a loop in each one of the loops in it";
  let description = [{
    The first loop runs so many iterations in one, and the innermost one has a
    copy of its body for each of them. The second result runs the iterations of
    the first loop that are left (sch-12).

    ```mlir
    %main, %rest = transform.loom.unroll_and_jam %i, %j by 4
    ```
  }];
  let arguments = (ins Variadic<ScheduledLoop>:$loops, I64Attr:$factor);
  let results = (outs ScheduledLoop:$main, ScheduledLoop:$rest);
  let assemblyFormat = "$loops `by` $factor attr-dict";
  let hasVerifier = 1;
}

def ScheduleDistributeOp : Edit<"distribute"> {
  let summary = "a loop as two, one behind the other";
  let description = [{
    The first loop runs the statements of the body in front of the one of that
    number, counted from 0, and the second one the others. Loops, stores and
    calls of the body are statements (sch-8).

    ```mlir
    %first, %second = transform.loom.distribute %i at 1
    ```
  }];
  let arguments = (ins ScheduledLoop:$loop, I64Attr:$statement);
  let results = (outs ScheduledLoop:$first, ScheduledLoop:$second);
  let assemblyFormat = "$loop `at` $statement attr-dict";
}

def ScheduleFuseOp : Edit<"fuse"> {
  let summary = "two loops, one behind the other, as one";
  let description = [{
    The second loop stands behind the first one with nothing between them that
    has an effect. Iterations that only one of them has run in front of the
    result or behind it (sch-9).

    ```mlir
    %both = transform.loom.fuse %first, %second
    ```
  }];
  let arguments = (ins ScheduledLoop:$first, ScheduledLoop:$second);
  let results = (outs ScheduledLoop:$result);
  let assemblyFormat = "$first `,` $second attr-dict";
}

def ScheduleShiftOp : Edit<"shift"> {
  let summary = "a number added to the variable of a loop";
  let description = [{
    The iterations are the same in the same order. Their numbers change, by
    which a later edit such as `fuse` takes iterations together (sch-13).

    ```mlir
    %i2 = transform.loom.shift %i by 1
    ```
  }];
  let arguments = (ins ScheduledLoop:$loop, I64Attr:$offset);
  let results = (outs ScheduledLoop:$result);
  let assemblyFormat = "$loop `by` $offset attr-dict";
  let hasVerifier = 1;
}

def ScheduleSkewOp : Edit<"skew"> {
  let summary = "a multiple of an outer variable added to that of a loop";
  let description = [{
    The second loop, which stands in the first one, begins later with each
    iteration of that. The order is the same, and an interchange or a tile
    behind it has the iterations of a diagonal together (sch-14).

    ```mlir
    %j2 = transform.loom.skew %i, %j by 1
    ```
  }];
  let arguments = (ins ScheduledLoop:$outer, ScheduledLoop:$loop, I64Attr:$factor);
  let results = (outs ScheduledLoop:$result);
  let assemblyFormat = "$outer `,` $loop `by` $factor attr-dict";
  let hasVerifier = 1;
}

def ScheduleParallelizeOp : Edit<"parallelize"> {
  let summary = "a loop on several threads";
  let description = [{
    The loop's iterations run on the threads of a call, in any order. No loop
    around it does (sch-15).

    ```mlir
    %i2 = transform.loom.parallelize %i
    ```
  }];
  let arguments = (ins ScheduledLoop:$loop);
  let results = (outs ScheduledLoop:$result);
  let assemblyFormat = "$loop attr-dict";
}

def ScheduleVectorizeOp : Edit<"vectorize"> {
  let summary = "iterations of an innermost loop as vectors";
  let description = [{
    So many iterations run at a time, as vectors, and what is left one by one
    (sch-16).

    ```mlir
    %j2 = transform.loom.vectorize %j by 8
    ```
  }];
  let arguments = (ins ScheduledLoop:$loop, I64Attr:$lanes);
  let results = (outs ScheduledLoop:$result);
  let assemblyFormat = "$loop `by` $lanes attr-dict";
  let hasVerifier = 1;
}

def SchedulePackOp : Edit<"pack"> {
  let summary = "a copy of what a loop touches of a memref";
  let description = [{
    The elements of a memref that the loop touches, the argument of that name,
    are copied to memory without gaps in front of the loop, and back behind it
    if the loop writes (sch-19).

    ```mlir
    %k2 = transform.loom.pack %k of "b"
    ```
  }];
  let arguments = (ins ScheduledLoop:$loop, StrAttr:$memory);
  let results = (outs ScheduledLoop:$result);
  let assemblyFormat = "$loop `of` $memory attr-dict";
}

#endif // BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEOPS_TD
