# Shaders go into the library as C strings, so that the program runs from anywhere.
file(GLOB_RECURSE weft_shader_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/shaders
  shaders/*.comp shaders/*.vert shaders/*.frag shaders/*.glsl shaders/*.h)
list(SORT weft_shader_files)
list(TRANSFORM weft_shader_files PREPEND ${CMAKE_SOURCE_DIR}/shaders/ OUTPUT_VARIABLE shader_paths)
set(embedded ${CMAKE_BINARY_DIR}/generated/embedded_shaders.c)
set(shader_list ${CMAKE_BINARY_DIR}/generated/shader_list.txt)
file(CONFIGURE OUTPUT ${shader_list} CONTENT "${weft_shader_files}\n") # rerun when a file goes
add_custom_command(
  OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_SOURCE_DIR}/shaders -D LIST=${shader_list}
          -D OUTPUT=${embedded} -P ${CMAKE_SOURCE_DIR}/cmake/embed_shaders.cmake
  DEPENDS ${shader_paths} ${shader_list} ${CMAKE_SOURCE_DIR}/cmake/embed_shaders.cmake
  COMMENT "Embedding shaders" VERBATIM)

add_library(weft_shaders OBJECT ${embedded})
target_link_libraries(weft_shaders PRIVATE weft_options)
target_include_directories(weft_shaders PRIVATE ${CMAKE_SOURCE_DIR}/src/gl)
set_target_properties(weft_shaders PROPERTIES POSITION_INDEPENDENT_CODE ON)
