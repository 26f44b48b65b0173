import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import { type ClockPlanRow, Ownership, claimSystems, clockPlan } from '../src/index.ts'

const HOME = 'sol'
const SYSTEMS = ['alpha', HOME]

function row(lattice: number, atMs: number): Omit<ClockPlanRow, 'number'> {
  const pace = { tickRate: 2.5, timeScale: 1.1, pace: 1.1, paused: false }
  return { lattice, atMs, ...pace, adaptiveTickRate: true, goal: null }
}

export function clockPlanLaws({ sql }: Database): void {
  it('rows come back as they were added, in their order, until they are cleared', async () => {
    const owner = await claimSystems(sql, { systemIds: SYSTEMS })
    const plan = clockPlan(sql)
    const at = { era: 1, owner, home: HOME }
    const { rows: none, nowMs } = await plan.load(1)
    expect(none).toEqual([])
    const first = await plan.add(at, [row(10, nowMs), row(2 ** 40, nowMs + 4000)])
    const goal = { ...row(12, nowMs + 1), goal: 2 ** 41, paused: true }
    const second = await plan.add(at, [goal])
    expect(first.map(({ number, lattice }) => [number, lattice])).toEqual([
      [1, 10],
      [2, 2 ** 40],
    ])
    expect(second).toMatchObject([{ number: 3, goal: 2 ** 41, paused: true, timeScale: 1.1 }])
    expect(Math.abs(second[0].atMs - goal.atMs)).toBeLessThan(0.01)
    expect((await plan.load(1)).rows).toEqual([...first, ...second])
    expect((await plan.load(2)).rows).toEqual([])
    await plan.clear(owner, HOME)
    expect((await plan.load(1)).rows).toEqual([])
  })

  it('rows of other eras go, and what is long past but for what is in force', async () => {
    const owner = await claimSystems(sql, { systemIds: SYSTEMS })
    const plan = clockPlan(sql)
    const { nowMs } = await plan.load(1)
    await plan.add({ era: 1, owner, home: HOME }, [row(1, nowMs)])
    const at = { era: 2, owner, home: HOME }
    await plan.add(
      at,
      [3, 2, 1].map((hours) => row(9 - hours, nowMs - 3_600_000 * hours)),
    )
    await plan.add(at, [row(9, nowMs)])
    expect((await plan.load(1)).rows).toEqual([])
    expect((await plan.load(2)).rows.map(({ lattice }) => lattice)).toEqual([8, 9])
  })

  it('only the owner of the home system plans', async () => {
    const former = await claimSystems(sql, { systemIds: SYSTEMS })
    const other = new Ownership(
      [...former.claims().values()].filter(({ system }) => system !== HOME),
    )
    const owner = await claimSystems(sql, { systemIds: [HOME] })
    const plan = clockPlan(sql)
    const { nowMs } = await plan.load(1)
    await plan.add({ era: 1, owner, home: HOME }, [row(1, nowMs)])
    for (const zombie of [former, other]) {
      const adding = plan.add({ era: 1, owner: zombie, home: HOME }, [row(2, nowMs)])
      await expect(adding).rejects.toMatchObject({ code: 'ERR_FENCED' })
      await plan.clear(zombie, HOME)
    }
    expect((await plan.load(1)).rows.map(({ lattice }) => lattice)).toEqual([1])
  })
}
