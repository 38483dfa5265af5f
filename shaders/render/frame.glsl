// The uniform blocks of frame.h.
#include "render/frame.h"

layout(std140, binding = WEFT_RENDER_FRAME_BINDING) uniform frame_block {
  weft_render_frame frame;
};
layout(std140, binding = WEFT_RENDER_MATERIAL_BINDING) uniform material_block {
  weft_render_material material;
};
