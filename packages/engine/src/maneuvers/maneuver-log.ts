import { type Control, type EventKind, PHASES, type PlanEvent } from '@orrery/sim'
import { type ShipEvent, shipClassOf } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import type { PendingControl } from '../world/intake.ts'
import type {
  EndedManeuver,
  ManeuverEvent,
  ManeuverEventType,
  ManeuverPhase,
  OrderDetails,
  ManeuverLevel,
  ManeuverLog,
  OpenManeuver,
  OrderedTurn,
} from '../world/maneuver.ts'
import { type ManeuverEnd, type ManeuverNote, endOfTurn, failure, noteOf } from './maneuver-end.ts'
import { PHASE_TEXTS, elementErrors, failureText } from './maneuver-texts.ts'
import { targetBodyOf, typeOf } from './ordered-turn.ts'
import { logHappening } from './ship-happenings.ts'
import { firedRules } from '../rules/fired-rules.ts'
import { type RosterEntry, shipEntry } from '../world/roster.ts'
import { type Universe, requireShip } from '../world/universe.ts'
import type { World } from '../world/world.ts'

/** The log as an image stores it. */
export interface StoredManeuvers {
  readonly level: ManeuverLevel
  readonly debugged: readonly number[]
  readonly open: readonly (OpenManeuver & { readonly ship: number })[]
  readonly ended: readonly (EndedManeuver & { readonly ship: number })[]
}

export function restoreManeuvers(
  log: ManeuverLog,
  { level, debugged, open, ended }: StoredManeuvers,
): void {
  log.level = level
  for (const number of debugged) log.debugged.add(number)
  for (const { ship, ...maneuver } of open) log.open.set(ship, maneuver)
  for (const { ship, ...maneuver } of ended) log.ended.set(ship, maneuver)
}

/** Emits every event of one ship, or only those of the level. */
export function debugManeuvers(
  world: World,
  { shipId, enabled }: { readonly shipId: string; readonly enabled: boolean },
): void {
  const { number } = shipEntry(world, shipId)
  if (enabled) world.maneuvers.debugged.add(number)
  else world.maneuvers.debugged.delete(number)
}

/** Emits the events since the last call, in their order, with the number of a tick. */
export function emitManeuvers(
  log: ManeuverLog,
  tick: number,
  onManeuver?: (event: ManeuverEvent) => void,
): void {
  const { unpublished } = log
  if (unpublished.length === 0) return
  log.unpublished = []
  for (const event of unpublished) onManeuver?.({ ...event, tick })
}

/**
 * Refuses when a ship will have no maneuver under way once all its orders have acted.
 *
 * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_NO_MANEUVER'
 */
export function requireManeuver(universe: Universe, shipId: string): void {
  const { world, entry: ship } = requireShip(universe, shipId)
  const { intake, maneuvers } = world
  const turnsIt = (order: PendingControl): boolean =>
    order.ship.number === ship.number && turns(order.control)
  const last = intake.pending.findLast(turnsIt) ?? intake.due.findLast(turnsIt)
  if (last ? begins(last.control) : maneuvers.open.has(ship.number)) return
  throw new EngineError('ERR_NO_MANEUVER', 'No maneuver is under way.')
}

/** @throws {EngineError} 'ERR_SHIP_UNKNOWN' */
export function isManeuverDebugged(universe: Universe, shipId: string): boolean {
  const { world, entry } = requireShip(universe, shipId)
  return world.maneuvers.debugged.has(entry.number)
}

/** Ends a ship's maneuver at the published index, between ticks. */
export function abortManeuver(world: World, ship: RosterEntry, why: string): void {
  endNow(world, ship, { outcome: 'aborted', statusText: why })
}

/** Ends a ship's turn to a target that is gone, likewise. */
export function loseTarget(world: World, ship: RosterEntry): void {
  if (!world.maneuvers.open.get(ship.number)?.order) endNow(world, ship, failure('target_lost'))
}

