// panel.cpp: the panels, by Dear ImGui and its OpenGL 3 backend; input comes from our own window,
// so that nothing here needs libglfw. The one C++ file: its only data are in ui_state.h.
#include "panel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "figures.h"
#include "font.h"
#include "param.h"

struct weft_demo_panel {
  ImGuiContext *context;
  float font;                // pixels
  bool held[3], clicked[3];  // a click shorter than a picture still counts
  bool list_open, close_list;
  int size_typed;  // taken when done
  bool size_active;
  void (*place)(const char *name, double x, double y);
  std::map<std::string, ImVec2> places;  // of what can be clicked, as last told
};

namespace {

const ImVec4 warning(1.0f, 0.72f, 0.25f, 1), good(0.45f, 0.9f, 0.5f, 1), bad(1, 0.4f, 0.35f, 1);
const ImVec4 quiet(0.68f, 0.7f, 0.74f, 1), white(1, 1, 1, 1);

weft_demo_panel *drawn;  // the one of the picture that is being made

// In heights of the font: the panels, and where values begin in them.
const float left_wide = 16, right_wide = 18.2f, value_at = 8.2f, chip_gap = 0.3f;

// ---- keys: Dear ImGui asks for its own numbers since 1.87, before that it had a map ----

const struct {
  ImGuiKey theirs;
  int ours;
} key_pairs[] = {
    {ImGuiKey_Tab, WEFT_KEY_TAB},
    {ImGuiKey_LeftArrow, WEFT_KEY_LEFT},
    {ImGuiKey_RightArrow, WEFT_KEY_RIGHT},
    {ImGuiKey_UpArrow, WEFT_KEY_UP},
    {ImGuiKey_DownArrow, WEFT_KEY_DOWN},
    {ImGuiKey_Home, WEFT_KEY_HOME},
    {ImGuiKey_End, WEFT_KEY_END},
    {ImGuiKey_Delete, WEFT_KEY_DELETE},
    {ImGuiKey_Backspace, WEFT_KEY_BACKSPACE},
    {ImGuiKey_Enter, WEFT_KEY_ENTER},
    {ImGuiKey_KeyPadEnter, WEFT_KEY_KEYPAD_ENTER},
    {ImGuiKey_Escape, WEFT_KEY_ESCAPE},
    {ImGuiKey_A, 'A'},
    {ImGuiKey_C, 'C'},
    {ImGuiKey_V, 'V'},
    {ImGuiKey_X, 'X'},
    {ImGuiKey_Z, 'Z'},
};

void style(float font) {
  ImGuiStyle &s = ImGui::GetStyle();
  ImGui::StyleColorsDark(&s);
  s.WindowBorderSize = 0;
  s.FrameRounding = 3;
  s.WindowPadding = ImVec2(9, 8);
  s.ItemSpacing = ImVec2(6, 4);
  s.FramePadding = ImVec2(5, 2);
  s.ScrollbarSize = 10;
  s.Colors[ImGuiCol_WindowBg] = ImVec4(0.09f, 0.10f, 0.12f, 1);
  s.Colors[ImGuiCol_Header] = ImVec4(0.20f, 0.30f, 0.42f, 0.9f);
  s.Colors[ImGuiCol_SliderGrab] = ImVec4(0.26f, 0.59f, 0.98f, 0.55f);
  s.Colors[ImGuiCol_PlotLines] = ImVec4(0.55f, 0.8f, 1, 1);
  s.ScaleAllSizes(font / 15);
}

// ---- small pieces ----

float em() { return ImGui::GetFontSize(); }

// Where the last item is, for those who click by program.
void told(const std::string &name) {
  if (!ImGui::IsItemVisible()) return;
  ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImVec2 at(std::floor((low.x + high.x) / 2), std::floor((low.y + high.y) / 2));
  ImVec2 &last = drawn->places[name];
  if (last.x == at.x && last.y == at.y) return;
  last = at;
  drawn->place(name.c_str(), double(at.x), double(at.y));
}

// Of the item before.
void tooltip(const char *text) {
  if (!text || !*text || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  std::string one(text);  // lines end where it fits
  std::replace(one.begin(), one.end(), '\n', ' ');
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(em() * 24);
  ImGui::TextUnformatted(one.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool button(weft_demo_ui *ui, const char *label, weft_demo_action action, const char *help) {
  bool pressed = ImGui::Button(label);
  told(label);
  tooltip(help);
  if (pressed) ui->asked[action] = true;
  return pressed;
}

void wrapped(const ImVec4 &colour, const char *text) {
  ImGui::PushTextWrapPos();
  ImGui::TextColored(colour, "%s", text);
  ImGui::PopTextWrapPos();
}

// At the right edge, so that digits keep their places.
void right_text(const ImVec4 &colour, const char *text, float room = 0) {
  float wide = ImGui::CalcTextSize(text).x, edge = ImGui::GetContentRegionMax().x - room;
  ImGui::SameLine(std::max(edge - wide, 0.0f));
  ImGui::TextColored(colour, "%s", text);
}

void line(const char *name, const char *value, const ImVec4 &colour = white) {
  ImGui::TextColored(quiet, "%s", name);
  right_text(colour, value);
}

void figure(const char *name, double value, const char *unit, const ImVec4 &colour = white) {
  char text[WEFT_DEMO_FIGURE];
  weft_demo_figure_of(text, value, unit);
  line(name, text, colour);
}

void count(const char *name, double value, const char *of) {
  char text[WEFT_DEMO_FIGURE + 32];
  weft_demo_figure(text, std::floor(value));
  if (value < 999.5) std::snprintf(text, sizeof text, "%.0f", value);
  line(name, (std::string(text) + of).c_str());
}

void label_of(const char *label) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine(em() * value_at);
  ImGui::SetNextItemWidth(-1);
}

// A path is known by its end.
std::string short_name(const char *name) {
  const char *slash = std::strrchr(name, '/');
  std::string text(slash ? slash + 1 : name);
  return text.size() > 17 ? text.substr(0, 7) + "..." + text.substr(text.size() - 7) : text;
}

// A list; with `own` in front, which is -1.
bool choose(const char *name, const char *own, const char *const *names, int many, int *value) {
  bool changed = false;
  std::string id = std::string("##") + name;
  std::string now = *value < 0 ? own : short_name(names[*value]);
  bool open = ImGui::BeginCombo(id.c_str(), now.c_str(), ImGuiComboFlags_HeightLarge);
  told(name);
  if (!open) return false;
  drawn->list_open = true;
  for (int k = own ? -1 : 0; k < many; ++k) {
    if (ImGui::Selectable(k < 0 ? own : short_name(names[k]).c_str(), k == *value)) {
      changed = k != *value;
      *value = k;
    }
    told(k < 0 ? own : names[k]);
    if (k == *value && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  }
  if (drawn->close_list) ImGui::CloseCurrentPopup();
  ImGui::EndCombo();
  return changed;
}

// Choices that are all seen; the one that holds is bright.
bool chips(const char *const *names, int many, int now, int *value) {
  bool changed = false;
  float room = ImGui::GetContentRegionMax().x;
  for (int k = 0; k < many; ++k) {
    const ImGuiStyle &s = ImGui::GetStyle();
    float wide = ImGui::CalcTextSize(names[k]).x + 2 * s.FramePadding.x;
    if (k > 0) {
      ImGui::SameLine(0, em() * chip_gap);
      if (ImGui::GetCursorPosX() + wide > room) ImGui::NewLine();
    }
    ImGui::PushStyleColor(ImGuiCol_Button, k == now ? ImVec4(0.26f, 0.59f, 0.98f, 0.9f)
                                                    : ImVec4(0.22f, 0.25f, 0.30f, 1));
    if (ImGui::Button(names[k])) {
      *value = k;
      changed = true;
    }
    told(names[k]);
    ImGui::PopStyleColor();
  }
  return changed;
}

bool section(const char *name, bool open) {
  bool is = ImGui::CollapsingHeader(name, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  told(name);
  return is;
}

void curve(const weft_demo_ui *ui, int row, const char *name, const char *unit) {
  const float *v = ui->history.values[row];
  int n = int(ui->history.count);
  if (n < 1) return;
  float low = *std::min_element(v, v + n), high = *std::max_element(v, v + n);
  figure(name, double(v[n - 1]), unit);
  if (n < 2) return;
  std::string id = std::string("##plot ") + name;
  ImGui::PlotLines(id.c_str(), v, n, 0, nullptr, low, high > low ? high : low + 1e-6f,
                   ImVec2(ImGui::GetContentRegionAvail().x, em() * 1.8f));
}

// ---- left: what comes out ----

void proof_part(weft_demo_ui *ui) {
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0.13f, 0.42f, 0.24f, 1));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImVec4(0.17f, 0.54f, 0.31f, 1));
  const char *label = "compare every bit\nwith the reference";
  if (ImGui::Button(label, ImVec2(-1, 0))) ui->asked[WEFT_DEMO_VALIDATE] = true;
  told("compare");
  tooltip(
      "key d: the last frames run once more, here and in plain C on one thread, and every bit of "
      "positions and velocities is compared after each substep");
  ImGui::PopStyleColor(2);
  if (*ui->verdict) wrapped(ui->verdict_good ? good : bad, ui->verdict);
  if (*ui->hash) wrapped(quiet, ui->hash);
}

void speed_part(const weft_demo_ui *ui) {
  bool slow = ui->too_slow;
  figure("pictures", ui->pictures_per_second, "/s");
  if (ui->solver_ms > 0) figure("solver, a frame", 1e-3 * ui->solver_ms, "s");
  if (ui->render_ms > 0) figure("drawing, a picture", 1e-3 * ui->render_ms, "s");
  char text[WEFT_DEMO_FIGURE + 32], part[WEFT_DEMO_FIGURE];
  weft_demo_figure(part, ui->paused ? 0 : ui->achieved);
  std::snprintf(text, sizeof text, "%s x real time", part);
  line(slow ? "slow motion" : "speed", ui->paused ? "paused" : text, slow ? warning : white);
  if (slow) tooltip("this machine is too slow for real time; the step stays the same");
  figure("projections", ui->projections_per_second, "/s");
}

// A row of the table: milliseconds of a frame, and their part of all that is done for one.
void time_row(const char *name, double ms, double all, const ImVec4 &colour) {
  char text[32];
  ImGui::TextColored(colour, "%s", name);
  std::snprintf(text, sizeof text, "%.3f", ms);
  right_text(colour, text, em() * 3);
  std::snprintf(text, sizeof text, "%.0f %%", all > 0 ? 100 * ms / all : 0);
  right_text(colour, text);
}

void times_part(const weft_demo_ui *ui) {
  double solver = ui->passes_whole_ms, all = solver + ui->render_ms_a_frame;
  if (ui->pass_count == 0) {
    ImGui::TextColored(quiet, ui->paused ? "nothing runs: no times" : "measuring ...");
    return;
  }
  ImGui::TextColored(quiet, "ms a frame, part of all");
  for (uint32_t k = 0; k < ui->pass_count; ++k) {
    time_row(ui->passes[k].name, ui->passes[k].ms, all, quiet);
  }
  time_row("other", std::max(0.0, solver - ui->passes_ms), all, quiet);
  time_row("solver", solver, all, white);
  time_row("drawing", ui->render_ms_a_frame, all, white);
}

void picked_part(const weft_demo_ui *ui) {
  const weft_demo_picked &p = ui->particle;
  const weft_vec3 &v = p.velocity;
  char text[96];
  ImGui::TextColored(warning, "particle %u%s", p.number,
                     p.attached            ? ", attached"
                     : p.inverse_mass == 0 ? ", pinned"
                                           : "");
  std::snprintf(text, sizeof text, "%.3f %.3f %.3f m", double(p.at.x), double(p.at.y),
                double(p.at.z));
  line("at", text);
  figure("speed", std::sqrt(double(v.x * v.x + v.y * v.y + v.z * v.z)), "m/s");
  if (p.inverse_mass > 0) figure("mass", 1e3 / double(p.inverse_mass), "g");
  if (p.edges) figure("largest strain", 100 * double(p.strain), "%");
  count("neighbours", double(p.neighbours), "");
  if (p.near) count("near it", double(p.near), "");
  line("contact", p.touches_collider && p.touches_particle ? "collider, particle"
                  : p.touches_collider                     ? "with a collider"
                  : p.touches_particle                     ? "with a particle"
                                                           : "none");
}

void theory_part(weft_demo_ui *ui) {
  if (!ui->has_theory) return;
  bool trails = ui->shows_trails, analytic = ui->shows_analytic;
  if (ui->apart >= 0) {
    figure("from theory", ui->apart, "m");
  } else {
    wrapped(quiet, "theory has nothing to say here");
  }
  ui->asked[WEFT_DEMO_TRAILS] |= ImGui::Checkbox("trails", &trails);
  ImGui::SameLine();
  ui->asked[WEFT_DEMO_ANALYTIC] |= ImGui::Checkbox("theory", &analytic);
}

// Of the last frame; what should never happen only where it did.
void self_figures(const weft_demo_ui *ui) {
  const weft_metrics &m = ui->metrics;
  if (!ui->measured || !ui->params.self_collision) return;
  const struct {
    const char *name;
    uint32_t count;
  } rare[] = {{"redetections", m.self_detections},
              {"pairs uncertain", m.self_uncertain},
              {ui->body_count ? "pins, bodies held back" : "pins held back", m.self_driven},
              {"substeps paused", m.self_pauses},
              {"for want of room", m.self_overflows}};
  count("pairs near", m.self_pairs / double(ui->params.substeps), " a substep");
  count("motions cut", double(m.self_limited), " a frame");
  for (const auto &row : rare) {
    if (row.count) count(row.name, double(row.count), " a frame");
  }
  if (ui->still.count) {
    wrapped(warning, ui->still_text);
  }
  if (m.self_tangled) count("start tangled", double(m.self_tangled), " triangles");
  if (m.body_inside) count("inside bodies", double(m.body_inside), " particles");
  if (m.body_held) figure("bodies held back by", m.body_held_most, "m");
}

void stretch_words(const weft_demo_ui *ui) {
  const weft_params &p = ui->params;
  char text[160];
  if (!ui->takes_cloth) return;
  std::string all = std::to_string(p.substeps) + (p.substeps == 1 ? " substep" : " substeps");
  const struct {
    uint32_t count;
    const char *one, *many;
  } parts[] = {{p.line_sweeps, "line sweep", "line sweeps"},
               {p.lra, "attachment", "attachments"},
               {p.multilevel == WEFT_ALL_LEVELS ? 0 : p.multilevel, "level", "levels"}};
  for (const auto &part : parts) {
    if (part.count == 0) continue;
    std::snprintf(text, sizeof text, ", %u %s", part.count, part.count == 1 ? part.one : part.many);
    all += text;
  }
  if (p.multilevel == WEFT_ALL_LEVELS) all += ", all levels";
  if (!p.line_sweeps && !p.lra && !p.multilevel) all += ", plain sweep";
  if (ui->strain_limit > 0) {
    weft_demo_promise(text, ui->strain_limit, ui->measured ? ui->metrics.strain_threads_p99 : 0);
    all += text;
  }
  wrapped(quiet, all.c_str());
}

void state_part(weft_demo_ui *ui) {
  const weft_metrics &m = ui->metrics;
  if (ui->measured) {
    bool over = ui->strain_limit > 0 && m.strain_threads_p99 > ui->strain_limit;
    figure("strain, mean", 100 * m.strain_mean, "%");
    figure("99 % below", 100 * m.strain_threads_p99, "%", over ? warning : white);
    curve(ui, WEFT_DEMO_STRAIN_MAX, "largest strain", "%");
    stretch_words(ui);
    curve(ui, WEFT_DEMO_KINETIC, "kinetic energy", "J");
    curve(ui, WEFT_DEMO_POTENTIAL, "potential energy", "J");
    figure("largest speed", m.max_speed, "m/s");
    self_figures(ui);
  }
  theory_part(ui);
}

// ---- right: what can be changed ----

void scene_part(weft_demo_ui *ui) {
  int scene = int(ui->choice.scene), view = int(ui->view);
  label_of("scene");
  if (choose("scene", nullptr, ui->scenes, int(ui->scene_count), &scene)) ui->scene_asked = scene;
  label_of("view");
  if (choose("view", nullptr, ui->views, int(ui->view_count), &view)) ui->view = uint32_t(view);
  if (ui->batch_count) {
    label_of("batch");
    ImGui::SliderInt("##batch", &ui->batch, -1, int(ui->batch_count) - 1,
                     ui->batch < 0 ? "all" : "%d");
    ui->batch = std::clamp(ui->batch, -1, int(ui->batch_count) - 1);
  }
  static const char *const qualities[] = {"fine", "plain", "coarse"};
  char own[48];
  std::snprintf(own, sizeof own, "auto: %s", qualities[ui->drawn]);
  label_of("drawing");
  choose("drawing", own, qualities, 3, &ui->quality);
  button(ui, ui->paused ? "go on" : "pause", WEFT_DEMO_PAUSE, "key space");
  ImGui::SameLine();
  button(ui, "frame", WEFT_DEMO_STEP, "key n: one frame");
  ImGui::SameLine();
  button(ui, "reset", WEFT_DEMO_RESET, "key r: back to the start");
  ImGui::SameLine();
  button(ui, "camera", WEFT_DEMO_CAMERA, "key c: back to where the scene put it");
  button(ui, "-", WEFT_DEMO_SLOWER, "key comma: half the speed");
  ImGui::SameLine(0, em() * chip_gap);
  button(ui, "+", WEFT_DEMO_FASTER, "key full stop: twice the speed");
  ImGui::SameLine();
  ImGui::TextColored(quiet, "speed %.3g, %.2f s", ui->speed, ui->time);
  std::string frame = "frame " + std::to_string(ui->frame);
  tooltip(frame.c_str());
  ImGui::SameLine();
  ImGui::Checkbox("pins", &ui->show_pins);
  told("pins");
  tooltip("key m: marks at pinned particles always, not only near the mouse");
}

bool fabric_part(weft_demo_ui *ui) {
  weft_demo_choice *c = &ui->choice;
  int fabric = c->fabric;
  if (!chips(ui->fabrics, int(ui->fabric_count), fabric, &fabric)) return false;
  c->fabric = fabric == c->fabric ? -1 : fabric;  // once more: the scene's
  std::fill(c->softened, c->softened + 3, false);
  return true;
}

bool preset_part(weft_demo_ui *ui) {
  static const char *const winds[] = {"calm", "breeze", "storm"};
  static const char *const strains[] = {"plain", "default", "firm"};
  bool edited = ui->takes_cloth && fabric_part(ui);
  int asked = -1;
  if (ui->takes_air) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(quiet, "wind");
    ImGui::SameLine(em() * 3.4f);
    if (chips(winds, WEFT_DEMO_WIND_COUNT, ui->wind_now, &asked)) {
      ui->wind_asked = asked;
      edited = true;
    }
    ImGui::SameLine(0, em() * chip_gap);
    button(ui, "gust", WEFT_DEMO_GUST, "key g: a gust away from the camera");
  }
  if (ui->takes_cloth) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(quiet, "strain");
    ImGui::SameLine(em() * 3.4f);
    if (chips(strains, WEFT_DEMO_STRAIN_COUNT, ui->strain_now, &asked)) {
      ui->strain_asked = asked;
      edited = true;
    }
  }
  ui->restore |= ImGui::Button("scene's own values");
  told("restore");
  tooltip("everything as the scene has it; restarts");
  return edited;
}

