import { SimError } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import type { AccountHandOff, AnyHandOff, HandOff } from '../world/hand-off.ts'
import { gateOf } from '../objects/jump.ts'
import { gatePairs, requirePairable } from '../objects/jumpgates.ts'
import { worldOfBody } from '../world/named-body.ts'
import {
  type Universe,
  findShip,
  isInTransit,
  ownOf,
  requireShip,
  shipCount,
  worldNamed,
} from '../world/universe.ts'
import type { World } from '../world/world.ts'
import { type CommandRow, type CommandSource, renameRow, structuralRow } from './command-row.ts'
import { requireOwn, requireTaking } from '../world/intake.ts'
import { requireModules } from '../world/world-modules.ts'
import type { Rule, SameRule } from '../orders/rule.ts'
import {
  type RuleChange,
  type SystemCommand,
  type WorldCommand,
  applyCommand,
} from './world-command.ts'

/** Called with each command to one system and its row, as soon as it has acted. */
export type KeepRow = (row: CommandRow, command: SystemCommand) => void

/**
 * Executes a command between ticks, in the systems that it concerns; a refused one has changed
 * nothing.
 *
 * @throws {EngineError} 'ERR_SHIP_EXISTS', 'ERR_WORLD_FULL', 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT',
 *   'ERR_SYSTEM_UNKNOWN', 'ERR_SAME_SYSTEM', 'ERR_JUMPGATE_UNKNOWN', 'ERR_JUMPGATE_PAIR',
 *   'ERR_JUMPGATE_PAIRED', 'ERR_JUMP', 'ERR_BESIDE', 'ERR_SYSTEM_STOPPED', and what
 *   `applyCommand` refuses
 */
export function executeCommand(
  universe: Universe,
  command: WorldCommand,
  by: CommandSource = {},
  keep: KeepRow = () => undefined,
): void {
  if (command.kind === 'transfer_ship') return transfer(universe, command, by, keep)
  if (command.kind === 'jump_ship') return jump(universe, command, by, keep)
  if (command.kind === 'pass_account') return passAccount(universe, command, by, keep)
  if (command.kind === 'create_rule' || command.kind === 'change_rule') {
    return changeRules(universe, command, command.rule.ruleId, by, keep)
  }
  if (command.kind === 'remove_rule') {
    return changeRules(universe, command, command.ruleId, by, keep)
  }
  // An account may be deleted while its ship is between two systems.
  if (command.kind === 'remove_ship') {
    completeHandOffs(universe, keep, ({ shipId }) => shipId === command.shipId)
  }
  const all = worldsOf(universe, command)
  // What is for all systems each owner does in its own.
  const worlds = all === universe.worlds ? ownOf(all) : all
  for (const world of worlds) {
    requireTaking(world.intake)
    requireOwn(world)
    if (command.kind === 'add_module') {
      const { module: id, version } = command
      requireModules(world, id).requireAdd({ id, version }, world.index)
    }
  }
  for (const [i, world] of worlds.entries()) execute(world, command, i === 0 ? by : {}, keep)
}

/** Brings ships that are between two systems, by default all, to one of them. */
export function completeHandOffs(
  universe: Universe,
  keep: KeepRow = () => undefined,
  isMeant: (handOff: AnyHandOff) => boolean = () => true,
): void {
  for (const { departed } of universe.worlds) {
    for (const handOff of departed.values()) {
      if (isMeant(handOff)) arrive(universe, handOff, keep)
    }
  }
}

function execute(
  world: World,
  command: SystemCommand,
  by: CommandSource,
  keep: KeepRow,
): AnyHandOff | undefined {
  requireOwn(world)
  const handOff = applyCommand(world, command)
  const row =
    command.kind === 'rename_ship'
      ? renameRow(world, command.shipId, by)
      : structuralRow(world, command, by, handOff)
  keep(row, command)
  return handOff
}

