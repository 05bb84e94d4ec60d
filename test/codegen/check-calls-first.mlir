// What called functions check of their arguments, callers check at entry.
// RUN: broadloom-opt %s --loom-check-calls-first --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @at(
// CHECK-LABEL: func.func private @at_checks(
// CHECK-SAME: %[[A:.*]]: memref<?xf64>, %[[I:.*]]: index) attributes {loom.memory, no_inline, passthrough = ["noinline"]}
// CHECK: %[[EXTENT:.*]] = memref.dim %[[A]]
// CHECK: %[[HOLDS:.*]] = arith.cmpi ult, %[[I]], %[[EXTENT]]
// CHECK-NEXT: loom.require %[[HOLDS]]
// CHECK-NEXT: return
func.func @at(%a: memref<?xf64>, %i: index) -> f64 attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %extent = memref.dim %a, %c0 : memref<?xf64>
  %holds = arith.cmpi ult, %i, %extent : index
  loom.require %holds, "memref.load", "index {0}"(%i : index)
  %unused = arith.addi %i, %i : index
  %x = memref.load %a[%i] {loom.checked} : memref<?xf64>
  return %x : f64
}

// Both calls are at the place of the second, and equal ones are one.
// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[A:.*]]: memref<?xf64>, %[[B:.*]]: memref<?xf64>, %[[I:.*]]: index)
// CHECK-NEXT: call @twice_calls(%[[A]], %[[B]], %[[I]])
// CHECK-NEXT: call @at(%[[A]], %[[I]])
// CHECK-NEXT: call @at(%[[B]], %[[I]])
// CHECK-NEXT: call @at(%[[A]], %[[I]])
// CHECK-NEXT: return
func.func @twice(%a: memref<?xf64>, %b: memref<?xf64>, %i: index) attributes {loom.memory} {
  %0 = call @at(%a, %i) : (memref<?xf64>, index) -> f64
  %1 = call @at(%b, %i) : (memref<?xf64>, index) -> f64
  %2 = call @at(%a, %i) : (memref<?xf64>, index) -> f64
  return
}