bool size_row(weft_demo_ui *ui) {
  int &typed = drawn->size_typed;
  if (!drawn->size_active) typed = int(ui->choice.size);
  label_of("size (restarts)");
  ImGui::InputInt("##size", &typed, 8, 32);
  drawn->size_active = ImGui::IsItemActive();
  bool done = ImGui::IsItemDeactivatedAfterEdit();
  told("size");
  tooltip(ui->hint ? ui->hint("size") : nullptr);
  uint32_t size = uint32_t(std::clamp(typed, 4, 1024));
  if (!done || size == ui->choice.size) return false;
  ui->choice.size = size;
  return true;
}

bool compliance_rows(weft_demo_ui *ui) {
  static const char *const names[] = {"stretch", "shear", "bends"};
  static const char *const formats[] = {"%.3g m/N", "%.3g m/N", "%.0f 1/(N m)"};
  weft_demo_choice *c = &ui->choice;
  bool edited = false;
  for (int k = 0; k < 3; ++k) {
    float value = c->compliance[k];
    std::string id = std::string("##") + names[k];
    label_of(names[k]);
    bool moved = ImGui::SliderFloat(id.c_str(), &value, k == 2 ? 1.0f : 1e-6f, k == 2 ? 1e7f : 1.0f,
                                    formats[k], ImGuiSliderFlags_Logarithmic);
    ui->held |= ImGui::IsItemActive();
    tooltip(ui->hint ? ui->hint("compliance") : nullptr);
    if (!moved) continue;
    c->compliance[k] = std::clamp(value, k == 2 ? 1e-3f : 0.0f, 1e12f);
    c->softened[k] = edited = true;
  }
  return edited;
}

