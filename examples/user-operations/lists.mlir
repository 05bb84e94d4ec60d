// A richer type, of a user's own: a list of tensors of one element shape. What
// it says of shapes stands in its parameter, a tensor type, which shape
// functions read and refine as they do that of a tensor. References keep a list
// as one tensor with the elements along its first axis.

irdl.dialect @lists {
  irdl.type @list {
    %element = irdl.base "!builtin.tensor"
    irdl.parameters(element: %element)
  }
  // Two tensors as a list.
  irdl.operation @pair {
    %a = irdl.base "!builtin.tensor"
    %b = irdl.base "!builtin.tensor"
    %list = irdl.base @lists::@list
    irdl.operands(a: %a, b: %b)
    irdl.results(list: %list)
  }
  // A list behind another.
  irdl.operation @join {
    %a = irdl.base @lists::@list
    %b = irdl.base @lists::@list
    %list = irdl.base @lists::@list
    irdl.operands(a: %a, b: %b)
    irdl.results(list: %list)
  }
  // The sum of the elements.
  irdl.operation @sum {
    %list = irdl.base @lists::@list
    %result = irdl.base "!builtin.tensor"
    irdl.operands(list: %list)
    irdl.results(result: %result)
  }
}

shape.function_library @lists_shapes {
  shape.func @both(%a: !shape.value_shape, %b: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %n, %m = loom.extents %a, "elements are matrices, but the first has {0} axes"
    %k, %l = loom.extents %b, "elements are matrices, but the second has {0} axes"
    %rows = index.cmp eq(%n, %k)
    loom.constraint %rows, "elements of one list have one shape, but there are {0} and {1} rows"(%n, %k)
    %columns = index.cmp eq(%m, %l)
    loom.constraint %columns, "elements of one list have one shape, but there are {0} and {1} columns"(%m, %l)
    %shape = shape.from_extents %n, %m : index, index
    %type = loom.element_type %a
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
  shape.func @element(%list: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %shape = shape.shape_of %list : !shape.value_shape -> !shape.shape
    %type = loom.element_type %list
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  lists.pair = @both,
  lists.join = @both,
  lists.sum = @element
}

func.func @pair(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<2x?x?xf32> attributes {loom.implements = "lists.pair"} {
  %first = func.call @single(%a) : (tensor<?x?xf32>) -> tensor<1x?x?xf32>
  %second = func.call @single(%b) : (tensor<?x?xf32>) -> tensor<1x?x?xf32>
  %list = tosa.concat %first, %second {axis = 0 : i32} : (tensor<1x?x?xf32>, tensor<1x?x?xf32>) -> tensor<2x?x?xf32>
  return %list : tensor<2x?x?xf32>
}
func.func private @single(%a: tensor<?x?xf32>) -> tensor<1x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %list = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, %n, %m] : tensor<?x?xf32> into tensor<1x?x?xf32>
  return %list : tensor<1x?x?xf32>
}
func.func @join(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> attributes {loom.implements = "lists.join"} {
  %list = tosa.concat %a, %b {axis = 0 : i32} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %list : tensor<?x?x?xf32>
}
func.func @sum(%list: tensor<?x?x?xf32>) -> tensor<?x?xf32> attributes {loom.implements = "lists.sum"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %list, %c1 : tensor<?x?x?xf32>
  %m = tensor.dim %list, %c2 : tensor<?x?x?xf32>
  %sum = tosa.reduce_sum %list {axis = 0 : i32} : (tensor<?x?x?xf32>) -> tensor<1x?x?xf32>
  %result = tensor.collapse_shape %sum [[0, 1], [2]] : tensor<1x?x?xf32> into tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}
