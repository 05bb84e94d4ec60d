// RUN: broadloom-opt %s --loom-outline-kernels --split-input-file | FileCheck %s

// Equal loops are one function, whatever their constants and extents are
// called. What is not equal, here in a constant, is another.
// CHECK-LABEL: func.func @equal(
// CHECK-SAME:    %[[A:[^:]*]]: memref<?xf32>, %[[B:[^:]*]]: memref<?xf32>, %[[N:[^:]*]]: index, %[[M:[^:]*]]: index)
// CHECK:         call @loom_loop_0(%[[A]], %[[N]]) : (memref<?xf32>, index) -> ()
// CHECK-NOT:     linalg
// CHECK:         call @loom_loop_0(%[[B]], %[[M]]) : (memref<?xf32>, index) -> ()
// CHECK-NOT:     linalg
// CHECK:         call @loom_loop_1(%[[B]], %[[M]]) : (memref<?xf32>, index) -> ()
// CHECK-NOT:     linalg
// CHECK:         return
// Callers do not take it back.
// CHECK:       func.func private @loom_loop_0(%[[OUT:.*]]: memref<?xf32>, %[[FROM:.*]]: index) attributes {no_inline, passthrough = ["noinline"]} {
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[OUT]] : memref<?xf32>) {
// CHECK:           linalg.index 0
// CHECK:           arith.subi %[[FROM]], %[[ONE]]
// CHECK:         return
// CHECK:       func.func private @loom_loop_1(
// CHECK-NEXT:    arith.constant 2 : index
// CHECK-NOT:   loom_loop_2
#map = affine_map<(d0) -> (d0)>
func.func @equal(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %m: index) {
  %c1 = arith.constant 1 : index
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%a : memref<?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %0 = arith.subi %n, %c1 : index
    %1 = arith.subi %0, %i : index
    %2 = memref.load %a[%1] : memref<?xf32>
    linalg.yield %2 : f32
  }
  %c1_again = arith.constant 1 : index
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%b : memref<?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %0 = arith.subi %m, %c1_again : index
    %1 = arith.subi %0, %i : index
    %2 = memref.load %b[%1] : memref<?xf32>
    linalg.yield %2 : f32
  }
  %c2 = arith.constant 2 : index
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%b : memref<?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %0 = arith.subi %m, %c2 : index
    %1 = arith.subi %0, %i : index
    %2 = memref.load %b[%1] : memref<?xf32>
    linalg.yield %2 : f32
  }
  return
}

// -----

// Loops of loops and of branches too; of types that differ there are two.
// CHECK-LABEL: func.func @nested
// CHECK:         scf.for
// CHECK:           call @loom_loop_0
// CHECK:           scf.if
// CHECK:             call @loom_loop_0
// CHECK:             call @loom_loop_1
// CHECK:       func.func private @loom_loop_0(%{{.*}}: memref<?x?xf32>, %{{.*}}: memref<?x?xf32>)
// CHECK:         linalg.transpose
// CHECK:       func.func private @loom_loop_1(%{{.*}}: memref<?x4xf32>, %{{.*}}: memref<4x?xf32>)
// CHECK:         linalg.transpose
func.func @nested(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x4xf32>, %d: memref<4x?xf32>, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
    scf.if %p {
      linalg.transpose ins(%b : memref<?x?xf32>) outs(%a : memref<?x?xf32>) permutation = [1, 0]
      linalg.transpose ins(%c : memref<?x4xf32>) outs(%d : memref<4x?xf32>) permutation = [1, 0]
    }
  }
  return
}

// -----

// And of several functions, which are made to call the same one.
// CHECK-LABEL: func.func @first
// CHECK:         call @loom_loop_0
// CHECK-LABEL: func.func @second
// CHECK:         call @loom_loop_0
// CHECK:       func.func private @loom_loop_0
// CHECK-NEXT:    linalg.copy
// CHECK-NEXT:    return
// CHECK-NOT:   func.func
func.func @first(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}
func.func @second(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}

// -----

// What is known to be short stays, in a function that is short as well.
// CHECK-LABEL: func.func @short
// CHECK-COUNT-1: linalg.copy
// CHECK:         call @loom_loop_0
// CHECK:         return
// CHECK-LABEL: func.func @many_short
// CHECK-NOT:     linalg
// CHECK-COUNT-17: call @loom_loop_1
// CHECK:         return
// CHECK:       func.func private @loom_loop_0(%{{.*}}: memref<4x17xf32>
// CHECK:       func.func private @loom_loop_1(%{{.*}}: memref<4x16xf32>
func.func @short(%a: memref<4x16xf32>, %b: memref<4x16xf32>, %c: memref<4x17xf32>, %d: memref<4x17xf32>) {
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%c : memref<4x17xf32>) outs(%d : memref<4x17xf32>)
  return
}
func.func @many_short(%a: memref<4x16xf32>, %b: memref<4x16xf32>) {
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  linalg.copy ins(%a : memref<4x16xf32>) outs(%b : memref<4x16xf32>)
  return
}