bool cloth_part(weft_demo_ui *ui) {
  weft_demo_choice *c = &ui->choice;
  bool edited = ui->takes_size && size_row(ui);
  if (!ui->takes_cloth) return edited;
  label_of("bending");
  edited |= choose("bending", "scene's own", ui->bendings, int(ui->bending_count), &c->bending);
  tooltip(ui->hint ? ui->hint("bending") : nullptr);
  return compliance_rows(ui) || edited;
}

// The widget of a parameter; true: moved.
bool widget(const weft_param_info &p, const char *id, weft_params *params) {
  void *at = reinterpret_cast<char *>(params) + p.offset;
  const auto &panel = p.panel;
  if (p.kind == WEFT_KIND_REAL) {
    std::string format = std::string("%.3g") + (*panel.unit ? " " : "") + panel.unit;
    return ImGui::SliderFloat(id, static_cast<float *>(at), panel.low, panel.high, format.c_str());
  }
  if (p.kind == WEFT_KIND_VEC3) {
    float step = (panel.high - panel.low) / 400;
    return ImGui::DragFloat3(id, static_cast<float *>(at), step, 0, 0, "%.1f");
  }
  if (p.kind == WEFT_KIND_FLAG) return ImGui::Checkbox(id, static_cast<bool *>(at));
  if (p.kind == WEFT_KIND_CHOICE) {
    int value, many = 0;
    std::memcpy(&value, at, sizeof value);
    while (p.choices[many]) many++;
    bool changed = choose(p.option, nullptr, p.shown[0] ? p.shown : p.choices, many, &value);
    std::memcpy(at, &value, sizeof value);
    return changed;
  }
  uint32_t low = uint32_t(panel.low), high = uint32_t(panel.high);
  return ImGui::SliderScalar(id, ImGuiDataType_U32, at, &low, &high, "%u");
}

