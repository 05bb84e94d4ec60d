# The command-line program. The style and the script of its reports go into it
# as text.
set(reportTexts)
foreach(part css:Style js:Script)
  string(REGEX MATCH "^([a-z]+):(.*)$" part ${part})
  set(text ${CMAKE_CURRENT_BINARY_DIR}/Report${CMAKE_MATCH_2}.cpp)
  set(source ${CMAKE_CURRENT_LIST_DIR}/broadloom/report.${CMAKE_MATCH_1})
  add_custom_command(
    OUTPUT ${text}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${source} -DOUTPUT=${text}
      -DNAME=broadloomReport${CMAKE_MATCH_2}
      -P ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake)
  list(APPEND reportTexts ${text})
endforeach()
broadloom_add_program(broadloom
  broadloom/broadloom.cpp
  broadloom/Bench.cpp
  broadloom/BugReport.cpp
  broadloom/Check.cpp
  broadloom/CheckHtml.cpp
  broadloom/CheckText.cpp
  broadloom/CommandLine.cpp
  broadloom/Compile.cpp
  broadloom/HtmlText.cpp
  broadloom/Inspect.cpp
  broadloom/Load.cpp
  broadloom/Run.cpp
  broadloom/Shapes.cpp
  broadloom/SharedLibrary.cpp
  broadloom/Suggest.cpp
  ${reportTexts}
  LINK BroadloomDriver BroadloomIO)
target_compile_definitions(broadloom PRIVATE
  BROADLOOM_VERSION="${PROJECT_VERSION}")
