// A function is an operation with a name, a type and a region. Its name may be used
// ahead of it. A region has neither a type nor attributes: the types are those of
// its first block, and what is said of each argument is a list at the function. This is
// the generic form. (Rationale: "Making function definition an operation", "Having types
// on a region", "Attaching attributes to regions")
"func.func"() <{
  sym_name = "main",
  function_type = (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>,
  arg_attrs = [{loom.extents = #loom.extents<[n]>}, {loom.extents = #loom.extents<[n]>}]
}> ({
^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
  %s = "func.call"(%x) <{callee = @square}> : (tensor<?xf32>) -> tensor<?xf32>
  %sum = "arith.addf"(%s, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%sum) : (tensor<?xf32>) -> ()
}) : () -> ()

"func.func"() <{
  sym_name = "square",
  sym_visibility = "private",
  function_type = (tensor<?xf32>) -> tensor<?xf32>
}> ({
^bb0(%x: tensor<?xf32>):
  %y = "arith.mulf"(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%y) : (tensor<?xf32>) -> ()
}) : () -> ()
