/**
 * Law: one's own ship is flown here to the bit from its seed on, and shown as received where it
 * cannot be; checks of the server find whether it flies as it does there.
 * Method: a real socket to a server on a real port that flies the ship with the core.
 */
import { FRAME_BLOCKS, createBlock } from '@orrery/protocol'
import { advanceChunk, createMassiveState } from '@orrery/sim'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FlownModules, type ModuleRows, createShipSample } from '../../src/flight/index.ts'
import { WELCOME } from '../local-server.ts'
import { type FlownShip, INDEX, OTHER, SHIP, SLOT, next, openFlownShip } from './flown-ship.ts'
import { anchorOf, checkOf, seedOf, systemSent } from './sent-frames.ts'

let me: FlownShip

beforeEach(async () => {
  me = await openFlownShip()
})

afterEach(() => me.close())

const out = createShipSample()

/** It keeps of a ship what is sent. */
const KEPT: FlownModules = {
  ids: ['kept'],
  enter: () => undefined,
  rows: (sent) => {
    const rows: ModuleRows = {
      ids: ['kept'],
      isBeating: false,
      load: { payload: 0, thrust: 1 },
      valuesOf: () => sent[0].values ?? {},
      claimedAt: () => -Infinity,
      after: () => ({ rows, isLoaded: false }),
    }
    return rows
  },
}

describe('a seed', () => {
  it('makes a ship fly that was shown as received until then', async () => {
    let isReady = false
    void me.flight.ready.then(() => (isReady = true))
    expect(me.flight.ship.id).toBe(SHIP)
    expect(me.flight.ship.mode).toEqual({ mode: 'received', reason: 'no_seed' })
    expect(me.flight.world.shipAt(out, SHIP, INDEX)).toBe(true)
    await me.publish(INDEX)
    expect(isReady).toBe(false)
    await me.seed()
    await me.flight.ready
    expect(me.modes).toEqual(['flown'])
    // Far beyond the received step, where only who flies the ship has the bits.
    const [shown, expected] = me.places(INDEX + 64_000)
    expect(shown).toEqual(expected)
  })

  it('of another core leaves the ship received, for that reason', async () => {
    const [head, own] = seedOf(me.core, SLOT, INDEX)
    head.columns.physics[0]++
    await me.publish(INDEX, [head, own])
    expect(me.flight.ship.mode).toEqual({ mode: 'received', reason: 'physics' })
    expect(me.flight.world.shipAt(out, SHIP, INDEX)).toBe(true)
  })

  it('is void in another world, with another ship, and in another star system', async () => {
    const { system } = me.core.state
    for (const [kind, send] of [
      ['system', () => me.side.send(systemSent({ ...system, id: 'another' }))],
      ['system', () => me.side.send(systemSent(system))],
      [
        'restored',
        () => me.side.send({ type: 'restored', era: 1, tick: 1, game_time: WELCOME.game_time }),
      ],
      [
        'reset',
        () => me.side.send({ type: 'reset', era: 1, tick: 1, game_time: WELCOME.game_time }),
      ],
      ['ship_assigned', () => me.side.send({ type: 'ship_assigned', ship_id: OTHER })],
    ] as const) {
      await me.publish(INDEX, [anchorOf(createMassiveState(1))])
      await me.seed()
      expect(me.flight.ship.mode).toEqual({ mode: 'flown' })
      const left = next((listener) => me.socket.on(kind, listener))
      send()
      await left
      expect(me.flight.ship.mode).toEqual({ mode: 'received', reason: 'no_seed' })
    }
    expect(me.flight.ship.id).toBe(OTHER)
  })

  it('takes no rows of modules that were sent before a restore', async () => {
    const kept = await openFlownShip(KEPT)
    const { side, socket, flight } = kept
    const rows = [{ module: 'kept', version: 1, mass: 0, thrust: 1, values: {} }]
    const sent = async (): Promise<void> => {
      side.send({ type: 'ship_modules', index: INDEX, modules: rows })
      await next((listener) => socket.on('ship_modules', listener))
    }
    await sent()
    await kept.seed()
    expect(flight.ship.modules).toHaveProperty('kept')
    await sent()
    side.send({ type: 'restored', era: 1, tick: 1, game_time: WELCOME.game_time })
    await next((listener) => socket.on('restored', listener))
    await kept.seed()
    expect(flight.ship.modules).toEqual({})
    await kept.close()
  })

  it('lets forecasts of the ship be exact', async () => {
    await me.seed()
    me.clock.pass(1000)
    const request = { hours: 0.01 }
    const to = INDEX + 64 + 36 * 64
    expect(await me.flight.forecast(SHIP, request)).toMatchObject({ isExact: true, to })
    const other = me.flight.forecast(OTHER, request)
    await expect(other).rejects.toThrow('Nothing is known of the ship yet')
  })

  it('is asked for after a sleep that is too long to fly', async () => {
    await me.seed()
    expect(me.flight.world.shipAt(out, SHIP, INDEX - 64_000)).toBe(true)
    expect(await me.sent()).toEqual([])
    const before = out.r.slice()
    expect(me.flight.world.shipAt(out, SHIP, INDEX + 65_537)).toBe(true)
    expect(out.r).not.toEqual(before)
    // Once, until the server checks the ship again.
    expect(me.flight.world.shipAt(out, SHIP, INDEX + 65_537)).toBe(true)
    expect(await me.sent()).toEqual(['seed_request'])
  })

  it('is asked for again on another connection', async () => {
    await me.seed()
    const sleep = (): unknown => me.flight.world.shipAt(out, SHIP, INDEX + 65_537)
    sleep()
    expect(await me.sent()).toEqual(['seed_request'])
    me.side.send({ ...WELCOME, protocol: 'orrery.v1.binary', frames: FRAME_BLOCKS })
    await next((listener) => me.socket.on('welcome', listener))
    expect(me.flight.ship.mode).toEqual({ mode: 'flown' })
    sleep()
    sleep()
    expect(await me.sent()).toEqual(['seed_request', 'resume', 'seed_request'])
  })

  it('is kept when the same ship is assigned again', async () => {
    await me.seed()
    me.side.send({ type: 'ship_assigned', ship_id: SHIP })
    await next((listener) => me.socket.on('ship_assigned', listener))
    expect(me.flight.ship.mode).toEqual({ mode: 'flown' })
    expect(me.modes).toEqual(['flown'])
  })

  it('is flown once the bodies are known around it', async () => {
    const { system } = me.core.state
    me.side.send({ ...systemSent(system), era: 2 })
    await next((listener) => me.socket.on('system', listener))
    await me.seed()
    expect(me.flight.world.shipAt(out, SHIP, INDEX + 640)).toBe(false)
    await me.publish(INDEX, [anchorOf(createMassiveState(1))])
    const [shown, expected] = me.places(INDEX + 640)
    expect(shown).toEqual(expected)
  })

  it('is the last one where another comes before what flies is loaded', async () => {
    const [first, last] = [me.publish(INDEX, seedOf(me.core, SLOT, INDEX)), me.seed(INDEX + 6400)]
    await Promise.all([first, last])
    expect(me.flight.world.shipAt(out, SHIP, INDEX)).toBe(true)
    const [shown, expected] = me.places(INDEX + 64_000)
    expect(shown).toEqual(expected)
  })

  it('that cannot be flown is a fault, and the ship is shown as received', async () => {
    const faults: unknown[] = []
    me.flight.on('fault', ({ error }) => faults.push(error))
    const [head, own] = seedOf(me.core, SLOT, INDEX)
    own.columns.hullRow[0] = 1e9
    const left = next((listener) => me.flight.ship.on('mode', listener))
    await me.publish(INDEX, [head, own])
    await left
    expect(me.flight.ship.mode).toEqual({ mode: 'received', reason: 'failed' })
    expect(faults).toEqual([expect.any(Error)])
    expect(me.flight.world.shipAt(out, SHIP, INDEX)).toBe(true)
  })
})

