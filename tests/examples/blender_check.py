"""What the add-on puts on objects, held against their transforms, free fall, pins and a ball, by Blender's own evaluation."""

import os
import sys
import time

import bpy
import numpy as np
from mathutils import Euler, Matrix

WEFT, WORK = sys.argv[sys.argv.index("--") + 1 :]
OPTIONS = "--damping 0"
DEPTH = 0.008  # of chords of the ball under its sphere, and float rounding


def evaluated(obj):
    """Vertices in world space, in doubles."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    mesh = obj.evaluated_get(depsgraph).to_mesh()
    points = np.array([v.co for v in mesh.vertices], dtype=np.float64)
    matrix = np.array(obj.evaluated_get(depsgraph).matrix_world)
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def start_scene(frames, rate=(24, 1.0), metres=1.0):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="weft_cloth")
    bpy.context.preferences.addons["weft_cloth"].preferences.program = WEFT
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = frames
    scene.render.fps, scene.render.fps_base = rate
    scene.unit_settings.scale_length = metres
    return scene


def add_grid(size, cells):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cells, y_subdivisions=cells, size=size)
    obj = bpy.context.object
    for name in ("red", "blue"):
        obj.data.materials.append(bpy.data.materials.new(name))
    for polygon in obj.data.polygons:
        polygon.material_index = polygon.index % 2
    obj.weft.options, obj.weft.substeps = OPTIONS, 10
    return obj


def add_ball(radius, place):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=radius, location=place)
    return bpy.context.object


def simulate(cloth, *bodies):
    bpy.ops.object.select_all(action="DESELECT")
    for obj in (*bodies, cloth):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = cloth
    assert bpy.ops.weft.simulate() == {"FINISHED"}


def refuses(text, cloth, *bodies):
    try:
        simulate(cloth, *bodies)
    except RuntimeError as error:
        assert text in str(error), f'"{text}" is not in: {error}'
        return
    raise AssertionError(f'not refused: "{text}"')


def looks_of(obj):
    """What a simulation must leave as it is."""
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    uvs = [tuple(corner.uv) for corner in mesh.uv_layers[0].data]
    materials = [(p.material_index, tuple(p.vertices)) for p in mesh.polygons]
    return uvs, materials, [m.name for m in mesh.materials], [g.name for g in obj.vertex_groups]


def close(a, b, allowed, what):
    error = np.abs(np.asarray(a) - np.asarray(b)).max()
    assert error <= allowed, f"{what}: {error} instead of {allowed} at most"


def check_fall():
    """Free fall in world space, whatever the object's transform, unit, frame rate and shape are."""
    metres, rate = 0.5, (24, 1.001)
    scene = start_scene((3, 12), rate, metres)
    scene.gravity = (1, 2, -9)
    cloth = add_grid(1, 6)
    cloth.location, cloth.rotation_euler, cloth.scale = (1, -2, 3), Euler((0.3, 1.1, -0.7)), (1.5, -0.5, 2)
    cloth.keyframe_insert("location", frame=3)
    cloth.location = (4, 0, 1)
    cloth.keyframe_insert("location", frame=12)
    cloth.shape_key_add(name="Basis")
    key = cloth.shape_key_add(name="raised")
    for index, point in enumerate(key.data):
        point.co.z += 0.01 * (index % 7)
    key.value = 0.5
    scene.frame_set(3)
    start, looks = evaluated(cloth), looks_of(cloth)
    assert np.ptp(start @ np.linalg.inv(np.array(cloth.matrix_world)[:3, :3]).T, axis=0)[2] > 0.02, "no shape key"
    scene.frame_set(7)
    simulate(cloth)
    assert scene.frame_current == 7, "another frame is shown"
    step = rate[1] / rate[0] / 10
    for frame in range(3, 13):
        scene.frame_set(frame)
        steps = 10 * (frame - 3)
        fallen = np.array(scene.gravity) * step**2 * steps * (steps + 1) / 2 / metres
        close(evaluated(cloth).mean(axis=0), start.mean(axis=0) + fallen, 2e-5, f"free fall, frame {frame}")
    scene.frame_set(3)
    close(evaluated(cloth), start, 1e-6, "the start")
    assert looks_of(cloth) == looks, "UVs, materials or groups changed"
    scene.use_gravity = False
    simulate(cloth)
    scene.frame_set(12)
    close(evaluated(cloth).mean(axis=0), start.mean(axis=0), 1e-5, "without gravity")


