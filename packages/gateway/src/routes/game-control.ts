import {
  type AdaptiveTickRateResponse,
  type AdminStatusResponse,
  type OpenResponse,
  type OpenedResponse,
  type PauseResponse,
  type ResumeResponse,
  type TalkResponse,
  type TickRateResponse,
  type TimeScaleResponse,
  type TimeSyncResponse,
  enabledRequest,
  openRequest,
  tickRateRequest,
  timeScaleRequest,
} from '@orrery/protocol'
import { VERSION } from '@orrery/http'
import { type Context, Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { inMillionths } from '../views/wire-views.ts'
import type { AdminEnv } from './admin.ts'
import {
  PLANNED,
  broadcastClock,
  changeClock,
  gameTime,
  plannedChange,
} from './clock/clock-change.ts'
import { addClock } from './clock/moved-clock.ts'
import { addPaceVote } from './clock/pace-vote.ts'
import { bodyValues } from '../requests/input.ts'

/**
 * How the clock runs: pause, rate, scale, sync. Changes wait for each other, are stored before
 * they act, and are broadcast.
 */
export function gameControlRoutes(parts: AppParts): Hono<AdminEnv> {
  const { engine, journalWriter, settings } = parts
  const routes = new Hono<AdminEnv>()
  serve(
    routes,
    'readGameStatus',
    {
      summary: 'Status of the simulation',
      description:
        'Tick, rates, time scale, drift of energy and momentum, the settings of the clock, and ' +
        'the version of the server.',
      tag: 'game control',
    },
    (context) => {
      const status = engine.status()
      return context.json({
        current_tick: status.tick,
        tick_rate: status.tickRate,
        time_scale: status.timeScale,
        actual_rate: status.actualRate,
        paused: status.paused,
        ticks_behind: status.ticksBehind,
        game_time: new Date(status.gameTimeMs).toISOString(),
        energy_drift: status.energyDrift,
        momentum_drift: status.momentumDrift,
        time_sync_enabled: settings.timeSyncEnabled,
        time_drift_seconds: status.timeDriftSeconds,
        effective_time_scale: status.effectiveTimeScale,
        adaptive_tick_rate: settings.adaptiveTickRate,
        registration_open: settings.registrationOpen,
        talk_enabled: settings.talkEnabled,
        version: VERSION,
        stopped_systems: journalWriter.metrics().stopped.map(({ systemId, reason }) => ({
          system_id: systemId,
          reason,
        })),
        planned: plannedChange(parts),
      } satisfies AdminStatusResponse)
    },
  )
  addPause(routes, parts)
  addRates(routes, parts)
  addClock(routes, parts)
  addPaceVote(routes, parts)
  addAutomatics(routes, parts)
  return routes
}

function addPause(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, journalWriter, sockets, audit } = parts
  serve(
    routes,
    'pause',
    {
      summary: 'Pause',
      description: `Stops game time after the running tick. A paused game stays paused. ${PLANNED}`,
      tag: 'game control',
    },
    async (context) => {
      const admin = context.get('admin')
      const [tick, planned] = await changeClock(parts, 'pause', {
        admin,
        settings: { paused: true },
        pace: { paused: true },
        entry: {},
        acted: (at) => at,
        atOnce: async () => {
          const { paused } = engine.status()
          const last = await engine.pause()
          // Or a start after a crash could go on from an earlier tick than is answered here.
          await journalWriter.durable()
          if (paused) return last
          sockets.broadcast({ type: 'paused', tick: last, game_time: gameTime(parts) })
          await audit(admin, 'pause', { tick: last })
          return last
        },
      })
      return context.json({
        paused: true,
        paused_at_tick: tick,
        ...planned,
      } satisfies PauseResponse)
    },
  )
  serve(
    routes,
    'resume',
    {
      summary: 'Resume',
      description:
        'Continues game time from where it stopped. A running game keeps running. ' + PLANNED,
      tag: 'game control',
    },
    async (context) => {
      const admin = context.get('admin')
      const [tick, planned] = await changeClock(parts, 'resume', {
        admin,
        settings: { paused: false },
        pace: { paused: false },
        entry: {},
        acted: (at) => at,
        atOnce: async () => {
          const { paused } = engine.status()
          const last = await engine.resume()
          if (!paused) return last
          sockets.broadcast({ type: 'resumed', tick: last, game_time: gameTime(parts) })
          await audit(admin, 'resume', { tick: last })
          return last
        },
      })
      return context.json({
        paused: false,
        resumed_at_tick: tick,
        ...planned,
      } satisfies ResumeResponse)
    },
  )
}