bool parameter(weft_demo_ui *ui, const weft_param_info &p) {
  std::string id = std::string("##") + p.option;
  std::string label = p.panel.label;
  if (p.kind == WEFT_KIND_VEC3) label += std::string(", ") + p.panel.unit;
  label_of(label.c_str());
  bool moved = widget(p, id.c_str(), &ui->params);
  ui->held |= ImGui::IsItemActive();
  if (p.kind != WEFT_KIND_CHOICE) told(std::string("--") + p.option);
  tooltip(p.help);
  return moved;
}

bool max_strain_row(weft_demo_ui *ui) {
  label_of("at most");
  bool moved = ImGui::SliderFloat("##max-strain", &ui->max_strain, 0, 10,
                                  ui->max_strain > 0 ? "%.2f %%" : "as the fabric",
                                  ImGuiSliderFlags_Logarithmic);
  ui->held |= ImGui::IsItemActive();
  told("--max-strain");
  tooltip(ui->hint ? ui->hint("max-strain") : nullptr);
  return moved;
}

// A value of a body; `none`: what 0 means, or nothing.
bool body_slider(weft_demo_ui *ui, uint32_t index, const char *label, const char *option,
                 float *value, float high, const char *format, const char *none) {
  std::string name = "body " + std::to_string(index) + " " + label, id = "##" + name;
  label_of(label);
  bool moved = ImGui::SliderFloat(id.c_str(), value, 0, high, none && *value == 0 ? none : format);
  ui->held |= ImGui::IsItemActive();
  told(name);
  tooltip(ui->hint ? ui->hint(option) : nullptr);
  if (moved) *value = std::clamp(*value, 0.0f, high);
  return moved;
}

