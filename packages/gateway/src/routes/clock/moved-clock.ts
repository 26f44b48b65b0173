import { refusal } from '@orrery/game'
import { type ClockResponse, type ClockStoppedResponse, clockRequest } from '@orrery/protocol'
import { latticeFromUtc } from '@orrery/sim'
import type { Hono } from 'hono'
import type { AppParts } from '../../app-parts.ts'
import { serve } from '../../documents/openapi.ts'
import { bodyValues } from '../../requests/input.ts'
import type { AdminEnv } from '../admin.ts'
import { PLANNED, broadcastClock, changeClock, gameTime } from './clock-change.ts'

/** A year at most: what hurries flies every tick. */
const HURRY_MS_MAX = 366 * 86_400_000

/** Game time hurries to a later moment, or does so no more. */
export function addClock(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, settings, audit } = parts
  serve(
    routes,
    'moveClock',
    {
      summary: 'Move game time forward',
      body: clockRequest,
      description:
        'Game time hurries to a later moment, by a year at most. Every ship is flown there. A ' +
        `pause holds it, a restart goes on with it, a restore or a reset ends it. ${PLANNED}`,
      tag: 'game control',
    },
    async (context) => {
      const body = await bodyValues(context, clockRequest)
      const wantedMs = Date.parse(body.game_time)
      const admin = context.get('admin')
      const { gameTimeMs } = engine.status()
      if (!(wantedMs > gameTimeMs && wantedMs <= gameTimeMs + HURRY_MS_MAX)) {
        throw refusal('E001', 'game_time must be later than it is, by a year at most', 400)
      }
      const [from, to] = [gameTimeMs, wantedMs].map((ms) => new Date(ms).toISOString())
      const times = { previous_game_time: from, game_time: to }
      const [moved, planned] = await changeClock(parts, 'clock', {
        admin,
        settings: { clockGoal: { era: settings.era, atMs: wantedMs } },
        pace: { goal: latticeFromUtc(wantedMs) },
        entry: { from, to },
        acted: () => times,
        atOnce: async () => {
          await audit(admin, 'clock', { from, to })
          engine.hurryTo(wantedMs)
          broadcastClock(parts)
          return times
        },
      })
      const answer: ClockResponse = { ...moved, ...planned }
      return context.json(answer)
    },
  )
  addStop(routes, parts)
}

function addStop(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, audit } = parts
  serve(
    routes,
    'stopClock',
    {
      summary: 'Stop moving game time',
      description: `Game time goes on at its set scale from where it is. ${PLANNED}`,
      tag: 'game control',
    },
    async (context) => {
      const admin = context.get('admin')
      const { goalMs } = engine.status()
      const goal = goalMs === undefined ? null : new Date(goalMs).toISOString()
      const times = (): ClockStoppedResponse => ({
        game_time: gameTime(parts),
        previous_goal: goal,
      })
      const [stopped, planned] = await changeClock(parts, 'clock_stop', {
        admin,
        settings: { clockGoal: 'none' },
        pace: { goal: null },
        entry: { goal: goal ?? '' },
        acted: times,
        atOnce: async () => {
          if (goal !== null) await audit(admin, 'clock_stop', { goal })
          engine.hurryTo(engine.status().gameTimeMs)
          broadcastClock(parts)
          return times()
        },
      })
      const answer: ClockStoppedResponse = { ...stopped, ...planned }
      return context.json(answer)
    },
  )
}
