// RUN: broadloom-opt %s --loom-plan-memory --split-input-file | FileCheck %s

// Launches get offsets, allocations become views, and nothing is counted. The
// third value is written where the first one was.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: loom.planned_memory = 192 : i64
// CHECK-NEXT: %[[ALL:.*]] = loom.alloc() {slot = -2 : i32} : memref<192xi8>
// CHECK: %[[VIEW:.*]] = memref.view %[[ALL]][%{{.*}}][] : memref<192xi8> to memref<4xf32>
// CHECK: %[[A:.*]] = loom.run @p(%arg0) in %[[ALL]] : memref<192xi8> at [[[#OFFSET:]]] slots [-1]
// CHECK-NEXT: %[[B:.*]] = loom.run @p(%[[A]]) in %[[ALL]] : memref<192xi8> at [{{.*}}] slots [-1]
// CHECK-NEXT: call @fill(%[[VIEW]], %[[B]])
// CHECK-NEXT: %[[D:.*]] = loom.run @p(%[[VIEW]]) in %[[ALL]]
// CHECK-NEXT: loom.run @p(%[[D]]) slots [0]
// CHECK-NEXT: return
func.func @chain(%x: memref<?xf32>) -> memref<8xf32> {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<8xf32>
  %b = loom.run @p(%a) slots [-2] : (memref<8xf32>) -> memref<32xf32>
  loom.release %a : memref<8xf32>
  %c = loom.alloc() : memref<4xf32>
  call @fill(%c, %b) : (memref<4xf32>, memref<32xf32>) -> ()
  loom.release %b : memref<32xf32>
  %d = loom.run @p(%c) slots [-2] : (memref<4xf32>) -> memref<8xf32>
  loom.release %c : memref<4xf32>
  %e = loom.run @p(%d) slots [0] : (memref<8xf32>) -> memref<8xf32>
  loom.release %d : memref<8xf32>
  return %e : memref<8xf32>
}
func.func private @fill(memref<4xf32>, memref<32xf32>)

// -----

// Open extents and results have memory of their own, and so has what something
// else may keep or what is released with the call.
// CHECK-LABEL: func.func @others
// CHECK-NOT: loom.alloc() {slot = -2
// CHECK: loom.run @p(%arg0) slots [-1] : (memref<?xf32>) -> memref<?xf32>
// CHECK: loom.run @p(%arg0) slots [0]
// CHECK: loom.run @p(%arg0) slots [-1] : (memref<?xf32>) -> memref<2xf32>
// CHECK: loom.run @p(%arg0) slots [-1] : (memref<?xf32>) -> memref<3xf32>
// CHECK: loom.run @p(%arg0) slots [-1] : (memref<?xf32>) -> memref<0xf32>
// CHECK: loom.run @p(%arg0) slots [-1] : (memref<?xf32>) -> memref<99999999xf32>
func.func @others(%x: memref<?xf32>, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %open = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  loom.release %open : memref<?xf32>
  %result = loom.run @p(%x) slots [0] : (memref<?xf32>) -> memref<8xf32>
  %carried = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<2xf32>
  loom.retain %carried : memref<2xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %carried) -> memref<2xf32> {
    scf.yield %at : memref<2xf32>
  }
  loom.release %carried : memref<2xf32>
  loom.release %last : memref<2xf32>
  %kept = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<3xf32>
  %none = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<0xf32>
  loom.release %none : memref<0xf32>
  %large = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<99999999xf32>
  loom.release %large : memref<99999999xf32>
  return %result : memref<8xf32>
}
// What another function calls may be called while it is called.
// CHECK-LABEL: func.func @called
// CHECK-NOT: slot = -2
// CHECK-LABEL: func.func private @callee
// CHECK-NOT: slot = -2
func.func @called() {
  call @called() : () -> ()
  call @callee() : () -> ()
  %a = loom.alloc() : memref<4xf32>
  loom.release %a : memref<4xf32>
  return
}
func.func private @callee() {
  %a = loom.alloc() : memref<4xf32>
  loom.release %a : memref<4xf32>
  return
}

