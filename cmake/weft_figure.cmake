# The mesh of the figure (src/kit/scenes/figure_shape.c) is made by the build, in half a second, rather
# than at every start of the program.
set(weft_figure_made ${PROJECT_BINARY_DIR}/generated/figure_made.c)
add_executable(weft_write_figure ${PROJECT_SOURCE_DIR}/cmake/write_figure.c
                                 ${PROJECT_SOURCE_DIR}/src/kit/scenes/figure_shape.c
                                 ${PROJECT_SOURCE_DIR}/src/kit/scenes/blend.c
                                 ${PROJECT_SOURCE_DIR}/src/kit/scenes/blend_field.c
                                 ${PROJECT_SOURCE_DIR}/src/kit/scenes/even.c)
target_include_directories(weft_write_figure PRIVATE ${PROJECT_SOURCE_DIR}/src/core/base ${PROJECT_SOURCE_DIR}/src/core/mesh
  ${PROJECT_SOURCE_DIR}/src/kit/scenes)
target_link_libraries(weft_write_figure PRIVATE weft_core)
weft_program(weft_write_figure)
add_custom_command(
  OUTPUT ${weft_figure_made}
  COMMAND weft_write_figure ${weft_figure_made}
  DEPENDS weft_write_figure
  COMMENT "Making the mesh of the figure" VERBATIM)
target_sources(weft_room_scenes PRIVATE ${weft_figure_made})
