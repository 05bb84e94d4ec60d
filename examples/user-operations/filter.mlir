// An operation whose result depends on data: the values for which a predicate
// holds. How many these are only running tells; that they are at most as many as
// there are values is known, checked, and used (sf-7).

irdl.dialect @data {
  irdl.operation @filter {
    %values = irdl.base "!builtin.tensor"
    %keep = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(values: %values, keep: %keep)
    irdl.results(result: %result)
  }
}
shape.function_library @data {
  shape.func @filter(%values: !shape.value_shape, %keep: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %n = loom.extents %values, "the values must be a vector, but have {0} axes"
    %m = loom.extents %keep, "the predicate must be a vector, but has {0} axes"
    %same = index.cmp eq(%n, %m)
    loom.constraint %same, "there are {0} values but {1} answers of the predicate"(%n, %m)
    %zero = index.constant 0
    %kept = loom.data_extent from %zero to %n
    %shape = shape.from_extents %kept : index
    %type = loom.element_type %values
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  data.filter = @filter
}
func.func @filter(%values: tensor<?xf32>, %keep: tensor<?xi1>) -> tensor<?xf32>
    attributes {loom.implements = "data.filter"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %values, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %all:2 = scf.for %i = %c0 to %n step %c1 iter_args(%kept = %empty, %at = %c0) -> (tensor<?xf32>, index) {
    %is = tensor.extract %keep[%i] : tensor<?xi1>
    %next:2 = scf.if %is -> (tensor<?xf32>, index) {
      %value = tensor.extract %values[%i] : tensor<?xf32>
      %more = tensor.insert %value into %kept[%at] : tensor<?xf32>
      %behind = arith.addi %at, %c1 : index
      scf.yield %more, %behind : tensor<?xf32>, index
    } else {
      scf.yield %kept, %at : tensor<?xf32>, index
    }
    scf.yield %next#0, %next#1 : tensor<?xf32>, index
  }
  // No more than there were; said so, it is known where only shapes are computed.
  %count = arith.minsi %all#1, %n : index
  %result = tensor.extract_slice %all#0[0] [%count] [1] : tensor<?xf32> to tensor<?xf32>
  return %result : tensor<?xf32>
}