// How it is seen changes nothing of what runs.
void body_shown(weft_demo_body *body, uint32_t index) {
  bool shown = !body->hidden;
  std::string name = "body " + std::to_string(index) + " shown";
  label_of("shown");
  ImGui::Checkbox(("##" + name).c_str(), &shown);
  told(name);
  body->hidden = !shown;
}

bool body_rows(weft_demo_ui *ui) {
  bool moved = false;
  for (uint32_t k = 0; k < ui->body_count; ++k) {
    weft_demo_body *body = &ui->bodies[k];
    ImGui::TextColored(warning, "%s", *body->name ? short_name(body->name).c_str() : "body");
    body_shown(body, k);
    moved |= body_slider(ui, k, "static friction", "body-friction", &body->friction_static, 2,
                         "%.3g", nullptr);
    moved |= body_slider(ui, k, "sliding friction", "body-friction", &body->friction_dynamic, 2,
                         "%.3g", nullptr);
    moved |= body_slider(ui, k, "thickness", "body-thickness", &body->thickness, 0.02f, "%.4f m",
                         "as the cloth");
  }
  return moved;
}

bool friction_rows(weft_demo_ui *ui) {
  bool moved = false;
  const struct {
    const char *label;
    float *value;
  } rows[] = {{"static friction", &ui->friction_static},
              {"sliding friction", &ui->friction_dynamic}};
  for (const auto &row : rows) {
    std::string id = std::string("##collider ") + row.label;
    label_of(row.label);
    moved |= ImGui::SliderFloat(id.c_str(), row.value, 0, 2, "%.3g");
    ui->held |= ImGui::IsItemActive();
    tooltip(ui->hint ? ui->hint("friction") : nullptr);
  }
  return moved;
}

