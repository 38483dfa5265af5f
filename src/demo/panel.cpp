// panel.cpp: the panel, by Dear ImGui and its OpenGL 3 backend; input comes from our own window, so
// that nothing here needs libglfw. The one C++ file: its only data are in ui_state.h.
#include "panel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

struct weft_demo_panel {
  ImGuiContext *context;
  float scale;
  bool held[3], clicked[3];  // a click shorter than a picture still counts
};

namespace {

const ImVec4 warning(1.0f, 0.72f, 0.25f, 1), good(0.45f, 0.9f, 0.5f, 1), bad(1, 0.4f, 0.35f, 1);
const ImVec4 quiet(0.68f, 0.7f, 0.74f, 1);

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

void style(float scale) {
  ImGuiStyle &s = ImGui::GetStyle();
  ImGui::StyleColorsDark(&s);
  s.WindowRounding = 5;
  s.FrameRounding = 3;
  s.WindowPadding = ImVec2(10, 8);
  s.ItemSpacing = ImVec2(7, 5);
  s.Colors[ImGuiCol_WindowBg] = ImVec4(0.09f, 0.10f, 0.12f, 0.93f);
  s.Colors[ImGuiCol_Header] = ImVec4(0.20f, 0.30f, 0.42f, 0.9f);
  s.Colors[ImGuiCol_PlotLines] = ImVec4(0.55f, 0.8f, 1, 1);
  s.ScaleAllSizes(scale);
}

// ---- small pieces ----

bool button(weft_demo_ui *ui, const char *label, weft_demo_action action) {
  bool pressed = ImGui::Button(label);
  if (pressed) ui->asked[action] = true;
  return pressed;
}

void figure(const char *name, const char *format, double value) {
  ImGui::TextColored(quiet, "%s", name);
  ImGui::SameLine(ImGui::GetFontSize() * 11);
  ImGui::Text(format, value);
}

// A list with "scene default" in front, which is -1.
bool choose(const char *label, const char *own, const char *const *names, int count, int *value) {
  bool changed = false;
  if (!ImGui::BeginCombo(label, *value < 0 ? own : names[*value])) return false;
  for (int k = own ? -1 : 0; k < count; ++k) {
    if (ImGui::Selectable(k < 0 ? own : names[k], k == *value)) {
      changed = k != *value;
      *value = k;
    }
  }
  ImGui::EndCombo();
  return changed;
}

bool count_of(const char *label, uint32_t *value, uint32_t low, uint32_t high) {
  int v = int(*value);
  if (!ImGui::InputInt(label, &v)) return false;
  *value = uint32_t(std::clamp(v, int(low), int(high)));
  return true;
}

bool number_of(const char *label, float *value, float low, float high, float step) {
  if (!ImGui::DragFloat(label, value, step, low, high, "%.4g", ImGuiSliderFlags_AlwaysClamp)) {
    return false;
  }
  return true;
}

void curve(const weft_demo_ui *ui, int row, const char *name, const char *unit) {
  const float *v = ui->history.values[row];
  int n = int(ui->history.count);
  if (n < 1) return;
  float low = *std::min_element(v, v + n), high = *std::max_element(v, v + n);
  char text[80];
  std::snprintf(text, sizeof text, "%s %.3g%s (%.3g to %.3g)", name, double(v[n - 1]), unit,
                double(low), double(high));
  ImGui::TextColored(quiet, "%s", text);
  if (n < 2) return;
  char id[24];
  std::snprintf(id, sizeof id, "##plot%d", row);
  ImGui::PlotLines(id, v, n, 0, nullptr, low, high > low ? high : low + 1e-6f,
                   ImVec2(ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 2.2f));
}

// ---- the panel's parts ----

void scene_part(weft_demo_ui *ui) {
  int scene = int(ui->choice.scene);
  if (choose("scene", nullptr, ui->scenes, int(ui->scene_count), &scene)) {
    ui->choice.scene = uint32_t(scene);
    ui->choice.size = 0;
    ui->choice.fabric = ui->choice.bending = -1;
    ui->restore = true;
  }
  int view = int(ui->view);
  if (choose("view", nullptr, ui->views, int(ui->view_count), &view)) {
    ui->view = uint32_t(view);
  }
  if (ui->batch_count) {
    ImGui::InputInt("batch (-1: all)", &ui->batch);
    ui->batch = std::clamp(ui->batch, -1, int(ui->batch_count) - 1);
  }
  static const char *const qualities[] = {"fine", "plain", "coarse"};
  char own[48];
  std::snprintf(own, sizeof own, "by speed (now %s)", qualities[ui->drawn]);
  choose("drawing", own, qualities, 3, &ui->quality);
  button(ui, ui->paused ? "go on" : "pause", WEFT_DEMO_PAUSE);
  ImGui::SameLine();
  button(ui, "one frame", WEFT_DEMO_STEP);
  ImGui::SameLine();
  button(ui, "reset", WEFT_DEMO_RESET);
  ImGui::SameLine();
  button(ui, "gust", WEFT_DEMO_GUST);
  ImGui::SameLine();
  button(ui, "camera", WEFT_DEMO_CAMERA);
  ImGui::Checkbox("pins", &ui->show_pins);
  ImGui::SameLine();
  button(ui, "slower", WEFT_DEMO_SLOWER);
  ImGui::SameLine();
  button(ui, "faster", WEFT_DEMO_FASTER);
  ImGui::SameLine();
  ImGui::Text("speed %.3g x real time", ui->speed);
  ImGui::TextColored(quiet, "%.2f s simulated, frame %llu", ui->time,
                     (unsigned long long)ui->frame);
}

void speed_part(const weft_demo_ui *ui) {
  figure("pictures", "%.1f /s", ui->pictures_per_second);
  figure("solver", "%.4g ms a frame", ui->solver_ms);
  figure("drawing", "%.4g ms a picture", ui->render_ms);
  double p = ui->projections_per_second;
  figure("real time", "%.3g x", ui->paused ? 0 : ui->achieved);
  figure("projections", p >= 1e6 ? "%.1f million/s" : "%.0f /s", p >= 1e6 ? p * 1e-6 : p);
}

// A row of the table: milliseconds of a frame, and their part of all that is done for one.
void time_row(const char *name, double ms, double all, const ImVec4 &colour) {
  float font = ImGui::GetFontSize();
  ImGui::TextColored(colour, "%s", name);
  ImGui::SameLine(font * 11);
  ImGui::TextColored(colour, "%7.3f", ms);
  ImGui::SameLine(font * 15.5f);
  ImGui::TextColored(colour, "%3.0f %%", all > 0 ? 100 * ms / all : 0);
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
  const ImVec4 white(1, 1, 1, 1);
  time_row("solver", solver, all, white);
  time_row("drawing", ui->render_ms_a_frame, all, white);
}

void picked_part(const weft_demo_ui *ui) {
  const weft_demo_picked &p = ui->particle;
  const weft_vec3 &v = p.velocity;
  ImGui::TextColored(warning, "particle %u%s", p.number, p.inverse_mass == 0 ? ", pinned" : "");
  ImGui::Text("at (%.3g, %.3g, %.3g) m", double(p.at.x), double(p.at.y), double(p.at.z));
  figure("speed", "%.3g m/s", std::sqrt(double(v.x * v.x + v.y * v.y + v.z * v.z)));
  figure("inverse mass", "%.4g /kg", double(p.inverse_mass));
  if (p.edges) figure("largest strain", "%+.3g %%", 100 * double(p.strain));
  figure("neighbours", "%.0f", double(p.neighbours));
  if (p.near) figure("near it", "%.0f", double(p.near));
  ImGui::TextColored(quiet, "contact");
  ImGui::SameLine(ImGui::GetFontSize() * 11);
  ImGui::TextUnformatted(p.touches_collider && p.touches_particle ? "collider, particle"
                         : p.touches_collider                     ? "with a collider"
                         : p.touches_particle                     ? "with a particle"
                                                                  : "none");
}

void theory_part(weft_demo_ui *ui) {
  if (!ui->has_theory) return;
  bool trails = ui->shows_trails, analytic = ui->shows_analytic;
  if (ui->apart >= 0) {
    figure("from theory", "%.4g mm", 1000 * ui->apart);
  } else {
    ImGui::TextColored(quiet, "theory has nothing to say here");
  }
  ui->asked[WEFT_DEMO_TRAILS] |= ImGui::Checkbox("trails", &trails);
  ImGui::SameLine();
  ui->asked[WEFT_DEMO_ANALYTIC] |= ImGui::Checkbox("theory beside", &analytic);
}

// Of the last frame; what should never happen only where it did.
void self_part(const weft_demo_ui *ui) {
  const weft_metrics &m = ui->metrics;
  if (!ui->measured || !ui->params.self_collision) return;
  const struct {
    const char *name;
    uint32_t count;
  } rare[] = {{"further looks", m.self_looks},
              {"pairs uncertain", m.self_uncertain},
              {"pins held back", m.self_driven},
              {"substeps paused", m.self_pauses},
              {"for want of room", m.self_overflows}};
  double substeps = double(ui->params.substeps);
  figure("self: pairs", "%.0f a substep", m.self_pairs / substeps);
  figure("motions cut", "%.0f a frame", double(m.self_limited));
  for (const auto &row : rare) {
    if (row.count) figure(row.name, "%.0f a frame", double(row.count));
  }
}

void state_part(weft_demo_ui *ui) {
  const weft_metrics &m = ui->metrics;
  if (ui->measured) {
    figure("strain, mean", "%.3g %%", 100 * m.strain_mean);
    bool over = ui->strain_limit > 0 && m.strain_threads_p99 > ui->strain_limit;
    figure("strain, p99", "%.3g %%", 100 * m.strain_p99);
    if (over) {
      ImGui::SameLine();
      ImGui::TextColored(warning, "over %.3g %%", 100 * ui->strain_limit);
    }
    curve(ui, WEFT_DEMO_STRAIN_MAX, "largest strain", " %");
    curve(ui, WEFT_DEMO_KINETIC, "kinetic energy", " J");
    curve(ui, WEFT_DEMO_POTENTIAL, "potential energy", " J");
    figure("largest speed", "%.3g m/s", m.max_speed);
    self_part(ui);
  }
  theory_part(ui);
}

void proof_part(weft_demo_ui *ui) {
  button(ui, "validate now", WEFT_DEMO_VALIDATE);
  ImGui::SameLine();
  button(ui, "hash of the state", WEFT_DEMO_HASH);
  if (*ui->hash) ImGui::TextUnformatted(ui->hash);
  ImGui::PushTextWrapPos();
  if (*ui->verdict) {
    ImGui::TextColored(ui->verdict_good ? good : bad, "%s", ui->verdict);
  } else {
    ImGui::TextColored(quiet,
                       "runs the last frames once more on the CPU reference and compares "
                       "every bit");
  }
  ImGui::PopTextWrapPos();
}

bool cloth_part(weft_demo_ui *ui) {
  bool edited = false;
  weft_demo_choice *c = &ui->choice;
  if (c->scene < ui->scene_count - 1 || c->size) {
    int size = int(c->size);
    if (ImGui::InputInt("size (0: own)", &size, 16, 64)) {
      c->size = size <= 0 ? 0 : uint32_t(std::clamp(size, 4, 1024));
      edited = true;
    }
  }
  if (ui->takes_cloth) {
    if (choose("fabric", "scene default", ui->fabrics, int(ui->fabric_count), &c->fabric)) {
      edited = true;
      std::fill(c->softened, c->softened + 3, false);
    }
    edited |= choose("bending", "scene default", ui->bendings, int(ui->bending_count), &c->bending);
  }
  return edited;
}

// Rarely wanted, so folded away.
bool compliance_part(weft_demo_choice *c) {
  static const char *const names[] = {"stretch, m/N", "shear, m/N", "bending, 1/(N m)"};
  bool edited = false;
  for (int k = 0; k < 3; ++k) {
    float value = c->compliance[k];
    if (!ImGui::InputFloat(names[k], &value, 0, 0, "%.4g")) continue;
    c->compliance[k] = std::clamp(value, k == 2 ? 1e-3f : 0.0f, 1e12f);
    c->softened[k] = edited = true;
  }
  return edited;
}

bool detail_part(weft_demo_ui *ui) {
  weft_params *p = &ui->params;
  bool edited = ui->takes_cloth && compliance_part(&ui->choice);
  edited |= ImGui::Checkbox("compensated", &p->compensated);
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("positions and velocities as pairs of floats: short substeps pay");
  }
  edited |= number_of("PBD stretch, 0 to 1", &p->pbd_stretch, 1e-6f, 1, 0.005f);
  edited |= number_of("PBD bending, 0 to 1", &p->pbd_bending, 1e-6f, 1, 0.005f);
  edited |= number_of("Jacobi relaxation", &p->relaxation, 1e-3f, 1.333f, 0.005f);
  edited |= count_of("hybrid: least colour", &p->hybrid_min, 0, 1 << 30);
  edited |= ImGui::Checkbox("collide in each iteration", &p->collide_each_iteration);
  edited |= count_of("line sweeps", &p->line_sweeps, 0, 16);
  return edited;
}

