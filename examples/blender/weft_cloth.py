"""weft in Blender: simulates the active object as cloth, the other selected objects as bodies.

What weft computes comes back on the same object as a Mesh Cache modifier. See README.md beside this file."""

bl_info = {
    "name": "weft cloth",
    "description": "Simulate cloth with weft",
    "author": "the authors of weft",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D viewport > sidebar > weft",
    "category": "Physics",
}

import contextlib
import functools
import glob
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import tempfile
import time

import bpy
import numpy as np

MODIFIER = "weft"
SURFACES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
# Modifiers that move vertices and neither add nor remove any: cloth starts from what they make.
DEFORMING = {
    "ARMATURE", "CAST", "CORRECTIVE_SMOOTH", "CURVE", "DISPLACE", "HOOK", "LAPLACIANDEFORM",
    "LAPLACIANSMOOTH", "LATTICE", "MESH_DEFORM", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH",
    "SURFACE_DEFORM", "VOLUME_DISPLACE", "WARP", "WAVE",
}
# Behind the cloth these would move it a second time.
POSING = {"ARMATURE", "CLOTH", "CURVE", "HOOK", "LATTICE", "MESH_DEFORM", "SOFT_BODY", "SURFACE_DEFORM"}


class Refusal(Exception):
    """A sentence for the user."""


# --- Points: Blender's z points up, weft's y. weft takes world space in metres.


def to_weft(points, matrix, metres):
    world = points @ matrix[:3, :3].T + matrix[:3, 3]
    return metres * np.stack((world[:, 0], world[:, 2], -world[:, 1]), axis=1)


def from_weft(points, matrix, metres):
    world = np.stack((points[:, 0], -points[:, 2], points[:, 1]), axis=1) / metres
    return np.linalg.solve(matrix[:3, :3], (world - matrix[:3, 3]).T).T


def matrix_of(obj):
    return np.array(obj.matrix_world, dtype=np.float64)


# --- Meshes, as they are in the current frame.


@contextlib.contextmanager
def evaluated_mesh(obj, depsgraph):
    evaluated = obj.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    if mesh is None:
        raise Refusal(f"{obj.name} has no surface")
    try:
        yield mesh
    finally:
        evaluated.to_mesh_clear()


def points_of(mesh):
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


def faces_of(mesh, mirrored):
    """Vertices of every face, turned round where the object is mirrored."""
    starts, totals = (np.empty(len(mesh.polygons), dtype=np.int32) for _ in range(2))
    corners = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.polygons.foreach_get("loop_start", starts)
    mesh.polygons.foreach_get("loop_total", totals)
    mesh.loops.foreach_get("vertex_index", corners)
    step = -1 if mirrored else 1
    return [corners[s : s + n][::step] for s, n in zip(starts, totals)]


def group_of(obj, mesh, name):
    """Vertices with at least half the weight in a vertex group."""
    group = obj.vertex_groups.get(name)
    if group is None:
        raise Refusal(f"{obj.name} has no vertex group {name}")
    pinned = [v.index for v in mesh.vertices if any(g.group == group.index and g.weight >= 0.5 for g in v.groups)]
    if not pinned:
        raise Refusal(f"Vertex group {name} of {obj.name} holds no vertex with a weight of 0.5 or more")
    return pinned


# --- Files.


