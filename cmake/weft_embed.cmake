# weft_embed(TARGET ROOT TABLE COUNT files...): an object library with the files of ROOT as C strings,
# so that the program runs from anywhere.
function(weft_embed target root table count)
  set(output ${PROJECT_BINARY_DIR}/generated/${target}.c)
  set(list ${PROJECT_BINARY_DIR}/generated/${target}.txt)
  list(TRANSFORM ARGN PREPEND ${root}/ OUTPUT_VARIABLE paths)
  file(CONFIGURE OUTPUT ${list} CONTENT "${ARGN}\n") # rerun when a file goes
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${root} -D LIST=${list} -D OUTPUT=${output} -D TABLE=${table}
            -D COUNT=${count} -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${paths} ${list} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "Embedding ${target}" VERBATIM)
  add_library(${target} OBJECT ${output})
  target_link_libraries(${target} PRIVATE weft_options)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/core/base)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
