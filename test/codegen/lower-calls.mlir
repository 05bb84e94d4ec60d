// RUN: broadloom-opt %s --loom-lower-calls --split-input-file | FileCheck %s

// A guard costs one comparison and one branch where it holds (decision 66), and an entry
// is one call.
// CHECK-LABEL: func.func @broadloom_entry_guarded(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK: constant @loom_function_guarded
// CHECK: llvm.call @broadloomEnter
// CHECK-LABEL: func.func private @loom_function_guarded
// CHECK-SAME: -> i32
// CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK: return
// CHECK: ^bb2:
// CHECK: llvm.call @broadloomFail
// A rank and an extent for the memref, two ranks of 0 for the scalars.
// CHECK: llvm.mlir.global internal constant @{{.*}}(dense<[1, -1, 0, 0, 0]> : tensor<5xi64>)
func.func @loom_function_guarded(%a: memref<?xf32>, %ok: i1, %n: index) -> memref<?xf32> {
  loom.require %ok, "tosa.add", "extent {0} is wrong" (%n : index)
  return %a : memref<?xf32>
}

// -----

// A failing callee fails its caller.
// CHECK-LABEL: func.func private @loom_function_caller
// CHECK: %[[S:.*]] = call @loom_function_callee
// CHECK: arith.cmpi eq, %[[S]]
func.func private @loom_function_callee(%a: memref<2xf32>) -> memref<2xf32> {
  return %a : memref<2xf32>
}
func.func @loom_function_caller(%a: memref<2xf32>) -> memref<2xf32> {
  %r = call @loom_function_callee(%a) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}

// -----

// Launches one after another are one call, and each program is named once. A
// result is described where the caller expects it: nothing is copied.
// CHECK-LABEL: func.func private @loom_function_launches
// CHECK: llvm.call @broadloomLaunchAll
// CHECK-NOT: llvm.call
// CHECK-NOT: llvm.load
// CHECK: return
// CHECK-LABEL: llvm.mlir.global internal constant @loom_data_0()
// CHECK: llvm.mlir.addressof @p
// CHECK-NOT: llvm.mlir.addressof
// A BroadloomLaunchStep (kind, program, place, destinations, memory), the slot of the result, the view
// of argument 0, a descriptor in the frame; then the same with that descriptor
// and result 0. The places are texts, the first of which is empty.
// CHECK: @loom_data_1(dense<[0, 0, 1, 0, -1, -1, -1, 1, 1, 0, 0, 0, [[SECOND:[0-9]+]], 0, -1, 0, 1, 0, 1, 2]> : tensor<20xi32>)
// CHECK: @loom_data_2("\00{{[^\]*}}lower-calls.mlir:[[#@LINE+2]]:8\00{{[^\]*}}lower-calls.mlir:[[#@LINE+3]]:8\00\00")
func.func @loom_function_launches(%a: memref<?xf32>) -> memref<?xf32> {
  %r = loom.run @p(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  %s = loom.run @p(%r) slots [0] : (memref<?xf32>) -> memref<?xf32>
  return %s : memref<?xf32>
}
llvm.mlir.global internal constant @p(0 : i32) : i32

// -----

// Names of memory between launches are moved ahead of them, if the launches do
// not make what they name. A destination is described behind the operands, and an
// offset in planned memory is one of the slots.
// CHECK-LABEL: func.func private @loom_function_names
// CHECK: memref.subview
// CHECK: memref.view
// CHECK: llvm.call @broadloomLaunchAll
// CHECK-NOT: llvm.call @broadloomLaunchAll
// CHECK: memref.expand_shape
// CHECK: llvm.call @broadloomLaunchAll
// CHECK: @loom_data_2(dense<[0, 0, 1, 1, -1, -3, -1, 1, 1, 40, 1, 80, 0, 0, {{[0-9]+}}, 0, 0, -2147483584, 1, 120, 1, 160]> : tensor<22xi32>)
func.func @loom_function_names(%a: memref<?xf32>) -> memref<1x8xf32> {
  %m = loom.alloc() {slot = -2 : i32} : memref<128xi8>
  %to = memref.subview %a[0] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1]>>
  %r = loom.run @p(%a) into(%to : memref<8xf32, strided<[1]>>) slots [-3] : (memref<?xf32>) -> memref<8xf32>
  %c0 = arith.constant 0 : index
  %view = memref.view %m[%c0][] : memref<128xi8> to memref<8xf32>
  %s = loom.run @p(%view) in %m : memref<128xi8> at [64] slots [-1] : (memref<8xf32>) -> memref<8xf32>
  %rows = memref.expand_shape %s [[0, 1]] output_shape [1, 8] : memref<8xf32> into memref<1x8xf32>
  %t = loom.run @p(%rows) slots [0] : (memref<1x8xf32>) -> memref<1x8xf32>
  return %t : memref<1x8xf32>
}
llvm.mlir.global internal constant @p(0 : i32) : i32