def rig_of(cloth, place):
    """An armature that lifts the cloth before it is simulated."""
    bpy.ops.object.armature_add(location=place)
    rig = bpy.context.object
    group = cloth.vertex_groups.new(name="Bone")
    group.add(range(len(cloth.data.vertices)), 1, "REPLACE")
    cloth.modifiers.new("pose", "ARMATURE").object = rig
    rig.pose.bones["Bone"].matrix_basis = Matrix.Translation((0, 0.25, 0))
    return rig


def check_ball():
    """A ball that moves under a pinned sheet with modifiers, and one that turns through a still one."""
    scene = start_scene((1, 24))
    cloth = add_grid(1.6, 32)
    count = len(cloth.data.vertices)
    hold = cloth.vertex_groups.new(name="hold")
    hold.add([0, 32], 0.5, "REPLACE")
    hold.add([5, 900], 0.4, "REPLACE")
    cloth.weft.pins, cloth.weft.substeps = "hold", 0
    rig_of(cloth, (0, 0, 0))
    cloth.modifiers.new("smooth", "SUBSURF").levels = 1
    scene.frame_set(1)
    # A bone points up: its own y is the world's z.
    assert abs(evaluated(cloth)[:count, 2].mean() - 0.25) < 1e-3, "the rig does not lift the cloth"
    ball = add_ball(0.3, (0, 0, -0.1))
    ball.keyframe_insert("location", frame=1)
    ball.location = (0.5, 0, 0.9)
    ball.keyframe_insert("location", frame=24)
    post = add_ball(0.1, (-0.6, 0.5, 0))
    cloth.weft.bodies = bpy.data.collections.new("posts")
    cloth.weft.bodies.objects.link(post)
    cloth.weft.set_friction, cloth.weft.friction = True, 0.2
    simulate(cloth, ball)
    assert [m.name for m in cloth.modifiers] == ["pose", "weft", "smooth"], list(cloth.modifiers)
    cloth.modifiers["smooth"].show_viewport = False
    raised = on_post = 0
    for frame in range(1, 25):
        scene.frame_set(frame)
        points = evaluated(cloth)
        assert len(points) == count
        pins = [[-0.8, -0.8, 0.25], [0.8, -0.8, 0.25]]
        close(points[[0, 32]], pins, 1e-5, f"pins, frame {frame}")
        for body, radius in ((ball, 0.3), (post, 0.1)):
            gap = np.linalg.norm(points - np.array(body.matrix_world.translation), axis=1).min() - radius
            assert gap > -DEPTH, f"frame {frame}: {-gap} m inside of {body.name}"
            on_post += body == post and gap < 0.02
        raised = max(raised, points[:, 2].max())
    assert raised > 0.6, f"the ball raises the sheet to {raised} m only"
    assert on_post > 1, "nothing rests on the post"
    scene.frame_set(20)
    before = evaluated(cloth)
    simulate(cloth, ball)
    assert [m.name for m in cloth.modifiers] == ["pose", "weft", "smooth"], "a second run moves the modifier"
    close(evaluated(cloth), before, 0, "a second run")
    assert bpy.ops.weft.remove() == {"FINISHED"}
    assert [m.name for m in cloth.modifiers] == ["pose", "smooth"]
    close(evaluated(cloth)[:, 2], 0.25, 1e-3, "without the result")


