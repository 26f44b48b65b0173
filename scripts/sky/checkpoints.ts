/**
 * Makes packages/catalog/data/sol-checkpoints.bin from the J2000 state, forward to the end of
 * 2050 and backward to 1990. About five minutes of one core; needed again only when the bits of
 * the force model, the method or the start state change.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { run } from '../command/run.ts'
import { commandLine } from '../command/command-line.ts'
import {
  CHECKPOINT_NODES,
  checkpointBytes,
  checkpointInputs,
  checkpointsUrl,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import { wasmMassiveKernel } from '@orrery/engine/testing'
import {
  type MassiveKernel,
  type MassiveState,
  drift,
  massiveInvariants,
  massiveStateAt,
} from '@orrery/sim'

/** In units of 2^21 s from J2000: 1990-01-13 (dates before it are backward of it), 2050-12-17. */
const FIRST = -150
const LAST = 767

const HELP = `Usage: pnpm checkpoints [--out FILE] [--help]

Integrates the solar system from J2000 and writes a full state every 2^21 s from 1990 to 2050
(about five minutes of one core). Progress goes to stderr.

  --out FILE  where to write (default: the catalog's own file)
`

/** States at J2000 and `count` checkpoints beyond it in one direction. */
function chain(
  kernel: MassiveKernel,
  start: MassiveState,
  direction: -1 | 1,
  count: number,
): MassiveState[] {
  const states = [start]
  const reference = massiveInvariants(solSystem, start)
  for (let made = 1; made <= count; made++) {
    const node = direction * made * CHECKPOINT_NODES
    const state = massiveStateAt(solSystem, states[made - 1], node, kernel)
    states.push(state)
    const { energy, momentum } = drift(massiveInvariants(solSystem, state), reference)
    const year = (2000 + (state.node * 256) / 31557600).toFixed(2)
    process.stderr.write(
      `${year}  dE ${energy.toExponential(2)}  dL ${momentum.toExponential(2)}\n`,
    )
  }
  return states
}

const { values } = commandLine('checkpoints', HELP, { out: { type: 'string' } })

await run('checkpoints', async () => {
  const out = values.out ?? fileURLToPath(checkpointsUrl)
  const start = solStateJ2000()
  const wasm = await readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm')))
  const kernel = wasmMassiveKernel(solSystem, wasm)
  const later = chain(kernel, start, 1, LAST)
  const earlier = chain(kernel, start, -1, -FIRST)
  const states = [...earlier.slice(1).toReversed(), ...later]
  const inputs = checkpointInputs(solSystem, start)
  const bytes = checkpointBytes(states, CHECKPOINT_NODES, inputs)
  await writeFile(`${out}.part`, bytes)
  await rename(`${out}.part`, out)
  process.stderr.write(`${states.length} checkpoints in ${out}\n`)
  return 0
})