/** Ends a ship's maneuver, likewise. */
export function endNow(world: World, ship: RosterEntry, ended: ManeuverEnd): void {
  const body = world.state.ships.reference[ship.slot]
  end(world, { ship, index: world.index, body, ordinal: ORDINALS.structural }, ended)
}

/**
 * Logs a tick: the orders of the intake, as the order table recorded them,
 * and the ships' events. What follows is the same however time is cut into ticks. Returns what
 * those events meant for maneuvers that were under way.
 */
export function logManeuvers(
  world: World,
  events: readonly ShipEvent[],
): ReadonlyMap<ShipEvent, ManeuverNote> {
  const { intake, roster, state } = world
  const { due } = intake
  const notes = new Map<ShipEvent, ManeuverNote>()
  if (due.length === 0 && events.length === 0) return notes
  const steps: Step[] = []
  for (const event of events) {
    const ship = roster.byNumber.get(event.shipNumber)
    if (!ship) continue
    const { index, body } = event
    if (event.kind !== 'rule') steps.push({ index, ship, event })
    else
      for (const { order: control } of firedRules(world, event)) {
        // A docked ship takes no orders.
        if (control && event.distance > 0) steps.push({ index, ship, control, body })
      }
  }
  for (const [row, { ship, index, control }] of due.entries()) {
    const body = state.orders.orderReference[row]
    if (body >= 0) steps.push({ index, ship, control, body, row })
  }
  intake.due = []
  // A stable sort: of one ship at one index, events come before its order, as they happened.
  steps.sort((a, b) => a.index - b.index || a.ship.number - b.ship.number)
  for (const [i, step] of steps.entries()) {
    if ('event' in step) {
      const note = happen(world, step)
      if (note) notes.set(step.event, note)
      logHappening(world, step.ship, step.event)
    } else if (!isSuperseded(step, steps[i + 1])) order(world, step)
  }
  return notes
}

/** Of several orders to turn at one index the last counts, as when they merge. */
function isSuperseded({ index, ship }: Step, next: Step | undefined): boolean {
  if (next?.index !== index || next.ship.number !== ship.number) return false
  return 'event' in next || next.row !== undefined || turns(next.control)
}

type Step = Happening | Order

interface Happening {
  readonly index: number
  readonly ship: RosterEntry
  readonly event: ShipEvent
}

interface Order {
  readonly index: number
  readonly ship: RosterEntry
  readonly control: Control
  /** body index */
  readonly body: number
  /** of the order table; a rule has none */
  readonly row?: number
}

/** When and where in a ship's flight something happens. */
interface Occasion {
  readonly ship: RosterEntry
  readonly index: number
  /** body index */
  readonly body: number
  readonly ordinal: number
}

/** Order of all events of a ship's maneuvers at one index, whether emitted or not. */
const ORDINALS = {
  sighted: 0,
  sample: 1,
  phase: 2,
  event: 3,
  ordered: 4,
  started: 5,
  structural: 6,
}

function happen(world: World, { ship, index, event }: Happening): ManeuverNote | undefined {
  const open = world.maneuvers.open.get(ship.number)
  const { kind, body, plan } = event
  if (!open || kind === 'burn_ended') return undefined
  const at = { ship, index, body, ordinal: ORDINALS.event }
  if (plan) return advance(world, at, open, kind, plan)
  // The autopilot's own turns are no maneuvers, and it ends by itself.
  const endsAll = kind === 'impact' || kind === 'destroyed' || kind === 'frozen'
  if (open.order && !endsAll) return undefined
  if (kind === 'sighted') {
    if (open.phase !== 'seeking') return undefined
    const turning: OpenManeuver = { ...open, phase: 'turning' }
    world.maneuvers.open.set(ship.number, turning)
    const sighting = { ...at, ordinal: ORDINALS.sighted }
    emit(world, sighting, turning, 'phase_changed', { fromPhase: open.phase })
    return noteOf(turning, open.phase)
  }
  const ended = endOfTurn(open, event)
  end(world, at, ended)
  return noteOf({ ...open, phase: ended.phase ?? open.phase }, open.phase, ended)
}

