import { REASONS } from '@orrery/sim'
import * as v from 'valibot'
import type { KeptCommand } from './command-row.ts'
import { EngineError } from '../engine-error.ts'
import { requireSound } from '../orders/sound-control.ts'
import { keptControl } from '../orders/kept-control.ts'
import { MANEUVER_LEVELS } from '../world/maneuver.ts'
import { requireSoundRule, ruleListSchema } from '../orders/rule.ts'
import { accountHandOff, handOff } from '../world/hand-off.ts'
import { moduleBody } from '../orders/module-body.ts'
import { shipClassSchema } from '../world/ship-classes.ts'

type Kind = KeptCommand['kind']

const text = v.pipe(v.string(), v.nonEmpty())
const real = v.pipe(v.number(), v.finite())
const shipNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const point = v.picklist([1, 2, 3, 4, 5])

const placement = v.variant('kind', [
  v.strictObject({ kind: v.literal('orbit'), altitude: real }),
  v.strictObject({ kind: v.literal('lagrange'), secondaryBody: text, point }),
])

const shipPlace = v.variant('kind', [
  v.strictObject({ kind: v.literal('orbit'), body: text, altitude: real }),
  v.strictObject({ kind: v.literal('station'), stationId: text }),
])

/** Strict: a row with an unknown field would be executed only in part. */
const KEPT_COMMANDS: {
  readonly [K in Kind]: v.GenericSchema<unknown, Extract<KeptCommand, { kind: K }>>
} = {
  control: v.strictObject({ kind: v.literal('control'), ship: shipNumber, control: keptControl }),
  freeze_ship: v.strictObject({ kind: v.literal('freeze_ship'), ship: shipNumber }),
  create_ship: v.strictObject({
    kind: v.literal('create_ship'),
    shipId: text,
    name: text,
    beside: v.exactOptional(text),
    place: v.exactOptional(shipPlace),
    shipClass: v.exactOptional(text),
  }),
  add_ship_class: v.strictObject({
    kind: v.literal('add_ship_class'),
    shipClass: shipClassSchema,
  }),
  remove_ship: v.strictObject({ kind: v.literal('remove_ship'), shipId: text }),
  rename_ship: v.strictObject({ kind: v.literal('rename_ship'), shipId: text, name: text }),
  alter_ship: v.strictObject({
    kind: v.literal('alter_ship'),
    shipId: text,
    shipClass: v.exactOptional(text),
    fuel: v.exactOptional(real),
    place: v.exactOptional(shipPlace),
    onlyDocked: v.exactOptional(v.literal(true)),
  }),
  fail_maneuver: v.strictObject({
    kind: v.literal('fail_maneuver'),
    shipId: text,
    since: index,
    reason: v.picklist(REASONS),
    endsAt: index,
    needs: v.exactOptional(v.strictObject({ deltaV: real, seconds: real })),
  }),
  depart_ship: v.strictObject({
    kind: v.literal('depart_ship'),
    shipId: text,
    to: text,
    through: v.exactOptional(v.strictObject({ entry: text, exit: text })),
  }),
  arrive_ship: v.strictObject({ kind: v.literal('arrive_ship'), handOff }),
  depart_account: v.strictObject({
    kind: v.literal('depart_account'),
    shipId: text,
    taker: text,
    to: text,
    passId: text,
  }),
  arrive_account: v.strictObject({
    kind: v.literal('arrive_account'),
    handOff: accountHandOff,
  }),
  create_station: v.strictObject({
    kind: v.literal('create_station'),
    stationId: text,
    name: text,
    systemId: v.exactOptional(text),
    parentBody: text,
    placement,
  }),
  remove_station: v.strictObject({ kind: v.literal('remove_station'), stationId: text }),
  create_jumpgate: v.strictObject({
    kind: v.literal('create_jumpgate'),
    jumpgateId: text,
    name: text,
    primaryBody: text,
    secondaryBody: text,
    lagrangePoint: point,
    pairedWith: v.exactOptional(text),
  }),
  remove_jumpgate: v.strictObject({ kind: v.literal('remove_jumpgate'), jumpgateId: text }),
  set_rules: v.strictObject({
    kind: v.literal('set_rules'),
    shipId: text,
    rules: ruleListSchema,
  }),
  module_command: v.strictObject({
    kind: v.literal('module_command'),
    shipId: text,
    module: text,
    command: text,
    body: moduleBody,
  }),
  add_module: v.strictObject({
    kind: v.literal('add_module'),
    module: text,
    version: v.pipe(v.number(), v.safeInteger()),
  }),
  stop_module: v.strictObject({
    kind: v.literal('stop_module'),
    module: text,
    reason: text,
    systemId: v.exactOptional(text),
  }),
  start_module: v.strictObject({
    kind: v.literal('start_module'),
    module: text,
    systemId: v.exactOptional(text),
  }),
  module_fault: v.strictObject({
    kind: v.literal('module_fault'),
    module: text,
    reason: text,
    call: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  }),
  begin_physics: v.strictObject({
    kind: v.literal('begin_physics'),
    physics: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  }),
  maneuver_logging: v.strictObject({
    kind: v.literal('maneuver_logging'),
    level: v.picklist(MANEUVER_LEVELS),
  }),
  maneuver_debug: v.strictObject({
    kind: v.literal('maneuver_debug'),
    shipId: text,
    enabled: v.boolean(),
  }),
}

const kinds = v.object({ kind: v.picklist(Object.keys(KEPT_COMMANDS) as Kind[]) })

/**
 * Reads a command as a journal keeps it.
 *
 * @throws {EngineError} 'ERR_REPLAY' saying where it is broken
 */
export function parseKeptCommand(value: unknown): KeptCommand {
  const { kind } = parsed(kinds, value)
  const command = parsed<KeptCommand>(KEPT_COMMANDS[kind], value)
  try {
    if (command.kind === 'control') requireSound(command.control)
    if (command.kind === 'set_rules') {
      for (const rule of command.rules) if ('condition' in rule) requireSoundRule(rule)
    }
  } catch (error) {
    throw new EngineError('ERR_REPLAY', `A kept ${kind} is one that no ship takes.`, {
      cause: error,
    })
  }
  return command
}

function parsed<Value>(schema: v.GenericSchema<unknown, Value>, value: unknown): Value {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const place = v.getDotPath(issue) ?? 'itself'
  throw new EngineError('ERR_REPLAY', `A kept command is broken at ${place}: ${issue.message}.`)
}
