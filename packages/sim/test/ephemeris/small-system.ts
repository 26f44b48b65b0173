import { type MassiveState, type StarSystem, createMassiveState } from '@orrery/sim'

/** A star, a planet with two moons close to it, and a rock nearer in: every kind of term acts. */
export const smallSystem: StarSystem = {
  id: 'small',
  name: 'Small',
  position: [0, 0, 0],
  bodies: [
    {
      name: 'Star',
      parent: -1,
      gm: 1.3e20,
      radius: 7e8,
      oblateness: { referenceRadius: 7e8, j2: 2e-7, pole: [0, 0.28, 0.96] },
    },
    {
      name: 'Giant',
      parent: 0,
      gm: 1.2e17,
      radius: 7e7,
      oblateness: { referenceRadius: 7e7, j2: 0.0147, j4: -0.00059, pole: [0.36, 0.48, 0.8] },
    },
    { name: 'Inner', parent: 1, gm: 6e12, radius: 1.8e6 },
    { name: 'Outer', parent: 1, gm: 3e12, radius: 1.6e6 },
    { name: 'Rock', parent: 0, gm: 4e16, radius: 6e6 },
  ],
}

/** Nearly circular orbits, slightly inclined to each other, except the rock's. */
export function smallStart(): MassiveState {
  const state = createMassiveState(smallSystem.bodies.length)
  const orbit = (body: number, parent: number, radius: number, tilt: number): void => {
    const speed = Math.sqrt(smallSystem.bodies[parent].gm / radius)
    const offset = [radius * 0.8, radius * 0.6, 0]
    const velocity = [-0.6 * speed, 0.8 * speed, tilt * speed]
    for (let axis = 0; axis < 3; axis++) {
      state.x[3 * body + axis] = state.x[3 * parent + axis] + offset[axis]
      state.v[3 * body + axis] = state.v[3 * parent + axis] + velocity[axis]
    }
  }
  orbit(1, 0, 7.8e11, 0.02)
  orbit(2, 1, 4.2e8, 0.05)
  orbit(3, 1, 6.7e8, -0.03)
  orbit(4, 0, 1.5e11, 0.1)
  // Well off the circle: only then does the post-Newtonian term do work.
  state.v[14] += 8000
  return state
}