def write_obj(path, points, faces):
    """Vertices in their order, with every digit of a float."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines("v %.9g %.9g %.9g\n" % tuple(p) for p in points)
        file.writelines("f " + " ".join(str(v + 1) for v in face) + "\n" for face in faces)


PC2_HEADER = struct.Struct("<12siiffi")


def pc2_frames(path, count, points):
    """The frames of a point cache as an array, of so many frames of so many points."""
    with open(path, "rb") as file:
        head = PC2_HEADER.unpack(file.read(PC2_HEADER.size))
    if (head[0], head[2], head[5]) != (b"POINTCACHE2\0", points, count):
        raise Refusal(f"weft wrote {head[5]} frames of {head[2]} vertices instead of {count} of {points}")
    return np.memmap(path, dtype="<f4", mode="r", offset=PC2_HEADER.size, shape=(count, points, 3))


def write_pc2(path, frames, count, points):
    """Complete or not at all."""
    with open(path + ".part", "wb") as file:
        file.write(PC2_HEADER.pack(b"POINTCACHE2\0", 1, points, 0.0, 1.0, count))
        for frame in frames:
            file.write(frame.astype("<f4").tobytes())
    os.replace(path + ".part", path)


def file_name(name):
    return re.sub(r"[^\w.-]", "_", name)


def free_name(folder, name):
    """A name that no other object of the run has."""
    path, number = os.path.join(folder, file_name(name)), 1
    while os.path.exists(path + ".obj"):
        number += 1
        path = os.path.join(folder, f"{file_name(name)}-{number}")
    return path


def cache_path(obj):
    """Beside the .blend, or in the session's folder before that is saved."""
    folder = bpy.path.abspath("//weft") if bpy.data.filepath else os.path.join(bpy.app.tempdir, "weft")
    os.makedirs(folder, exist_ok=True)
    taken = {
        os.path.normpath(bpy.path.abspath(m.filepath))
        for other in bpy.data.objects if other != obj
        for m in other.modifiers if m.type == "MESH_CACHE"
    }
    path, number = os.path.join(folder, file_name(obj.name)), 1
    while os.path.normpath(path + ".pc2") in taken:
        number += 1
        path = os.path.join(folder, f"{file_name(obj.name)}-{number}")
    return path + ".pc2"


def size_of(path):
    """0 for what has just got another name."""
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


class Body:
    """A body's mesh in the first frame and, where it moves, a cache of every frame, with times in seconds."""

    def __init__(self, obj, base, scene, depsgraph):
        self.obj, self.mesh_path, self.motion_path = obj, base + ".obj", None
        self.base, self.metres, self.same = base, scene.unit_settings.scale_length, 1
        rate = scene.render.fps / scene.render.fps_base
        self.times = np.arange(scene.frame_end - scene.frame_start + 1) / rate
        matrix = matrix_of(obj.evaluated_get(depsgraph))
        with evaluated_mesh(obj, depsgraph) as mesh:
            self.start = to_weft(points_of(mesh), matrix, self.metres)
            write_obj(self.mesh_path, self.start, faces_of(mesh, np.linalg.det(matrix[:3, :3]) < 0))
        if not len(self.start):
            raise Refusal(f"{obj.name} has no vertices")

    def add_frame(self, depsgraph, frame):
        matrix = matrix_of(self.obj.evaluated_get(depsgraph))
        with evaluated_mesh(self.obj, depsgraph) as mesh:
            points = to_weft(points_of(mesh), matrix, self.metres)
        if len(points) != len(self.start):
            raise Refusal(
                f"{self.obj.name} has {len(points)} vertices in frame {frame} and {len(self.start)} in the first: "
                "a body keeps its vertices"
            )
        if self.motion_path is None and np.array_equal(points, self.start):
            self.same += 1
            return
        if self.motion_path is None:
            self.begin_motion()
        with open(self.motion_path, "ab") as file:
            file.write(points.astype(">f4").tobytes())

    def begin_motion(self):
        """MDD: big-endian, a time for each frame."""
        self.motion_path = self.base + ".mdd"
        with open(self.motion_path, "wb") as file:
            file.write(struct.pack(">ii", len(self.times), len(self.start)))
            file.write(self.times.astype(">f4").tobytes())
            for _ in range(self.same):
                file.write(self.start.astype(">f4").tobytes())

    def arguments(self, settings):
        arguments = ["--body", self.mesh_path]
        if self.motion_path:
            arguments += ["--body-motion", self.motion_path]
        if settings.set_friction:
            arguments += ["--body-friction", f"{settings.friction:.9g}"]
        return arguments


# --- The place of the cloth in the stack of modifiers.


def modifier_of(obj):
    modifier = obj.modifiers.get(MODIFIER)
    return modifier if modifier and modifier.type == "MESH_CACHE" else None


