import { expect } from 'vitest'
import type { Loose } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { type Case, type Section, casesOf } from './case.ts'
import { ADMIN_STATUS, COUNT } from './shapes.ts'
import { RATE_HZ, type World, eventually } from './world.ts'

const status = ({ order }: World): Promise<Loose> => order('GET', '/api/admin/status')
const rate = ({ order }: World, tick_rate: number): Promise<Loose> =>
  order('PUT', '/api/admin/game/tick-rate', { tick_rate })
const scale = ({ order }: World, time_scale: number): Promise<Loose> =>
  order('PUT', '/api/admin/game/time-scale', { time_scale })
const sync = ({ order }: World, enabled: boolean): Promise<Loose> =>
  order('POST', '/api/admin/game/time-sync', { enabled })
const adaptive = ({ order }: World, enabled: boolean): Promise<Loose> =>
  order('POST', '/api/admin/game/adaptive-tick-rate', { enabled })

/** The status once it fits. */
const statusOnce = (world: World, fits: (found: Loose) => boolean): Promise<Loose> =>
  eventually(() => status(world), fits)

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

const SETTINGS = [
  ['tick-rate', 'tick_rate', 'rate', 'E015', 'tick-rate/E015'],
  ['time-scale', 'time_scale', 'scale', 'E029', 'time-scale/E029'],
] as const

const clock: readonly Case[] = [
  {
    rows: ['admin-status/200', 'limit/drift', 'limit/ticks-behind', 'status/sources'],
    title: 'is healthy: no tick behind, drift within 1e-6, at the set rate',
    script: async (world) => {
      const found = await statusOnce(world, ({ actual_rate: actual }) => actual > 5)
      expect(found.actual_rate).toBeGreaterThan(5)
      expect(found.ticks_behind).toBeLessThanOrEqual(5)
      expect(Math.abs(found.energy_drift)).toBeLessThan(1e-6)
      expect(Math.abs(found.momentum_drift)).toBeLessThan(1e-6)
      await rate(world, RATE_HZ)
    },
  },
  {
    rows: ['pause/200', 'resume/200', 'state/pause', 'state/resume', 'setting/paused'],
    title: 'pauses and resumes at a tick, and makes no tick between',
    script: async (world) => {
      const { order, connect, ida } = world
      const socket = await connect(ida.token)
      await rate(world, 20)
      const paused = await order('POST', '/api/admin/game/pause')
      expect(paused).toEqual({ paused: true, paused_at_tick: COUNT })
      await socket.next('paused')
      const { current_tick: tick, paused: flag, actual_rate: actual } = await status(world)
      expect([tick, flag, actual]).toEqual([paused.paused_at_tick, true, 0])
      expect(await order('POST', '/api/admin/game/pause')).toEqual(paused)
      const resumed = await order('POST', '/api/admin/game/resume')
      expect(resumed).toEqual({ paused: false, resumed_at_tick: tick })
      expect((await socket.next('tick')).tick).toBeGreaterThanOrEqual(tick)
      expect(await order('POST', '/api/admin/game/resume')).toEqual({
        paused: false,
        resumed_at_tick: COUNT,
      })
      await rate(world, RATE_HZ)
    },
  },
  {
    rows: ['design:pause/again', 'design:pause/rest', 'design:pause/frame', 'message/pause'],
    title: 'a second pause sends nothing, and each rename is shown by one frame',
    script: async (world) => {
      const { order, connect, ida } = world
      const socket = await connect(ida.token)
      // A world that goes on would send many frames meanwhile.
      await rate(world, 100)
      await order('POST', '/api/admin/game/pause')
      await order('POST', '/api/admin/game/pause')
      const paused = await socket.next('paused')
      await socket.answer({ type: 'ping' })
      const before = socket.messages.length
      const names = ['First at rest', 'Second at rest', 'Third at rest', 'Fourth at rest']
      for (const shown of names) {
        await socket.answer({ type: 'ship_rename', name: shown })
        const frame = await socket.next('tick', ({ ships }) =>
          ships.some(({ name }) => name === shown),
        )
        expect(frame.tick).toBe(paused.tick)
      }
      await socket.answer({ type: 'ping' })
      const kinds = socket.messages.slice(before).map(({ type }) => type)
      expect(kinds.filter((kind) => kind === 'tick')).toHaveLength(names.length)
      expect(socket.messages.filter(({ type }) => type === 'paused')).toHaveLength(1)
      await order('POST', '/api/admin/game/resume')
      await socket.answer({ type: 'ship_rename', name: 'Ida' })
      await rate(world, RATE_HZ)
    },
  },
  ...SETTINGS.flatMap(([route, name, key, code, refusal]): Case[] => {
    const path = `/api/admin/game/${route}`
    return [
      {
        rows: [`${route}/200`, `limit/${route}`, `setting/${name}`],
        title: 'takes its bounds and values between, and answers the previous one',
        script: (world) => takesItsRange(world, name, path, key),
      },
      ...casesOf([0, -1, 0.0999, 100.1, 1e9, '5', null, [5], true, undefined], (value) => ({
        rows: [refusal, `error/${code}`, 'design:codes/of-fields'],
        ask: ['PUT', path, { [name]: value }],
        answer: `400 ${code}`,
      })),
    ]
  }),
]

