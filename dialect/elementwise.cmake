# Element-wise operations: the interface, TOSA's models of it, and their
# scalar semantics.
set(LLVM_TARGET_DEFINITIONS BroadcastableOpInterface.td)
mlir_tablegen(BroadcastableOpInterface.h.inc -gen-op-interface-decls)
mlir_tablegen(BroadcastableOpInterface.cpp.inc -gen-op-interface-defs)
add_public_tablegen_target(BroadloomElementwiseIncGen)

broadloom_add_mlir_library(BroadloomElementwise
  BroadcastableOpInterface.cpp
  TosaModels.cpp
  TosaRules.cpp
  TosaScalars.cpp
  scalar/Cast.cpp
  scalar/Emitter.cpp
  scalar/FloatArithmetic.cpp
  scalar/FloatFormat.cpp
  scalar/Integer.cpp
  scalar/LookupFunctions.cpp
  scalar/MathExpansion.cpp
  scalar/MinMaxClamp.cpp
  scalar/Shift.cpp
  scalar/Transcendental.cpp
  DEPENDS BroadloomElementwiseIncGen
  )

# Scalar bodies, compiled by LLVM and run, against independent references.
broadloom_add_mlir_library(BroadloomScalarJit
  scalar/ScalarJit.cpp
  LINK BroadloomElementwise)
broadloom_add_unit_test(BroadloomScalarBodyTest
  scalar/CastBodyTest.cpp
  scalar/FloatBodyTest.cpp
  scalar/IntegerBodyTest.cpp
  scalar/Reference.cpp
  LINK BroadloomScalarJit)
broadloom_add_unit_test(BroadloomTosaRulesTest
  TosaRulesTest.cpp
  LINK BroadloomElementwise)
target_compile_options(BroadloomTosaRulesTest PRIVATE -fno-rtti -fno-exceptions)
