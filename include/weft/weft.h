/* weft/weft.h: everything of weft::core. weft_kit/weft_kit.h has files, motions and preparation,
 * weft_gl/gl.h the GPU. */
#ifndef WEFT_H
#define WEFT_H

#include <weft/body.h>
#include <weft/change.h>
#include <weft/log.h>
#include <weft/memory.h>
#include <weft/mesh.h>
#include <weft/model.h>
#include <weft/solver.h>
#include <weft/structure.h>
#include <weft/types.h>
#include <weft/version.h>

#endif