/** Of an unused server; then its clock gets the rate that the other cases need. */
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
        'setting/talk_enabled',
        'limit/tick-rate',
        'limit/time-scale',
      ],
      title: 'at first: one tick and one second a second, nothing switched on, open',
      ask: ['GET', '/api/admin/status'],
      answer: '200',
      body: {
        ...ADMIN_STATUS,
        tick_rate: 1,
        time_scale: 1,
        effective_time_scale: 1,
        paused: false,
        time_sync_enabled: false,
        adaptive_tick_rate: false,
        registration_open: true,
        talk_enabled: false,
      },
    },
    {
      rows: ['tick-rate/200', 'setting/tick_rate'],
      title: 'is set to tick faster, so that the cases after this wait less',
      ask: ['PUT', '/api/admin/game/tick-rate', { tick_rate: RATE_HZ }],
      answer: '200',
      body: { previous_rate: 1, new_rate: RATE_HZ },
    },
  ],
}

const NO_FLAGS = ['true', 0, 1, null, undefined] as const

const switches: readonly Case[] = [
  {
    rows: ['time-sync/200', 'state/sync-on', 'state/sync-off', 'limit/sync', 'time-scale/sync-off'],
    title: 'at scale 1 a game ahead of UTC slows by 5 % at most; at another scale it does not',
    isOfNight: true,
    script: async (world) => {
      expect(await sync(world, false)).toEqual({ success: true, previous: false, current: false })
      await scale(world, 100)
      const ahead = await statusOnce(world, ({ time_drift_seconds: drift }) => drift > 30)
      await scale(world, 1)
      expect(ahead.time_drift_seconds).toBeGreaterThan(30)
      expect(await sync(world, true)).toEqual({ success: true, previous: false, current: true })
      expect(await sync(world, true)).toEqual({ success: true, previous: true, current: true })
      const slowed = await statusOnce(world, ({ effective_time_scale: effective }) => effective < 1)
      expect(slowed.time_sync_enabled).toBe(true)
      expect(slowed.effective_time_scale).toBeLessThan(1)
      expect(slowed.effective_time_scale).toBeGreaterThanOrEqual(0.95 - 1e-9)
      await scale(world, 2)
      const inactive = await statusOnce(
        world,
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
    title: 'the rate moves inside 0.5-10 Hz, and returns to the one that was set',
    script: async (world) => {
      await rate(world, 20)
      expect(await adaptive(world, true)).toEqual({ success: true, adaptive_tick_rate: true })
      const bounded = await statusOnce(world, ({ tick_rate: hz }) => hz <= 10)
      expect(bounded.adaptive_tick_rate).toBe(true)
      expect(bounded.tick_rate).toBeLessThanOrEqual(10)
      expect(bounded.tick_rate).toBeGreaterThanOrEqual(0.5)
      expect(await adaptive(world, false)).toEqual({ success: true, adaptive_tick_rate: false })
      expect(await status(world)).toMatchObject({ tick_rate: 20, adaptive_tick_rate: false })
      await rate(world, RATE_HZ)
    },
  },
  ...(
    [
      ['time-sync/200', 'game/time-sync', 'enabled'],
      ['adaptive/200', 'game/adaptive-tick-rate', 'enabled'],
      ['registrations-set/200', 'registrations', 'open'],
      ['talk/200', 'talk', 'enabled'],
    ] as const
  ).flatMap(([row, path, field]) =>
    casesOf(NO_FLAGS, (value) => ({
      rows: [row],
      ask: ['POST', `/api/admin/${path}`, { [field]: value }],
      answer: '400 E001',
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
        const registered = await ask('POST', '/api/auth/register', { body: {} })
        expect(refusalOf(registered)).toBe(open ? '400 E011' : '403 E020')
      }
    },
  },
]

const talk: readonly Case[] = [
  {
    rows: ['talk/200'],
    title: 'switches talk, which everybody sees',
    script: async ({ order, ask }) => {
      for (const enabled of [true, false]) {
        const answer = await order('POST', '/api/admin/talk', { enabled })
        expect(answer).toEqual({ success: true, talk_enabled: enabled })
        expect((await ask('GET', '/api/status')).body).toMatchObject({ talk_enabled: enabled })
      }
    },
  },
]

export const controlSection: Section = {
  name: 'game control',
  cases: [
    ...clock,
    ...switches,
    ...registrations,
    ...talk,
    {
      rows: ['admin-status/200'],
      title: 'after all this the clock has its first settings',
      ask: ['GET', '/api/admin/status'],
      answer: '200',
      body: { ...ADMIN_STATUS, tick_rate: RATE_HZ, time_scale: 1, paused: false },
    },
  ],
}