bool solver_part(weft_demo_ui *ui) {
  static const char *const modes[] = {"Gauss-Seidel", "Jacobi", "hybrid"};
  static const char *const methods[] = {"XPBD", "PBD"};
  weft_params *p = &ui->params;
  bool edited = false;
  if (ui->takes_cloth) {
    edited |= number_of("max strain, %", &ui->max_strain, 0, 50, 0.01f);
    if (ImGui::IsItemHovered()) {
      ImGui::SetTooltip("chooses substeps, levels, attachments; 0: no limit");
    }
  }
  edited |= count_of("substeps", &p->substeps, 1, 1000);
  if (ui->has_theory && ui->apart >= 0) figure("from theory", "%.4g mm", 1000 * ui->apart);
  edited |= count_of("iterations", &p->iterations, 1, 100);
  int mode = int(p->mode), method = int(p->method);
  edited |= choose("mode", nullptr, modes, 3, &mode);
  edited |= choose("method", nullptr, methods, 2, &method);
  p->mode = weft_mode(mode);
  p->method = weft_method(method);
  edited |= count_of("lra", &p->lra, 0, WEFT_MAX_ATTACHMENTS);
  edited |= number_of("LRA slack", &p->lra_slack, 0, 1, 0.002f);
  edited |= count_of("multilevel", &p->multilevel, 0, WEFT_ALL_LEVELS);
  if (p->multilevel > 0) edited |= count_of("multilevel sweeps", &p->multilevel_sweeps, 1, 20);
  edited |= number_of("damping, 1/s", &p->damping, 0, 50, 0.02f);
  edited |= number_of("global damping, 1/s", &p->global_damping, 0, 50, 0.02f);
  return edited;
}

