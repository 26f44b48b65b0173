/** What runs in a browser: ships flown by the client, and compared with the checks of the world. */
import { createShipSample } from '@orrery/client/flight'
import { type OwnPlace, OwnShip, type Verdict } from '@orrery/client/own-ship'
import { readSeed } from '@orrery/client/seed'
import { FRAME_BLOCKS, type ReadBlock, createFrameReader } from '@orrery/protocol'
import {
  COURIER,
  NODE_QUANTA,
  attachEphemeris,
  createIntegration,
  createMassiveState,
  createRails,
  ephemerisLength,
  extendEphemeris,
  writeRail,
  writtenOrder,
} from '@orrery/sim'
import type { FlownPlace, FlownShip } from './world.ts'

/** How many checks gave which verdict. */
export type Verdicts = Record<Verdict, number>

/** Between two checks [quanta]. */
const CHECK_QUANTA = 4096

const reader = createFrameReader(FRAME_BLOCKS)

let flown: { readonly setup: FlownPlace; readonly place: OwnPlace } | undefined

/** Makes the massive bodies, which all flights to come share. */
export function enter(setup: FlownPlace): void {
  const anchor = blocks(setup.anchor).find(({ name }) => name === 'anchor')
  if (anchor?.name !== 'anchor') throw new Error('There is no anchor.')
  const start = createMassiveState(anchor.rows)
  const { node, x, v, xLow, vLow } = anchor.columns
  start.node = node[0]
  start.x.set(x)
  start.v.set(v)
  start.xLow.set(xLow)
  start.vLow.set(vLow)
  const last = Math.floor((setup.begin + setup.checks * CHECK_QUANTA) / NODE_QUANTA) + 3
  const nodes = new Float64Array(ephemerisLength(setup.system, last - start.node + 1))
  const ephemeris = attachEphemeris(setup.system, nodes, new Float64Array(2))
  extendEphemeris(createIntegration(setup.system, start), ephemeris, last)
  const rails = createRails()
  for (const { row, rail } of setup.rails) writeRail(rails, row, rail)
  const territory = { home: setup.home, spheres: Float64Array.from(setup.spheres) }
  const place = { ephemeris, rails, territory, classes: [COURIER], reach: () => true }
  flown = { setup, place }
}

/** Flies ships one after the other. */
export function fly(ships: readonly FlownShip[]): Verdicts {
  const verdicts: Verdicts = { matched: 0, differs: 0, early: 0, late: 0 }
  for (const ship of ships) flyOne(ship, verdicts)
  return verdicts
}

function flyOne({ seed: bytes, orders, starts, words }: FlownShip, verdicts: Verdicts): void {
  const { setup, place } = flown!
  const seed = readSeed(blocks(bytes), {
    bodies: setup.system.bodies.length,
    classes: place.classes.length,
  })
  if (typeof seed !== 'object') throw new Error(`The ship cannot be flown: ${seed}`)
  const places = {
    slotOf: () => -1,
    railOf: (id: string) => setup.rails.find((one) => one.id === id)?.row ?? -1,
  }
  const own = new OwnShip(place, seed)
  const state = createShipSample()
  let next = 0
  for (const [i, start] of starts.entries()) {
    const now = setup.begin + (i + 1) * CHECK_QUANTA
    for (; next < orders.length && orders[next].index <= now; next++) {
      const { control, index } = orders[next]
      own.settle(own.order(writtenOrder(control, places), index), index)
    }
    if (!own.stateAt(state, now)) throw new Error('The ship cannot be flown on.')
    verdicts[own.verify(start, words.slice(2 * i, 2 * i + 2))]++
  }
}

function blocks(base64: string): readonly ReadBlock[] {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return reader.read(bytes.buffer).blocks
}