// -----

// A view keeps the memory, and so does what is made contiguous of it. Views that
// are returned keep it to the end.
// CHECK-LABEL: func.func @views
// CHECK-SAME: loom.planned_memory = 192 : i64
// CHECK: loom.run @p(%arg0) in %[[ALL:.*]] : memref<192xi8> at [[[#V0:]]]
// CHECK: %[[SLICE:.*]] = memref.subview
// CHECK: %[[ROWS:.*]] = loom.contiguous %[[SLICE]]
// CHECK: loom.run @p(%arg0) in %[[ALL]] : memref<192xi8> at [[[#V1:]]]
// CHECK: loom.run @p(%[[ROWS]]) in %[[ALL]] : memref<192xi8> at [[[#V2:]]]
// CHECK-NEXT: loom.release %[[ROWS]]
// CHECK-NOT: loom.release
// CHECK: return
func.func @views(%x: memref<?xf32>) -> (memref<2xf32, strided<[2]>>, memref<8xf32>) {
  %a = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<8xf32>
  %slice = memref.subview %a[0] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1]>>
  %rows = loom.contiguous %slice : memref<2xf32, strided<[1]>> -> memref<2xf32>
  loom.release %a : memref<8xf32>
  %b = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<8xf32>
  %odd = memref.subview %b[0] [2] [2] : memref<8xf32> to memref<2xf32, strided<[2]>>
  %c = loom.run @p(%rows) slots [-1] : (memref<2xf32>) -> memref<8xf32>
  loom.release %rows : memref<2xf32>
  loom.retain %c : memref<8xf32>
  loom.release %c : memref<8xf32>
  return %odd, %c : memref<2xf32, strided<[2]>>, memref<8xf32>
}

// -----