function addRates(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, settings, sockets, audit } = parts
  serve(
    routes,
    'changeTickRate',
    {
      summary: 'Change the tick rate',
      body: tickRateRequest,
      description:
        'Sets the ticks per second, 0.1 to 100. With the adaptive tick rate on, the value is ' +
        `stored and applies afterwards. ${PLANNED}`,
      tag: 'game control',
      errors: [[400, 'E015']],
    },
    async (context) => {
      const rate = inMillionths((await bodyValues(context, tickRateRequest)).tick_rate)
      const admin = context.get('admin')
      const { tickRate: previous } = engine.clock()
      const [before, planned] = await changeClock(parts, 'tick_rate', {
        admin,
        settings: { tickRate: rate },
        pace: { tickRate: rate },
        entry: { previous, now: rate },
        acted: () => previous,
        atOnce: async () => {
          const last = engine.changeTickRate(rate)
          broadcastClock(parts)
          await audit(admin, 'tick_rate', { previous: last, now: rate })
          return last
        },
      })
      const answer: TickRateResponse = { previous_rate: before, new_rate: rate, ...planned }
      return context.json(answer)
    },
  )
  serve(
    routes,
    'changeTimeScale',
    {
      summary: 'Change the time scale',
      body: timeScaleRequest,
      description:
        'Sets the game seconds per real second, 0.1 to 100. A vote of the pilots goes before it. ' +
        PLANNED,
      tag: 'game control',
      errors: [[400, 'E029']],
    },
    async (context) => {
      const scale = inMillionths((await bodyValues(context, timeScaleRequest)).time_scale)
      const admin = context.get('admin')
      const { timeScale: previous } = settings
      const pace = sockets.paceVotes().pace ?? scale
      const [before, planned] = await changeClock(parts, 'time_scale', {
        admin,
        settings: { timeScale: scale },
        pace: { timeScale: pace },
        entry: { previous, now: scale },
        acted: () => previous,
        atOnce: async () => {
          engine.changeTimeScale(pace)
          broadcastClock(parts)
          await audit(admin, 'time_scale', { previous, now: scale })
          return previous
        },
      })
      const answer: TimeScaleResponse = { previous_scale: before, new_scale: scale, ...planned }
      return context.json(answer)
    },
  )
}

function addAutomatics(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, changeSettings, audit, controlQueue } = parts
  serve(
    routes,
    'switchTimeSync',
    {
      summary: 'Switch time sync',
      body: enabledRequest,
      description: 'Game time follows UTC by at most 5 % of the time scale, while that is about 1.',
      tag: 'game control',
    },
    async (context) => {
      const { enabled } = await bodyValues(context, enabledRequest)
      const previous = await controlQueue(async () => {
        await changeSettings({ timeSyncEnabled: enabled })
        const before = engine.switchTimeSync(enabled)
        if (before !== enabled) {
          broadcastClock(parts)
          await audit(context.get('admin'), 'time_sync', { enabled })
        }
        return before
      })
      return context.json({ success: true, previous, current: enabled } satisfies TimeSyncResponse)
    },
  )
  serve(
    routes,
    'switchAdaptiveTickRate',
    {
      summary: 'Switch the adaptive tick rate',
      body: enabledRequest,
      description:
        'The tick rate follows the load: 70 % of the period, from 0.5 to 10 Hz. ' + PLANNED,
      tag: 'game control',
    },
    async (context) => {
      const { enabled } = await bodyValues(context, enabledRequest)
      const admin = context.get('admin')
      const [, planned] = await changeClock(parts, 'adaptive_tick_rate', {
        admin,
        settings: { adaptiveTickRate: enabled },
        pace: { adaptiveTickRate: enabled },
        entry: { enabled },
        acted: () => undefined,
        atOnce: async () => {
          if (engine.switchAdaptive(enabled) === enabled) return
          broadcastClock(parts)
          await audit(admin, 'adaptive_tick_rate', { enabled })
        },
      })
      return context.json({
        success: true,
        adaptive_tick_rate: enabled,
        ...planned,
      } satisfies AdaptiveTickRateResponse)
    },
  )
}

/** Opens and closes registration, and switches talk. */
export function registrationRoutes(parts: AppParts): Hono<AdminEnv> {
  const { changeSettings, isRegistrationOpen, audit } = parts
  const routes = new Hono<AdminEnv>()
  const decide = async (context: Context<AdminEnv>, open: boolean): Promise<Response> => {
    await changeSettings({ registrationOpen: open })
    await audit(context.get('admin'), 'registrations', { open })
    return context.json({ success: true, registration_open: open } satisfies OpenedResponse)
  }
  serve(
    routes,
    'readRegistrations',
    {
      summary: 'Read the state of registration',
      description: 'Whether players can register.',
      tag: 'game control',
    },
    async (context) =>
      context.json({ registration_open: await isRegistrationOpen() } satisfies OpenResponse),
  )
  serve(
    routes,
    'changeRegistrations',
    {
      summary: 'Open or close registration',
      body: openRequest,
      description: 'Opens or closes registration, by the value in the body.',
      tag: 'game control',
    },
    async (context) => {
      const { open } = await bodyValues(context, openRequest)
      return decide(context, open)
    },
  )
  serve(
    routes,
    'openRegistrations',
    {
      summary: 'Open registration',
      description: 'Players can register from now on.',
      tag: 'game control',
    },
    (context) => decide(context, true),
  )
  serve(
    routes,
    'closeRegistrations',
    {
      summary: 'Close registration',
      description: 'Registration answers 403 E020 from now on.',
      tag: 'game control',
    },
    (context) => decide(context, false),
  )
  addTalk(routes, parts)
  return routes
}

function addTalk(routes: Hono<AdminEnv>, { changeSettings, audit }: AppParts): void {
  serve(
    routes,
    'switchTalk',
    {
      summary: 'Switch talk',
      body: enabledRequest,
      description: 'Whether pilots can send each other messages by `say`; at first they cannot.',
      tag: 'game control',
    },
    async (context) => {
      const { enabled } = await bodyValues(context, enabledRequest)
      await changeSettings({ talkEnabled: enabled })
      await audit(context.get('admin'), 'talk', { enabled })
      return context.json({ success: true, talk_enabled: enabled } satisfies TalkResponse)
    },
  )
}
