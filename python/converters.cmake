# What commands run to convert models: scripts for the shell beside the programs, and
# the package's files in Python. They need no compiled module, and so no Python to
# build with; pyproject.toml names those of the wheel.
find_package(Python3 QUIET COMPONENTS Interpreter)
set(builtWith ${Python3_EXECUTABLE})
set(installed ${CMAKE_INSTALL_DATADIR}/broadloom/python)
file(RELATIVE_PATH fromPrograms
  ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_PREFIX}/${installed})

# broadloom_make_converter(KIND NEEDED FOLDER OUTPUT)
# As OUTPUT, a script that converts with the Python files in FOLDER.
function(broadloom_make_converter kind needed folder output)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/broadloom-convert.sh.in ${output} @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
endfunction()
foreach(converter "onnx:numpy" "torch:numpy and torch")
  string(REPLACE ":" ";" converter ${converter})
  list(GET converter 0 kind)
  list(GET converter 1 needed)
  broadloom_make_converter(${kind} ${needed} ${CMAKE_CURRENT_SOURCE_DIR}
    ${CMAKE_BINARY_DIR}/bin/broadloom-${kind})
  # An installation may be moved.
  broadloom_make_converter(${kind} ${needed}
    "$(dirname -- \"$(readlink -f -- \"$0\")\")/${fromPrograms}"
    ${CMAKE_CURRENT_BINARY_DIR}/installed/broadloom-${kind})
  install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/installed/broadloom-${kind}
    DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
install(FILES _broadloom_convert.py DESTINATION ${installed})
install(DIRECTORY broadloom DESTINATION ${installed}
  FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