bool world_part(weft_demo_ui *ui) {
  weft_params *p = &ui->params;
  bool edited = ImGui::InputFloat3("gravity, m/s\xc2\xb2", &p->gravity.x, "%.3g");
  if (edited) p->no_gravity = p->gravity.x == 0 && p->gravity.y == 0 && p->gravity.z == 0;
  edited |= ImGui::InputFloat3("wind, m/s", &p->wind.x, "%.3g");
  edited |= number_of("gusts, 0 to 1", &p->gust, 0, 1, 0.005f);
  edited |= number_of("air, kg/m\xc2\xb3", &p->air_density, 0, 10, 0.01f);
  edited |= number_of("thickness, m", &p->thickness, 0, 0.05f, 0.0001f);
  if (ui->has_colliders) {
    edited |= number_of("friction, static", &ui->friction_static, 0, 2, 0.005f);
    edited |= number_of("friction, sliding", &ui->friction_dynamic, 0, 2, 0.005f);
  }
  if (ui->takes_contact) {
    edited |= number_of("grain friction", &p->contact_static, 0, 2, 0.005f);
    p->contact_dynamic = p->contact_static;
    edited |= count_of("contact iterations", &p->contact_iterations, 1, 50);
  }
  return edited;
}

void settings_part(weft_demo_ui *ui) {
  ImGui::PushItemWidth(ImGui::GetFontSize() * 10.5f);
  bool edited = false;
  if (ImGui::CollapsingHeader("cloth", ImGuiTreeNodeFlags_DefaultOpen)) edited |= cloth_part(ui);
  if (ImGui::CollapsingHeader("solver", ImGuiTreeNodeFlags_DefaultOpen)) {
    edited |= solver_part(ui);
  }
  if (ImGui::CollapsingHeader("world", ImGuiTreeNodeFlags_DefaultOpen)) edited |= world_part(ui);
  if (ImGui::CollapsingHeader("compliance, and more")) edited |= detail_part(ui);
  ImGui::PopItemWidth();
  if (edited) ui->edited = true;
  if (ui->edited) {
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0.75f, 0.45f, 0.1f, 1));
    ui->apply |= ImGui::Button("apply");
    ImGui::PopStyleColor();
  } else {
    ImGui::TextColored(quiet, "(as it runs)");
  }
  ImGui::SameLine();
  ui->restore |= ImGui::Button("scene default values");
}