// -----

// Also where it is returned as another type: nobody wants to read it.
// CHECK-LABEL: func.func private @loom_function_cast
// CHECK: llvm.call @broadloomLaunchAll
// CHECK-NOT: llvm.load
// CHECK-NOT: memref.cast
// CHECK: return
func.func @loom_function_cast(%a: memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %r = loom.run @p(%a) slots [0] : (memref<?xf32>) -> memref<?xf32>
  %s = memref.cast %r : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %s : memref<?xf32, strided<[?], offset: ?>>
}
llvm.mlir.global internal constant @p(0 : i32) : i32

// -----

// The runtime calls a function of another library, by one that reads the arguments from a block; all calls of
// equal types share it.
// CHECK-LABEL: func.func private @loom_function_external
// CHECK: llvm.store %{{.*}}, %[[BLOCK:.*]] : !llvm.struct
// CHECK: llvm.getelementptr %[[BLOCK]][40]
// CHECK: constant @loom_library_0
// CHECK: %[[STATUS:.*]] = llvm.call @broadloomCallLibrary(%{{.*}}, %{{.*}}, %{{.*}}, %[[BLOCK]])
// CHECK: arith.cmpi eq, %[[STATUS]]
// CHECK: cf.cond_br
// CHECK: constant @loom_library_0
// CHECK: llvm.call @broadloomCallLibrary
// CHECK: func.func private @loom_library_0(%[[ALL:.*]]: !llvm.ptr)
// CHECK: %[[STRUCT:.*]] = llvm.load %[[ALL]]
// CHECK: %[[MEMORY:.*]] = builtin.unrealized_conversion_cast %[[STRUCT]] : {{.*}} to memref<?xf64>
// CHECK: %[[RESULT:.*]] = loom.external_call "sum"(%[[MEMORY]], %{{.*}})
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[ALL]][48]
// CHECK: llvm.store %[[RESULT]], %[[AT]]
// CHECK: return
// CHECK-NOT: loom.external_call "sum"
func.func @loom_function_external(%x: memref<?xf64>, %n: i32) -> f64 attributes {loom.memory} {
  %r = loom.external_call "sum"(%x, %n) writes [] : (memref<?xf64>, i32) -> f64
  %s = loom.external_call "sum"(%x, %n) writes [] : (memref<?xf64>, i32) -> f64
  %t = arith.addf %r, %s : f64
  return %t : f64
}

// -----

// A function that gets copies is told where the descriptors are.
// CHECK-LABEL: func.func private @loom_function_copies
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call @broadloomCallLibraryOnCopies(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ONE]])
// CHECK: loom.external_call "fill"(%{{.*}}, %{{.*}}) writes [1] : (i64, memref<?x2xf32>) -> ()
// CHECK: llvm.mlir.global internal constant @{{.*}}("argument 'x' of 'fill'\00")
// CHECK: llvm.mlir.constant(8 : i64)
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.mlir.constant(4 : i32)
func.func @loom_function_copies(%n: i64, %x: memref<?x2xf32>) attributes {loom.memory} {
  loom.external_call "fill"(%n, %x) writes [1] copies ["", "argument 'x' of 'fill'"] : (i64, memref<?x2xf32>) -> ()
  return
}