// What a launch of a map may write over its operand gets the same offset, if it
// is large and the operand is read in no other way.
// CHECK-LABEL: func.func @over
// CHECK-SAME: loom.planned_memory = 400000 : i64
// CHECK: loom.run @loom_program_0(%arg0) in %[[ALL:.*]] : memref<400000xi8> at [0]
// CHECK: loom.run @loom_program_0(%{{.*}}) in %[[ALL]] : memref<400000xi8> at [0] slots [-1]
// CHECK: loom.run @loom_program_0(%{{.*}}) slots [0]
func.func @over(%x: memref<?xf32>) -> memref<100000xf32> {
  %a = loom.run @loom_program_0(%x) slots [-1] : (memref<?xf32>) -> memref<100000xf32>
  %b = loom.run @loom_program_0(%a) slots [-2] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %a : memref<100000xf32>
  %c = loom.run @loom_program_0(%b) slots [0] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %b : memref<100000xf32>
  return %c : memref<100000xf32>
}
// CHECK-LABEL: func.func @not_over
// CHECK-SAME: loom.planned_memory = 800000 : i64
// CHECK: loom.run @loom_program_0(%arg0) in %[[ALL:.*]] : memref<800000xi8> at [[[#FIRST:]]]
// CHECK: loom.run @loom_program_1(%{{.*}}, %{{.*}}) in %[[ALL]] : memref<800000xi8> at [{{.*}}] slots [-1]
func.func @not_over(%x: memref<?xf32>) -> memref<100000xf32> {
  %a = loom.run @loom_program_0(%x) slots [-1] : (memref<?xf32>) -> memref<100000xf32>
  %one = memref.subview %a[5] [1] [1] : memref<100000xf32> to memref<1xf32, strided<[1], offset: 5>>
  %b = loom.run @loom_program_1(%a, %one) slots [-2] : (memref<100000xf32>, memref<1xf32, strided<[1], offset: 5>>) -> memref<100000xf32>
  loom.release %a : memref<100000xf32>
  %c = loom.run @loom_program_0(%b) slots [0] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %b : memref<100000xf32>
  return %c : memref<100000xf32>
}
// What is made contiguous of the operand, or is a part of it, is read later.
// CHECK-LABEL: func.func @read_later
// CHECK-SAME: loom.planned_memory = 800000 : i64
func.func @read_later(%x: memref<?xf32>) -> (memref<100000xf32>, memref<100xf32>) {
  %a = loom.run @loom_program_0(%x) slots [-1] : (memref<?xf32>) -> memref<100000xf32>
  %one = memref.subview %a[0] [100] [1] : memref<100000xf32> to memref<100xf32, strided<[1]>>
  %rows = loom.contiguous %one : memref<100xf32, strided<[1]>> -> memref<100xf32>
  %b = loom.run @loom_program_0(%a) slots [-2] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %a : memref<100000xf32>
  %c = loom.run @loom_program_0(%b) slots [0] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %b : memref<100000xf32>
  %d = loom.run @loom_program_0(%rows) slots [1] : (memref<100xf32>) -> memref<100xf32>
  loom.release %rows : memref<100xf32>
  return %c, %d : memref<100000xf32>, memref<100xf32>
}
// CHECK-LABEL: func.func @part_read_later
// CHECK-SAME: loom.planned_memory = 800000 : i64
func.func @part_read_later(%x: memref<?xf32>) -> (memref<100000xf32>, memref<100xf32>) {
  %all = loom.alloc() : memref<100000xf32>
  %first = memref.subview %all[0] [100] [1] : memref<100000xf32> to memref<100xf32, strided<[1]>>
  %part = loom.run @loom_program_0(%x) into(%first : memref<100xf32, strided<[1]>>) slots [-3] : (memref<?xf32>) -> memref<100xf32>
  %b = loom.run @loom_program_0(%all) slots [-2] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %all : memref<100000xf32>
  %c = loom.run @loom_program_0(%b) slots [0] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %b : memref<100000xf32>
  %d = loom.run @loom_program_0(%part) slots [1] : (memref<100xf32>) -> memref<100xf32>
  loom.release %part : memref<100xf32>
  return %c, %d : memref<100000xf32>, memref<100xf32>
}
// Of two results, one is that of the function.
// CHECK-LABEL: func.func @two_results
// CHECK-SAME: loom.planned_memory = 400000 : i64
// CHECK: loom.run @loom_program_0(%arg0) in %{{.*}} : memref<400000xi8> at [-1, 0] slots [0, -1]
func.func @two_results(%x: memref<?xf32>) -> (memref<100000xf32>, memref<100000xf32>) {
  %a:2 = loom.run @loom_program_0(%x) slots [0, -1] : (memref<?xf32>) -> (memref<100000xf32>, memref<100000xf32>)
  %b = loom.run @loom_program_1(%a#1) slots [1] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %a#1 : memref<100000xf32>
  return %a#0, %b : memref<100000xf32>, memref<100000xf32>
}
// A contraction writes over nothing.
// CHECK-LABEL: func.func @contraction
// CHECK-SAME: loom.planned_memory = 800000 : i64
func.func @contraction(%x: memref<?xf32>) -> memref<100000xf32> {
  %a = loom.run @loom_program_0(%x) slots [-1] : (memref<?xf32>) -> memref<100000xf32>
  %b = loom.run @loom_contract_program_0(%a) slots [-2] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %a : memref<100000xf32>
  %c = loom.run @loom_program_0(%b) slots [0] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %b : memref<100000xf32>
  return %c : memref<100000xf32>
}
// The operand has memory of its own, which the runtime writes over.
// CHECK-LABEL: func.func @over_block
// CHECK-NOT: loom.planned_memory
// CHECK: loom.run @loom_program_0(%{{.*}}) slots [-2]
func.func @over_block(%x: memref<?xf32>) -> memref<100000xf32> {
  %a = loom.run @loom_program_0(%x) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  %b = loom.run @loom_program_0(%a) slots [-2] : (memref<?xf32>) -> memref<100000xf32>
  loom.release %a : memref<?xf32>
  %c = loom.run @loom_program_0(%b) slots [0] : (memref<100000xf32>) -> memref<100000xf32>
  loom.release %b : memref<100000xf32>
  return %c : memref<100000xf32>
}

// -----

// Parts of a concatenation are at offsets in it, and live as long.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: loom.planned_memory = 128 : i64
// CHECK: %[[ALL:.*]] = loom.alloc() {slot = -2 : i32} : memref<128xi8>
// CHECK: %[[WHOLE:.*]] = memref.view %[[ALL]]
// CHECK: %[[A:.*]] = loom.run @p(%arg0) in %[[ALL]] : memref<128xi8> at [[[#AT:]]] slots [-1]
// CHECK: loom.run @p(%arg0) in %[[ALL]] : memref<128xi8> at [[[#AT+8]]] slots [-1]
// CHECK-NOT: loom.release
// CHECK: loom.run @p(%[[WHOLE]]) in %[[ALL]] : memref<128xi8> at [{{.*}}] slots [-1]
// CHECK-NEXT: loom.run @q(%[[A]], %{{.*}}) slots [0]
func.func @parts(%x: memref<?xf32>) -> memref<2xf32> {
  %all = loom.alloc() : memref<4xf32>
  %i0 = memref.subview %all[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %a = loom.run @p(%x) into(%i0 : memref<2xf32, strided<[1]>>) slots [-3] : (memref<?xf32>) -> memref<2xf32>
  %i1 = memref.subview %all[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  %b = loom.run @p(%x) into(%i1 : memref<2xf32, strided<[1], offset: 2>>) slots [-3] : (memref<?xf32>) -> memref<2xf32>
  loom.release %b : memref<2xf32>
  %c = loom.run @p(%all) slots [-1] : (memref<4xf32>) -> memref<2xf32>
  loom.release %all : memref<4xf32>
  %d = loom.run @q(%a, %c) slots [0] : (memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  loom.release %a : memref<2xf32>
  loom.release %c : memref<2xf32>
  return %d : memref<2xf32>
}
// Where the runtime has to find out whether a result fits, it stays that way: with
// gaps, and with extents that types leave open.
// CHECK-LABEL: func.func @open_parts
// CHECK-SAME: loom.planned_memory = 128 : i64
// CHECK: loom.run @p(%arg0) into(%{{.*}} : memref<4x?xf32, strided<[8, 1]>>) slots [-3]
// CHECK: loom.run @p(%arg0) into(%{{.*}} : memref<1x8xf32, strided<[8, 1], offset: 8>>) slots [-3]
func.func @open_parts(%x: memref<?xf32>, %n: index) -> memref<4x8xf32> {
  %all = loom.alloc() : memref<4x8xf32>
  %i0 = memref.subview %all[0, 0] [4, %n] [1, 1] : memref<4x8xf32> to memref<4x?xf32, strided<[8, 1]>>
  %a = loom.run @p(%x) into(%i0 : memref<4x?xf32, strided<[8, 1]>>) slots [-3] : (memref<?xf32>) -> memref<4x?xf32>
  loom.release %a : memref<4x?xf32>
  %i1 = memref.subview %all[1, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 8>>
  %b = loom.run @p(%x) into(%i1 : memref<1x8xf32, strided<[8, 1], offset: 8>>) slots [-3] : (memref<?xf32>) -> memref<?x8xf32>
  loom.release %b : memref<?x8xf32>
  %d = loom.run @q(%all) slots [0] : (memref<4x8xf32>) -> memref<4x8xf32>
  loom.release %all : memref<4x8xf32>
  return %d : memref<4x8xf32>
}