const ImGuiWindowFlags fixed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar |
                               ImGuiWindowFlags_AlwaysAutoResize |
                               ImGuiWindowFlags_NoFocusOnAppearing;

void limit(float wide, float height, float scale) {
  ImGui::SetNextWindowSizeConstraints(ImVec2(wide * scale, 0),
                                      ImVec2(wide * scale, height - 20 * scale));
}

// To the left what comes out, down to the legend of a view; to the right what can be changed.
void settings_window(weft_demo_ui *ui, float scale, float width, float height) {
  ImGui::SetNextWindowPos(ImVec2(width - 10 * scale, 10 * scale), ImGuiCond_Always, ImVec2(1, 0));
  limit(325, height, scale);
  ImGui::Begin("settings", nullptr, fixed);
  ImGui::TextUnformatted(ui->title);
  ImGui::PushItemWidth(ImGui::GetFontSize() * 14);
  scene_part(ui);
  ImGui::PopItemWidth();
  settings_part(ui);
  ImGui::TextColored(quiet, "h: all keys    i: hide the panels");
  ImGui::End();
}

void figures_window(weft_demo_ui *ui, float scale, float height) {
  ImGui::SetNextWindowPos(ImVec2(10 * scale, 10 * scale), ImGuiCond_Always);
  limit(295, ui->above_legend * height, scale);
  ImGui::Begin("figures", nullptr, fixed);
  ImGui::TextColored(quiet, "solver on %s, drawn by", ui->backend);
  ImGui::TextColored(quiet, "%s", ui->driver);
  if (ImGui::CollapsingHeader("speed", ImGuiTreeNodeFlags_DefaultOpen)) speed_part(ui);
  ImGui::SetNextItemOpen(ui->show_times);
  ui->show_times = ImGui::CollapsingHeader("passes (f)");
  if (ui->show_times) times_part(ui);
  if (ui->particle.known &&
      ImGui::CollapsingHeader("picked particle", ImGuiTreeNodeFlags_DefaultOpen)) {
    picked_part(ui);
  }
  if (ImGui::CollapsingHeader("state", ImGuiTreeNodeFlags_DefaultOpen)) state_part(ui);
  if (ImGui::CollapsingHeader("proof", ImGuiTreeNodeFlags_DefaultOpen)) proof_part(ui);
  ImGui::End();
}