def check_subdivided():
    """Moved behind a subdivision, the modifier takes the finer mesh, with pins and UVs of that."""
    scene = start_scene((1, 6))
    cloth = add_grid(1, 4)
    cloth.vertex_groups.new(name="hold").add(range(5), 1, "REPLACE")
    cloth.weft.pins = "hold"
    simulate(cloth)
    finer = cloth.modifiers.new("finer", "SUBSURF")
    finer.subdivision_type, finer.levels = "SIMPLE", 2
    bpy.ops.object.modifier_move_to_index(modifier="finer", index=0)
    cloth.modifiers["weft"].show_viewport = False
    scene.frame_set(1)
    start, looks = evaluated(cloth), looks_of(cloth)
    cloth.modifiers["weft"].show_viewport = True
    simulate(cloth)
    assert [m.name for m in cloth.modifiers] == ["finer", "weft"] and cloth.modifiers["weft"].show_viewport
    close(evaluated(cloth), start, 1e-6, "the start")
    scene.frame_set(6)
    end, held = evaluated(cloth), start[:, 1] < -0.499
    assert held.sum() == 17 and looks_of(cloth) == looks
    close(end[held], start[held], 1e-6, "pins of the finer mesh")
    assert (end[start[:, 1] > -0.3, 2] < -0.01).all(), "the finer mesh does not fall"


def check_carried():
    """Pins go with a mirrored body that turns inside out nowhere."""
    scene = start_scene((1, 8))
    cloth = add_grid(0.5, 10)
    cloth.location.z = 0.32
    cloth.vertex_groups.new(name="hold").add([60], 1, "REPLACE")
    cloth.weft.pins, cloth.weft.pin_to_body, cloth.weft.substeps = "hold", True, 0
    ball = add_ball(0.3, (0, 0, 0))
    ball.scale.x = -1
    ball.keyframe_insert("location", frame=1)
    ball.location.x = 0.2
    ball.keyframe_insert("location", frame=8)
    simulate(cloth, ball)
    scene.frame_set(1)
    first = evaluated(cloth)[60]
    for frame in (4, 8):
        scene.frame_set(frame)
        close(evaluated(cloth)[60] - first, ball.matrix_world.translation, 1e-4, f"a pin that goes along, frame {frame}")
    simulation = run_of(cloth)
    told = [warning for warning in simulation.warnings if "inward" in warning]
    assert not told, told


def run_of(cloth):
    """Another run, kept."""
    import weft_cloth

    simulation = weft_cloth.Simulation(bpy.context)
    for _ in simulation.steps():
        pass
    return simulation


def check_warnings():
    """What moves cloth twice, and bodies that cloth has no room for."""
    start_scene((1, 12))
    cloth = add_grid(1, 16)
    cloth.modifiers.new("thick", "SOLIDIFY").show_viewport = False
    rig_of(cloth, (0, 0, 0))
    border = [v.index for v in cloth.data.vertices if max(abs(v.co.x), abs(v.co.y)) > 0.49]
    cloth.vertex_groups.new(name="hold").add(border, 1, "REPLACE")
    cloth.weft.pins, cloth.weft.substeps = "hold", 0
    ball = add_ball(0.2, (0, 0, -0.25))
    ball.keyframe_insert("location", frame=1)
    ball.location.z = 0.4
    ball.keyframe_insert("location", frame=12)
    simulate(cloth, ball)
    told = run_of(cloth).warnings
    for text in ("Modifier pose moves the simulated cloth", "At the end bodies stand 0.", "save the file"):
        assert any(text in warning for warning in told), f'"{text}" is not in {told}'


def check_arguments():
    """Settings as weft's options."""
    import weft_cloth

    start_scene((10, 20))
    cloth, body = add_grid(1, 4), add_ball(0.1, (0, 0, -1))
    settings = cloth.weft
    bpy.context.view_layer.objects.active = cloth
    settings.fabric, settings.substeps, settings.dress, settings.backend = "denim", 30, 1.5, "ref"
    settings.self_collision, settings.set_friction, settings.friction = False, True, 0.25
    settings.rule, settings.options = "corners", "--wind '1, 2,3' --seed 4"
    simulation = weft_cloth.Simulation(bpy.context)
    assert [b.name for b in simulation.bodies] == [body.name]
    simulation.folder = bpy.app.tempdir
    for _ in simulation.export():
        pass
    told = " ".join(simulation.arguments)
    for text in ("--frames 10", "--dt 0.0416666667", "--fabric denim", "--substeps 30", "--dress=1.5", "--backend ref", "--seed 4",
                 "--self-collision off", "--body-friction 0.25", "--pin corners", "--gravity 0,-9.81", "--wind 1, 2,3"):
        assert text in told, f"{text} is not in {told}"
    assert "--body-motion" not in told, "a still body has a motion"


