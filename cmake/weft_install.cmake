# cmake --install: the program, the libraries, find_package(weft) and weft.pc.
include(CMakePackageConfigHelpers)

# weft::core solves cloth on processors and needs nothing but libc, libm and threads; weft::gl adds the GPU; weft::kit reads and writes files,
# moves bodies, prepares cloth and has the scenes; weft::weft is all of them.
add_library(weft_single INTERFACE)
set_target_properties(weft_core PROPERTIES EXPORT_NAME core)
set_target_properties(weft_kit PROPERTIES EXPORT_NAME kit)
set_target_properties(weft_single PROPERTIES EXPORT_NAME weft)
target_link_libraries(weft_single INTERFACE weft_kit)
set(libraries weft_core weft_kit weft_single)
set(WEFT_PC_CORE "-lm")
set(WEFT_PC_GL no)
if(TARGET weft_gl)
  set_target_properties(weft_gl PROPERTIES EXPORT_NAME gl)
  target_link_libraries(weft_single INTERFACE weft_gl)
  list(APPEND libraries weft_gl)
  set(WEFT_PC_GL_LIBS "-lweft_gl")
  foreach(library ${CMAKE_DL_LIBS})
    string(APPEND WEFT_PC_CORE " -l${library}")
  endforeach()
  set(WEFT_PC_GL yes)
endif()
if(CMAKE_THREAD_LIBS_INIT)
  string(APPEND WEFT_PC_CORE " ${CMAKE_THREAD_LIBS_INIT}")
endif()
if(WEFT_SANITIZE)
  string(APPEND WEFT_PC_CORE " -fsanitize=address,undefined")
endif()
# The libraries are static, so what they need is needed by whoever links them.
set(WEFT_PC_REQUIRES jansson)

install(TARGETS ${libraries} EXPORT weft_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET weft)
  install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ ${CMAKE_BINARY_DIR}/include/weft
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h PATTERN *.def)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(EXPORT weft_targets NAMESPACE weft:: FILE weftTargets.cmake DESTINATION ${config_dir})
configure_package_config_file(cmake/weftConfig.cmake.in ${CMAKE_BINARY_DIR}/generated/weftConfig.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/weftConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/weftConfig.cmake
              ${CMAKE_BINARY_DIR}/generated/weftConfigVersion.cmake DESTINATION ${config_dir})

# The prefix is found from where the .pc file lies, so that an installed tree can be moved.
file(RELATIVE_PATH WEFT_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(package weft weft-core)
  configure_file(cmake/${package}.pc.in generated/${package}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/generated/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
