/** A jump gate of 200 m radius [m]: a ring about +z, the way through it, and a veil within. */
import { LIGHT, type Paint, Solid, type Triple } from './solid.ts'

/** From the middle to the farthest point [m]. */
export const GATE_RADIUS = 200

const SHELL: Paint = [0.4, 0.43, 0.5, 0.5]
const PLATE: Paint = [0.27, 0.3, 0.36, 0.6]
const DARK: Paint = [0.08, 0.09, 0.11, 0.5]
const BRASS: Paint = [0.6, 0.46, 0.2, 0.9]
const LAMP: Paint = [0.35, 0.8, 1, LIGHT]
const SIGNAL: Paint = [1, 0.55, 0.2, LIGHT]

const UP: Triple = [0, 0, 1]
const MIDDLE: Triple = [0, 0, 0]
const SIDES = 144
const VEIL_RADIUS = 149

const SECTION = [
  [-9, 184],
  [-2, 186],
  [2, 186],
  [9, 184],
  [17, 176],
  [17, 166],
  [17, 164],
  [13, 154],
  [3, 150],
  [1.5, 149],
  [-1.5, 149],
  [-3, 150],
  [-13, 154],
  [-17, 164],
  [-17, 166],
  [-17, 176],
  [-9, 184],
] as const

/** Segments of the section with rows of lamps, with the strip that the veil hangs in, and seams. */
const ROWS: ReadonlySet<number> = new Set([5, 13])
const STRIP = 9
const SEAM = 1

const CLAWS = 6

export function gateRing(): Solid {
  const solid = new Solid()
  const ring = { from: MIDDLE, along: UP, profile: SECTION, sides: SIDES }
  solid.turned(ring, (side, segment) => {
    if (segment === STRIP) return LAMP
    if (ROWS.has(segment)) return side % 4 === 0 ? LAMP : DARK
    if (segment === SEAM) return BRASS
    return side % 12 === 0 ? DARK : side % 24 < 12 ? SHELL : PLATE
  })
  for (let k = 0; k < CLAWS; k++) addClaw(solid, (2 * Math.PI * k) / CLAWS)
  return solid
}

/** What bundles the ring: a clamp, with horns before and behind. */
function addClaw(solid: Solid, angle: number): void {
  const out: Triple = [Math.cos(angle), Math.sin(angle), 0]
  const at = (r: number, z: number): Triple => [out[0] * r, out[1] * r, z]
  const clamp = [
    [146, 4],
    [150, 11],
    [184, 11],
    [192, 7],
    [199, 2],
  ] as const
  solid.turned({ from: MIDDLE, along: out, profile: clamp, sides: 8 }, (_, segment) =>
    segment === 1 ? PLATE : BRASS,
  )
  for (const side of [-1, 1]) {
    solid.beam(at(178, 10 * side), at(160, 44 * side), 2.6, SHELL)
    solid.beam(at(160, 44 * side), at(150, 50 * side), 1.4, BRASS)
    solid.beam(at(150, 50 * side), at(147, 51.5 * side), 1.1, SIGNAL)
  }
}

/** The plane of the opening. */
export function gateVeil(): Solid {
  const disc = [
    [0, VEIL_RADIUS],
    [0, 0.5 * VEIL_RADIUS],
    [0, 0],
  ] as const
  return new Solid().turned({ from: MIDDLE, along: UP, profile: disc, sides: 72 }, LAMP)
}

export const VEIL_VERTEX: string = `
in vec3 position;
in vec4 place;
in vec4 turn;
in float strength;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
out vec2 at;
out float opacity;
void main() {
  at = position.xy / ${VEIL_RADIUS.toFixed(1)};
  opacity = strength;
  vec3 spot = position * place.w;
  spot += 2.0 * cross(turn.xyz, cross(turn.xyz, spot) + turn.w * spot);
  gl_Position = projectionMatrix * viewMatrix * vec4(place.xyz + spot, 1.0);
}
`

/** Light that winds inward and breathes. */
export const VEIL_FRAGMENT: string = `
precision highp float;
uniform float seconds;
in vec2 at;
in float opacity;
out vec4 result;
void main() {
  float r = min(length(at), 1.0);
  float angle = atan(at.y, at.x);
  float wind = angle + 2.2 * log(r + 0.06) + seconds * 0.12;
  float arms = 0.55 + 0.25 * sin(3.0 * wind) + 0.2 * sin(7.0 * wind - seconds * 0.31 + 4.0 * r);
  float rim = pow(r, 7.0);
  float breath = 0.85 + 0.15 * sin(seconds * 0.5);
  float light = (rim * 0.8 + 0.2 * arms * arms * smoothstep(0.05, 0.9, r)) * breath;
  vec3 tint = mix(vec3(0.22, 0.3, 0.95), vec3(0.5, 0.92, 1.0), rim + 0.3 * arms);
  result = vec4(tint * light * opacity, 0.1 * light * opacity);
}
`
