import { expect } from 'vitest'
import type { Case, Section } from './case.ts'
import { ADMIN_STATUS, COUNT, envelope } from './shapes.ts'
import { type Loose, RATE_HZ, type World, eventually } from './world.ts'

const status = ({ order }: World): Promise<Loose> => order('GET', '/api/admin/status')
const rate = ({ order }: World, tick_rate: number): Promise<Loose> =>
  order('PUT', '/api/admin/game/tick-rate', { tick_rate })
const scale = ({ order }: World, time_scale: number): Promise<Loose> =>
  order('PUT', '/api/admin/game/time-scale', { time_scale })
const sync = ({ order }: World, enabled: boolean): Promise<Loose> =>
  order('POST', '/api/admin/game/time-sync', { enabled })
const adaptive = ({ order }: World, enabled: boolean): Promise<Loose> =>
  order('POST', '/api/admin/game/adaptive-tick-rate', { enabled })

/** Every order of game control, with a body where it takes one. */
export const ORDERS: readonly (readonly [string, string, unknown?])[] = [
  ['GET', '/api/admin/status'],
  ['POST', '/api/admin/game/pause'],
  ['POST', '/api/admin/game/resume'],
  ['PUT', '/api/admin/game/tick-rate', { tick_rate: 5 }],
  ['PUT', '/api/admin/game/time-scale', { time_scale: 5 }],
  ['POST', '/api/admin/game/time-sync', { enabled: true }],
  ['POST', '/api/admin/game/adaptive-tick-rate', { enabled: true }],
  ['POST', '/api/admin/game/reset'],
  ['GET', '/api/admin/registrations'],
  ['POST', '/api/admin/registrations', { open: false }],
  ['POST', '/api/admin/registrations/enable'],
  ['POST', '/api/admin/registrations/disable'],
]

async function takesItsRange(world: World, name: string, path: string, key: string): Promise<void> {
  const first = (await status(world))[name]
  let previous = first
  for (const value of [0.1, 100, 1.5, first]) {
    const answer = await world.order('PUT', path, { [name]: value })
    expect(answer).toEqual({ [`previous_${key}`]: previous, [`new_${key}`]: value })
    expect((await status(world))[name]).toBe(value)
    previous = value
  }
}

const clock: readonly Case[] = [
  {
    rows: ['admin-status/200', 'limit/drift', 'limit/ticks-behind', 'status/sources'],
    title: 'is healthy: no tick behind, drift within 1e-6, at the rate it should',
    script: async (world) => {
      const found = await eventually(
        () => status(world),
        ({ actual_rate: actual }) => actual > 5,
      )
      expect(found.actual_rate).toBeGreaterThan(5)
      expect(found.ticks_behind).toBeLessThanOrEqual(5)
      expect(Math.abs(found.energy_drift)).toBeLessThan(1e-6)
      expect(Math.abs(found.momentum_drift)).toBeLessThan(1e-6)
      await rate(world, RATE_HZ)
    },
  },
  {
    rows: ['pause/200', 'resume/200', 'state/pause', 'state/resume', 'setting/paused'],
    title: 'pauses and resumes at a tick, and the tick stands between',
    script: async (world) => {
      const { order, connect, ida } = world
      const line = await connect(ida.token)
      await rate(world, 20)
      const paused = await order('POST', '/api/admin/game/pause')
      expect(paused).toEqual({ paused: true, paused_at_tick: COUNT })
      await line.next('paused')
      const { current_tick: tick, paused: flag, actual_rate: actual } = await status(world)
      expect([tick, flag, actual]).toEqual([paused.paused_at_tick, true, 0])
      expect(await order('POST', '/api/admin/game/pause')).toEqual(paused)
      const resumed = await order('POST', '/api/admin/game/resume')
      expect(resumed).toEqual({ paused: false, resumed_at_tick: tick })
      expect((await line.next('tick')).tick).toBeGreaterThanOrEqual(tick)
      expect(await order('POST', '/api/admin/game/resume')).toEqual({
        paused: false,
        resumed_at_tick: COUNT,
      })
      await rate(world, RATE_HZ)
    },
  },
  {
    rows: ['design:pause/again', 'design:pause/rest', 'design:pause/frame', 'message/pause'],
    title: 'paused twice it is told once, and a rename is shown by one frame',
    script: async ({ order, connect, ida }) => {
      const line = await connect(ida.token)
      await order('POST', '/api/admin/game/pause')
      await order('POST', '/api/admin/game/pause')
      const told = await line.next('paused')
      await new Promise((resolve) => setTimeout(resolve, 200))
      const before = line.messages.length
      await line.answer({ type: 'ship_rename', name: 'Seen at rest' })
      const frame = await line.next('tick', ({ ships }) =>
        ships.some(({ name }: Loose) => name === 'Seen at rest'),
      )
      expect(frame.tick).toBe(told.tick)
      await new Promise((resolve) => setTimeout(resolve, 300))
      const kinds = line.messages.slice(before).map(({ type }) => type)
      expect(kinds.filter((kind) => kind === 'tick')).toHaveLength(1)
      expect(line.messages.filter(({ type }) => type === 'paused')).toHaveLength(1)
      await order('POST', '/api/admin/game/resume')
      await line.answer({ type: 'ship_rename', name: 'Ida' })
    },
  },
  ...[
    { name: 'tick_rate', key: 'rate', path: '/api/admin/game/tick-rate', code: 'E015' as const },
    { name: 'time_scale', key: 'scale', path: '/api/admin/game/time-scale', code: 'E029' as const },
  ].flatMap(({ name, key, path, code }) => {
    const row = code === 'E015' ? 'tick-rate' : 'time-scale'
    return [
      {
        rows: [`${row}/200`, `limit/${row}`, `setting/${name as 'tick_rate'}`] as const,
        title: 'takes its bounds and what is between, and tells what was before',
        script: (world: World) => takesItsRange(world, name, path, key),
      },
      ...[0, -1, 0.0999, 100.1, 1e9, '5', null, [5], true, undefined].map((value) => ({
        rows: [`${row}/${code}`, `error/${code}`, 'design:codes/of-fields'] as never,
        title: `${JSON.stringify(value)} is refused`,
        ask: ['PUT', path, { [name]: value }] as const,
        as: 'chief' as const,
        status: 400,
        code,
      })),
    ]
  }),
]

