//===- LoomMemoryOps.td - loom operations on memory --------*- tablegen -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMMEMORYOPS_TD
#define BROADLOOM_DIALECT_LOOMMEMORYOPS_TD

include "dialect/LoomAccess.td"
include "dialect/LoomContraction.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loom_ContiguousOp : Loom_Op<"contiguous", [Pure, Loom_OwnsResults]> {
  let summary = "the same tensor, row-major and without gaps";
  let description = [{
    Arguments may be strided in any way. Maps read them as they are; other
    operations get them through this, which copies only where it must.
  }];
  let arguments = (ins AnyType:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Loom_TransposedOp : Loom_Op<"transposed", [Pure]> {
  let summary = "the same memory, whose axes are read in another order";
  let description = [{
    Axis `i` of the result is axis `order[i]` of the source. Nothing is moved, so
    that only what reads any strides takes it (loom-read-transposed).
  }];
  let arguments = (ins AnyRankedTensor:$source, DenseI64ArrayAttr:$order);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `order` $order attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Loom_LaunchOp : Loom_Op<"launch"> {
  let summary = "runs a program of strip kernels over memory";
  let description = [{
    What becomes of a `loom.map` when tensors become buffers, with `axes` of a
    `loom.fused_reduction`, and with `contraction`, which has its attributes, of
    a `loom.contract`. The runtime plans the iteration (decision 67) and makes the results;
    `slots` says for each whether it is result i of the function or a temporary
    (-1). `kinds` are those of the map.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
                       DenseI32ArrayAttr:$slots,
                       OptionalAttr<Loom_AccessArrayAttr>:$kinds,
                       OptionalAttr<DenseI64ArrayAttr>:$axes,
                       OptionalAttr<Loom_ContractionAttr>:$contraction);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `slots` $slots attr-dict `:` functional-type($inputs, $outputs)
    $body
  }];
  let hasVerifier = 1;
}

def Loom_RunOp : Loom_Op<"run", [
    Loom_LaunchStep, Loom_OwnsResults, AttrSizedOperandSegments]> {
  let summary = "hands a compiled program of strip kernels to the runtime";
  let description = [{
    A `loom.launch` whose body has become kernels: `program` names the global
    that describes them (runtime/abi/Abi.h, BroadloomProgram). A slot of -2 - k is
    about operand k. If that is an input, which nobody reads afterwards, the result
    is a temporary that may be written over it. If it is one of `destinations`,
    the result is written there where that is row-major, and is then a reference
    to that memory (broadloomLaunch). With `memory`, `offsets` says for each
    result that is not -1 where it begins there, in bytes; no references to such a
    result are counted (loom-plan-memory).
  }];
  let arguments = (ins FlatSymbolRefAttr:$program, Variadic<AnyType>:$inputs,
                       Variadic<AnyMemRef>:$destinations,
                       Optional<AnyMemRef>:$memory,
                       DenseI32ArrayAttr:$slots,
                       OptionalAttr<DenseI64ArrayAttr>:$offsets);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $program `(` $inputs `)`
    (`into` `(` $destinations^ `:` type($destinations) `)`)?
    (`in` $memory^ `:` type($memory) `at` $offsets)? `slots` $slots
    attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

def Loom_RetainOp : Loom_Op<"retain"> {
  let summary = "one more reference to a temporary of this call";
  let description = [{
    Does nothing to memory that is no temporary: an argument's, a result's or a
    constant's.
  }];
  let arguments = (ins AnyType:$memref);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

def Loom_ReleaseOp : Loom_Op<"release", [Loom_LaunchStep]> {
  let summary = "one reference less, and with the last one the memory is freed";
  let arguments = (ins AnyType:$memref);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

def Loom_SiteOp : Loom_Op<"site", [Loom_LaunchStep]> {
  let summary = "says what the time of a profiled call is spent on from here on";
  let description = [{
    `number` is that of an entry in the module's `loom.sites`, or -1 for what
    belongs to none. `tensors` are read or written there, besides what launches
    and copies tell of themselves. It is there only in programs that are compiled
    to be profiled (`loom-mark-sites`).
  }];
  let arguments = (ins I32Attr:$number, Variadic<AnyType>:$tensors);
  let assemblyFormat = [{
    $number (`(` $tensors^ `:` type($tensors) `)`)? attr-dict
  }];
}

def Loom_AllocOp : Loom_Op<"alloc", [
    Loom_OwnsResults, AttrSizedOperandSegments,
    MemoryEffects<[MemAlloc<DefaultResource>]>]> {
  let summary = "memory for a function result or a temporary of this call";
  let description = [{
    With `destination`, which has as many elements, the memory is that of the
    destination where that is row-major. `slot` is that of a result of the
    function, -1 for a temporary, or BROADLOOM_SLOT_PLANNED.
  }];
  let arguments = (ins Variadic<Index>:$dynamicExtents,
                       Optional<AnyMemRef>:$destination,
                       DefaultValuedAttr<I32Attr, "-1">:$slot);
  let results = (outs Res<AnyMemRef, "", [MemAlloc<DefaultResource>]>:$memref);
  let assemblyFormat = [{
    `(` $dynamicExtents `)` (`into` $destination^ `:` type($destination))? attr-dict
    `:` type($memref)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether it is memory of its own, for no result of the function.
    bool isTemporary() {
      return !getDestination() && getSlotAttr().getInt() == -1;
    }
  }];
}

def Loom_IsLiveOp : Loom_Op<"is_live", [MemoryEffects<[MemRead]>]> {
  let summary = "whether memory may be used: nobody has freed it";
  let description = [{
    Stands in functions over memory alone (`loom.memory`), whose descriptors name
    the block of their memory (BroadloomBlock).
  }];
  let arguments = (ins AnyRankedOrUnrankedMemRef:$memref);
  let results = (outs I1:$live);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

def Loom_IsWritableOp : Loom_Op<"is_writable", [Pure]> {
  let summary = "whether memory may be written: it is no constant's";
  let description = [{
    As `loom.is_live`, of the constants that `memref.global` declares.
  }];
  let arguments = (ins AnyMemRef:$memref);
  let results = (outs I1:$writable);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

def Loom_SharesAllocationOp : Loom_Op<"shares_allocation", [Pure]> {
  let summary = "whether two memrefs are memory of one allocation";
  let description = [{
    Views of one `memref.alloc`, one `memref.global` or one argument share it,
    whatever elements they have. Stands in functions over memory alone.
  }];
  let arguments = (ins AnyMemRef:$a, AnyMemRef:$b);
  let results = (outs I1:$shares);
  let assemblyFormat = "$a `,` $b attr-dict `:` type($a) `,` type($b)";
}

def Loom_ReachOp : Loom_Op<"reach", [Pure]> {
  let summary = "which elements of an allocation a view may have";
  let description = [{
    The elements of the allocation that the memory belongs to, counted from the
    base of the memory's descriptor: from `first` on, up to `end`, which is not
    among them. Stands in functions over memory alone.
  }];
  let arguments = (ins AnyMemRef:$memref);
  let results = (outs Index:$first, Index:$end);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

def Loom_ExternalCallOp : Loom_Op<"external_call", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "calls a function of another library";
  let description = [{
    `symbol` is the function's name in a library that the program is linked with.
    It reads all memory that it is given, and writes that of the operands that
    `writes` lists. Each memory is an address of its first element, in the order
    that its type tells, or, with `descriptors`, the address of a descriptor: two
    pointers, of which the second is that to the data, the offset, the extents and
    the strides. Stands in functions over memory alone (`loom.memory`), behind the
    checks of what the function declares (ffi-1), among it that it is
    `deterministic` or `reentrant` (ffi-7). With `copies` the function gets copies
    of the memory, which are compared behind the call (ffi-3), and messages have
    these names of the inputs.
  }];
  let arguments = (ins StrAttr:$symbol, Variadic<AnyType>:$inputs,
                       DenseI64ArrayAttr:$writes, UnitAttr:$descriptors,
                       UnitAttr:$deterministic, UnitAttr:$reentrant,
                       OptionalAttr<StrArrayAttr>:$copies);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $symbol `(` $inputs `)` `writes` $writes (`descriptors` $descriptors^)?
    (`deterministic` $deterministic^)? (`reentrant` $reentrant^)?
    (`copies` $copies^)? attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

#endif // BROADLOOM_DIALECT_LOOMMEMORYOPS_TD