def place_of(obj):
    """Where the modifier stands or will stand: before everything but what poses the mesh."""
    for index, modifier in enumerate(obj.modifiers):
        if modifier.name == MODIFIER and modifier.type == "MESH_CACHE":
            return index
    index = 0
    while index < len(obj.modifiers) and obj.modifiers[index].type in DEFORMING:
        index += 1
    return index


@contextlib.contextmanager
def modifiers_before(obj, place):
    """The object without the modifiers from this place on."""
    shown = [(m, m.show_viewport) for m in list(obj.modifiers)[place:]]
    try:
        for modifier, _ in shown:
            modifier.show_viewport = False
        yield
    finally:
        for modifier, was in shown:
            modifier.show_viewport = was


def move_modifier(context, obj, index):
    if hasattr(obj.modifiers, "move"):
        obj.modifiers.move(len(obj.modifiers) - 1, index)
        return
    with context.temp_override(object=obj):
        bpy.ops.object.modifier_move_to_index(modifier=MODIFIER, index=index)


def show_cache(context, obj, path, scene):
    modifier = modifier_of(obj)
    if modifier is None:
        place = place_of(obj)
        modifier = obj.modifiers.new(MODIFIER, "MESH_CACHE")
        if modifier.name != MODIFIER:
            obj.modifiers.remove(modifier)
            raise Refusal(f"{obj.name} has another modifier called {MODIFIER}: give it another name")
        move_modifier(context, obj, place)
        modifier = modifier_of(obj)
    modifier.cache_format = "PC2"
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"  # as the object has them
    modifier.time_mode, modifier.play_mode = "FRAME", "SCENE"
    modifier.frame_start, modifier.frame_scale = scene.frame_start, 1
    modifier.filepath = bpy.path.relpath(path) if bpy.data.filepath else path


# --- Settings.