/** Of a server nobody has touched; then its clock goes as the other cases want it. */
export const freshSection: Section = {
  name: 'a fresh server',
  cases: [
    {
      rows: [
        'admin-status/200',
        'setting/tick_rate',
        'setting/time_scale',
        'setting/time_sync_enabled',
        'setting/adaptive_tick_rate',
        'setting/registration_open',
        'limit/tick-rate',
        'limit/time-scale',
      ],
      title: 'at first: one tick and one second a second, nothing switched on, open',
      ask: ['GET', '/api/admin/status'],
      as: 'chief',
      status: 200,
      body: {
        ...ADMIN_STATUS,
        tick_rate: 1,
        time_scale: 1,
        effective_time_scale: 1,
        paused: false,
        time_sync_enabled: false,
        adaptive_tick_rate: false,
        registration_open: true,
      },
    },
    {
      rows: ['tick-rate/200', 'setting/tick_rate'],
      title: 'is set to tick faster, so that the cases after this wait less',
      ask: ['PUT', '/api/admin/game/tick-rate', { tick_rate: RATE_HZ }],
      as: 'chief',
      status: 200,
      body: { previous_rate: 1, new_rate: RATE_HZ },
    },
  ],
}

const switches: readonly Case[] = [
  {
    rows: ['time-sync/200', 'state/sync-on', 'state/sync-off', 'limit/sync', 'time-scale/sync-off'],
    title: 'at scale 1 a game ahead of UTC slows by 5 % at most; at another scale it does not',
    script: async (world) => {
      expect(await sync(world, false)).toEqual({ success: true, previous: false, current: false })
      await scale(world, 100)
      const ahead = await eventually(
        () => status(world),
        ({ time_drift_seconds: drift }) => drift > 30,
      )
      await scale(world, 1)
      expect(ahead.time_drift_seconds).toBeGreaterThan(30)
      expect(await sync(world, true)).toEqual({ success: true, previous: false, current: true })
      expect(await sync(world, true)).toEqual({ success: true, previous: true, current: true })
      const slowed = await eventually(
        () => status(world),
        ({ effective_time_scale: effective }) => effective < 1,
      )
      expect(slowed.time_sync_enabled).toBe(true)
      expect(slowed.effective_time_scale).toBeLessThan(1)
      expect(slowed.effective_time_scale).toBeGreaterThanOrEqual(0.95 - 1e-9)
      await scale(world, 2)
      const inactive = await eventually(
        () => status(world),
        ({ effective_time_scale: effective }) => effective === 2,
      )
      expect(inactive).toMatchObject({ effective_time_scale: 2, time_sync_enabled: true })
      await scale(world, 1)
      expect(await sync(world, false)).toEqual({ success: true, previous: true, current: false })
      const open = await world.ask('GET', '/api/status')
      expect(open.body).toMatchObject({ time_sync_enabled: false, effective_time_scale: 1 })
      await rate(world, RATE_HZ)
    },
  },
  {
    rows: ['adaptive/200', 'state/adaptive-on', 'state/adaptive-off', 'limit/adaptive'],
    title: 'the rate moves inside 0.5-10 Hz, and goes back to what was set',
    script: async (world) => {
      await rate(world, 20)
      expect(await adaptive(world, true)).toEqual({ success: true, adaptive_tick_rate: true })
      const bounded = await eventually(
        () => status(world),
        ({ tick_rate: hz }) => hz <= 10,
      )
      expect(bounded.adaptive_tick_rate).toBe(true)
      expect(bounded.tick_rate).toBeLessThanOrEqual(10)
      expect(bounded.tick_rate).toBeGreaterThanOrEqual(0.5)
      expect(await adaptive(world, false)).toEqual({ success: true, adaptive_tick_rate: false })
      expect(await status(world)).toMatchObject({ tick_rate: 20, adaptive_tick_rate: false })
      await rate(world, RATE_HZ)
    },
  },
  ...['time-sync', 'adaptive-tick-rate'].flatMap((path) =>
    ['true', 1, null, undefined].map((enabled) => ({
      rows: [path === 'time-sync' ? 'time-sync/200' : 'adaptive/200'] as never,
      title: `${path}: ${JSON.stringify(enabled)} is no switch`,
      ask: ['POST', `/api/admin/game/${path}`, { enabled }] as const,
      as: 'chief' as const,
      status: 400,
      code: 'E001',
    })),
  ),
]

