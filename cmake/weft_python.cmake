# The Python package, put together in build/python/weft: its modules, the library with everything, and weft.h, the declarations of
# the public headers. pyproject.toml makes a wheel of the same.
set(folder ${PROJECT_BINARY_DIR}/python/weft)
set(empty ${PROJECT_BINARY_DIR}/generated/empty) # cffi knows the types of the C library's headers
foreach(header stdbool stddef stdint)
  file(WRITE ${empty}/${header}.h "")
endforeach()
file(GLOB public_headers CONFIGURE_DEPENDS include/*/*.h include/*/*.def)
add_custom_command(OUTPUT ${folder}/weft.h
  COMMAND ${CMAKE_C_COMPILER} -E -P -U__GNUC__ -nostdinc -I${empty} -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_BINARY_DIR}/include
          ${PROJECT_SOURCE_DIR}/python/declarations.h -o ${folder}/weft.h
  DEPENDS python/declarations.h ${public_headers} VERBATIM)
file(GLOB modules CONFIGURE_DEPENDS python/weft/*)
list(TRANSFORM modules REPLACE ".*/" "${folder}/" OUTPUT_VARIABLE copies)
add_custom_command(OUTPUT ${copies} COMMAND ${CMAKE_COMMAND} -E copy ${modules} ${folder} DEPENDS ${modules} VERBATIM)
add_custom_command(OUTPUT ${folder}/libweft.so
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:weft_all_shared> ${folder}/libweft.so DEPENDS weft_all_shared VERBATIM)
add_custom_target(weft_python ALL DEPENDS ${copies} ${folder}/weft.h ${folder}/libweft.so)
install(FILES ${folder}/weft.h ${folder}/libweft.so DESTINATION weft COMPONENT python EXCLUDE_FROM_ALL)
