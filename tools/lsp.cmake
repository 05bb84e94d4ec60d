# A language server for editors.
broadloom_add_program(broadloom-lsp-server
  lsp/Analysis.cpp
  lsp/Session.cpp
  lsp/Uris.cpp
  lsp/broadloom-lsp-server.cpp
  LINK BroadloomDriver)