/** What the autopilot notes of its plan. */
function advance(
  world: World,
  at: Occasion,
  open: OpenManeuver,
  kind: EventKind,
  plan: PlanEvent,
): ManeuverNote {
  const { phase, fromPhase, reason, distance, effectivity } = plan
  const readings = { distance, effectivity, elementErrors: elementErrors(plan.errors) }
  const now: OpenManeuver = { ...open, phase }
  world.maneuvers.open.set(at.ship.number, now)
  if (kind === 'maneuver_sample') {
    emit(world, { ...at, ordinal: ORDINALS.sample }, now, 'sample', readings)
  } else if (kind === 'maneuver_phase') {
    const details = { fromPhase, statusText: PHASE_TEXTS[phase], ...readings }
    emit(world, { ...at, ordinal: ORDINALS.phase }, now, 'phase_changed', details)
  } else if (kind === 'maneuver_completed' || kind === 'maneuver_failed') {
    const ended: ManeuverEnd =
      kind === 'maneuver_failed'
        ? failure(reason, undefined, failureText(plan, shipClassOf(world.state, at.ship.slot)))
        : { outcome: 'completed', statusText: null }
    end(world, at, { ...ended, ...readings })
    return noteOf(now, fromPhase, ended)
  }
  return noteOf(now, fromPhase)
}

/** An order to turn or fly, as it acts. */
function order(world: World, { ship, index, control, body, row }: Order): void {
  const { roster, maneuvers } = world
  const open = maneuvers.open.get(ship.number)
  // What turns nothing ends only what the autopilot does.
  if (row === undefined && !turns(control) && !open?.order) return
  const { pointing = null, attitude = null, maneuver } = control
  const target = control.target ?? maneuver?.ship ?? null
  const { angularRate, stationId, jumpgateId: railId = stationId } = control
  const turn: OrderedTurn = {
    pointing,
    attitude,
    target,
    ...(control.body !== undefined && { body: control.body }),
    ...(railId !== undefined && { railId }),
    ...(angularRate && { angularRate }),
    ...(maneuver && { order: maneuver }),
  }
  const at = { ship, index, body, ordinal: ORDINALS.ordered }
  const by = row === undefined ? 'a rule' : 'its pilot'
  if (!begins(control)) {
    return pointing === 'loose' && !open?.order
      ? end(world, at, { outcome: 'aborted', statusText: `Let go by ${by}`, phase: 'free' })
      : end(world, at, { outcome: 'aborted', statusText: `By ${by}` })
  }
  if (open && isSame(open, turn)) return
  end(world, at, { outcome: 'replaced', statusText: null })
  const shipId = (target !== null && roster.byNumber.get(target)?.shipId) || null
  const targetId = maneuver?.stationId ?? maneuver?.jumpgateId ?? railId ?? shipId
  const phase = maneuver ? PHASES[0] : target === null ? 'turning' : 'seeking'
  const { order: flown, ...turned } = turn
  // In the order of fields that a restored one has.
  const begun: OpenManeuver = {
    ...turned,
    targetId,
    since: index,
    phase,
    ...(flown && { order: flown }),
  }
  maneuvers.open.set(ship.number, begun)
  maneuvers.ended.delete(ship.number)
  if (maneuver) maneuvers.begun?.add(ship.number)
  const beginning = { ...at, ordinal: ORDINALS.started }
  const details = maneuver || row === undefined ? undefined : orderDetails(world, row, begun)
  emit(world, beginning, begun, 'started', { ...(details && { details }) })
}

/** Whether a command begins or ends a maneuver. */
function turns({ attitude, pointing, angularRate, maneuver }: Control): boolean {
  return [attitude, pointing, angularRate, maneuver].some((order) => order !== undefined)
}