bool wanted(const weft_demo_ui *ui, uint32_t index) {
  switch (index) {
    case WEFT_PARAM_contact_static:
    case WEFT_PARAM_contact_iterations:
      return ui->takes_contact;
    case WEFT_PARAM_wind:
    case WEFT_PARAM_gust:
    case WEFT_PARAM_air_density:
      return ui->takes_air;
    case WEFT_PARAM_substeps:
    case WEFT_PARAM_iterations:
      return true;
    case WEFT_PARAM_self_collision:
      return ui->body_count == 0;  // which need it
    case WEFT_PARAM_lra_slack:
      return ui->takes_air && ui->params.lra > 0;
    case WEFT_PARAM_multilevel_sweeps:
    case WEFT_PARAM_multilevel_slack:
      return ui->takes_air && ui->params.multilevel > 0;
    default:
      return weft_param_infos[index].panel.part != WEFT_PANEL_STRETCH || ui->takes_air;
  }
}

bool rows_of(weft_demo_ui *ui, weft_panel_part part) {
  bool edited = false;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const weft_param_info &p = weft_param_infos[k];
    if (p.panel.part == part && wanted(ui, k)) edited |= parameter(ui, p);
  }
  return edited;
}

void settings_part(weft_demo_ui *ui, bool roomy) {
  bool edited = preset_part(ui);
  if ((ui->takes_size || ui->takes_cloth) && section(ui->takes_cloth ? "cloth" : "size", roomy))
    edited |= cloth_part(ui);
  if (section(ui->takes_air ? "wind, weight, damping" : "weight, damping", roomy)) {
    edited |= rows_of(ui, WEFT_PANEL_AIR);
    if (ui->has_colliders) edited |= friction_rows(ui);
  }
  if (section(ui->takes_air ? "against stretch" : "substeps", roomy)) {
    if (ui->takes_cloth) edited |= max_strain_row(ui);
    edited |= rows_of(ui, WEFT_PANEL_STRETCH);
  }
  if (ui->takes_air && section("self", false)) edited |= rows_of(ui, WEFT_PANEL_SELF);
  if (ui->body_count && section("bodies", roomy)) edited |= body_rows(ui);
  if (section("solver", false)) edited |= rows_of(ui, WEFT_PANEL_SOLVER);
  ui->edited |= edited;
}