/** The systems that a command concerns. @throws {EngineError} what `executeCommand` refuses */
export function worldsOf(
  universe: Universe,
  command: Exclude<
    WorldCommand,
    RuleChange | { kind: 'transfer_ship' | 'jump_ship' | 'pass_account' }
  >,
): readonly World[] {
  const { worlds } = universe
  switch (command.kind) {
    case 'create_ship':
      requireRoom(universe, command.shipId)
      if (command.beside !== undefined) requireAmongNew(universe, command.beside)
      return worlds.slice(0, 1)
    case 'maneuver_logging':
    case 'add_ship_class':
      return worlds
    case 'add_module':
      return worlds.filter(
        ({ isFollowed, modules }) =>
          !isFollowed &&
          !modules?.added.some(
            ({ id, version }) => id === command.module && version >= command.version,
          ),
      )
    case 'begin_physics':
      return worlds.filter(
        ({ isFollowed, physicsBefore }) => !isFollowed && physicsBefore !== undefined,
      )
    case 'start_module':
    case 'stop_module':
      return worlds.filter(({ isFollowed, modules, state }) => {
        const { module, systemId } = command
        const found = modules?.added.find(({ id }) => id === module)
        const isMeant = systemId === undefined ? !isFollowed : systemId === state.system.id
        return isMeant && found && (command.kind === 'stop_module') === !found.stopped
      })
    case 'create_station': {
      const { systemId, parentBody } = command
      requireNew(worlds, 'stations', command.stationId)
      return [
        systemId === undefined ? worldOfBody(worlds, parentBody) : worldNamed(universe, systemId),
      ]
    }
    case 'create_jumpgate': {
      requireNew(worlds, 'jumpgates', command.jumpgateId)
      const world = worldOfBody(worlds, command.primaryBody)
      if (command.pairedWith !== undefined) requirePairable(universe, world, command.pairedWith)
      return [world]
    }
    case 'remove_station':
      return [worlds.find(({ stations }) => stations.has(command.stationId)) ?? worlds[0]]
    case 'remove_jumpgate':
      return [worlds.find(({ jumpgates }) => jumpgates.has(command.jumpgateId)) ?? worlds[0]]
    case 'remove_ship':
    case 'rename_ship':
    case 'alter_ship':
    case 'fail_maneuver':
    case 'set_rules':
    case 'maneuver_debug':
    case 'module_command':
      break
  }
  return [requireShip(universe, command.shipId).world]
}

/** Changes one of a ship's rules; the others stay as they are. */
function changeRules(
  universe: Universe,
  command: RuleChange,
  ruleId: string,
  by: CommandSource,
  keep: KeepRow,
): void {
  const { shipId } = command
  const { world, entry } = requireShip(universe, shipId)
  const before = world.rules.ofShip.get(entry.number) ?? []
  const rules: (Rule | SameRule)[] = before.map((rule) => ({ ruleId: rule.ruleId }))
  const place = before.findIndex((rule) => rule.ruleId === ruleId)
  if (command.kind === 'create_rule') rules.push(command.rule)
  else if (place < 0) throw new EngineError('ERR_RULE_UNKNOWN', `No rule ${ruleId}.`)
  else if (command.kind === 'change_rule') rules[place] = command.rule
  else rules.splice(place, 1)
  execute(world, { kind: 'set_rules', shipId, rules }, by, keep)
}

function requireRoom(universe: Universe, shipId: string): void {
  if (findShip(universe, shipId) || isInTransit(universe, shipId)) {
    throw new EngineError('ERR_SHIP_EXISTS', `Ship ${shipId} already flies.`)
  }
  if (shipCount(universe) < universe.shipsMax) return
  throw new EngineError('ERR_WORLD_FULL', `${universe.shipsMax} ships are as many as there may be.`)
}

/** A ship begins beside one that is where ships begin. */
function requireAmongNew(universe: Universe, shipId: string): void {
  const { entry, world } = requireShip(universe, shipId)
  const [first] = universe.worlds
  if (world === first) return
  const [there, here] = [world, first].map(({ state }) => state.system.name)
  throw new EngineError('ERR_BESIDE', `${entry.name} is in ${there}; new ships begin in ${here}.`)
}

