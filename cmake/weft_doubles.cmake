# weft_double_twins(): the passes, their list and the tables compiled a second time with `float`
# meaning double, for the backend f64. A pass weft_pass_NAME becomes weft_f64_pass_NAME.
function(weft_double_twins)
  file(GLOB passes CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/solver_ref/pass_*.c)
  file(GLOB tables CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/solver/tables*.c)
  add_library(weft_room_double_twins OBJECT ${passes} ${tables} ${CMAKE_SOURCE_DIR}/src/solver_ref/ref.c)
  target_link_libraries(weft_room_double_twins PRIVATE weft_options)
  set_target_properties(weft_room_double_twins PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(weft_room_double_twins PRIVATE
    ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include ${CMAKE_SOURCE_DIR}/shaders)
  foreach(room base model solver solver_ref)
    target_include_directories(weft_room_double_twins PRIVATE ${CMAKE_SOURCE_DIR}/src/${room})
  endforeach()
  target_compile_options(weft_room_double_twins PRIVATE
    -include ${CMAKE_SOURCE_DIR}/src/solver_f64/double.h
    -Werror=implicit-function-declaration -Werror=incompatible-pointer-types -Werror=conversion)
  foreach(pass ${passes})
    get_filename_component(name ${pass} NAME_WE)
    target_compile_definitions(weft_room_double_twins PRIVATE weft_${name}=weft_f64_${name})
  endforeach()
endfunction()