function begins(control: Control): boolean {
  return turns(control) && !control.abort && control.pointing !== 'loose'
}

function isSame(open: OrderedTurn, turn: OrderedTurn): boolean {
  if (open.order || turn.order) return false
  const wanted = ({ pointing, attitude, target, body, railId, angularRate }: OrderedTurn): string =>
    JSON.stringify([pointing, attitude, target, body, railId, angularRate])
  return wanted(open) === wanted(turn)
}

/** The hull when the order acted; the angle to a target is unknown before it is seen. */
function orderDetails({ state }: World, row: number, { target }: OrderedTurn): OrderDetails {
  const { orderOff, orderRate, orderWheelMomentum } = state.orders
  const [x, y, z] = orderRate.subarray(3 * row, 3 * row + 3)
  const [wheelX, wheelY, wheelZ] = orderWheelMomentum.subarray(3 * row, 3 * row + 3)
  return {
    angle: target === null ? 2 * Math.asin(Math.min(1, orderOff[row])) : null,
    rate: Math.hypot(x, y, z),
    wheelMomentum: [wheelX, wheelY, wheelZ],
  }
}

/** Ends the maneuver under way, if any; how it ended is kept until the next order. */
function end(world: World, at: Occasion, { phase, ...ended }: ManeuverEnd): void {
  const { open, ended: kept } = world.maneuvers
  const before = open.get(at.ship.number)
  if (!before) return
  open.delete(at.ship.number)
  const after = { ...before, phase: phase ?? before.phase }
  const { outcome, reason = null, statusText } = ended
  if (outcome !== 'replaced') {
    const { targetId, since } = before
    const targetBody = targetBodyOf(world.state.system, before)
    kept.set(at.ship.number, {
      type: typeOf(before),
      outcome,
      phase: after.phase,
      reason,
      statusText,
      since,
      endedAt: at.index,
      targetId,
      targetBody,
    })
  }
  emit(world, at, after, outcome, { fromPhase: before.phase, ...ended })
}

/** Emitted only where every event is. */
const VERBOSE_TYPES: ReadonlySet<ManeuverEventType> = new Set(['sample', 'replaced'])

interface EventDetails {
  readonly fromPhase?: ManeuverPhase
  readonly statusText?: string | null
  readonly distance?: number | null
  readonly elementErrors?: Readonly<Record<string, number>> | null
  readonly effectivity?: number | null
  /** emitted only where every event is */
  readonly details?: OrderDetails
}

function emit(
  world: World,
  { ship, index, body, ordinal }: Occasion,
  maneuver: OpenManeuver,
  eventType: ManeuverEventType,
  { fromPhase, statusText = null, details, ...readings }: EventDetails,
): void {
  const { maneuvers, state } = world
  const isVerbose = maneuvers.level === 'verbose' || maneuvers.debugged.has(ship.number)
  if (!isVerbose && (maneuvers.level === 'off' || isDetail(maneuver, eventType))) return
  const { pointing, attitude, angularRate = null, targetId, since, phase } = maneuver
  const { distance = null, elementErrors: errors = null, effectivity = null } = readings
  maneuvers.unpublished.push({
    systemId: state.system.id,
    shipId: ship.shipId,
    shipNumber: ship.number,
    index,
    ordinal,
    maneuverType: typeOf(maneuver),
    eventType,
    phase,
    fromPhase: fromPhase ?? null,
    distance,
    elementErrors: errors,
    effectivity,
    statusText,
    referenceBody: state.system.bodies[body].name,
    targetId,
    targetBody: targetBodyOf(state.system, maneuver),
    pointing,
    attitude,
    angularRate,
    since,
    details: (isVerbose && details) || null,
  })
}

/** The phases of a turn are details, those of a flight are not. */
function isDetail({ order: flown }: OpenManeuver, eventType: ManeuverEventType): boolean {
  return VERBOSE_TYPES.has(eventType) || (eventType === 'phase_changed' && !flown)
}
