/* weft_kit/weft_kit.h: everything of weft::kit. */
#ifndef WEFT_KIT_H
#define WEFT_KIT_H

#include <weft_kit/export.h>
#include <weft_kit/fit.h>
#include <weft_kit/import.h>
#include <weft_kit/layers.h>
#include <weft_kit/motion.h>
#include <weft_kit/scene.h>
#include <weft_kit/source.h>
#include <weft_kit/untangle.h>

#endif
