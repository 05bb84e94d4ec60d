// RUN: broadloom run %s --input=2x2xf32=1,2,3,-4 | FileCheck %s
// RUN: broadloom run %s --input=2x2xf32=1,2,3,-4 --strategy=rfc | FileCheck %s
// RUN: broadloom run %s --function=transformed --input=1x1x2xf32=1,2 | FileCheck %s --check-prefix=TRANSFORMED

// sf-10: an encoding goes with a type as far as shapes are inferred, and says
// nothing of memory.
// CHECK:      {{\[}}[-4.  3.]
// CHECK-NEXT:  [ 2.  1.]
// CHECK-NEXT:  [-4.  3.]
// CHECK-NEXT:  [ 2.  1.]]
!tensor = tensor<?x?xf32, 7 : i32>
func.func @main(%a: !tensor) -> !tensor {
  %0 = tosa.reverse %a {axis = 0 : i32} : (!tensor) -> !tensor
  %1 = tosa.transpose %0 {perms = array<i32: 1, 0>} : (!tensor) -> !tensor
  %2 = tosa.reverse %1 {axis = 0 : i32} : (!tensor) -> !tensor
  %3 = tosa.transpose %2 {perms = array<i32: 1, 0>} : (!tensor) -> !tensor
  %4 = tosa.transpose %3 {perms = array<i32: 0, 1>} : (!tensor) -> !tensor
  %5 = tosa.concat %4, %4 {axis = 0 : i32} : (!tensor, !tensor) -> !tensor
  return %5 : !tensor
}

// TRANSFORMED: {{\[\[\[}} 3. -1.]
!image = tensor<?x?x?xf32, "real">
func.func @transformed(%a: !image) -> !image {
  %z = tosa.sub %a, %a : (!image, !image) -> !image
  %r, %i = tosa.fft2d %a, %z {inverse = false} : (!image, !image) -> (!image, !image)
  return %r : !image
}
