/**
 * Law: engines that own different star systems of one universe, and follow those of others, have
 * in each system the bits of one engine that flies all; systems change hands between two ticks.
 * Method: three engines on simulated clocks that differ, under the same orders.
 */
import {
  type CommandJournal,
  type KeptRow,
  type Replay,
  type SystemDigest,
  createGameClock,
  worldImage,
  worldNamed,
} from '@orrery/engine/testing'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { callingThread } from '../globe.ts'
import { livelySystems } from '../objects/two-systems.ts'
import { testEngine } from '../test-engine.ts'

interface Host {
  readonly engine: ReturnType<typeof testEngine>['engine']
  readonly rows: Map<string, KeptRow[]>
  readonly digests: Map<string, string>
  /** of the systems that it follows */
  readonly replays: Map<string, Replay>
  advance(this: void, seconds: number): Promise<void>
}

function host(): Host {
  const rows = new Map<string, KeptRow[]>([
    ['alone', []],
    ['pair', []],
  ])
  const digests = new Map<string, string>()
  const journal: CommandJournal = {
    admit: () => undefined,
    keep: (row) => {
      const { systemId, sequence, index } = row
      rows.get(systemId)?.push({ sequence, index, command: row.seal() })
      return Promise.resolve()
    },
  }
  const onDigest = ({ systemId, index, digest }: SystemDigest): void => {
    digests.set(`${systemId} ${index}`, digest)
  }
  const universe = livelySystems()
  const { engine, clock } = testEngine({ universe, journal, timeScale: 10, onDigest })
  const advance = (seconds: number): Promise<void> => clock.advance(1000 * seconds)
  return { engine, rows, digests, replays: new Map(), advance }
}

function indexOf({ engine }: Host, systemId: string): number {
  return worldNamed(engine.universe, systemId).index
}

async function letGo(one: Host, systemId: string): Promise<void> {
  const replay = await one.engine.followed.letGo(systemId, {
    onDigest: ({ index, digest }) => one.digests.set(`${systemId} ${index}`, digest),
  })
  one.replays.set(systemId, replay)
}

async function takeOver(one: Host, systemId: string): Promise<void> {
  const replay = one.replays.get(systemId)
  if (!replay) throw new Error(`${systemId} is not followed.`)
  one.replays.delete(systemId)
  await one.engine.followed.takeOver(replay)
}

/** Flies what a host follows to where its owner is. */
async function catchUp(one: Host, systemId: string, owner: Host): Promise<void> {
  const replay = one.replays.get(systemId)
  if (!replay) return
  await one.engine.followed.fly(async () => {
    const after = replay.world.intake.sequence
    for (const row of owner.rows.get(systemId) ?? []) {
      if (row.sequence > after) await replay.apply(row)
    }
    await replay.flyTo(indexOf(owner, systemId), 0)
  })
}

function bits(one: Host, systemId: string): { header: unknown; bytes: Uint8Array } {
  const world = worldNamed(one.engine.universe, systemId)
  return worldImage(world, createGameClock(world.index), 0)
}