describe('a check', () => {
  /** The server's check of the ship, or a wrong one. */
  async function checked(index: number, isRight: boolean): Promise<void> {
    advanceChunk(me.core, 0, index)
    const check = checkOf(me.core, SLOT)
    if (!isRight) check.columns.check[1] ^= 1
    await me.publish(index, [check])
  }

  it('that finds the ship where it is flown is reported as such', async () => {
    await me.seed()
    await checked(INDEX + 6400, true)
    expect(me.checks).toEqual([true])
    expect(me.flight.ship.drift).toBe('matched')
    expect(await me.sent()).toEqual([])
  })

  it('that does not asks for a seed, and after three in a row says so', async () => {
    await me.seed()
    const drifts: string[] = []
    for (const [i, isRight] of [false, false, false, true].entries()) {
      const index = INDEX + 6400 * (i + 1)
      await checked(index, isRight)
      drifts.push(me.flight.ship.drift)
      if (isRight) continue
      await me.side.next('seed_request')
      await me.publish(index, seedOf(me.core, SLOT, index))
    }
    expect(me.checks).toEqual([false, false, false, true])
    expect(drifts).toEqual(['correcting', 'correcting', 'diverging', 'matched'])
    expect(me.corrections).toEqual([])
    expect(me.modes).toEqual(['flown'])
  })

  it('of before what is known to be right shows nothing', async () => {
    advanceChunk(me.core, 0, INDEX)
    const before = checkOf(me.core, SLOT)
    await me.seed()
    await checked(INDEX + 6400, true)
    before.columns.check[0] ^= 1
    await me.publish(INDEX + 6464, [before])
    expect([me.checks, me.flight.ship.drift]).toEqual([[true], 'matched'])
    expect(await me.sent()).toEqual([])
  })

  it('waits for the answers to orders up to it, but for no other ship', async () => {
    await me.seed()
    const { answer, sent } = await me.given()
    await checked(INDEX + 6400, true)
    expect(me.checks).toEqual([])
    me.accept(sent, sent.at)
    await answer
    expect(me.checks).toEqual([false])
    await me.given()
    await checked(INDEX + 12_800, true)
    me.side.send({ type: 'reset', era: 1, tick: 1, game_time: WELCOME.game_time })
    await next((listener) => me.socket.on('reset', listener))
    await me.seed(INDEX + 12_800)
    await me.publish(INDEX + 12_864)
    expect(me.checks).toEqual([false])
  })

  it('of a ship that is not flown asks for its seed, once each', async () => {
    await checked(INDEX, true)
    await me.publish(INDEX, [createBlock('checks', 0)])
    expect(await me.sent()).toEqual(['seed_request'])
    await me.seed()
    expect(me.checks).toEqual([])
    await checked(INDEX, true)
    expect([me.checks, await me.sent()]).toEqual([[true], ['seed_request']])
  })
})
