// Law: while several hosts fly one universe its clock changes at one lattice index on all of them,
// also when the leader dies before it; a leader alone changes it at once.
import { expect, test } from 'vitest'
import { type Loose, type Order, openOrders } from '../player-client.ts'
import type { ServerProcess } from '../server-process.ts'
import { type Hosts, SYSTEMS, clockOff, ownerOf, until, untilFollowing } from './hosts.ts'

const [FAR] = SYSTEMS

/** @param hosts  whose owner is alone, or with one that is drained, and runs at 20 Hz */
export function sharedClock(hosts: Hosts): void {
  let leader: ServerProcess
  let flyer: ServerProcess
  let order: Order

  /** The last clock of each system. */
  async function clocks(): Promise<Loose[]> {
    return hosts.stored.sql`
      select distinct on (system) system, lattice::float8 as lattice, paused,
        time_scale::float8 as scale
      from clock order by system, sequence desc, lattice desc, written_at desc`
  }

  /** Waits until the last clock of each system is that of a pause at an index. */
  async function untilPaused(lattice: number): Promise<void> {
    await until(async () => (await clocks()).every(({ paused }) => paused))
    expect(await clocks()).toMatchObject(SYSTEMS.map((system) => ({ system, lattice })))
  }

  /** Waits until a change is what acts next. */
  async function untilPlanned(isMeant: (planned: Loose) => boolean): Promise<void> {
    await until(async () => {
      const { planned } = await order('GET', '/api/admin/status')
      return planned !== null && isMeant(planned)
    })
  }

  async function scaled(scale: number): Promise<Loose> {
    return order('PUT', '/api/admin/game/time-scale', { time_scale: scale })
  }

  function changedAt(server: ServerProcess, index: number): boolean {
    const log = server.output().split('\n')
    return log.some((line) => line.includes(`"index":${index},`) && line.includes('"time_scale"'))
  }

  test('alone, a leader changes its clock at once', async () => {
    leader = hosts.owner
    order = await openOrders(leader)
    await scaled(1)
    expect(await scaled(40)).toEqual({ previous_scale: 1, new_scale: 40 })
    expect(await order('POST', '/api/admin/game/pause')).not.toHaveProperty('effective_at_index')
    await order('POST', '/api/admin/game/resume')
    expect(await order('GET', '/api/admin/status')).toMatchObject({ planned: null })
    expect(await hosts.stored.sql`select from clock_plan`).toHaveLength(0)
  })

  test('paused at one index while two hosts fly', async () => {
    // Off, and not wrong.
    flyer = await hosts.start(clockOff(300))
    await untilFollowing(flyer, leader)
    const { hosts: all } = await order('GET', '/api/admin/hosts')
    const { host_id: id } = all.find((host: Loose) => host.url === flyer.url)
    await order('POST', `/api/admin/hosts/${id}/systems`, { system_id: FAR })
    await until(() => flyer.output().includes('"msg":"flying star systems"'))
    const pausing = order('POST', '/api/admin/game/pause')
    await untilPlanned(({ paused }) => paused)
    expect(await order('GET', '/api/admin/status')).toMatchObject({ paused: false, time_scale: 40 })
    // Its clock stands by then, so that its moment decides, and its index is the same.
    const slower = scaled(20)
    const { effective_at_index: index, paused_at_tick: tick } = await pausing
    expect(await slower).toMatchObject({ effective_at_index: index })
    expect(await order('GET', '/api/admin/status')).toMatchObject({
      paused: true,
      current_tick: tick,
      planned: null,
    })
    await untilPaused(index)
  })

  test('resumed from there, and at another scale from one index on', async () => {
    const [{ lattice: before }] = await clocks()
    const resuming = order('POST', '/api/admin/game/resume')
    await untilPlanned(({ paused }) => !paused)
    const faster = scaled(60)
    expect(await resuming).toMatchObject({ paused: false, effective_at_index: before })
    const seen: Loose[] = []
    await until(async () => {
      const now = await clocks()
      seen.push(...now)
      return now.every(({ scale }) => scale === 60)
    })
    const { effective_at_index: index } = await faster
    expect(index).toBeGreaterThan(before)
    for (const server of [leader, flyer]) {
      for (const at of [before, index]) expect(changedAt(server, at)).toBe(true)
    }
    const isOfIndex = ({ lattice, scale }: Loose): boolean =>
      scale === 60 ? lattice >= index : lattice <= index
    expect(seen.filter((one) => !isOfIndex(one))).toEqual([])
  })

  test('the leader is killed before the index of a pause: all stand there', async () => {
    const pausing = order('POST', '/api/admin/game/pause').catch(() => undefined)
    const waiting = async (): Promise<number | undefined> => {
      const [row] = await hosts.stored.sql<[{ lattice: number }?]>`
        select lattice::float8 as lattice from clock_plan
        where paused and at > clock_timestamp() order by number desc limit 1`
      return row?.lattice
    }
    await until(async () => (await waiting()) !== undefined)
    const index = await waiting()
    await leader.kill()
    await pausing
    hosts.owner = await ownerOf([flyer])
    order = await openOrders(flyer)
    // What it flies is the world that it leads: it opens none.
    expect(flyer.output()).toContain('"reason":"it is to lead"')
    expect(flyer.output().split('"msg":"following the world"')).toHaveLength(2)
    await untilPaused(index!)
    const { current_tick: tick, ...status } = await order('GET', '/api/admin/status')
    expect(status).toMatchObject({ paused: true, planned: null, time_scale: 60 })
    expect(await order('POST', '/api/admin/game/pause')).toEqual({
      paused: true,
      paused_at_tick: tick,
    })
    await order('POST', '/api/admin/game/resume')
  })
}
