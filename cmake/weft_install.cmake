# cmake --install and cpack: the program, the libraries, find_package(weft) and the files of pkg-config. Components: runtime (shared
# libraries), development, program.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
foreach(kind ${WEFT_KINDS})
  list(TRANSFORM WEFT_PUBLIC REPLACE "(.+)" "weft_\\1_${kind}" OUTPUT_VARIABLE libraries)
  install(TARGETS ${libraries} EXPORT weft_${kind}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
  install(EXPORT weft_${kind} NAMESPACE weft:: FILE weft_${kind}.cmake DESTINATION ${config_dir} COMPONENT development)
endforeach()
if(TARGET weft)
  install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
foreach(shelf core gl kit)
  if(TARGET weft::${shelf})
    string(REPLACE weft_core weft folder weft_${shelf})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
      FILES_MATCHING PATTERN *.h PATTERN *.def)
  endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/weft/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft COMPONENT development)

configure_package_config_file(cmake/weftConfig.cmake.in ${PROJECT_BINARY_DIR}/generated/weftConfig.cmake
  INSTALL_DESTINATION ${config_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/weftConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/weftConfig.cmake ${PROJECT_BINARY_DIR}/generated/weftConfigVersion.cmake
  DESTINATION ${config_dir} COMPONENT development)

# FILE.pc. The prefix is found from where it lies, so that an installed tree can be moved. Where there is a shared library, what it
# needs is private; whoever wants the static one beside it asks for the variable static.
file(RELATIVE_PATH WEFT_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(PC_GL no) # whether weft_gl/gl.h is there
function(weft_pc file)
  cmake_parse_arguments(PC "" "ALONE" "NEEDS;REQUIRES" ${ARGN})
  list(TRANSFORM PC_NEEDS REPLACE "^([^-].*)$" "-l\\1")
  if(WEFT_SANITIZE)
    list(APPEND PC_NEEDS -fsanitize=address,undefined)
  endif()
  list(JOIN PC_NEEDS " " PC_NEEDS)
  set(PC_STATIC "")
  if(static IN_LIST WEFT_KINDS)
    set(PC_STATIC "\${libdir}/lib${file}.a")
    foreach(package ${PC_REQUIRES})
      string(TOUPPER ${package} package)
      list(JOIN ${package}_LDFLAGS " " flags)
      string(APPEND PC_STATIC " ${flags}")
    endforeach()
    string(APPEND PC_STATIC " ${PC_NEEDS}")
  endif()
  set(PC_PRIVATE "")
  if(shared IN_LIST WEFT_KINDS)
    set(PC_PRIVATE .private)
  endif()
  configure_file(cmake/weft.pc.in generated/${file}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()
set(system m ${CMAKE_THREAD_LIBS_INIT})
weft_pc(weft-core ALONE ": the solver alone" NEEDS ${system})
if(TARGET weft_gl)
  set(PC_GL yes)
  list(APPEND system ${CMAKE_DL_LIBS})
  weft_pc(weft-gl ALONE ": the solver and the GPU" NEEDS ${system})
endif()
if(TARGET weft_kit)
  weft_pc(weft NEEDS ${system} REQUIRES jansson)
endif()
