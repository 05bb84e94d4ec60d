// The sum of the absolute values of a matrix's elements by a function of BLAS.
// What it reads, a function of loops tells; the call is checked by that. Run it
// with --library=libopenblas.so.0. (Rationale: "Read/Write/May_Read/May_Write
// sets for external functions")
func.func private @cblas_sasum(i32, memref<?xf32>, i32) -> f32
    attributes {loom.effects = @effects_of_asum}

// Reads x[0], x[by], ..., n elements.
func.func private @effects_of_asum(%n: i32, %x: memref<?xf32>, %by: i32) {
  %zero = arith.constant 0 : i32
  %isGood = arith.cmpi sgt, %by, %zero : i32
  cf.assert %isGood, "cblas_sasum takes a step of at least 1"
  %count = arith.index_cast %n : i32 to index
  %step = arith.index_cast %by : i32 to index
  affine.for %i = 0 to %count {
    %at = arith.muli %i, %step : index
    %value = memref.load %x[%at] : memref<?xf32>
  }
  return
}

func.func @cblas_reduce(%M: memref<1024x?xf32>, %by: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %flat = memref.collapse_shape %M [[0, 1]] : memref<1024x?xf32> into memref<?xf32>
  %size = memref.dim %flat, %c0 : memref<?xf32>
  %step = arith.index_cast %by : i32 to index
  %count = arith.ceildivsi %size, %step : index
  %n = arith.index_cast %count : index to i32
  %sum = call @cblas_sasum(%n, %flat, %by) : (i32, memref<?xf32>, i32) -> f32
  return %sum : f32
}
