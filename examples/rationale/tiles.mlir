// A matrix that is turned in tiles of 4 x 4: the layout says where its elements
// are, and the loops do not know it.

#tiles = affine_map<(i, j) -> (i floordiv 4, j floordiv 4, i mod 4, j mod 4)>

func.func @turn(%a: memref<8x12xf32>, %out: memref<12x8xf32>) {
  %m = memref.alloc() : memref<8x12xf32, #tiles>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 12 {
      %x = affine.load %a[%i, %j] : memref<8x12xf32>
      affine.store %x, %m[%i, %j] : memref<8x12xf32, #tiles>
    }
  }
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 8 {
      %x = affine.load %m[%j, %i] : memref<8x12xf32, #tiles>
      affine.store %x, %out[%i, %j] : memref<12x8xf32>
    }
  }
  memref.dealloc %m : memref<8x12xf32, #tiles>
  return
}
