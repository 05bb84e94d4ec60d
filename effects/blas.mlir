// What the functions of BLAS read and write, in its C interface. Matrices and vectors
// are addresses: memory of one axis, with leading dimensions and steps as numbers.

// A vector of n elements, `by` apart; of a negative step, the last comes first.
func.func private @read_vector(%n: i32, %x: memref<?x$T>, %by: i32) {
  %count = arith.index_cast %n : i32 to index
  %signed = arith.index_cast %by : i32 to index
  %step = math.absi %signed : index
  affine.for %i = 0 to %count {
    %at = arith.muli %i, %step : index
    %v = memref.load %x[%at] : memref<?x$T>
  }
  return
}

func.func private @write_vector(%n: i32, %x: memref<?x$T>, %by: i32) {
  %zero = arith.constant 0.0 : $T
  %count = arith.index_cast %n : i32 to index
  %signed = arith.index_cast %by : i32 to index
  %step = math.absi %signed : index
  affine.for %i = 0 to %count {
    %at = arith.muli %i, %step : index
    memref.store %zero, %x[%at] : memref<?x$T>
  }
  return
}

func.func private @require_step(%by: i32) {
  %zero = arith.constant 0 : i32
  %isGood = arith.cmpi sgt, %by, %zero : i32
  cf.assert %isGood, "the step of the vector is not at least 1"
  return
}

func.func private @require_other_step(%by: i32) {
  %zero = arith.constant 0 : i32
  %isGood = arith.cmpi ne, %by, %zero : i32
  cf.assert %isGood, "the step of a vector is 0"
  return
}

// Values would depend on the order in which the library takes the elements.
func.func private @require_places(%n: i32, %by: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %isOther = arith.cmpi ne, %by, %zero : i32
  %isOne = arith.cmpi sle, %n, %one : i32
  %isGood = arith.ori %isOther, %isOne : i1
  cf.assert %isGood, "the step of a vector that is written is 0, so that its elements share one place"
  return
}

func.func private @require_extent(%extent: i32) {
  %zero = arith.constant 0 : i32
  %isGood = arith.cmpi sge, %extent, %zero : i32
  cf.assert %isGood, "a number of rows or columns is negative"
  return
}

// Rows of `inner` elements, `ld` apart.
func.func private @read_rows(%outer: i32, %inner: i32, %ld: i32, %a: memref<?x$T>) {
  call @require_extent(%outer) : (i32) -> ()
  call @require_extent(%inner) : (i32) -> ()
  %one = arith.constant 1 : i32
  %least = arith.maxsi %inner, %one : i32
  %isGood = arith.cmpi sge, %ld, %least : i32
  cf.assert %isGood, "a leading dimension is smaller than the rows or columns that it separates"
  %m = arith.index_cast %outer : i32 to index
  %n = arith.index_cast %inner : i32 to index
  %stride = arith.index_cast %ld : i32 to index
  affine.for %i = 0 to %m {
    %row = arith.muli %i, %stride : index
    affine.for %j = 0 to %n {
      %at = arith.addi %row, %j : index
      %v = memref.load %a[%at] : memref<?x$T>
    }
  }
  return
}

func.func private @write_rows(%outer: i32, %inner: i32, %ld: i32, %a: memref<?x$T>) {
  %zero = arith.constant 0.0 : $T
  %one = arith.constant 1 : i32
  %least = arith.maxsi %inner, %one : i32
  %isGood = arith.cmpi sge, %ld, %least : i32
  cf.assert %isGood, "a leading dimension is smaller than the rows or columns that it separates"
  %m = arith.index_cast %outer : i32 to index
  %n = arith.index_cast %inner : i32 to index
  %stride = arith.index_cast %ld : i32 to index
  affine.for %i = 0 to %m {
    %row = arith.muli %i, %stride : index
    affine.for %j = 0 to %n {
      %at = arith.addi %row, %j : index
      memref.store %zero, %a[%at] : memref<?x$T>
    }
  }
  return
}