// A caller's caller has them too; what depends on memory stays where it is.
// CHECK-LABEL: func.func private @twice_checks(
// CHECK-NEXT: call @twice_calls(
// CHECK-NEXT: return
// What checks have been called for has none of its calls.
// CHECK-LABEL: func.func private @twice_checked(
// CHECK-NEXT: call @at(
// CHECK-NEXT: call @at(
// CHECK-NEXT: call @at(
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @twice_calls(
// CHECK-SAME: %[[A:.*]]: memref<?xf64>, %[[B:.*]]: memref<?xf64>, %[[I:.*]]: index)
// CHECK-NEXT: call @at_checks(%[[A]], %[[I]])
// CHECK-NEXT: call @at_checks(%[[B]], %[[I]])
// CHECK-NEXT: return
// CHECK-LABEL: func.func @outer(
// CHECK-SAME: %[[A:.*]]: memref<?xf64>, %[[N:.*]]: memref<?xindex>, %[[I:.*]]: index, %[[TAKES:.*]]: i1)
// CHECK: call @outer_calls(
// CHECK-NEXT: memref.store
// CHECK: %[[READ:.*]] = memref.load %[[N]]
// CHECK-NEXT: call @at(%[[A]], %[[READ]])
// CHECK-NEXT: scf.if %[[TAKES]] {
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK-NEXT: func.call @twice_checked(%[[A]], %[[A]], %[[NEXT]])
// CHECK-LABEL: func.func private @outer_calls(
// CHECK-SAME: %[[A:.*]]: memref<?xf64>, %{{.*}}: memref<?xindex>, %[[I:.*]]: index, %[[TAKES:.*]]: i1)
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK-NEXT: scf.if %[[TAKES]] {
// CHECK-NEXT: func.call @twice_checks(%[[A]], %[[A]], %[[NEXT]])
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @outer(%a: memref<?xf64>, %n: memref<?xindex>, %i: index, %takes: i1) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %c1, %n[%c0] {loom.checked} : memref<?xindex>
  %read = memref.load %n[%c0] {loom.checked} : memref<?xindex>
  %0 = func.call @at(%a, %read) : (memref<?xf64>, index) -> f64
  scf.if %takes {
    %next = arith.addi %i, %c1 : index
    func.call @twice(%a, %a, %next) : (memref<?xf64>, memref<?xf64>, index) -> ()
  }
  return
}

// Memory that a caller makes is checked behind what makes it.
// CHECK-LABEL: func.func @makes(
// CHECK-SAME: %[[A:.*]]: memref<?xf64>, %[[I:.*]]: index)
// CHECK: %[[MADE:.*]] = memref.alloc(%[[I]])
// CHECK: call @at_checks(%[[MADE]], %[[I]])
// CHECK-NEXT: memref.store
// CHECK-NEXT: call @at(%[[MADE]], %[[I]])
func.func @makes(%a: memref<?xf64>, %i: index) attributes {loom.memory} {
  %made = memref.alloc(%i) : memref<?xf64>
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f64
  memref.store %x, %a[%c0] {loom.checked} : memref<?xf64>
  %0 = call @at(%made, %i) : (memref<?xf64>, index) -> f64
  memref.dealloc %made : memref<?xf64>
  return
}

// -----

// A check of what has been read, of memory that the function makes, or behind a
// write, is none of the caller's; neither is that of a function that calls itself.
// CHECK-NOT: _checks
func.func @reads(%a: memref<?xf64>, %n: memref<index>) attributes {loom.memory} {
  %i = memref.load %n[] : memref<index>
  %c0 = arith.constant 0 : index
  %extent = memref.dim %a, %c0 : memref<?xf64>
  %holds = arith.cmpi ult, %i, %extent : index
  loom.require %holds, "memref.load", "index {0}"(%i : index)
  return
}
func.func @writes(%a: memref<?xf64>, %n: memref<index>, %i: index) attributes {loom.memory} {
  memref.store %i, %n[] : memref<index>
  %c0 = arith.constant 0 : index
  %holds = arith.cmpi ne, %i, %c0 : index
  loom.require %holds, "memref.load", "index {0}"(%i : index)
  return
}
func.func @itself(%n: memref<index>, %i: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %holds = arith.cmpi ne, %i, %c0 : index
  loom.require %holds, "memref.load", "index {0}"(%i : index)
  memref.store %i, %n[] : memref<index>
  call @itself(%n, %i) : (memref<index>, index) -> ()
  return
}
func.func @caller(%a: memref<?xf64>, %n: memref<index>, %i: index) attributes {loom.memory} {
  memref.store %i, %n[] : memref<index>
  call @reads(%a, %n) : (memref<?xf64>, memref<index>) -> ()
  call @writes(%a, %n, %i) : (memref<?xf64>, memref<index>, index) -> ()
  call @itself(%n, %i) : (memref<index>, index) -> ()
  return
}

// -----

// Of a private function, only the version that is called is left.
// CHECK-LABEL: func.func private @leaf(
// CHECK: loom.require
// CHECK-NOT: func.func private @middle(
// CHECK-LABEL: func.func private @middle_checks(
// CHECK-NEXT: call @middle_calls(
// CHECK-LABEL: func.func private @middle_checked(
// CHECK-NEXT: call @leaf(
// CHECK-NEXT: call @leaf(
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @middle_calls(
// CHECK-LABEL: func.func @top(
// CHECK-NEXT: call @top_calls(
// CHECK-NEXT: call @middle_checked(
// CHECK-NEXT: call @middle_checked(
// CHECK-NEXT: return
func.func private @leaf(%n: memref<index>, %i: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %holds = arith.cmpi ne, %i, %c0 : index
  loom.require %holds, "memref.load", "index {0}"(%i : index)
  memref.store %i, %n[] : memref<index>
  return
}
func.func private @middle(%n: memref<index>, %i: index, %j: index) attributes {loom.memory} {
  call @leaf(%n, %i) : (memref<index>, index) -> ()
  call @leaf(%n, %j) : (memref<index>, index) -> ()
  return
}
func.func @top(%n: memref<index>, %i: index, %j: index) attributes {loom.memory} {
  call @middle(%n, %i, %j) : (memref<index>, index, index) -> ()
  call @middle(%n, %j, %i) : (memref<index>, index, index) -> ()
  return
}
