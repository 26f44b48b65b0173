import {
  bodyIndex,
  type Checkpoints,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import { createWorld } from '@orrery/engine/testing'
import {
  type Ephemeris,
  type Integration,
  type MassiveState,
  NODE_QUANTA,
  spheresOfInfluence,
} from '@orrery/sim'
import { readFile } from 'node:fs/promises'

/** How the engine makes nodes: by the specification, or by its twin. */
export type Twin = 'typescript' | 'wasm'

/** The massive bodies as the engine owns them, complete for a day from `node` on. */
export async function solEphemeris(
  twin: Twin,
  start: MassiveState,
  node: number,
): Promise<{ integration: Integration; ephemeris: Ephemeris }> {
  const territory = {
    home: bodyIndex(solSystem, 'Earth'),
    spheres: spheresOfInfluence(solSystem, solStateJ2000()),
  }
  const massiveKernel =
    twin === 'wasm'
      ? await readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm')))
      : undefined
  const { integration, state } = createWorld({
    system: { system: solSystem, territory, start },
    index: node * NODE_QUANTA,
    seed: 'bench',
    shipsMax: 1,
    massiveKernel,
  })
  return { integration, ephemeris: state.ephemeris }
}

export async function solCheckpoints(): Promise<Checkpoints> {
  return parseCheckpoints(await readFile(checkpointsUrl))
}
