"""Programs of upstream's own dialects, each of one operation and what it needs."""


def function(arguments, result, *lines):
    """A function of `arguments`, the last line of which is what it returns."""
    body = "\n".join((*lines[:-1], f"%r = {lines[-1]}"))
    return f"func.func @f({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}\n"


def slice_(stride):
    return function(
        "%a: tensor<?xf32>, %o: index, %n: index, %s: index",
        "tensor<?xf32>",
        f"tensor.extract_slice %a[%o] [%n] [{stride}] : tensor<?xf32> to tensor<?xf32>",
    )


SLICE, STEPS = slice_("1"), slice_("%s")
SLICE2 = slice_("2")
COLUMNS = function(
    "%a: tensor<?x?xf32>",
    "tensor<?x2xf32>",
    "%c0 = arith.constant 0 : index",
    "%n = tensor.dim %a, %c0 : tensor<?x?xf32>",
    "tensor.extract_slice %a[0, 1] [%n, 2] [1, 1] : tensor<?x?xf32> to tensor<?x2xf32>",
)
INSERT_SLICE = function(
    "%a: tensor<?xf32>, %b: tensor<?xf32>, %o: index, %n: index",
    "tensor<?xf32>",
    "tensor.insert_slice %b into %a[%o] [%n] [1] : tensor<?xf32> into tensor<?xf32>",
)
INSERT_ROW = function(
    "%a: tensor<?x?xf32>, %b: tensor<?xf32>, %o: index",
    "tensor<?x?xf32>",
    "%c1 = arith.constant 1 : index",
    "%n = tensor.dim %a, %c1 : tensor<?x?xf32>",
    "tensor.insert_slice %b into %a[%o, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>",
)
EXTRACT = function("%a: tensor<?xf32>, %o: index", "f32", "tensor.extract %a[%o] : tensor<?xf32>")
INSERT = function(
    "%a: tensor<?xf32>, %o: index, %v: f32", "tensor<?xf32>", "tensor.insert %v into %a[%o] : tensor<?xf32>"
)
EXPAND = function(
    "%a: tensor<?xf32>, %n: index, %m: index",
    "tensor<?x?xf32>",
    "tensor.expand_shape %a [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>",
)
EXPAND_HALF = function(
    "%a: tensor<?xf32>, %n: index",
    "tensor<?x2xf32>",
    "tensor.expand_shape %a [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>",
)
EXPAND_QUARTER = function(
    "%a: tensor<?xf32>, %n: index",
    "tensor<?x4xf32>",
    "tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>",
)
# The callee takes rows that lie one behind the other; those of the slice do not.
ROWS_OF_A_CALL = """
func.func private @g(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
""" + function(
    "%a: tensor<?x?xf32>, %n: index, %s: index",
    "tensor<?xf32>",
    "%rows = tensor.extract_slice %a[0, 0] [2, %n] [%s, 1] : tensor<?x?xf32> to tensor<2x?xf32>",
    "%c = tensor.cast %rows : tensor<2x?xf32> to tensor<?x?xf32>",
    "func.call @g(%c) : (tensor<?x?xf32>) -> tensor<?xf32>",
)
# What types say of one extent is a number here and `?` there.
TRANSPOSE_MIXED = function(
    "%a: tensor<3x?xf32>, %o: tensor<2x?xf32>",
    "tensor<2x?xf32>",
    "linalg.transpose ins(%a : tensor<3x?xf32>) outs(%o : tensor<2x?xf32>) permutation = [1, 0]",
)
BROADCAST_MIXED = function(
    "%a: tensor<?xf32>, %o: tensor<3x2xf32>",
    "tensor<3x2xf32>",
    "linalg.broadcast ins(%a : tensor<?xf32>) outs(%o : tensor<3x2xf32>) dimensions = [0]",
)
REDUCE_MIXED = function(
    "%a: tensor<?x3xf32>, %o: tensor<2xf32>",
    "tensor<2xf32>",
    "linalg.reduce { arith.addf } ins(%a : tensor<?x3xf32>) outs(%o : tensor<2xf32>) dimensions = [1]",
)
MAP_MIXED = function(
    "%a: tensor<?x3xf32>, %b: tensor<2x?xf32>, %o: tensor<?x?xf32>",
    "tensor<?x?xf32>",
    "linalg.map { arith.addf } ins(%a, %b : tensor<?x3xf32>, tensor<2x?xf32>) outs(%o : tensor<?x?xf32>)",
)
EXPAND_AS_OTHERS = function(
    "%a: tensor<?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>",
    "tensor<?x?xf32>",
    "%c0 = arith.constant 0 : index",
    "%n = tensor.dim %b, %c0 : tensor<?x?xf32>",
    "%m = tensor.dim %c, %c0 : tensor<?x?xf32>",
    "tensor.expand_shape %a [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>",
)
EXPAND_STATIC = function(
    "%a: tensor<4xf32>",
    "tensor<2x2xf32>",
    "tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>",
)
EXPAND_MIDDLE = function(
    "%a: tensor<?x?x3xf32>, %n: index, %m: index",
    "tensor<?x?x?x3xf32>",
    "%c0 = arith.constant 0 : index",
    "%l = tensor.dim %a, %c0 : tensor<?x?x3xf32>",
    "tensor.expand_shape %a [[0], [1, 2], [3]] output_shape [%l, %n, %m, 3] "
    ": tensor<?x?x3xf32> into tensor<?x?x?x3xf32>",
)
EXPAND_VIEW = function(
    "%a: tensor<?x?xf32>, %n: index, %m: index",
    "tensor<?x?x?xf32>",
    "%c0 = arith.constant 0 : index",
    "%l = tensor.dim %a, %c0 : tensor<?x?xf32>",
    "%p = arith.muli %n, %m : index",
    "%s = tensor.extract_slice %a[0, 1] [%l, %p] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>",
    "tensor.expand_shape %s [[0], [1, 2]] output_shape [%l, %n, %m] : tensor<?x?xf32> into tensor<?x?x?xf32>",
)
RESHAPE = function(
    "%a: tensor<?xf32>, %s: tensor<2xindex>",
    "tensor<?x?xf32>",
    "tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>",
)
RESHAPE_STATIC = function(
    "%a: tensor<?xf32>, %s: tensor<2xindex>",
    "tensor<?x2xf32>",
    "tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x2xf32>",
)
RESHAPE_I32 = function(
    "%a: tensor<?xf32>, %s: tensor<2xi32>",
    "tensor<?x?xf32>",
    "tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>",
)
RESHAPE_ANY = function(
    "%a: tensor<?x?xf32>, %s: tensor<?xindex>",
    "tensor<*xf32>",
    "tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<?xindex>) -> tensor<*xf32>",
)
PAD = function(
    "%a: tensor<?xf32>, %l: index, %h: index",
    "tensor<?xf32>",
    "%z = arith.constant 7.0 : f32",
    "tensor.pad %a low[%l] high[%h] {\n^bb0(%i: index):\ntensor.yield %z : f32\n} : tensor<?xf32> to tensor<?xf32>",
)
PAD_STATIC = function(
    "%a: tensor<?xf32>",
    "tensor<5xf32>",
    "%z = arith.constant 7.0 : f32",
    "tensor.pad %a low[0] high[1] {\n^bb0(%i: index):\ntensor.yield %z : f32\n} : tensor<?xf32> to tensor<5xf32>",
)
CONCAT = function(
    "%a: tensor<?x?xf32>, %b: tensor<?x?xf32>",
    "tensor<?x?xf32>",
    "tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
)
CONCAT_STATIC = function(
    "%a: tensor<?x?xf32>, %b: tensor<?x?xf32>",
    "tensor<3x3xf32>",
    "tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<3x3xf32>",
)
EMPTY = function("%n: index, %v: f32", "tensor<?xf32>", "tensor.splat %v[%n] : tensor<?xf32>")
GENERATE = function(
    "%a: tensor<?xf32>, %n: index, %o: index",
    "tensor<?xf32>",
    "tensor.generate %n {\n^bb0(%i: index):\n%j = arith.addi %i, %o : index\n"
    "%e = tensor.extract %a[%j] : tensor<?xf32>\ntensor.yield %e : f32\n} : tensor<?xf32>",
)
DIM = function("%a: tensor<?x?xf32>, %i: index", "index", "tensor.dim %a, %i : tensor<?x?xf32>")
MATMUL = function(
    "%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>",
    "tensor<?x?xf32>",
    "linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>",
)
SHIFTED = "#s = affine_map<(i) -> (i + 1)>\n#i = affine_map<(i) -> (i)>\n" + function(
    "%a: tensor<?xf32>, %b: tensor<?xf32>",
    "tensor<?xf32>",
    'linalg.generic {indexing_maps = [#s, #i], iterator_types = ["parallel"]} '
    "ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) {\n^bb0(%x: f32, %y: f32):\n"
    "linalg.yield %x : f32\n} -> tensor<?xf32>",
)
COLUMN = "#c = affine_map<(i) -> (i, 1)>\n#i = affine_map<(i) -> (i)>\n" + function(
    "%a: tensor<?x?xf32>, %b: tensor<?xf32>",
    "tensor<?xf32>",
    'linalg.generic {indexing_maps = [#c, #i], iterator_types = ["parallel"]} '
    "ins(%a : tensor<?x?xf32>) outs(%b : tensor<?xf32>) {\n^bb0(%x: f32, %y: f32):\n"
    "linalg.yield %x : f32\n} -> tensor<?xf32>",
)
LOOKUP = "#i = affine_map<(i) -> (i)>\n" + function(
    "%a: tensor<?xf32>, %b: tensor<?xf32>, %i: tensor<?xindex>",
    "tensor<?xf32>",
    'linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} '
    "ins(%i : tensor<?xindex>) outs(%b : tensor<?xf32>) {\n^bb0(%x: index, %y: f32):\n"
    "%e = tensor.extract %a[%x] : tensor<?xf32>\nlinalg.yield %e : f32\n} -> tensor<?xf32>",
)
CONVOLUTION = function(
    "%a: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>",
    "tensor<?x?x?x?xf32>",
    "linalg.conv_2d_nhwc_hwcf ins(%a, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) "
    "outs(%c : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>",
)
ADD = function("%a: tensor<?xf32>, %b: tensor<?xf32>", "tensor<?xf32>", "arith.addf %a, %b : tensor<?xf32>")
LESS = function("%a: tensor<?xf32>, %b: tensor<?xf32>", "tensor<?xi1>", "arith.cmpf olt, %a, %b : tensor<?xf32>")
FOR = function(
    "%a: tensor<?xf32>, %n: index, %s: index",
    "tensor<?xf32>",
    "%c0 = arith.constant 0 : index",
    "%v = arith.constant 9.0 : f32",
    "scf.for %i = %c0 to %n step %s iter_args(%t = %a) -> (tensor<?xf32>) {\n"
    "%u = tensor.insert %v into %t[%i] : tensor<?xf32>\nscf.yield %u : tensor<?xf32>\n}",
)
FORALL = function(
    "%a: tensor<?xf32>, %b: tensor<?xf32>",
    "tensor<?xf32>",
    "%c0 = arith.constant 0 : index",
    "%n = tensor.dim %a, %c0 : tensor<?xf32>",
    "scf.forall (%i) in (%n) shared_outs(%d = %a) -> (tensor<?xf32>) {\n"
    "%s = tensor.extract_slice %b[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>\n"
    "scf.forall.in_parallel {\ntensor.parallel_insert_slice %s into %d[%i] [1] [1] "
    ": tensor<1xf32> into tensor<?xf32>\n}\n}",
)
AFFINE = function(
    "%a: tensor<?xf32>, %n: index",
    "tensor<?xf32>",
    "affine.for %i = 0 to %n iter_args(%t = %a) -> tensor<?xf32> {\n"
    "%u = tosa.add %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
    "affine.yield %u : tensor<?xf32>\n}",
)
DIVIDE = function("%a: i64, %b: i64", "i64", "arith.divsi %a, %b : i64")
REMAINDER = function("%a: i32, %b: i32", "i32", "arith.remui %a, %b : i32")
ASSERT = function(
    "%a: tensor<?xf32>, %n: index",
    "index",
    "%c0 = arith.constant 0 : index",
    "%m = tensor.dim %a, %c0 : tensor<?xf32>",
    "%h = arith.cmpi eq, %m, %n : index",
    'cf.assert %h, "there must be {n} values"',
    "arith.addi %m, %n : index",
)
EITHER_WAY = """
func.func @f(%n: i64, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %isFirst = arith.cmpi eq, %n, %c0 : i64
  cf.cond_br %isFirst, ^to(%a : tensor<?xf32>), ^to(%b : tensor<?xf32>)
^to(%x: tensor<?xf32>):
  %r = tosa.abs %x : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
