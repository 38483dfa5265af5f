// A ribbon in the colour of its batch.
#include "render/film.glsl"
#include "render/map.glsl"

flat in uint ribbon;
out vec4 colour;

void main() { colour = vec4(before_film(linear_of_rgb(ribbon)), 1.0); }
