import { type MassiveState, type StarSystem, createMassiveState } from '@orrery/sim'
import alphaCentauri from '../data/alpha-centauri.json' with { type: 'json' }
import trappist1 from '../data/trappist-1.json' with { type: 'json' }
import { checkpointsUrl } from './checkpoints.ts'
import { bodyIndex, solStateJ2000, solSystem } from './sol.ts'

/** A star system of the game and what a world needs to begin it. */
export interface CatalogSystem {
  readonly system: StarSystem
  /** index of the body that new ships circle */
  readonly home: number
  /** a new copy of the state that the checkpoints were made from */
  readonly startState: () => MassiveState
  /** where its checkpoints lie; an app reads the file and passes its bytes */
  readonly checkpointsUrl: URL
}

/** What `pnpm star-systems` writes. */
interface StartFile {
  readonly id: string
  readonly name: string
  readonly home: string
  readonly position_m: readonly number[]
  readonly epoch_node: number
  readonly bodies: readonly {
    readonly name: string
    readonly parent: string | null
    readonly gm_m3_s2: number
    readonly radius_m: number
    readonly r_m: readonly number[]
    readonly v_m_s: readonly number[]
  }[]
}

/** The star systems of the game; Sol, where ships begin, first. */
export const STAR_SYSTEMS: readonly CatalogSystem[] = [
  {
    system: solSystem,
    home: bodyIndex(solSystem, 'Earth'),
    startState: solStateJ2000,
    checkpointsUrl,
  },
  fromFile(alphaCentauri, new URL('../data/alpha-centauri-checkpoints.bin', import.meta.url)),
  fromFile(trappist1, new URL('../data/trappist-1-checkpoints.bin', import.meta.url)),
]

function fromFile(file: StartFile, url: URL): CatalogSystem {
  const { id, name, bodies } = file
  const [x, y, z] = file.position_m
  const system: StarSystem = {
    id,
    name,
    position: [x, y, z],
    bodies: bodies.map((body) => ({
      name: body.name,
      parent: bodies.findIndex((other) => other.name === body.parent),
      gm: body.gm_m3_s2,
      radius: body.radius_m,
    })),
  }
  const startState = (): MassiveState => {
    const state = createMassiveState(bodies.length)
    state.node = file.epoch_node
    state.x.set(bodies.flatMap(({ r_m: r }) => r))
    state.v.set(bodies.flatMap(({ v_m_s: v }) => v))
    return state
  }
  return { system, home: bodyIndex(system, file.home), startState, checkpointsUrl: url }
}