@functools.lru_cache(maxsize=4)
def fabrics_of(program, _changed):
    told = subprocess.run([program, "info"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60).stdout
    rows = re.search(r"^Fabrics.*\n((?:  .*\n?)+)", told, re.M)
    return tuple(row.split()[0] for row in rows.group(1).splitlines()) if rows else ()


def find_fabrics(_settings, context, typed):
    try:
        program = program_of(context)
        return [name for name in fabrics_of(program, os.path.getmtime(program)) if typed in name]
    except (Refusal, OSError, subprocess.SubprocessError):
        return []


class WeftPreferences(bpy.types.AddonPreferences):
    bl_idname = __name__

    program: bpy.props.StringProperty(
        name="Program", subtype="FILE_PATH", default="weft", description="The weft executable, or its name on the PATH"
    )

    def draw(self, _context):
        self.layout.prop(self, "program")


class WeftSettings(bpy.types.PropertyGroup):
    pins: bpy.props.StringProperty(
        name="Pins", description="Vertex group of what is held: vertices with a weight of at least 0.5"
    )
    rule: bpy.props.EnumProperty(
        name="Held",
        description="What is held where no vertex group is named",
        items=[
            ("none", "Nothing", "The cloth falls"),
            ("top", "Top", "The topmost ring, or the highest 2 %"),
            ("corners", "Corners", "Two corners"),
        ],
    )
    pin_to_body: bpy.props.BoolProperty(
        name="Pins Go with Bodies", description="Each pinned vertex goes with the body that is nearest at the start"
    )
    bodies: bpy.props.PointerProperty(
        type=bpy.types.Collection, name="Bodies", description="Bodies besides the other selected objects"
    )
    fabric: bpy.props.StringProperty(
        name="Fabric", description="A measured fabric; empty: weft's default", search=find_fabrics
    )
    self_collision: bpy.props.BoolProperty(
        name="Self-Collision", default=True, description="Cloth does not pass through itself"
    )
    set_friction: bpy.props.BoolProperty(name="Friction", description="Instead of weft's default")
    friction: bpy.props.FloatProperty(
        name="Friction", default=0.4, min=0, max=1000, soft_max=2, description="Of cloth on bodies"
    )
    substeps: bpy.props.IntProperty(
        name="Substeps", default=0, min=0, max=1000, description="Steps of the solver in a frame; 0: as many as the fabric takes"
    )
    dress: bpy.props.FloatProperty(
        name="Dress", default=0, min=0, soft_max=5, unit="TIME_ABSOLUTE",
        description="Seconds in which cloth that starts inside of bodies is brought out of them; 0: it starts as it is",
    )
    backend: bpy.props.EnumProperty(
        name="Backend",
        items=[
            ("auto", "Automatic", "The GPU where there is one, else the processor"),
            ("gl", "GPU", "OpenGL 4.3 compute shaders"),
            ("cpu", "Processor", "All processors, in vectors"),
            ("ref", "Reference", "One processor, slow"),
        ],
    )
    options: bpy.props.StringProperty(
        name="Options", description="More options of weft simulate, as on its command line"
    )


def program_of(context):
    addon = context.preferences.addons.get(__name__)
    wanted = bpy.path.abspath(addon.preferences.program) if addon else "weft"
    found = shutil.which(os.path.expanduser(wanted))
    if not found:
        raise Refusal(f'There is no program "{wanted}": set the path of weft in the panel or the preferences')
    return found


def bodies_of(context, cloth, settings):
    """The other selected objects, and a collection."""
    wanted = [obj for obj in context.selected_objects if obj != cloth and obj.type in SURFACES]
    for obj in settings.bodies.all_objects if settings.bodies else ():
        if obj == cloth or obj in wanted or obj.type not in SURFACES:
            continue
        if not obj.visible_get():
            raise Refusal(f"{obj.name} of the collection {settings.bodies.name} is hidden: show it or take it out")
        wanted.append(obj)
    return wanted


def gravity_of(scene):
    x, y, z = scene.gravity if scene.use_gravity else (0, 0, 0)
    return f"{x:.9g},{z:.9g},{-y:.9g}"


def pin_arguments(pinned):
    """Lists short enough for a command line."""
    for first in range(0, len(pinned), 8192):
        yield from ("--pin", "list:" + ",".join(map(str, pinned[first : first + 8192])))


# --- A simulation.


class Simulation:
    """Work in pieces, so that a window stays alive between them: steps() yields a line for the user and whether it waits."""

    def __init__(self, context):
        self.context, self.scene, self.cloth = context, context.scene, context.object
        self.settings = self.cloth.weft
        self.metres = self.scene.unit_settings.scale_length
        self.count = self.scene.frame_end - self.scene.frame_start + 1
        if self.count < 2:
            raise Refusal("The frame range of the scene has less than two frames")
        self.program = program_of(context)
        self.bodies = bodies_of(context, self.cloth, self.settings)
        self.matrices, self.warnings = [], []
        self.process = None

    def steps(self):
        self.folder = tempfile.mkdtemp(prefix="weft-")
        frame = self.scene.frame_current_final
        try:
            yield from self.export()
            self.scene.frame_set(int(frame), subframe=frame % 1)
            yield from self.run()
            self.take_result()
        finally:
            self.stop()
            self.scene.frame_set(int(frame), subframe=frame % 1)
            shutil.rmtree(self.folder, ignore_errors=True)

    def export(self):
        self.scene.frame_set(self.scene.frame_start)
        self.export_cloth()
        depsgraph = self.context.evaluated_depsgraph_get()
        bodies = [Body(obj, free_name(self.folder, obj.name), self.scene, depsgraph) for obj in self.bodies]
        self.keep_matrix()
        for frame in range(self.scene.frame_start + 1, self.scene.frame_end + 1):
            yield f"weft: reading frame {frame}", False
            self.scene.frame_set(frame)
            depsgraph = self.context.evaluated_depsgraph_get()
            for body in bodies:
                body.add_frame(depsgraph, frame)
            self.keep_matrix()
        self.arguments += [a for body in bodies for a in body.arguments(self.settings)]

    def export_cloth(self):
        settings, place = self.settings, place_of(self.cloth)
        with modifiers_before(self.cloth, place):
            depsgraph = self.context.evaluated_depsgraph_get()
            matrix = matrix_of(self.cloth.evaluated_get(depsgraph))
            with evaluated_mesh(self.cloth, depsgraph) as mesh:
                points = points_of(mesh)
                mirrored = np.linalg.det(matrix[:3, :3]) < 0
                self.path = free_name(self.folder, self.cloth.name) + ".obj"
                write_obj(self.path, to_weft(points, matrix, self.metres), faces_of(mesh, mirrored))
                pinned = group_of(self.cloth, mesh, settings.pins) if settings.pins else None
        self.points = len(points)
        pins = pin_arguments(pinned) if pinned else ("--pin", settings.rule)
        self.arguments = ["simulate", self.path, *pins, *self.option_arguments()]
        for modifier in list(self.cloth.modifiers)[place:]:
            if modifier.type in POSING and modifier.show_viewport:
                self.warnings.append(f"Modifier {modifier.name} moves the simulated cloth: switch it off or put it first")

    def keep_matrix(self):
        matrix = matrix_of(self.cloth.evaluated_get(self.context.evaluated_depsgraph_get()))
        if abs(np.linalg.det(matrix[:3, :3])) < 1e-30:
            raise Refusal(f"{self.cloth.name} is scaled to nothing in frame {self.scene.frame_current}")
        self.matrices.append(matrix)

    def option_arguments(self):
        settings, render = self.settings, self.scene.render
        arguments = ["--frames", str(self.count - 1), "--dt", f"{render.fps_base / render.fps:.9g}"]
        arguments += ["--gravity", gravity_of(self.scene)]
        arguments += ["--self-collision", "on" if settings.self_collision else "off"]
        if settings.pin_to_body:
            arguments += ["--pin-to-body"]
        if settings.fabric:
            arguments += ["--fabric", settings.fabric]
        if settings.substeps:
            arguments += ["--substeps", str(settings.substeps)]
        if settings.dress > 0:
            arguments += [f"--dress={settings.dress:.9g}"]
        if settings.backend != "auto":
            arguments += ["--backend", settings.backend]
        try:
            return arguments + shlex.split(settings.options)
        except ValueError as error:
            raise Refusal(f"Options: {error}") from None

    def run(self):
        self.result, self.summary, errors = (os.path.join(self.folder, f) for f in ("result.pc2", "summary.json", "errors"))
        with open(errors, "wb") as stderr:
            self.process = subprocess.Popen(
                [self.program, *self.arguments, "-o", self.result, "--json", self.summary],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        while self.process.poll() is None:
            yield f"weft: frame {self.written()} of {self.count - 1}", True
        with open(errors, encoding="utf-8", errors="replace") as file:
            told = [line.replace(self.folder + os.sep, "").strip() for line in file if line.strip()]
        if self.process.returncode:
            raise Refusal("\n".join(told) or f"weft ended with status {self.process.returncode}")
        self.warnings += told + self.held_back()

    def held_back(self):
        """Cloth that cannot give way holds bodies back, which are drawn where they want to be."""
        with open(self.summary, encoding="utf-8") as file:
            metrics = json.load(file)["metrics"]
        if not metrics.get("body_held"):
            return []
        most = metrics["body_held_most_m"] / self.metres
        return [f"At the end bodies stand {most:.3g} out of cloth that has no room for them: looser pins or more substeps help"]

    def written(self):
        """Frames in the file that weft is writing, whatever its name is until it is complete."""
        size = max(map(size_of, glob.glob(glob.escape(self.result) + "*")), default=0)
        return max(0, size // (12 * max(self.points, 1)) - 1)

    def take_result(self):
        frames = pc2_frames(self.result, self.count, self.points)
        local = (from_weft(frame.astype(np.float64), m, self.metres) for frame, m in zip(frames, self.matrices))
        path = cache_path(self.cloth)
        write_pc2(path, local, self.count, self.points)
        show_cache(self.context, self.cloth, path, self.scene)
        if not bpy.data.filepath:
            self.warnings.append("The result goes when Blender ends: save the file and simulate again to keep it")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class WEFT_OT_simulate(bpy.types.Operator):
    """Simulate the active object as cloth, against the other selected objects. Escape cancels"""

    bl_idname = "weft.simulate"
    bl_label = "Simulate with weft"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH" and context.mode == "OBJECT"

    def execute(self, context):
        """All at once, for scripts and without a window."""
        try:
            self.simulation = Simulation(context)
            for _, waits in self.simulation.steps():
                time.sleep(0.01 if waits else 0)
        except (Refusal, OSError) as refusal:
            return self.refuse(refusal)
        return self.tell()

    def invoke(self, context, _event):
        try:
            self.simulation = Simulation(context)
        except Refusal as refusal:
            return self.refuse(refusal)
        self.work = self.simulation.steps()
        self.timer = context.window_manager.event_timer_add(0.05, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self.report({"INFO"}, "weft: cancelled")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH" if self.simulation.process else "RUNNING_MODAL"}
        try:
            self.advance(context)
        except StopIteration:
            self.end(context)
            return self.tell()
        except (Refusal, OSError, ReferenceError) as refusal:
            self.end(context)
            return self.refuse(refusal)
        return {"RUNNING_MODAL"}

    def advance(self, context):
        """Pieces of work for a tenth of a second."""
        end, waits = time.monotonic() + 0.1, False
        while not waits and time.monotonic() < end:
            text, waits = next(self.work)
        context.workspace.status_text_set(text + "   Esc: cancel")

    def cancel(self, context):
        self.work.close()
        self.end(context)

    def end(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)

    def refuse(self, refusal):
        self.report({"ERROR"}, str(refusal))
        return {"CANCELLED"}

    def tell(self):
        for warning in self.simulation.warnings:
            self.report({"WARNING"}, warning)
        return {"FINISHED"}


class WEFT_OT_remove(bpy.types.Operator):
    """Take the simulated motion off the active object. Its cache stays on the disk"""

    bl_idname = "weft.remove"
    bl_label = "Remove"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and modifier_of(context.object) is not None

    def execute(self, context):
        context.object.modifiers.remove(modifier_of(context.object))
        return {"FINISHED"}


class WEFT_PT_cloth(bpy.types.Panel):
    bl_label = "weft cloth"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "weft"

    def draw(self, context):
        layout, obj = self.layout, context.object
        layout.use_property_split, layout.use_property_decorate = True, False
        addon = context.preferences.addons.get(__name__)
        if addon:
            layout.prop(addon.preferences, "program")
        if obj is None or obj.type != "MESH":
            layout.label(text="Select bodies, then the cloth")
            return
        self.draw_settings(layout, obj)
        scene = context.scene
        column = layout.column(align=True)
        column.prop(scene, "frame_start")
        column.prop(scene, "frame_end")
        layout.operator("weft.simulate", icon="MOD_CLOTH")
        layout.operator("weft.remove", icon="X")

    def draw_settings(self, layout, obj):
        settings = obj.weft
        layout.prop_search(settings, "pins", obj, "vertex_groups")
        if not settings.pins:
            layout.prop(settings, "rule")
        layout.prop(settings, "pin_to_body")
        layout.prop(settings, "bodies")
        layout.prop(settings, "fabric")
        layout.prop(settings, "self_collision")
        row = layout.row(heading="Friction")
        row.prop(settings, "set_friction", text="")
        value = row.row()
        value.active = settings.set_friction
        value.prop(settings, "friction", text="")
        layout.prop(settings, "substeps")
        layout.prop(settings, "dress")
        layout.prop(settings, "backend")
        layout.prop(settings, "options")


CLASSES = (WeftPreferences, WeftSettings, WEFT_OT_simulate, WEFT_OT_remove, WEFT_PT_cloth)


def register():
    for item in CLASSES:
        bpy.utils.register_class(item)
    bpy.types.Object.weft = bpy.props.PointerProperty(type=WeftSettings)


def unregister():
    del bpy.types.Object.weft
    for item in reversed(CLASSES):
        bpy.utils.unregister_class(item)
