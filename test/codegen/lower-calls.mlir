// RUN: broadloom-opt %s --loom-lower-calls --split-input-file --verify-diagnostics | FileCheck %s

// A guard costs one comparison and one branch where it holds (D5).
// CHECK-LABEL: func.func @broadloom_entry_guarded(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK: call @loom_function_guarded
// CHECK: llvm.call @broadloomReturn
// CHECK-LABEL: func.func private @loom_function_guarded
// CHECK-SAME: -> (i32, memref<?xf32>)
// CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK: return
// CHECK: ^bb2:
// CHECK: llvm.call @broadloomFail
func.func @guarded(%a: memref<?xf32>, %ok: i1, %n: index) -> memref<?xf32> {
  loom.require %ok, "tosa.add", "extent {0} is wrong" (%n : index)
  return %a : memref<?xf32>
}

// -----

// A failing callee fails its caller.
// CHECK-LABEL: func.func private @loom_function_caller
// CHECK: %[[S:.*]]:2 = call @loom_function_callee
// CHECK: arith.cmpi eq, %[[S]]#0
func.func private @callee(%a: memref<2xf32>) -> memref<2xf32> {
  return %a : memref<2xf32>
}
func.func @caller(%a: memref<2xf32>) -> memref<2xf32> {
  %r = call @callee(%a) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}

// -----

func.func private @elsewhere(memref<2xf32>)
func.func @calls_elsewhere(%a: memref<2xf32>) {
  // expected-error @+1 {{calls 'elsewhere', which has no body in this program; external functions cannot be called}}
  call @elsewhere(%a) : (memref<2xf32>) -> ()
  return
}