// -----

// A guard has a location, so that no two of them are equal.
// CHECK-LABEL: func.func @guards
// CHECK:         call @loom_loop_0
// CHECK:         call @loom_loop_1
// CHECK:       func.func private @loom_loop_0
// CHECK:         loom.require
// CHECK:       func.func private @loom_loop_1
// CHECK:         loom.require
#map = affine_map<(d0) -> (d0)>
func.func @guards(%a: memref<?xi32>, %b: memref<?xi32>) {
  %c0 = arith.constant 0 : i32
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : memref<?xi32>) outs(%b : memref<?xi32>) {
  ^bb0(%in: i32, %out: i32):
    %ok = arith.cmpi ne, %in, %c0 : i32
    loom.require %ok, "arith.divsi", "division by 0"
    %0 = arith.divsi %out, %in : i32
    linalg.yield %0 : i32
  }
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : memref<?xi32>) outs(%b : memref<?xi32>) {
  ^bb0(%in: i32, %out: i32):
    %ok = arith.cmpi ne, %in, %c0 : i32
    loom.require %ok, "arith.divsi", "division by 0"
    %0 = arith.divsi %out, %in : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

// One element is not worth a call. What calls functions, or makes temporaries,
// stays where that is counted.
// CHECK-LABEL: func.func @stays
// CHECK:         linalg.fill
// CHECK:         linalg.map
// CHECK:           func.call @f
// CHECK:         linalg.map
// CHECK:           memref.alloc
// CHECK-NOT:   loom_loop
func.func private @f() -> f32 {
  %0 = arith.constant 1.0 : f32
  return %0 : f32
}
func.func @stays(%a: memref<f32>, %b: memref<?xf32>) {
  %0 = arith.constant 0.0 : f32
  linalg.fill ins(%0 : f32) outs(%a : memref<f32>)
  linalg.map outs(%b : memref<?xf32>) (%init: f32) {
    %1 = func.call @f() : () -> f32
    linalg.yield %1 : f32
  }
  linalg.map outs(%b : memref<?xf32>) (%init: f32) {
    %1 = memref.alloc() : memref<2xf32>
    %c0 = arith.constant 0 : index
    %2 = memref.load %1[%c0] : memref<2xf32>
    linalg.yield %2 : f32
  }
  return
}

// -----

// Memory that the function makes overlaps with nothing else; a view of it does,
// and so may a choice and an argument.
// CHECK-LABEL: func.func @apart(
// CHECK:       func.func private @loom_loop_0(
// CHECK:         linalg.generic {{.*}} attrs = {loom.writes_apart}
// CHECK:       func.func private @loom_loop_1(
// CHECK-NOT:     loom.writes_apart
// CHECK:       func.func private @loom_loop_2(
// CHECK-NOT:     loom.writes_apart
// CHECK:       func.func private @loom_loop_3(
// CHECK-NOT:     loom.writes_apart
#all = affine_map<(d0) -> (d0)>
func.func @apart(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %condition: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %made = memref.alloc(%n) : memref<?xf32>
  %view = memref.subview %made[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%made : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]}
      ins(%view : memref<?xf32, strided<[1]>>) outs(%made : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  }
  %choice = arith.select %condition, %x, %made : memref<?xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]}
      ins(%choice : memref<?xf32>) outs(%made : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  }
  %first = memref.load %made[%c0] : memref<?xf32>
  return %first : f32
}

// -----

// Extents of shapes are read in front of the loops, since shapes are not passed.
// CHECK-LABEL: func.func @extents(
// CHECK:         %[[EXTENT:.*]] = loom.extent
// CHECK-NEXT:    call @loom_loop_0({{.*}}%[[EXTENT]]
// CHECK:       func.func private @loom_loop_0(
// CHECK-NOT:     loom.extent
// CHECK:         loom.require
#all = affine_map<(d0) -> (d0)>
func.func @extents(%x: memref<?xindex>, %y: memref<?xindex>) {
  %shape = loom.shape_of %x : memref<?xindex> -> <[?]>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]}
      ins(%x : memref<?xindex>) outs(%y : memref<?xindex>) {
  ^bb0(%in: index, %out: index):
    %extent = loom.extent %shape[0] : <[?]>
    %inside = arith.cmpi ult, %in, %extent : index
    loom.require %inside, "gather", "index {0} is outside"(%in : index)
    linalg.yield %in : index
  }
  return
}