it('engines own one system each, and exchange one; all bits are those of one engine', async () => {
  const [twin, left, right] = [host(), host(), host()]
  const steer = (one: Host, shipId: string, thrustLevel: number): void => {
    one.engine.control(shipId, { thrustLevel, pointing: 'prograde' })
  }
  const steerBoth = (owner: Host, shipId: string, thrustLevel: number): void => {
    steer(owner, shipId, thrustLevel)
    steer(twin, shipId, thrustLevel)
  }
  const advance = async (): Promise<void> => {
    for (const one of [twin, left, right]) await one.advance(4)
    await catchUp(right, 'alone', left)
    await catchUp(left, 'pair', right)
  }
  await letGo(left, 'pair')
  await letGo(right, 'alone')
  expect(Object.keys(left.engine.clock().sequences)).toEqual(['alone'])
  expect(() => steer(left, 'ship-3', 1)).toThrow('Another server flies')
  const refused = left.engine.execute({ kind: 'rename_ship', shipId: 'ship-3', name: 'Mine' })
  await expect(refused).rejects.toMatchObject({ code: 'ERR_SYSTEM_STOPPED' })
  const { followed } = left.engine
  const remove = (shipId: string) => followed.concerned({ kind: 'remove_ship', shipId })
  expect(remove('ship-0')).toEqual({ own: true, others: [] })
  expect(remove('ship-3')).toEqual({ own: false, others: ['pair'] })
  const level = { kind: 'maneuver_logging', level: 'normal' } as const
  expect(followed.concerned(level)).toEqual({ own: true, others: ['pair'] })
  for (const one of [twin, left, right]) await one.engine.execute(level)
  steerBoth(left, 'ship-0', 0.5)
  steerBoth(right, 'ship-3', 0.25)
  await advance()
  await right.engine.execute({ kind: 'rename_ship', shipId: 'ship-3', name: 'Far' })
  await twin.engine.execute({ kind: 'rename_ship', shipId: 'ship-3', name: 'Far' })
  await advance()
  expect((await left.engine.ship('ship-3'))?.name).toBe('Far')

  // An order that waits goes with the system.
  steerBoth(right, 'ship-7', 0.75)
  await letGo(right, 'pair')
  await left.advance(0.1)
  await catchUp(left, 'pair', right)
  await takeOver(left, 'pair')
  left.rows.set('pair', right.rows.get('pair') ?? [])
  await twin.advance(0.1)
  steerBoth(left, 'ship-3', 0)
  for (const one of [twin, left, right]) await one.advance(8)
  await catchUp(right, 'pair', left)
  await catchUp(right, 'alone', left)

  for (const systemId of ['alone', 'pair']) {
    for (const one of [left, right]) {
      const [ours, theirs] = [bits(one, systemId), bits(twin, systemId)]
      expect(ours.header).toEqual(theirs.header)
      expect(Buffer.compare(ours.bytes, theirs.bytes)).toBe(0)
    }
  }
  expect(left.digests).toEqual(twin.digests)
  expect(right.digests).toEqual(twin.digests)
  expect(new Set(Array.from(twin.digests.keys(), (key) => key.split(' ')[0])).size).toBe(2)
})

it('a system that is ahead of the clock is flown once time has come so far', async () => {
  const [ahead, behind] = [host(), host()]
  await letGo(behind, 'pair')
  await ahead.advance(4)
  await catchUp(behind, 'pair', ahead)
  const taken = takeOver(behind, 'pair')
  await behind.advance(3.9)
  expect(Object.keys(behind.engine.clock().sequences)).toEqual(['alone'])
  await behind.advance(0.3)
  await taken
  await behind.advance(1)
  expect(indexOf(behind, 'pair')).toBe(indexOf(behind, 'alone'))
  expect(indexOf(behind, 'pair')).toBeGreaterThan(indexOf(ahead, 'pair'))
})

it('a tick ends where a system is that is ahead of the clock, and those behind go on', async () => {
  const [ahead, behind] = [host(), host()]
  await letGo(behind, 'pair')
  ahead.engine.changeTickRate(8)
  const begun = indexOf(ahead, 'pair')
  await ahead.advance(0.125)
  expect(indexOf(ahead, 'pair')).toBe(begun + 80)
  await catchUp(behind, 'pair', ahead)
  const taken = takeOver(behind, 'pair')
  await behind.advance(0.125)
  await taken
  expect(indexOf(behind, 'alone')).toBe(begun + 80)
  expect(Object.keys(behind.engine.clock().sequences)).toEqual(['alone', 'pair'])
  await behind.advance(0.1)
  expect(behind.engine.status()).toMatchObject({ tick: 3, ticksBehind: 0, ticksDropped: 0 })
  expect(indexOf(behind, 'pair')).toBe(begun + 144)
})

