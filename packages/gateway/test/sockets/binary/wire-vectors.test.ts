// Law: the vectors for foreign clients are what the server sends and flies today. Method: frames of
// a small world to an observer, what they decode to, and its ships at the instants of ticks; the
// page that is kept is compared. `npm run vectors` writes it again.
import { Engine } from '@orrery/engine/testing'
import {
  FRAME_BLOCKS,
  type ReadFrame,
  type ServerMessage,
  createFrameReader,
} from '@orrery/protocol'
import type { Control } from '@orrery/sim'
import { simulatedClock } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { BinaryClient } from '../../../src/binary/binary-client.ts'
import { Channel } from '../../../src/binary/channel.ts'
import { Interests } from '../../../src/binary/nearest-ships.ts'
import type { PlayerSocket } from '../../../src/connection/player-socket.ts'
import { ephemerisResponse } from '../../../src/views/system-views.ts'
import { START_MS, beginning, smallUniverse } from '../small-universe.ts'

const ORDERS: readonly Control[] = [
  { thrustLevel: 0.5, pointing: 'prograde' },
  { pointing: 'antinormal', thrustLevel: 1, deltaV: 20 },
  { pointing: 'target', body: 1 },
  { pointing: 'target', stationId: 'low' },
  { angularRate: [0.02, 0, 0.01] },
  { attitude: [0.5, 0.5, -0.5, 0.5] },
]

/** Frames of an observer, and the texts that came before them. */
class Observed {
  readonly texts: ServerMessage[] = []
  readonly #engine: Engine
  readonly #clock: ReturnType<typeof simulatedClock>
  readonly #client: BinaryClient
  #channel: Channel | undefined

  constructor(engine: Engine, clock: ReturnType<typeof simulatedClock>) {
    this.#engine = engine
    this.#clock = clock
    // As far as a client of frames reads it.
    const player = {
      isObserver: true,
      shipId: '',
      watched: 'sol',
      subscription: {},
      outbox: { send: (text: string) => this.texts.push(JSON.parse(text)) },
    } as unknown as PlayerSocket
    this.#client = new BinaryClient(player, { budget: 1e6, mayResume: false, nowMs: 0, phase: 0 })
  }

  frame(): Uint8Array {
    const nowMs = this.#clock.monotonicMs()
    this.#client.follow(this.#engine.universe, (world) => (this.#channel ??= new Channel(world, 0)))
    this.#channel!.publish()
    const moment = {
      status: this.#engine.status(),
      era: 1,
      index: this.#engine.universe.worlds[0].index,
      nowMs,
      utcMs: this.#clock.utcMs(),
      interests: new Interests(() => nowMs),
      hasTime: () => true,
    }
    return Buffer.concat(this.#client.frame(moment, true)!.pieces)
  }
}

function decoded({ publication, index, blocks }: ReadFrame): object {
  const columns = blocks.map(({ name, columns: all }) => [
    name,
    Object.fromEntries(
      Object.entries(all).map(([column, values]) => [column, [...(values as Iterable<number>)]]),
    ),
  ])
  return { publication, index, blocks: Object.fromEntries(columns) }
}

/** What JSON ticks show now. */
function shown(engine: Engine): object {
  const { index, offset, fleets } = engine.sky()
  const fleet = fleets.get('sol')!
  const ships = fleet.ships.map(({ number }, place) => {
    const { referenceBody: body, ...view } = fleet.view(place)
    const { attitude, fuel, relativePosition: position, relativeVelocity: velocity } = view
    return { number, body, position, velocity, attitude, fuel, thrust_level: view.thrustLevel }
  })
  const stations = engine.stations().map(({ name, position }) => ({ name, position }))
  return { index, offset, ships, stations }
}

it('frames, what they decode to, and states', async () => {
  const clock = simulatedClock(START_MS)
  const engine: Engine = new Engine({
    ...beginning(smallUniverse(256)),
    clock,
    tickRate: 10,
    timeScale: 4,
    paused: false,
    onPublish: () => undefined,
    onFault: (error) => {
      throw error
    },
  })
  engine.start()
  const station = { kind: 'create_station', parentBody: 'Globe sol' } as const
  for (const [stationId, placement] of [
    ['low', { kind: 'orbit', altitude: 1_000_000 }],
    ['far', { kind: 'lagrange', secondaryBody: 'Moon sol', point: 2 }],
    ['left', { kind: 'lagrange', secondaryBody: 'Moon sol', point: 5 }],
  ] as const) {
    await engine.execute({ ...station, stationId, name: stationId, placement })
  }
  const ships = [...ORDERS.keys(), ORDERS.length].map(
    (i) => `00000000-0000-4000-8000-00000000000${i}`,
  )
  for (const [i, shipId] of ships.entries()) {
    await engine.execute({ kind: 'create_ship', shipId, name: `Ship ${i} ø` })
  }
  const client = new Observed(engine, clock)
  const reader = createFrameReader(FRAME_BLOCKS)
  const steps: object[] = []
  for (let round = 0; round < 14; round++) {
    if (round === 1) for (const [i, order] of ORDERS.entries()) engine.control(ships[i], order)
    if (round === 12) await engine.execute({ kind: 'remove_ship', shipId: ships[6] })
    await clock.advance(round < 6 ? 100 : 1500)
    const frame = client.frame()
    const bytes = new Uint8Array(frame).buffer
    steps.push({
      frame: Buffer.from(frame).toString('hex'),
      decoded: decoded(reader.read(bytes)),
      shown: shown(engine),
    })
  }
  const bodies = ephemerisResponse(engine.ephemeris('sol', 60))
  await engine.stop()
  const [system, objects] = client.texts
  const head = { frames: FRAME_BLOCKS, system, objects, ephemeris: bodies }
  const lines = steps.map((step) => JSON.stringify(step)).join(',\n')
  const text = `${JSON.stringify(head).slice(0, -1)},\n"steps":[\n${lines}\n]}\n`
  await expect(text).toMatchFileSnapshot('../../../../protocol/vectors/frames.json')
})
