// Guards that a program has by itself are rows as others are: what `check` lists
// is all that a call can fail by.

// RUN: broadloom check %s --all | FileCheck %s

// CHECK:      mine {{.*}}check-own-guards.mlir:[[@LINE+17]]:3
// CHECK-NEXT:   run-time  k < s0, else "the number k is beyond s0"
// CHECK-NEXT:             because the program checks it itself
// CHECK:      mine {{.*}}:[[@LINE+16]]:3
// CHECK-NEXT:   proved    s0 >= 0, else "the number ? is negative"
// CHECK:      mine {{.*}}:[[@LINE+16]]:3
// CHECK-NEXT:   run-time  s0 < 0, else "the number s0 is not negative"
// CHECK-NEXT:             because {{.*}}it fails wherever it is reached
// CHECK:      mine {{.*}}:[[@LINE+16]]:3
// CHECK-NEXT:   run-time  the operands broadcast
// CHECK-NEXT:             because the program checks it itself
// CHECK:      4 constraints: 1 proved, 3 at run time, none refuted

func.func @main(%x: tensor<?xf32>, %y: tensor<*xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %ok = arith.cmpi slt, %k, %n : index
  loom.require %ok, "mine", "the number {0} is beyond {1}" (%k, %n : index, index)
  %natural = arith.cmpi sge, %n, %c0 : index
  loom.require %natural, "mine", "the number {0} is negative" (%n : index)
  %negative = arith.cmpi slt, %n, %c0 : index
  loom.require %negative, "mine", "the number {0} is not negative" (%n : index)
  %a = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
  %b = loom.shape_of %y : tensor<*xf32> -> !loom.shape<*>
  loom.require_broadcast "mine", %a, %b : !loom.shape<[?]>, !loom.shape<*>
  return %x : tensor<?xf32>
}