it('a ship leaves a system of one engine for one of another, whose owner takes it in', async () => {
  const [left, right] = [host(), host()]
  await letGo(left, 'pair')
  await letGo(right, 'alone')
  await left.engine.execute({ kind: 'transfer_ship', shipId: 'ship-0', systemId: 'pair' })
  await expect(left.engine.ship('ship-0')).rejects.toMatchObject({ code: 'ERR_IN_TRANSIT' })
  await left.engine.completeHandOffs()
  await catchUp(right, 'alone', left)
  const departed = worldNamed(left.engine.universe, 'alone').departed.get('ship-0')?.index ?? NaN
  await right.engine.completeHandOffs(({ index }) => index !== departed)
  const [underWay, ...others] = right.engine.followed.underWay()
  expect(underWay).toMatchObject({ shipId: 'ship-0', index: departed })
  expect(others).toEqual([])
  expect(right.engine.followed.arrival(underWay)).toBe('now')
  await right.engine.completeHandOffs(({ from, index }) => from === 'alone' && index === departed)
  await right.advance(1)
  await catchUp(left, 'pair', right)
  for (const one of [left, right]) {
    expect(await one.engine.ship('ship-0')).toMatchObject({ systemId: 'pair' })
    expect(one.engine.status().ships).toBe(12)
    expect(one.engine.followed.underWay()).toEqual([])
  }
})

it('a ship whose arrival is flown before its departure is forgotten where it left', async () => {
  const [left, right, watching] = [host(), host(), host()]
  await letGo(left, 'pair')
  await letGo(right, 'alone')
  await letGo(watching, 'pair')
  let departures = 0
  const onDeparted = (): void => void departures++
  watching.replays.set('alone', await watching.engine.followed.letGo('alone', { onDeparted }))
  await left.engine.execute({ kind: 'transfer_ship', shipId: 'ship-0', systemId: 'pair' })
  await catchUp(right, 'alone', left)
  await right.engine.completeHandOffs()
  await catchUp(watching, 'pair', right)
  expect(departures).toBe(0)
  await catchUp(watching, 'alone', left)
  expect(departures).toBe(1)
  expect(watching.engine.status().ships).toBe(13)
  const { followed } = watching.engine
  const underWay = followed.underWay()
  expect(underWay.map((one) => followed.arrival(one))).toEqual(['elsewhere'])
  const forget = async (alone: number, pair: number): Promise<void> => {
    const heads = new Map(Object.entries({ alone, pair }))
    await followed.forget(new Map(underWay.map((one) => [one, heads])))
  }
  const [alone, pair] = [left, right].map(
    ({ engine }) => Object.values(engine.clock().sequences)[0],
  )
  await forget(alone, pair + 1)
  expect(watching.engine.status().ships).toBe(13)
  await forget(alone, pair)
  expect(watching.engine.status().ships).toBe(12)
  expect(await watching.engine.ship('ship-0')).toMatchObject({ systemId: 'pair' })
  // What a system of this process has sent is not another's to forget.
  await left.engine.execute({ kind: 'transfer_ship', shipId: 'ship-1', systemId: 'pair' })
  const [sent] = worldNamed(left.engine.universe, 'alone').departed.values()
  await left.engine.followed.forget(
    new Map([[sent, new Map(Object.entries({ alone: 0, pair: 0 }))]]),
  )
  await expect(left.engine.ship('ship-1')).rejects.toMatchObject({ code: 'ERR_IN_TRANSIT' })
})

it('no tick runs beside a flight that waited for another', async () => {
  const universe = livelySystems()
  const flying = callingThread(...universe.worlds)
  let isFollowing = false
  const beside: boolean[] = []
  const pool: typeof flying = {
    ...flying,
    advance: (...given) => {
      beside.push(isFollowing)
      return flying.advance(...given)
    },
  }
  const { engine, clock } = testEngine({ universe, pool })
  const flight = (): { end(): void; ended: Promise<void> } => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const ended = engine.followed.fly(async () => {
      isFollowing = true
      await promise
      isFollowing = false
    })
    return { end: resolve, ended }
  }
  const [first, second] = [flight(), flight()]
  const ticked = clock.advance(100)
  await setImmediate()
  first.end()
  await first.ended
  await setImmediate()
  second.end()
  await Promise.all([second.ended, ticked])
  expect(beside.length).toBeGreaterThan(0)
  expect(beside).not.toContain(true)
})