// ---- windows ----

const ImGuiWindowFlags fixed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar |
                               ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                               ImGuiWindowFlags_NoFocusOnAppearing;

// At the edge of the window, from top to bottom.
void dock(float x, float wide, float high) {
  ImGui::SetNextWindowPos(ImVec2(x, 0), ImGuiCond_Always);
  ImGui::SetNextWindowSize(ImVec2(wide, high), ImGuiCond_Always);
}

void settings_window(weft_demo_ui *ui, float font, float width, float height) {
  dock(width - right_wide * font, right_wide * font, height);
  ImGui::Begin("settings", nullptr, fixed);
  scene_part(ui);
  ImGui::Separator();
  settings_part(ui, height > 46 * font);
  ImGui::TextColored(quiet, "h: all keys    i: hide the panels");
  ImGui::End();
}

void figures_window(weft_demo_ui *ui, float font, float height) {
  dock(0, left_wide * font, height);
  ImGui::Begin("figures", nullptr, fixed);
  wrapped(white, ui->title);
  wrapped(quiet, ui->runs);
  proof_part(ui);
  if (section("speed", true)) speed_part(ui);
  if (ui->particle.known && section("picked particle", true)) picked_part(ui);
  if (section("state", true)) state_part(ui);
  ImGui::SetNextItemOpen(ui->show_times);
  ui->show_times = section("passes (f)", false);
  if (ui->show_times) times_part(ui);
  ImGui::End();
}

// In the middle of what the panels leave free.
void banner(const char *id, const char *text, const ImVec4 &colour, float left, float width,
            float top) {
  float most = width - 2 * em();
  ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, most);
  ImGui::SetNextWindowPos(ImVec2(left + width / 2, top), ImGuiCond_Always, ImVec2(0.5f, 0));
  ImGui::SetNextWindowBgAlpha(0.8f);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + size.x + 1);
  ImGui::TextColored(colour, "%s", text);
  ImGui::PopTextWrapPos();
  ImGui::End();
}

void banners(const weft_demo_ui *ui, float left, float width) {
  float top = em() * 0.7f;
  if (*ui->message) {
    banner("message", ui->message, bad, left, width, top);
  } else if (*ui->notice) {
    banner("notice", ui->notice, good, left, width, top);
  } else if (ui->paused) {
    banner("paused", "paused: space goes on", quiet, left, width, top);
  }
}

void answer(weft_demo_ui *ui, const char *label, weft_demo_answer means, const char *key) {
  if (ImGui::Button(label)) ui->answer = means;
  told(label);
  tooltip(key);
}

void question_window(weft_demo_ui *ui, float left, float width, float height) {
  float wide = std::min(28 * em(), 0.96f * width);
  ImGui::SetNextWindowPos(ImVec2(left + width / 2, 0.3f * height), ImGuiCond_Always,
                          ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowSize(ImVec2(wide, 0));
  ImGui::Begin("a file was dropped", nullptr,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings);
  wrapped(white, ui->file);
  wrapped(quiet, ui->facts);
  answer(ui, "as cloth", WEFT_DEMO_AS_CLOTH, "key c: it hangs alone, as weft demo FILE has it");
  ImGui::SameLine();
  answer(ui, "as a body", WEFT_DEMO_AS_BODY, "key b: it stands in this scene, as with --body");
  ImGui::SameLine();
  answer(ui, "not at all", WEFT_DEMO_AS_NOTHING, "escape");
  ImGui::TextColored(quiet, "keys: c, b, escape");
  ImGui::End();
}

void help_row(const char *name, const char *text) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(warning, "%s", name);
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", text);
}

bool help_table(const char *id) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_RowBg))
    return false;
  ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, em() * 9);
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

