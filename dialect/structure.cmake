# Whether a module that nobody has verified can be looked at.
broadloom_add_mlir_library(BroadloomStructure
  CheckStructure.cpp
  LooseTypes.cpp
  OperationInvariants.cpp
  DEPENDS BroadloomElementwiseIncGen BroadloomLoomIncGen BroadloomLoomShapeIncGen
  LINK BroadloomElementwise BroadloomLoom)