def check_saved():
    """The cache of a saved file lies beside it and is found again; two objects have a cache each."""
    scene = start_scene((1, 4))
    first, second = add_grid(1, 4), add_grid(1, 5)
    first.name, second.name = "a b", "a:b"
    path = os.path.join(WORK, "files", "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    simulate(first)
    simulate(second)
    scene.frame_set(4)
    ends = [evaluated(obj) for obj in (first, second)]
    assert all(end[:, 2].max() < -0.01 for end in ends), "they do not fall"
    assert [o.modifiers["weft"].filepath for o in (first, second)] == ["//weft/a_b.pc2", "//weft/a_b-2.pc2"]
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=path)
    for name, end in zip(("a b", "a:b"), ends):
        close(evaluated(bpy.data.objects[name]), end, 0, "opened again")


def check_refusals():
    """Sentences of weft and of the add-on; what was there stays."""
    scene = start_scene((1, 3))
    cloth = add_grid(1, 4)
    simulate(cloth)
    scene.frame_set(3)
    before = evaluated(cloth)
    cloth.weft.fabric = "silk"
    refuses('--fabric: "silk" is none of denim', cloth)
    cloth.weft.fabric, cloth.weft.options = "", "--nothing"
    refuses("--nothing", cloth)
    cloth.weft.options = "'"
    refuses("Options: No closing quotation", cloth)
    cloth.weft.options = OPTIONS
    cloth.weft.pins = "gone"
    refuses("has no vertex group gone", cloth)
    cloth.vertex_groups.new(name="gone")
    refuses("Vertex group gone of Grid holds no vertex", cloth)
    cloth.weft.pins = ""
    ball = add_ball(0.1, (0, 0, -1))
    copies = ball.modifiers.new("grows", "ARRAY")
    copies.keyframe_insert("count", frame=1)
    copies.count = 5
    copies.keyframe_insert("count", frame=3)
    refuses("a body keeps its vertices", cloth, ball)
    ball.modifiers.clear()
    cloth.weft.bodies = bpy.data.collections.new("hidden")
    cloth.weft.bodies.objects.link(ball)
    ball.hide_set(True)
    refuses("Icosphere of the collection hidden is hidden", cloth)
    cloth.weft.bodies = None
    cloth.scale.x = 0
    refuses("Grid is scaled to nothing in frame 1", cloth)
    cloth.scale.x = 1
    bpy.context.preferences.addons["weft_cloth"].preferences.program = "/nowhere/weft"
    refuses('There is no program "/nowhere/weft"', cloth)
    close(evaluated(cloth), before, 0, "refused")
    assert scene.frame_current == 3, "another frame is shown"


def check_cancel():
    """What is cancelled ends the program and leaves nothing."""
    import weft_cloth

    scene = start_scene((1, 400))
    cloth = add_grid(1, 60)
    bpy.context.view_layer.objects.active = cloth
    simulation = weft_cloth.Simulation(bpy.context)
    work = simulation.steps()
    seen, end = set(), time.monotonic() + 60
    while len(seen) < 3 and time.monotonic() < end:
        text, waits = next(work)
        if waits:
            seen.add(text)
            time.sleep(0.02)
    assert len(seen) == 3, f"no progress: {seen}"
    assert simulation.process.poll() is None and os.path.isdir(simulation.folder)
    work.close()
    assert simulation.process.poll() is not None, "weft goes on"
    assert not os.path.exists(simulation.folder), "files are left"
    assert scene.frame_current == 1 and not cloth.modifiers


def check_fabrics():
    import weft_cloth

    start_scene((1, 2))
    assert "denim" in weft_cloth.find_fabrics(None, bpy.context, "de")
    assert "tshirt" in weft_cloth.find_fabrics(None, bpy.context, "")


for check in (check_fall, check_ball, check_subdivided, check_carried, check_warnings, check_arguments, check_saved, check_refusals, check_cancel, check_fabrics):
    check()
    print(f"{check.__name__}: as wanted", flush=True)
left = [name for name in os.listdir(os.environ["TMPDIR"]) if name.startswith("weft-")]
assert not left, left
sys.stdout.flush()
os._exit(0)  # the module bpy may crash when Python ends
