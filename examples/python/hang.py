"""A sheet that hangs from two corners, for a second; the same cloth and bits as examples/hang.c."""
import weft

cloth = weft.Cloth(weft.Mesh.grid(32, 32, plane="xz"), pins="corners")
with weft.Solver(cloth) as solver:
    for frame in solver.run(60):
        lowest = solver.positions[:, 1].min()
        if frame % 15 == 0:
            print(f"frame {frame}: lowest {lowest:.3f} m")
    print(f"hang: strain p99 {100 * solver.metrics().strain_p99:.2f} %, hash {solver.hash():016x}")
