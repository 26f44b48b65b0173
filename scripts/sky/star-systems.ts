/**
 * Makes the start states and checkpoints of the systems other than Sol from published orbits:
 * packages/catalog/data/<id>.json and <id>-checkpoints.bin from <id>-published.json. Needed
 * again only when a published number or the bits of the force model or the method change.
 */
import { checkpointBytes, checkpointInputs } from '@orrery/catalog'
import {
  type MassiveState,
  NODE_SECONDS,
  createMassiveState,
  drift,
  massiveInvariants,
  massiveStateAt,
} from '@orrery/sim'
import { rename, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { run } from '../command/run.ts'
import { commandLine } from '../command/command-line.ts'
import { type PlacedSystem, alphaCentauri, trappist1 } from './published-orbits.ts'

/** Checkpoints are at multiples of 2^22 s: 48.5 days, a sixth of a second of work. */
const SPACING = 16384

/** In these units from J2000.0 TDB: 2014-11-20, where the files begin, and 2051-01-16. */
const FIRST = 112
const LAST = 384

const DATA = new URL('../../packages/catalog/data', import.meta.url)

const HELP = `Usage: pnpm star-systems [--out DIRECTORY] [--help]

Turns the published orbits of TRAPPIST-1 and Alpha Centauri into start states and checkpoints
(about a minute of one core). Progress goes to stderr.

  --out DIRECTORY  where to write (default: the catalog's data)
`

/** The data file that the catalog reads, one body a line. */
function startFile({ system, home }: PlacedSystem, start: MassiveState): string {
  const triple = (array: Float64Array, i: number): number[] => [...array.subarray(3 * i, 3 * i + 3)]
  const head = {
    description: `${system.name} as the game starts it: bodies and barycentric states`,
    source: `made from ${system.id}-published.json by \`pnpm star-systems\``,
    frame: 'ICRF axes, origin the centre of mass of all bodies; position from the solar system',
    units: 'SI',
    epoch_node: start.node,
    epoch_jd_tdb: 2451545 + (start.node * NODE_SECONDS) / 86400,
    id: system.id,
    name: system.name,
    home,
    position_m: system.position,
  }
  const rows = system.bodies.map(({ name, parent, gm, radius }, i) =>
    JSON.stringify({
      name,
      parent: parent < 0 ? null : system.bodies[parent].name,
      gm_m3_s2: gm,
      radius_m: radius,
      r_m: triple(start.x, i),
      v_m_s: triple(start.v, i),
    }),
  )
  const lines = Object.entries(head).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`,
  )
  return `{\n${lines.join('')}  "bodies": [\n    ${rows.join(',\n    ')}\n  ]\n}\n`
}

async function make(placed: PlacedSystem, out: URL): Promise<void> {
  const { system } = placed
  const before = massiveStateAt(system, placed.state, FIRST * SPACING)
  // Begins like one read from the file: without low parts and with empty ledgers.
  const start = createMassiveState(system.bodies.length)
  start.node = before.node
  start.x.set(before.x)
  start.v.set(before.v)
  const states = [start]
  const reference = massiveInvariants(system, start)
  for (let k = FIRST + 1; k <= LAST; k++) {
    const state = massiveStateAt(system, states[states.length - 1], k * SPACING)
    states.push(state)
    const { energy, momentum } = drift(massiveInvariants(system, state), reference)
    const year = (2000 + (state.node * NODE_SECONDS) / 31557600).toFixed(2)
    process.stderr.write(
      `${system.name} ${year}  dE ${energy.toExponential(2)}  dL ${momentum.toExponential(2)}\n`,
    )
  }
  await replaceFile(new URL(`${system.id}.json`, out), startFile(placed, start))
  const bytes = checkpointBytes(states, SPACING, checkpointInputs(system, start))
  await replaceFile(new URL(`${system.id}-checkpoints.bin`, out), bytes)
}

async function replaceFile(file: URL, contents: string | Uint8Array): Promise<void> {
  const path = fileURLToPath(file)
  await writeFile(`${path}.part`, contents)
  await rename(`${path}.part`, path)
}

const { values } = commandLine('star-systems', HELP, { out: { type: 'string' } })

await run('star-systems', async () => {
  const out = values.out === undefined ? DATA : pathToFileURL(`${values.out}/`)
  for (const placed of [await alphaCentauri(DATA), await trappist1(DATA)]) await make(placed, out)
  return 0
})