// CblasRowMajor is 101, CblasColMajor 102.
func.func private @require_order(%order: i32) {
  %row = arith.constant 101 : i32
  %column = arith.constant 102 : i32
  %isRow = arith.cmpi eq, %order, %row : i32
  %isColumn = arith.cmpi eq, %order, %column : i32
  %isGood = arith.ori %isRow, %isColumn : i1
  cf.assert %isGood, "the order is neither CblasRowMajor nor CblasColMajor"
  return
}

// CblasNoTrans is 111, CblasTrans 112, CblasConjTrans 113.
func.func private @require_transposition(%trans: i32) {
  %none = arith.constant 111 : i32
  %conjugate = arith.constant 113 : i32
  %isAbove = arith.cmpi sge, %trans, %none : i32
  %isBelow = arith.cmpi sle, %trans, %conjugate : i32
  %isGood = arith.andi %isAbove, %isBelow : i1
  cf.assert %isGood, "a transposition is none of CblasNoTrans, CblasTrans and CblasConjTrans"
  return
}

// A matrix whose transposition, if `trans` says so, is m x n.
func.func private @read_matrix(%order: i32, %trans: i32, %m: i32, %n: i32, %ld: i32, %a: memref<?x$T>) {
  call @require_order(%order) : (i32) -> ()
  call @require_transposition(%trans) : (i32) -> ()
  %rowMajor = arith.constant 101 : i32
  %plain = arith.constant 111 : i32
  %isRow = arith.cmpi eq, %order, %rowMajor : i32
  %isPlain = arith.cmpi eq, %trans, %plain : i32
  %isTurned = arith.xori %isRow, %isPlain : i1
  %outer = arith.select %isTurned, %n, %m : i32
  %inner = arith.select %isTurned, %m, %n : i32
  call @read_rows(%outer, %inner, %ld, %a) : (i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func private @write_matrix(%order: i32, %m: i32, %n: i32, %ld: i32, %a: memref<?x$T>) {
  call @require_order(%order) : (i32) -> ()
  %rowMajor = arith.constant 101 : i32
  %isRow = arith.cmpi eq, %order, %rowMajor : i32
  %outer = arith.select %isRow, %m, %n : i32
  %inner = arith.select %isRow, %n, %m : i32
  call @write_rows(%outer, %inner, %ld, %a) : (i32, i32, i32, memref<?x$T>) -> ()
  return
}

// CblasUpper is 121, CblasLower 122.
func.func private @require_triangle(%uplo: i32) {
  %upper = arith.constant 121 : i32
  %lower = arith.constant 122 : i32
  %isUpper = arith.cmpi eq, %uplo, %upper : i32
  %isLower = arith.cmpi eq, %uplo, %lower : i32
  %isGood = arith.ori %isUpper, %isLower : i1
  cf.assert %isGood, "a triangle is neither CblasUpper nor CblasLower"
  return
}

// CblasNonUnit is 131, CblasUnit 132.
func.func private @require_diagonal(%diag: i32) {
  %nonUnit = arith.constant 131 : i32
  %unit = arith.constant 132 : i32
  %isNonUnit = arith.cmpi eq, %diag, %nonUnit : i32
  %isUnit = arith.cmpi eq, %diag, %unit : i32
  %isGood = arith.ori %isNonUnit, %isUnit : i1
  cf.assert %isGood, "a diagonal is neither CblasNonUnit nor CblasUnit"
  return
}

// CblasLeft is 141, CblasRight 142.
func.func private @require_side(%side: i32) {
  %left = arith.constant 141 : i32
  %right = arith.constant 142 : i32
  %isLeft = arith.cmpi eq, %side, %left : i32
  %isRight = arith.cmpi eq, %side, %right : i32
  %isGood = arith.ori %isLeft, %isRight : i1
  cf.assert %isGood, "a side is neither CblasLeft nor CblasRight"
  return
}

// A triangle of a matrix, with its diagonal or without.
func.func private @read_triangle(%order: i32, %uplo: i32, %diag: i32, %extent: i32, %ld: i32, %a: memref<?x$T>) {
  call @require_extent(%extent) : (i32) -> ()
  call @require_order(%order) : (i32) -> ()
  call @require_triangle(%uplo) : (i32) -> ()
  call @require_diagonal(%diag) : (i32) -> ()
  %one = arith.constant 1 : i32
  %least = arith.maxsi %extent, %one : i32
  %isGood = arith.cmpi sge, %ld, %least : i32
  cf.assert %isGood, "a leading dimension is smaller than the rows or columns that it separates"
  %rowMajor = arith.constant 101 : i32
  %lower = arith.constant 122 : i32
  %nonUnit = arith.constant 131 : i32
  %isRow = arith.cmpi eq, %order, %rowMajor : i32
  %isLower = arith.cmpi eq, %uplo, %lower : i32
  %hasDiagonal = arith.cmpi eq, %diag, %nonUnit : i32
  %isOther = arith.xori %isRow, %isLower : i1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = arith.select %hasDiagonal, %c1, %c0 : index
  %n = arith.index_cast %extent : i32 to index
  %stride = arith.index_cast %ld : i32 to index
  scf.if %isOther {
    affine.for %i = 0 to %n {
      %row = arith.muli %i, %stride : index
      affine.for %j = affine_map<(i)[d] -> (i + 1 - d)>(%i)[%d] to %n {
        %at = arith.addi %row, %j : index
        %v = memref.load %a[%at] : memref<?x$T>
      }
    }
  } else {
    affine.for %i = 0 to %n {
      %row = arith.muli %i, %stride : index
      affine.for %j = 0 to affine_map<(i)[d] -> (i + d)>(%i)[%d] {
        %at = arith.addi %row, %j : index
        %v = memref.load %a[%at] : memref<?x$T>
      }
    }
  }
  return
}

func.func private @write_triangle(%order: i32, %uplo: i32, %diag: i32, %extent: i32, %ld: i32, %a: memref<?x$T>) {
  call @require_order(%order) : (i32) -> ()
  call @require_triangle(%uplo) : (i32) -> ()
  call @require_diagonal(%diag) : (i32) -> ()
  %zero = arith.constant 0.0 : $T
  %one = arith.constant 1 : i32
  %least = arith.maxsi %extent, %one : i32
  %isGood = arith.cmpi sge, %ld, %least : i32
  cf.assert %isGood, "a leading dimension is smaller than the rows or columns that it separates"
  %rowMajor = arith.constant 101 : i32
  %lower = arith.constant 122 : i32
  %nonUnit = arith.constant 131 : i32
  %isRow = arith.cmpi eq, %order, %rowMajor : i32
  %isLower = arith.cmpi eq, %uplo, %lower : i32
  %hasDiagonal = arith.cmpi eq, %diag, %nonUnit : i32
  %isOther = arith.xori %isRow, %isLower : i1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = arith.select %hasDiagonal, %c1, %c0 : index
  %n = arith.index_cast %extent : i32 to index
  %stride = arith.index_cast %ld : i32 to index
  scf.if %isOther {
    affine.for %i = 0 to %n {
      %row = arith.muli %i, %stride : index
      affine.for %j = affine_map<(i)[d] -> (i + 1 - d)>(%i)[%d] to %n {
        %at = arith.addi %row, %j : index
        memref.store %zero, %a[%at] : memref<?x$T>
      }
    }
  } else {
    affine.for %i = 0 to %n {
      %row = arith.muli %i, %stride : index
      affine.for %j = 0 to affine_map<(i)[d] -> (i + d)>(%i)[%d] {
        %at = arith.addi %row, %j : index
        memref.store %zero, %a[%at] : memref<?x$T>
      }
    }
  }
  return
}

// A triangle whose rows or columns follow one another.
func.func private @read_packed(%order: i32, %uplo: i32, %extent: i32, %a: memref<?x$T>) {
  call @require_extent(%extent) : (i32) -> ()
  call @require_order(%order) : (i32) -> ()
  call @require_triangle(%uplo) : (i32) -> ()
  %one = arith.constant 1 : index
  %n = arith.index_cast %extent : i32 to index
  %next = arith.addi %n, %one : index
  %twice = arith.muli %n, %next : index
  %count = arith.shrsi %twice, %one : index
  affine.for %i = 0 to %count {
    %v = affine.load %a[%i] : memref<?x$T>
  }
  return
}

func.func private @write_packed(%order: i32, %uplo: i32, %extent: i32, %a: memref<?x$T>) {
  call @require_order(%order) : (i32) -> ()
  call @require_triangle(%uplo) : (i32) -> ()
  %zero = arith.constant 0.0 : $T
  %one = arith.constant 1 : index
  %n = arith.index_cast %extent : i32 to index
  %next = arith.addi %n, %one : index
  %twice = arith.muli %n, %next : index
  %count = arith.shrsi %twice, %one : index
  affine.for %i = 0 to %count {
    affine.store %zero, %a[%i] : memref<?x$T>
  }
  return
}

// The elements of a matrix near its diagonal. Those of one column follow one another, and the next column begins `ld`
// behind: in column j, the place of row i is `diagonal` + i - j, where j - i is at most `above` and i - j at most `below`.
func.func private @read_places_of_band(%m: index, %n: index, %below: index, %above: index, %diagonal: index,
    %ld: i32, %a: memref<?x$T>) {
  %stride = arith.index_cast %ld : i32 to index
  affine.for %j = 0 to %n {
    %column = arith.muli %j, %stride : index
    affine.for %i = max affine_map<(j)[above, diagonal] -> (diagonal - above, diagonal - j)>(%j)[%above, %diagonal]
        to min affine_map<(j)[m, below, diagonal] -> (diagonal + below + 1, diagonal - j + m)>(%j)[%m, %below, %diagonal] {
      %at = arith.addi %column, %i : index
      %v = memref.load %a[%at] : memref<?x$T>
    }
  }
  return
}

func.func private @require_band(%below: i32, %above: i32, %ld: i32) {
  %zero = arith.constant 0 : i32
  %least = arith.minsi %below, %above : i32
  %isBand = arith.cmpi sge, %least, %zero : i32
  cf.assert %isBand, "a number of diagonals is negative"
  %b = arith.extsi %below : i32 to i64
  %d = arith.extsi %above : i32 to i64
  %l = arith.extsi %ld : i32 to i64
  %others = arith.addi %b, %d : i64
  %isGood = arith.cmpi sgt, %l, %others : i64
  cf.assert %isGood, "a leading dimension is smaller than the number of diagonals"
  return
}

// A band of an m x n matrix. In the order of rows, it is that of the transposed matrix.
func.func private @read_band(%order: i32, %m: i32, %n: i32, %below: i32, %above: i32, %ld: i32, %a: memref<?x$T>) {
  call @require_extent(%m) : (i32) -> ()
  call @require_extent(%n) : (i32) -> ()
  call @require_order(%order) : (i32) -> ()
  call @require_band(%below, %above, %ld) : (i32, i32, i32) -> ()
  %rowMajor = arith.constant 101 : i32
  %isRow = arith.cmpi eq, %order, %rowMajor : i32
  %rows32 = arith.select %isRow, %n, %m : i32
  %columns32 = arith.select %isRow, %m, %n : i32
  %left32 = arith.select %isRow, %above, %below : i32
  %right32 = arith.select %isRow, %below, %above : i32
  %rows = arith.index_cast %rows32 : i32 to index
  %columns = arith.index_cast %columns32 : i32 to index
  %left = arith.index_cast %left32 : i32 to index
  %right = arith.index_cast %right32 : i32 to index
  call @read_places_of_band(%rows, %columns, %left, %right, %right, %ld, %a)
      : (index, index, index, index, index, i32, memref<?x$T>) -> ()
  return
}

// A triangle with k diagonals beside that of the matrix, which is read or not.
func.func private @read_band_triangle(%order: i32, %uplo: i32, %diag: i32, %extent: i32, %k: i32, %ld: i32,
    %a: memref<?x$T>) {
  call @require_extent(%extent) : (i32) -> ()
  call @require_order(%order) : (i32) -> ()
  call @require_triangle(%uplo) : (i32) -> ()
  call @require_diagonal(%diag) : (i32) -> ()
  %zero = arith.constant 0 : i32
  call @require_band(%k, %zero, %ld) : (i32, i32, i32) -> ()
  %rowMajor = arith.constant 101 : i32
  %lower = arith.constant 122 : i32
  %nonUnit = arith.constant 131 : i32
  %isRow = arith.cmpi eq, %order, %rowMajor : i32
  %isLower = arith.cmpi eq, %uplo, %lower : i32
  %hasDiagonal = arith.cmpi eq, %diag, %nonUnit : i32
  %isBelow = arith.xori %isRow, %isLower : i1
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : index
  %least = arith.select %hasDiagonal, %c0, %none : index
  %n = arith.index_cast %extent : i32 to index
  %most = arith.index_cast %k : i32 to index
  %below = arith.select %isBelow, %most, %least : index
  %above = arith.select %isBelow, %least, %most : index
  %diagonal = arith.select %isBelow, %c0, %most : index
  call @read_places_of_band(%n, %n, %below, %above, %diagonal, %ld, %a)
      : (index, index, index, index, index, i32, memref<?x$T>) -> ()
  return
}

// Level 1.
func.func @cblas_$pnrm2(%n: i32, %x: memref<?x$T>, %incx: i32) -> $T
    attributes {loom.effects = {reentrant}} {
  call @require_step(%incx) : (i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  %result = arith.constant 0.0 : $T
  return %result : $T
}

func.func @cblas_$pasum(%n: i32, %x: memref<?x$T>, %incx: i32) -> $T
    attributes {loom.effects = {reentrant}} {
  call @require_step(%incx) : (i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  %result = arith.constant 0.0 : $T
  return %result : $T
}

func.func @cblas_i$pamax(%n: i32, %x: memref<?x$T>, %incx: i32) -> i64
    attributes {loom.effects = {reentrant}} {
  call @require_step(%incx) : (i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  %result = arith.constant 0 : i64
  return %result : i64
}

func.func @cblas_$pscal(%n: i32, %alpha: $T, %x: memref<?x$T>, %incx: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_step(%incx) : (i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$pdot(%n: i32, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>, %incy: i32) -> $T
    attributes {loom.effects = {reentrant}} {
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  %result = arith.constant 0.0 : $T
  return %result : $T
}

func.func @cblas_$pcopy(%n: i32, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>, %incy: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_places(%n, %incy) : (i32, i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$paxpy(%n: i32, %alpha: $T, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>, %incy: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_places(%n, %incy) : (i32, i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$pswap(%n: i32, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>, %incy: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_places(%n, %incx) : (i32, i32) -> ()
  call @require_places(%n, %incy) : (i32, i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$prot(%n: i32, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>, %incy: i32, %c: $T, %s: $T)
    attributes {loom.effects = {reentrant}} {
  call @require_places(%n, %incx) : (i32, i32) -> ()
  call @require_places(%n, %incy) : (i32, i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

// Numbers that are memory of one element, and the five of a modified rotation, of which the first says which others count.
func.func @cblas_$protg(%a: memref<?x$T>, %b: memref<?x$T>, %c: memref<?x$T>, %s: memref<?x$T>)
    attributes {loom.effects = {reentrant}} {
  %one = arith.constant 1 : i32
  call @read_vector(%one, %a, %one) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%one, %b, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%one, %a, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%one, %b, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%one, %c, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%one, %s, %one) : (i32, memref<?x$T>, i32) -> ()
  return
}

// OpenBLAS 0.3.21 does not return from some calls of rotmg where one of its weights, d1 or d2, is infinite. Half of a
// number differs from the number, but for 0 and infinite ones.
func.func private @require_weight(%d: memref<?x$T>) {
  %zero = arith.constant 0.0 : $T
  %half = arith.constant 0.5 : $T
  %v = affine.load %d[0] : memref<?x$T>
  %scaled = arith.mulf %v, %half : $T
  %isOther = arith.cmpf une, %scaled, %v : $T
  %isZero = arith.cmpf oeq, %v, %zero : $T
  %isGood = arith.ori %isOther, %isZero : i1
  cf.assert %isGood, "d1 or d2 is infinite, for which rotmg may never return"
  return
}

func.func @cblas_$protmg(%d1: memref<?x$T>, %d2: memref<?x$T>, %x1: memref<?x$T>, %y1: $T, %param: memref<?x$T>)
    attributes {loom.effects = {reentrant}} {
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  call @read_vector(%one, %d1, %one) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%one, %d2, %one) : (i32, memref<?x$T>, i32) -> ()
  call @require_weight(%d1) : (memref<?x$T>) -> ()
  call @require_weight(%d2) : (memref<?x$T>) -> ()
  call @read_vector(%one, %x1, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%one, %d1, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%one, %d2, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%one, %x1, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%five, %param, %one) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$protm(%n: i32, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>, %incy: i32, %param: memref<?x$T>)
    attributes {loom.effects = {reentrant}} {
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  call @require_places(%n, %incx) : (i32, i32) -> ()
  call @require_places(%n, %incy) : (i32, i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%five, %param, %one) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

// Level 2.
func.func @cblas_$pgemv(%order: i32, %trans: i32, %m: i32, %n: i32, %alpha: $T, %a: memref<?x$T>, %lda: i32,
    %x: memref<?x$T>, %incx: i32, %beta: $T, %y: memref<?x$T>, %incy: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_other_step(%incy) : (i32) -> ()
  %plain = arith.constant 111 : i32
  call @require_transposition(%trans) : (i32) -> ()
  call @read_matrix(%order, %plain, %m, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  %isPlain = arith.cmpi eq, %trans, %plain : i32
  %numX = arith.select %isPlain, %n, %m : i32
  %numY = arith.select %isPlain, %m, %n : i32
  call @read_vector(%numX, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%numY, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%numY, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$pger(%order: i32, %m: i32, %n: i32, %alpha: $T, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>,
    %incy: i32, %a: memref<?x$T>, %lda: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_other_step(%incy) : (i32) -> ()
  %plain = arith.constant 111 : i32
  call @read_vector(%m, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @read_matrix(%order, %plain, %m, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_matrix(%order, %m, %n, %lda, %a) : (i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$psymv(%order: i32, %uplo: i32, %n: i32, %alpha: $T, %a: memref<?x$T>, %lda: i32, %x: memref<?x$T>,
    %incx: i32, %beta: $T, %y: memref<?x$T>, %incy: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_other_step(%incy) : (i32) -> ()
  %nonUnit = arith.constant 131 : i32
  call @read_triangle(%order, %uplo, %nonUnit, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$pspmv(%order: i32, %uplo: i32, %n: i32, %alpha: $T, %ap: memref<?x$T>, %x: memref<?x$T>,
    %incx: i32, %beta: $T, %y: memref<?x$T>, %incy: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_other_step(%incy) : (i32) -> ()
  call @read_packed(%order, %uplo, %n, %ap) : (i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$psyr(%order: i32, %uplo: i32, %n: i32, %alpha: $T, %x: memref<?x$T>, %incx: i32, %a: memref<?x$T>,
    %lda: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  %nonUnit = arith.constant 131 : i32
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_triangle(%order, %uplo, %nonUnit, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_triangle(%order, %uplo, %nonUnit, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$psyr2(%order: i32, %uplo: i32, %n: i32, %alpha: $T, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>,
    %incy: i32, %a: memref<?x$T>, %lda: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_other_step(%incy) : (i32) -> ()
  %nonUnit = arith.constant 131 : i32
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @read_triangle(%order, %uplo, %nonUnit, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_triangle(%order, %uplo, %nonUnit, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$pspr(%order: i32, %uplo: i32, %n: i32, %alpha: $T, %x: memref<?x$T>, %incx: i32, %ap: memref<?x$T>)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_packed(%order, %uplo, %n, %ap) : (i32, i32, i32, memref<?x$T>) -> ()
  call @write_packed(%order, %uplo, %n, %ap) : (i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$pspr2(%order: i32, %uplo: i32, %n: i32, %alpha: $T, %x: memref<?x$T>, %incx: i32, %y: memref<?x$T>,
    %incy: i32, %ap: memref<?x$T>)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_other_step(%incy) : (i32) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @read_packed(%order, %uplo, %n, %ap) : (i32, i32, i32, memref<?x$T>) -> ()
  call @write_packed(%order, %uplo, %n, %ap) : (i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$ptrmv(%order: i32, %uplo: i32, %trans: i32, %diag: i32, %n: i32, %a: memref<?x$T>, %lda: i32,
    %x: memref<?x$T>, %incx: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_transposition(%trans) : (i32) -> ()
  call @read_triangle(%order, %uplo, %diag, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$ptrsv(%order: i32, %uplo: i32, %trans: i32, %diag: i32, %n: i32, %a: memref<?x$T>, %lda: i32,
    %x: memref<?x$T>, %incx: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_transposition(%trans) : (i32) -> ()
  call @read_triangle(%order, %uplo, %diag, %n, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$ptpmv(%order: i32, %uplo: i32, %trans: i32, %diag: i32, %n: i32, %ap: memref<?x$T>,
    %x: memref<?x$T>, %incx: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_transposition(%trans) : (i32) -> ()
  call @require_diagonal(%diag) : (i32) -> ()
  call @read_packed(%order, %uplo, %n, %ap) : (i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$ptpsv(%order: i32, %uplo: i32, %trans: i32, %diag: i32, %n: i32, %ap: memref<?x$T>,
    %x: memref<?x$T>, %incx: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_transposition(%trans) : (i32) -> ()
  call @require_diagonal(%diag) : (i32) -> ()
  call @read_packed(%order, %uplo, %n, %ap) : (i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$pgbmv(%order: i32, %trans: i32, %m: i32, %n: i32, %kl: i32, %ku: i32, %alpha: $T, %a: memref<?x$T>,
    %lda: i32, %x: memref<?x$T>, %incx: i32, %beta: $T, %y: memref<?x$T>, %incy: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_other_step(%incy) : (i32) -> ()
  %plain = arith.constant 111 : i32
  call @require_transposition(%trans) : (i32) -> ()
  call @read_band(%order, %m, %n, %kl, %ku, %lda, %a) : (i32, i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  %isPlain = arith.cmpi eq, %trans, %plain : i32
  %numX = arith.select %isPlain, %n, %m : i32
  %numY = arith.select %isPlain, %m, %n : i32
  call @read_vector(%numX, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%numY, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%numY, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$psbmv(%order: i32, %uplo: i32, %n: i32, %k: i32, %alpha: $T, %a: memref<?x$T>, %lda: i32,
    %x: memref<?x$T>, %incx: i32, %beta: $T, %y: memref<?x$T>, %incy: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_other_step(%incy) : (i32) -> ()
  %nonUnit = arith.constant 131 : i32
  call @read_band_triangle(%order, %uplo, %nonUnit, %n, %k, %lda, %a) : (i32, i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @read_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %y, %incy) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$ptbmv(%order: i32, %uplo: i32, %trans: i32, %diag: i32, %n: i32, %k: i32, %a: memref<?x$T>,
    %lda: i32, %x: memref<?x$T>, %incx: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_transposition(%trans) : (i32) -> ()
  call @read_band_triangle(%order, %uplo, %diag, %n, %k, %lda, %a) : (i32, i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  return
}

func.func @cblas_$ptbsv(%order: i32, %uplo: i32, %trans: i32, %diag: i32, %n: i32, %k: i32, %a: memref<?x$T>,
    %lda: i32, %x: memref<?x$T>, %incx: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_other_step(%incx) : (i32) -> ()
  call @require_transposition(%trans) : (i32) -> ()
  call @read_band_triangle(%order, %uplo, %diag, %n, %k, %lda, %a) : (i32, i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  call @write_vector(%n, %x, %incx) : (i32, memref<?x$T>, i32) -> ()
  return
}

// Level 3.
func.func @cblas_$pgemm(%order: i32, %ta: i32, %tb: i32, %m: i32, %n: i32, %k: i32, %alpha: $T, %a: memref<?x$T>,
    %lda: i32, %b: memref<?x$T>, %ldb: i32, %beta: $T, %c: memref<?x$T>, %ldc: i32)
    attributes {loom.effects = {reentrant}} {
  %plain = arith.constant 111 : i32
  call @read_matrix(%order, %ta, %m, %k, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_matrix(%order, %tb, %k, %n, %ldb, %b) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_matrix(%order, %plain, %m, %n, %ldc, %c) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_matrix(%order, %m, %n, %ldc, %c) : (i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$psymm(%order: i32, %side: i32, %uplo: i32, %m: i32, %n: i32, %alpha: $T, %a: memref<?x$T>,
    %lda: i32, %b: memref<?x$T>, %ldb: i32, %beta: $T, %c: memref<?x$T>, %ldc: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_side(%side) : (i32) -> ()
  %left = arith.constant 141 : i32
  %isLeft = arith.cmpi eq, %side, %left : i32
  %extent = arith.select %isLeft, %m, %n : i32
  %plain = arith.constant 111 : i32
  %nonUnit = arith.constant 131 : i32
  call @read_triangle(%order, %uplo, %nonUnit, %extent, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_matrix(%order, %plain, %m, %n, %ldb, %b) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_matrix(%order, %plain, %m, %n, %ldc, %c) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_matrix(%order, %m, %n, %ldc, %c) : (i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$psyrk(%order: i32, %uplo: i32, %trans: i32, %n: i32, %k: i32, %alpha: $T, %a: memref<?x$T>,
    %lda: i32, %beta: $T, %c: memref<?x$T>, %ldc: i32)
    attributes {loom.effects = {reentrant}} {
  %nonUnit = arith.constant 131 : i32
  call @read_matrix(%order, %trans, %n, %k, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_triangle(%order, %uplo, %nonUnit, %n, %ldc, %c) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_triangle(%order, %uplo, %nonUnit, %n, %ldc, %c) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$psyr2k(%order: i32, %uplo: i32, %trans: i32, %n: i32, %k: i32, %alpha: $T, %a: memref<?x$T>,
    %lda: i32, %b: memref<?x$T>, %ldb: i32, %beta: $T, %c: memref<?x$T>, %ldc: i32)
    attributes {loom.effects = {reentrant}} {
  %nonUnit = arith.constant 131 : i32
  call @read_matrix(%order, %trans, %n, %k, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_matrix(%order, %trans, %n, %k, %ldb, %b) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_triangle(%order, %uplo, %nonUnit, %n, %ldc, %c) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_triangle(%order, %uplo, %nonUnit, %n, %ldc, %c) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$ptrmm(%order: i32, %side: i32, %uplo: i32, %ta: i32, %diag: i32, %m: i32, %n: i32, %alpha: $T,
    %a: memref<?x$T>, %lda: i32, %b: memref<?x$T>, %ldb: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_side(%side) : (i32) -> ()
  call @require_transposition(%ta) : (i32) -> ()
  %left = arith.constant 141 : i32
  %isLeft = arith.cmpi eq, %side, %left : i32
  %extent = arith.select %isLeft, %m, %n : i32
  %plain = arith.constant 111 : i32
  call @read_triangle(%order, %uplo, %diag, %extent, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_matrix(%order, %plain, %m, %n, %ldb, %b) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_matrix(%order, %m, %n, %ldb, %b) : (i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}

func.func @cblas_$ptrsm(%order: i32, %side: i32, %uplo: i32, %ta: i32, %diag: i32, %m: i32, %n: i32, %alpha: $T,
    %a: memref<?x$T>, %lda: i32, %b: memref<?x$T>, %ldb: i32)
    attributes {loom.effects = {reentrant}} {
  call @require_side(%side) : (i32) -> ()
  call @require_transposition(%ta) : (i32) -> ()
  %left = arith.constant 141 : i32
  %isLeft = arith.cmpi eq, %side, %left : i32
  %extent = arith.select %isLeft, %m, %n : i32
  %plain = arith.constant 111 : i32
  call @read_triangle(%order, %uplo, %diag, %extent, %lda, %a) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @read_matrix(%order, %plain, %m, %n, %ldb, %b) : (i32, i32, i32, i32, i32, memref<?x$T>) -> ()
  call @write_matrix(%order, %m, %n, %ldb, %b) : (i32, i32, i32, i32, memref<?x$T>) -> ()
  return
}