void help_window(weft_demo_ui *ui, float width, float height) {
  ImGui::SetNextWindowPos(ImVec2(width / 2, height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowSize(ImVec2(std::min(36 * em(), 0.96f * width), 0));
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(width, 0.98f * height));
  ImGui::Begin(
      "keys and mouse", &ui->show_help,
      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
  if (help_table("keys")) {
    for (uint32_t k = 0; weft_demo_key_at(k); ++k) {
      help_row(weft_demo_key_at(k)->name, weft_demo_key_at(k)->help);
    }
    for (uint32_t k = 0; weft_demo_gesture_at(k); ++k) {
      help_row(weft_demo_gesture_at(k)->name, weft_demo_gesture_at(k)->help);
    }
    ImGui::EndTable();
  }
  ImGui::End();
}

// A font of this machine, or the one that Dear ImGui carries, in whole multiples of its dots.
void load_font(float size) {
  ImGuiIO &io = ImGui::GetIO();
  char path[1024];
  ImFontConfig config;
  config.OversampleH = 2;
  if (weft_demo_font_file(path, sizeof path) && io.Fonts->AddFontFromFileTTF(path, size, &config)) {
    return;
  }
  config = ImFontConfig();
  config.SizePixels = 13 * std::max(1.0f, std::round(size / 15));
  io.Fonts->AddFontDefault(&config);
}

}  // namespace

// ---- the C interface ----

weft_demo_panel *weft_demo_panel_create(double scale, int height) {
  IMGUI_CHECKVERSION();
  auto *panel = new weft_demo_panel{};
  scale = std::max(scale, 1.0);
  panel->font = float(std::round(scale * std::clamp(10 + height / scale / 155, 14.0, 18.0)));
  panel->context = ImGui::CreateContext();
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendPlatformName = "weft";
  load_font(panel->font);
  style(panel->font);
#if IMGUI_VERSION_NUM < 18700
  for (const auto &pair : key_pairs) io.KeyMap[pair.theirs] = pair.ours;
#endif
  if (!ImGui_ImplOpenGL3_Init("#version 430 core")) {
    ImGui::DestroyContext(panel->context);
    delete panel;
    return nullptr;
  }
  return panel;
}

void weft_demo_panel_destroy(weft_demo_panel *panel) {
  if (!panel) return;
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(panel->context);
  delete panel;
}

bool weft_demo_panel_move(weft_demo_panel *panel, double x, double y) {
  if (!panel) return false;
  ImGuiIO &io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
  io.MousePos = ImVec2(float(x), float(y));
#else
  io.AddMousePosEvent(float(x), float(y));
#endif
  return io.WantCaptureMouse;
}

bool weft_demo_panel_button(weft_demo_panel *panel, int button, bool down) {
  if (!panel || button < 0 || button > 2) return false;
  ImGuiIO &io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
  panel->held[button] = down;
  panel->clicked[button] |= down;
#else
  io.AddMouseButtonEvent(button, down);
#endif
  return io.WantCaptureMouse;
}

bool weft_demo_panel_scroll(weft_demo_panel *panel, double x, double y) {
  if (!panel) return false;
  ImGuiIO &io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
  io.MouseWheelH += float(x);
  io.MouseWheel += float(y);
#else
  io.AddMouseWheelEvent(float(x), float(y));
#endif
  return io.WantCaptureMouse;
}

bool weft_demo_panel_key(weft_demo_panel *panel, int key, bool down, int modifiers) {
  if (!panel) return false;
  ImGuiIO &io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
  if (key >= 0 && key < 512) io.KeysDown[key] = down;
  io.KeyShift = modifiers & WEFT_SHIFT;
  io.KeyCtrl = modifiers & WEFT_CONTROL;
#else
  io.AddKeyEvent(ImGuiMod_Shift, modifiers & WEFT_SHIFT);
  io.AddKeyEvent(ImGuiMod_Ctrl, modifiers & WEFT_CONTROL);
  for (const auto &pair : key_pairs) {
    if (pair.ours == key) io.AddKeyEvent(pair.theirs, down);
  }
#endif
  return io.WantTextInput;
}

bool weft_demo_panel_text(weft_demo_panel *panel, uint32_t codepoint) {
  if (!panel) return false;
  ImGuiIO &io = ImGui::GetIO();
  if (io.WantTextInput) io.AddInputCharacter(codepoint);
  return io.WantTextInput;
}

void weft_demo_panel_sides(const weft_demo_panel *panel, double *left, double *right) {
  if (!panel) return;
  *left = double(left_wide * panel->font);
  *right = double(right_wide * panel->font);
}

bool weft_demo_panel_escape(weft_demo_panel *panel) {
  if (!panel || !panel->list_open || panel->close_list) return false;
  panel->close_list = true;
  return true;
}

void weft_demo_panel_draw(weft_demo_panel *panel, weft_demo_ui *ui, int width, int height,
                          double seconds) {
  if (!panel) return;
  ImGuiIO &io = ImGui::GetIO();
  io.DisplaySize = ImVec2(float(width), float(height));
  io.DeltaTime = std::max(1e-4f, float(seconds));
#if IMGUI_VERSION_NUM < 18700
  for (int b = 0; b < 3; ++b) {
    io.MouseDown[b] = panel->held[b] || panel->clicked[b];
    panel->clicked[b] = false;
  }
#endif
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  drawn = panel;
  panel->place = ui->place;
  panel->list_open = ui->held = false;
  float left = 0, right = 0, wide = float(width), high = float(height);
  if (ui->show_panel) {
    settings_window(ui, panel->font, wide, high);
    figures_window(ui, panel->font, high);
    left = left_wide * panel->font;
    right = right_wide * panel->font;
  }
  panel->close_list = false;
  float between = std::max(wide - left - right, wide / 4);
  banners(ui, left, between);
  if (ui->file) question_window(ui, left, between, high);
  if (ui->show_help) help_window(ui, wide, high);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
