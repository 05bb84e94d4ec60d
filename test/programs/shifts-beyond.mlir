// RUN: broadloom run %s --input=i32=-5 --input=i32=32 --input=3xi32=-5,1,7 --input=3xi32=31,32,-1 --input=i64=64 | FileCheck %s
// RUN: broadloom run %s --strategy=rfc --input=i32=-5 --input=i32=32 --input=3xi32=-5,1,7 --input=3xi32=31,32,-1 --input=i64=64 | FileCheck %s
// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom | FileCheck %s --check-prefix=IR

// el-3, rt-11: shifts by the width and beyond give what TOSA's do: 0, or all
// sign bits.

// CHECK: {{^}}0{{$}}
// CHECK-NEXT: -1
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: -1
// CHECK-NEXT: [-2147483648           0           0]
// CHECK-NEXT: [-1  0  0]
// CHECK-NEXT: [1 0 0]
// CHECK-NEXT: [0 0 0]
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: -1
// CHECK-NEXT: {{^}}0{{$}}

// A constant amount in range is left as it is, and costs nothing.
// IR-LABEL: @inRange
// IR-NEXT: arith.constant
// IR-NEXT: arith.shli
// IR-NEXT: return
func.func private @inRange(%a: i32) -> i32 {
  %c = arith.constant 31 : i32
  %0 = arith.shli %a, %c : i32
  return %0 : i32
}

// The same holds of a shift whose result is used only where the amount is in range.
// IR-LABEL: @chosen
// IR-COUNT-1: arith.select
// IR-NOT: arith.select
// IR: return
func.func private @chosen(%a: i32, %b: i32) -> i32 {
  %w = arith.constant 32 : i32
  %z = arith.constant 0 : i32
  %in = arith.cmpi ult, %b, %w : i32
  %0 = arith.shli %a, %b : i32
  %1 = arith.select %in, %0, %z : i32
  return %1 : i32
}

#id = affine_map<(i) -> (i)>
func.func @main(%a: i32, %b: i32, %x: tensor<?xi32>, %y: tensor<?xi32>, %n: index)
    -> (i32, i32, i32, i32, i32, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, index, index, index) {
  %w = arith.constant 32 : i32
  %0 = arith.shli %a, %b : i32
  %1 = arith.shrsi %a, %b : i32
  %2 = arith.shrui %a, %b : i32
  %3 = arith.shli %a, %w : i32
  %4 = arith.shrsi %a, %w : i32
  %5 = arith.shli %x, %y : tensor<?xi32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%d) : tensor<?xi32>
  %6:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xi32>, tensor<?xi32>) outs(%e, %e : tensor<?xi32>, tensor<?xi32>) {
  ^bb0(%p: i32, %q: i32, %u: i32, %v: i32):
    %s = arith.shrsi %p, %q : i32
    %t = arith.shrui %p, %q : i32
    linalg.yield %s, %t : i32, i32
  } -> (tensor<?xi32>, tensor<?xi32>)
  %7 = loom.map (%p = %x : tensor<?xi32>) -> tensor<?xi32> {
    %v = arith.constant 40 : i32
    %s = arith.shli %p, %v : i32
    loom.yield %s : i32
  }
  %m = arith.constant -1 : index
  %8 = index.shl %m, %n
  %9 = index.shrs %m, %n
  %10 = index.shru %m, %n
  return %0, %1, %2, %3, %4, %5, %6#0, %6#1, %7, %8, %9, %10
    : i32, i32, i32, i32, i32, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, index, index, index
}