/** Ids are unique in all systems; `applyCommand` looks in one. */
function requireNew(worlds: readonly World[], kind: 'stations' | 'jumpgates', id: string): void {
  if (!worlds.some((world) => world[kind].has(id))) return
  if (kind === 'stations')
    throw new EngineError('ERR_STATION_EXISTS', `There is a station ${id} already.`)
  throw new EngineError('ERR_JUMPGATE_EXISTS', `There is a jump gate ${id} already.`)
}

function transfer(
  universe: Universe,
  { shipId, systemId }: Extract<WorldCommand, { kind: 'transfer_ship' }>,
  by: CommandSource,
  keep: KeepRow,
): void {
  const { world } = requireShip(universe, shipId)
  if (worldNamed(universe, systemId) === world) {
    const { name } = world.state.system
    throw new EngineError('ERR_SAME_SYSTEM', `The ship is in ${name} already.`)
  }
  const handOff = execute(world, { kind: 'depart_ship', shipId, to: systemId }, by, keep)
  if (handOff) arrive(universe, handOff, keep)
}

function jump(
  universe: Universe,
  { shipId, jumpgateId }: Extract<WorldCommand, { kind: 'jump_ship' }>,
  by: CommandSource,
  keep: KeepRow,
): void {
  const { world } = requireShip(universe, shipId)
  const { name } = gateOf(world, jumpgateId)
  const exit = gatePairs(universe).get(jumpgateId)
  if (!exit) throw new EngineError('ERR_JUMP', `${name} leads nowhere.`)
  const to = exit.world.state.system.id
  const through = { entry: jumpgateId, exit: exit.gate.jumpgateId }
  const handOff = execute(world, { kind: 'depart_ship', shipId, to, through }, by, keep)
  if (handOff) arrive(universe, handOff, keep)
}

function passAccount(
  universe: Universe,
  { passId, shipId, taker }: Extract<WorldCommand, { kind: 'pass_account' }>,
  by: CommandSource,
  keep: KeepRow,
): void {
  const { world } = requireShip(universe, shipId)
  const to = requireShip(universe, taker).world.state.system.id
  const handOff = execute(world, { kind: 'depart_account', shipId, taker, to, passId }, by, keep)
  if (handOff) arrive(universe, handOff, keep)
}

/**
 * In the system that a ship goes to, or where that cannot be, in the one it comes from. The owner
 * of a followed system takes it in there; one that comes from such a system cannot go back.
 */
function arrive(universe: Universe, handOff: AnyHandOff, keep: KeepRow): void {
  if ('taker' in handOff) return arriveAccount(universe, handOff, keep)
  const [origin, target] = [handOff.from, handOff.to].map((systemId) =>
    universe.worlds.find(({ state }) => state.system.id === systemId),
  )
  if (target?.isFollowed) return
  const { passage: _passage, ...atHome } = handOff
  const choices: readonly (readonly [World | undefined, HandOff])[] = [
    [target, handOff],
    origin?.isFollowed ? [target, atHome] : [origin, handOff],
  ]
  for (const [world, arrival] of choices) {
    if (!world) continue
    try {
      execute(world, { kind: 'arrive_ship', handOff: arrival }, {}, keep)
      origin?.departed.delete(handOff.shipId)
      return
    } catch (error) {
      if (!(error instanceof EngineError || error instanceof SimError)) throw error
    }
  }
}

/** Where the ship is that an account flies, or else the one that it has flown. */
function arriveAccount(universe: Universe, handOff: AccountHandOff, keep: KeepRow): void {
  const { from, giver, shipId, taker } = handOff
  // It waits for a ship that is between two systems.
  if (isInTransit(universe, taker)) return
  const origin = universe.worlds.find(({ state }) => state.system.id === from)
  const places = [taker, giver].map((id) => findShip(universe, id)?.world)
  for (const world of [...places, origin]) {
    if (!world) continue
    // Its owner takes it in.
    if (world.isFollowed) return
    try {
      execute(world, { kind: 'arrive_account', handOff }, {}, keep)
      origin?.departed.delete(shipId)
      return
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
    }
  }
}
