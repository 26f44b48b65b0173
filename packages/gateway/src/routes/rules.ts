import { type RulesResponse, ruleRequest } from '@orrery/protocol'
import { type Context, Hono } from 'hono'
import type { AppParts, ReadingParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { type Pilot, deleteRule, rulesOf, saveRule } from '../views/rules.ts'
import { bodyValues } from '../requests/input.ts'
import { playerOf } from '../requests/caller.ts'

const NO_SHIP = [404, 'E006'] as const
const UNKNOWN = [404, 'E002'] as const
const REFUSED = [409, 'E003'] as const
const FULL = [429, 'E004'] as const

/** A player's own rules: what his ship does by itself, and when. */
export function ruleRoutes(parts: AppParts): Hono {
  const { engine } = parts
  const routes = new Hono()
  routes.route('/', ownRuleRoutes(parts))
  const deleting = {
    tag: 'player',
    summary: 'Delete a rule',
    description: "Deletes a rule of the player's ship.",
    errors: [NO_SHIP, UNKNOWN, REFUSED, FULL],
  } as const
  serve(routes, 'deleteRule', deleting, async (context) => {
    const pilot = await pilotOf(context, parts)
    await deleteRule(engine, pilot, context.req.param('id'))
    return context.body(null, 204)
  })
  addSaving(routes, parts)
  return routes
}

/** The route that lists a player's rules. */
export function ownRuleRoutes(parts: ReadingParts): Hono {
  const { engine } = parts
  const routes = new Hono()
  const reading = {
    tag: 'player',
    summary: 'List the own rules',
    description: "All rules of the player's ship.",
    errors: [NO_SHIP, REFUSED],
  } as const
  serve(routes, 'listRules', reading, async (context) => {
    const pilot = await pilotOf(context, parts)
    const rules = await rulesOf(engine, pilot)
    return context.json({ rules } satisfies RulesResponse)
  })
  return routes
}

function addSaving(routes: Hono, parts: AppParts): void {
  const { engine } = parts
  const making = {
    tag: 'player',
    summary: 'Create a rule',
    description:
      "Adds a rule to the player's ship: an action, and the condition at which it acts. A ship " +
      'has at most 32.',
    body: ruleRequest,
    errors: [NO_SHIP, UNKNOWN, REFUSED, FULL],
  } as const
  serve(routes, 'createRule', making, async (context) => {
    const pilot = await pilotOf(context, parts)
    const request = await bodyValues(context, ruleRequest)
    return context.json(await saveRule(engine, pilot, request), 201)
  })
  const replacing = {
    tag: 'player',
    summary: 'Replace a rule',
    description: "Replaces a rule of the player's ship and arms it again.",
    body: ruleRequest,
    errors: [NO_SHIP, UNKNOWN, REFUSED, FULL],
  } as const
  serve(routes, 'replaceRule', replacing, async (context) => {
    const pilot = await pilotOf(context, parts)
    const request = await bodyValues(context, ruleRequest)
    return context.json(await saveRule(engine, pilot, request, context.req.param('id')))
  })
}

async function pilotOf(context: Context, parts: ReadingParts): Promise<Pilot> {
  const { playerId: accountId, account } = await playerOf(context, parts)
  return { accountId, shipId: account.shipId ?? '' }
}
