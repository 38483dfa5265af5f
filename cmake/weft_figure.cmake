# The mesh of the figure (src/kit/scenes/figure_shape.c) is made by the build, in half a second, rather
# than at every start of the program.
set(weft_figure_made ${CMAKE_BINARY_DIR}/generated/figure_made.c)
add_executable(weft_write_figure ${CMAKE_SOURCE_DIR}/cmake/write_figure.c
                                 ${CMAKE_SOURCE_DIR}/src/kit/scenes/figure_shape.c
                                 ${CMAKE_SOURCE_DIR}/src/kit/scenes/blend.c
                                 ${CMAKE_SOURCE_DIR}/src/kit/scenes/blend_field.c
                                 ${CMAKE_SOURCE_DIR}/src/kit/scenes/even.c)
target_include_directories(weft_write_figure PRIVATE ${CMAKE_SOURCE_DIR}/src/core/base ${CMAKE_SOURCE_DIR}/src/core/mesh
  ${CMAKE_SOURCE_DIR}/src/kit/scenes)
target_link_libraries(weft_write_figure PRIVATE weft_core)
weft_program(weft_write_figure)
add_custom_command(
  OUTPUT ${weft_figure_made}
  COMMAND weft_write_figure ${weft_figure_made}
  DEPENDS weft_write_figure
  COMMENT "Making the mesh of the figure" VERBATIM)
target_sources(weft_room_scenes PRIVATE ${weft_figure_made})