void banner(const char *id, const char *text, const ImVec4 &colour, float width, float top) {
  float most = width * 0.48f;
  ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, most);
  ImGui::SetNextWindowPos(ImVec2(width / 2, top), ImGuiCond_Always, ImVec2(0.5f, 0));
  ImGui::SetNextWindowBgAlpha(0.85f);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + size.x + 1);
  ImGui::TextColored(colour, "%s", text);
  ImGui::PopTextWrapPos();
  ImGui::End();
}

void banners(const weft_demo_ui *ui, float scale, float width) {
  if (*ui->message) {
    banner("message", ui->message, bad, width, 10 * scale);
  } else if (*ui->notice) {
    banner("notice", ui->notice, good, width, 10 * scale);
  } else if (ui->too_slow) {
    char text[128];
    std::snprintf(
        text, sizeof text,
        "this machine is too slow for real time: slow motion, %.2g x, the step stays the same",
        ui->achieved);
    banner("slow", text, warning, width, 10 * scale);
  } else if (ui->paused) {
    banner("paused", "paused: space goes on, n simulates one frame", quiet, width, 10 * scale);
  }
}

void help_row(const char *name, const char *text) {
  ImGui::TextColored(warning, "%s", name);
  ImGui::SameLine(ImGui::GetFontSize() * 13);
  ImGui::TextUnformatted(text);
}

void help_window(weft_demo_ui *ui, float width, float height) {
  ImGui::SetNextWindowPos(ImVec2(width / 2, height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  ImGui::Begin("keys and mouse", &ui->show_help,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse);
  for (uint32_t k = 0; weft_demo_key_at(k); ++k) {
    help_row(weft_demo_key_at(k)->name, weft_demo_key_at(k)->help);
  }
  ImGui::Separator();
  for (uint32_t k = 0; weft_demo_gesture_at(k); ++k) {
    help_row(weft_demo_gesture_at(k)->name, weft_demo_gesture_at(k)->help);
  }
  ImGui::End();
}

}  // namespace

// ---- the C interface ----

weft_demo_panel *weft_demo_panel_create(double density) {
  IMGUI_CHECKVERSION();
  auto *panel = new weft_demo_panel{};
  panel->scale = float(density > 1 ? density : 1);
  panel->context = ImGui::CreateContext();
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendPlatformName = "weft";
  ImFontConfig font;
  font.SizePixels = std::max(13.0f, 13 * panel->scale);
  io.Fonts->AddFontDefault(&font);
  style(panel->scale);
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
  if (ui->show_panel) {
    settings_window(ui, panel->scale, float(width), float(height));
    figures_window(ui, panel->scale, float(height));
  }
  banners(ui, panel->scale, float(width));
  if (ui->show_help) help_window(ui, float(width), float(height));
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
