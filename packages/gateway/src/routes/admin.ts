import { jsonBody } from '@orrery/http'
import {
  type AdminStatusResponse,
  bearerToken,
  openRequest,
  tickRateRequest,
  timeScaleRequest,
} from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app.ts'
import { refusal } from '../players.ts'
import { bodyRefusal } from './body.ts'

interface AdminEnv {
  Variables: { adminId: string }
}

/** What an operator may do; every route but the logins needs an admin's token. */
export function adminRoutes(parts: AppParts): Hono<AdminEnv> {
  const { engine, settings, players } = parts
  const routes = new Hono<AdminEnv>()

  routes.use('/api/admin/*', async (context, next) => {
    const token = bearerToken(context.req.header('authorization')) ?? ''
    const bearer = await players.bearer(token, 'admin')
    if (typeof bearer === 'string') throw refusal('E005')
    context.set('adminId', bearer.account.playerId)
    await next()
  })

  routes.get('/api/admin/status', (context) => {
    const status = engine.status()
    const answer: AdminStatusResponse = {
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
    }
    return context.json(answer)
  })

  addGameControl(routes, parts)
  addRegistrations(routes, parts)
  return routes
}

function addGameControl(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, sockets, changeSettings, audit } = parts
  routes.post('/api/admin/game/pause', async (context) => {
    const { paused } = engine.status()
    const tick = await engine.pause()
    await changeSettings({ paused: true })
    if (!paused) {
      sockets.broadcast({ type: 'paused', tick, game_time: gameTime(parts) })
      await audit(context.get('adminId'), 'pause', { tick })
    }
    return context.json({ paused: true, paused_at_tick: tick })
  })

  routes.post('/api/admin/game/resume', async (context) => {
    const { paused } = engine.status()
    const tick = await engine.resume()
    await changeSettings({ paused: false })
    if (paused) {
      sockets.broadcast({ type: 'resumed', tick, game_time: gameTime(parts) })
      await audit(context.get('adminId'), 'resume', { tick })
    }
    return context.json({ paused: false, resumed_at_tick: tick })
  })

  routes.put('/api/admin/game/tick-rate', async (context) => {
    const body = await jsonBody(context, tickRateRequest, { refusal: bodyRefusal })
    const previous = engine.changeTickRate(body.tick_rate)
    await changeSettings({ tickRate: body.tick_rate })
    await audit(context.get('adminId'), 'tick_rate', { previous, now: body.tick_rate })
    return context.json({ previous_rate: previous, new_rate: body.tick_rate })
  })

  routes.put('/api/admin/game/time-scale', async (context) => {
    const body = await jsonBody(context, timeScaleRequest, { refusal: bodyRefusal })
    const previous = engine.changeTimeScale(body.time_scale)
    await changeSettings({ timeScale: body.time_scale })
    await audit(context.get('adminId'), 'time_scale', { previous, now: body.time_scale })
    return context.json({ previous_scale: previous, new_scale: body.time_scale })
  })
}

function addRegistrations(
  routes: Hono<AdminEnv>,
  { settings, changeSettings, audit }: AppParts,
): void {
  const openRegistrations = async (adminId: string, open: boolean): Promise<object> => {
    await changeSettings({ registrationOpen: open })
    await audit(adminId, 'registrations', { open })
    return { success: true, registration_open: open }
  }
  routes.get('/api/admin/registrations', (context) =>
    context.json({ registration_open: settings.registrationOpen }),
  )
  routes.post('/api/admin/registrations', async (context) => {
    const { open } = await jsonBody(context, openRequest, { refusal: bodyRefusal })
    return context.json(await openRegistrations(context.get('adminId'), open))
  })
  routes.post('/api/admin/registrations/enable', async (context) =>
    context.json(await openRegistrations(context.get('adminId'), true)),
  )
  routes.post('/api/admin/registrations/disable', async (context) =>
    context.json(await openRegistrations(context.get('adminId'), false)),
  )
}

function gameTime({ engine }: AppParts): string {
  return new Date(engine.status().gameTimeMs).toISOString()
}
