# The demo's panel is one C++ file over Dear ImGui. Without a C++ compiler or without Dear ImGui the
# demo is built without a panel.
option(WEFT_WITH_PANEL "Build the demo's panel, where Dear ImGui and a C++ compiler are installed" ON)

set(WEFT_HAVE_PANEL OFF)
if(WEFT_WITH_PANEL)
  pkg_check_modules(IMGUI IMPORTED_TARGET imgui)
  include(CheckLanguage)
  if(IMGUI_FOUND)
    check_language(CXX)
  endif()
  if(IMGUI_FOUND AND CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 17)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    set(CMAKE_CXX_EXTENSIONS OFF)
    set(WEFT_HAVE_PANEL ON)
  else()
    message(STATUS "Dear ImGui not found: weft demo has no panel (Debian: libimgui-dev and g++)")
  endif()
endif()

# weft_use_imgui(ROOM): src/ROOM/panel.cpp takes the place of src/ROOM/panel_none.c.
function(weft_use_imgui room)
  if(NOT WEFT_HAVE_PANEL)
    return()
  endif()
  target_sources(weft_room_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src/app/${room}/panel.cpp)
  target_compile_definitions(weft_room_${room} PRIVATE WEFT_HAVE_IMGUI=1)
  target_include_directories(weft_room_${room} SYSTEM PRIVATE ${IMGUI_INCLUDE_DIRS})
  # The static libraries where there are any: the program then starts without them.
  find_library(WEFT_STB_LIBRARY NAMES libstb.a stb HINTS ${IMGUI_LIBRARY_DIRS} DOC "stb, for Dear ImGui")
  target_link_libraries(weft_${room} PRIVATE imgui
    $<IF:$<BOOL:${WEFT_STB_LIBRARY}>,${WEFT_STB_LIBRARY},PkgConfig::IMGUI>)
  set_target_properties(weft_${room} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
