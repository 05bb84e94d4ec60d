// A product of matrices in tiles of 128 x 128 x 128, each of which is copied to
// memory of another space, and the sums back. The last tiles are smaller, so
// that the extents are any. (Rationale: "Schedule tree representation for affine
// regions", whose schedule these loops are.)
#least = affine_map<(d0)[s0] -> (128, s0 - d0)>
func.func @matmul(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = memref.dim %C, %c0 : memref<?x?xf32>
  %N = memref.dim %C, %c1 : memref<?x?xf32>
  %K = memref.dim %A, %c1 : memref<?x?xf32>
  %a = memref.alloc() : memref<128x128xf32, 1>
  %b = memref.alloc() : memref<128x128xf32, 1>
  %c = memref.alloc() : memref<128x128xf32, 1>
  affine.for %i = 0 to %M step 128 {
    affine.for %j = 0 to %N step 128 {
      affine.for %x = 0 to min #least(%i)[%M] {
        affine.for %y = 0 to min #least(%j)[%N] {
          %v = affine.load %C[%i + %x, %j + %y] : memref<?x?xf32>
          affine.store %v, %c[%x, %y] : memref<128x128xf32, 1>
        }
      }
      affine.for %k = 0 to %K step 128 {
        affine.for %x = 0 to min #least(%i)[%M] {
          affine.for %y = 0 to min #least(%k)[%K] {
            %v = affine.load %A[%i + %x, %k + %y] : memref<?x?xf32>
            affine.store %v, %a[%x, %y] : memref<128x128xf32, 1>
          }
        }
        affine.for %x = 0 to min #least(%k)[%K] {
          affine.for %y = 0 to min #least(%j)[%N] {
            %v = affine.load %B[%k + %x, %j + %y] : memref<?x?xf32>
            affine.store %v, %b[%x, %y] : memref<128x128xf32, 1>
          }
        }
        affine.for %x = 0 to min #least(%i)[%M] {
          affine.for %y = 0 to min #least(%j)[%N] {
            affine.for %z = 0 to min #least(%k)[%K] {
              %p = affine.load %a[%x, %z] : memref<128x128xf32, 1>
              %q = affine.load %b[%z, %y] : memref<128x128xf32, 1>
              %s = affine.load %c[%x, %y] : memref<128x128xf32, 1>
              %t = arith.mulf %p, %q fastmath<fast> : f32
              %u = arith.addf %s, %t fastmath<fast> : f32
              affine.store %u, %c[%x, %y] : memref<128x128xf32, 1>
            }
          }
        }
      }
      affine.for %x = 0 to min #least(%i)[%M] {
        affine.for %y = 0 to min #least(%j)[%N] {
          %v = affine.load %c[%x, %y] : memref<128x128xf32, 1>
          affine.store %v, %C[%i + %x, %j + %y] : memref<?x?xf32>
        }
      }
    }
  }
  memref.dealloc %a : memref<128x128xf32, 1>
  memref.dealloc %b : memref<128x128xf32, 1>
  memref.dealloc %c : memref<128x128xf32, 1>
  return
}