const registrations: readonly Case[] = [
  {
    rows: [
      'registrations-set/200',
      'registrations/200',
      'registrations-enable/200',
      'registrations-disable/200',
      'state/close-registration',
      'state/open-registration',
    ],
    title: 'closes and opens in both ways',
    script: async ({ order, ask }) => {
      const path = '/api/admin/registrations'
      for (const [way, body, open] of [
        ['', { open: false }, false],
        ['', { open: true }, true],
        ['/disable', undefined, false],
        ['/disable', undefined, false],
        ['/enable', undefined, true],
      ] as const) {
        const answer = await order('POST', path + way, body)
        expect(answer).toEqual({ success: true, registration_open: open })
        expect(await order('GET', path)).toEqual({ registration_open: open })
        const status = await ask('POST', '/api/auth/register', { body: {} })
        expect(status.body).toEqual(envelope(open ? 'E011' : 'E020'))
      }
    },
  },
  ...['true', 0, null, undefined].map((open) => ({
    rows: ['registrations-set/200'] as const,
    title: `${JSON.stringify(open)} is neither open nor closed`,
    ask: ['POST', '/api/admin/registrations', { open }] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E001',
  })),
]

const strangers: readonly Case[] = ORDERS.flatMap(([method, path, body]) =>
  (['player', undefined] as const).map((as) => ({
    rows: [
      'admin-status/E005',
      'adaptive/E005',
      'reset/E005',
      'registrations-set/E005',
      'registrations/E005',
      'registrations-enable/E005',
      'registrations-disable/E005',
      'admin-routes/token',
    ] as const,
    title: `${method} ${path} is not for ${as ?? 'strangers'}`,
    ask: [method, path, body] as const,
    as,
    status: 401,
    code: 'E005',
  })),
)

export const controlSection: Section = {
  name: 'game control',
  cases: [
    ...clock,
    ...switches,
    ...registrations,
    ...strangers,
    {
      rows: ['admin-status/200'],
      title: 'after all this the clock is as it was',
      ask: ['GET', '/api/admin/status'],
      as: 'chief',
      status: 200,
      body: { ...ADMIN_STATUS, tick_rate: RATE_HZ, time_scale: 1, paused: false },
    },
  ],
}
