/** Ships, stations, jump gates, and what is logged of maneuvers. */
import type { ModuleValues } from '@orrery/client'
import { api } from '@orrery/client/routes'
import type { Actions, Field, Values } from './action.ts'
import { detailText } from './detail-text.ts'
import { jumpgateId, shipId, stationId, systemId } from './named.ts'

type Point = 1 | 2 | 3 | 4 | 5
type Level = 'verbose' | 'normal' | 'off'

const ship: Field = {
  name: 'ship',
  label: 'Ship',
  hint: 'name of its pilot, or its id',
  find: shipId,
}
const host: Field = { name: 'host', label: 'Host', hint: 'its id' }
const system: Field = {
  name: 'system',
  label: 'Star system',
  hint: 'name or id',
  find: systemId,
}
const module: Field = { name: 'module', label: 'Module' }
const name: Field = { name: 'name', label: 'Name' }
const point: Field = {
  name: 'point',
  label: 'Lagrange point',
  kind: 'choice',
  choices: ['', '1', '2', '3', '4', '5'],
  isOptional: true,
}

const LOST_TARGET = 'Maneuvers that lead there lose their target; rules that name it are disarmed.'

/** The Lagrange point of a form; absent where none is chosen. */
function pointOf({ point: chosen }: Values): { readonly lagrange_point?: Point } {
  return chosen ? { lagrange_point: Number(chosen) as Point } : {}
}

export const worldActions: Actions<
  | 'transferShip'
  | 'alterShip'
  | 'moveSystem'
  | 'drainHost'
  | 'undrainHost'
  | 'stopModule'
  | 'startModule'
  | 'readShipModules'
  | 'commandShipModule'
  | 'placeStation'
  | 'removeStation'
  | 'placeJumpgate'
  | 'removeJumpgate'
  | 'logLevel'
  | 'debugShip'
> = {
  transferShip: {
    key: 'm',
    title: () => 'Move a ship to another star system',
    operations: ['transferShip'],
    fields: [ship, system],
    run: async (routes, values) => {
      const moved = await routes.ships.transfer(values['ship'] ?? '', values['system'] ?? '')
      return `The ship went from ${moved.previous_system} to ${moved.new_system}.`
    },
  },
  alterShip: {
    key: '@',
    title: () => 'Change a ship',
    operations: ['alterShip'],
    fields: [
      ship,
      { name: 'shipClass', label: 'Class', isOptional: true },
      { name: 'fuel', label: 'Fuel [kg]', kind: 'number', isOptional: true },
      {
        name: 'station',
        label: 'Station',
        isOptional: true,
        hint: 'name or id; the ship is put behind it',
        find: stationId,
      },
      { name: 'body', label: 'Body', isOptional: true, hint: 'or on a circular orbit about it' },
      { name: 'altitude', label: 'Altitude [m]', kind: 'number', isOptional: true },
    ],
    run: async ({ call }, { altitude, body, fuel, ship: id = '', shipClass, station }) => {
      await call(api.alterShip, {
        ship_id: id,
        ...(shipClass && { ship_class: shipClass }),
        ...(fuel && { fuel: Number(fuel) }),
        ...(station && { station_id: station }),
        ...(body && { body }),
        ...(altitude && { altitude: Number(altitude) }),
      })
      return 'The ship is changed.'
    },
  },
  moveSystem: {
    key: '=',
    title: () => 'Give a star system to a host',
    operations: ['moveSystem'],
    fields: [host, system],
    run: async (routes, values) => {
      const target = { host_id: values['host'] ?? '', system_id: values['system'] ?? '' }
      const moved = await routes.call(api.moveSystem, target)
      return `${moved.system_id} goes to the host within a second.`
    },
  },
  drainHost: {
    key: '(',
    title: () => 'Drain a host',
    operations: ['drainHost'],
    fields: [host],
    run: async ({ call }, { host: id = '' }) => {
      await call(api.drainHost, { host_id: id })
      return 'The host gives its star systems away, and gets none until that is undone.'
    },
  },
  undrainHost: {
    key: ')',
    title: () => 'Drain a host no more',
    operations: ['undrainHost'],
    fields: [host],
    run: async ({ call }, { host: id = '' }) => {
      await call(api.undrainHost, { host_id: id })
      return 'The host may own star systems again.'
    },
  },
  stopModule: {
    key: '[',
    title: () => 'Stop a module',
    operations: ['switchModule'],
    fields: [module, system, { name: 'reason', label: 'Reason', isOptional: true }],
    run: async ({ call }, { module: name = '', reason, system: id = '' }) => {
      const stop = { module: name, system_id: id, running: false, ...(reason && { reason }) }
      await call(api.switchModule, stop)
      return 'The module has stopped there. What it keeps stays.'
    },
  },
  startModule: {
    key: ']',
    title: () => 'Start a module that has stopped',
    operations: ['switchModule'],
    fields: [module, system],
    run: async ({ call }, { module: name = '', system: id = '' }) => {
      await call(api.switchModule, { module: name, system_id: id, running: true })
      return 'The module goes on there at the next full second.'
    },
  },
  readShipModules: {
    key: '{',
    title: () => 'Read what modules keep of a ship',
    operations: ['readShipModules'],
    fields: [ship],
    run: async ({ call }, { ship: id = '' }) => {
      const { ship_values: kept } = await call(api.readShipModules, { ship_id: id })
      const texts = Object.entries(kept).map(([name, values]) => `${name}: ${detailText(values)}`)
      return texts.join('; ') || 'Modules keep nothing of the ship.'
    },
  },
  commandShipModule: {
    key: '}',
    title: () => 'Command a module for a ship',
    operations: ['commandShipModule'],
    fields: [
      ship,
      module,
      { name: 'command', label: 'Command' },
      { name: 'values', label: 'Values', isOptional: true, hint: 'as JSON: {"asteroid": 3}' },
    ],
    run: async ({ call }, { ship: id = '', module: name = '', command = '', values }) => {
      const given = values ? { values: JSON.parse(values) as ModuleValues } : {}
      const order = { ship_id: id, module: name, command, ...given }
      const { ship_values: kept } = await call(api.commandShipModule, order)
      return `${name} keeps now: ${detailText(kept[name] ?? {})}`
    },
  },
  placeStation: {
    key: 'b',
    title: () => 'Place a station',
    operations: ['createStation'],
    fields: [
      name,
      { name: 'body', label: 'Body', hint: 'the one it orbits, or the primary one' },
      {
        name: 'altitude',
        label: 'Altitude [m]',
        kind: 'number',
        isOptional: true,
        hint: 'of an equatorial orbit; or a Lagrange point instead',
      },
      { name: 'secondary', label: 'Secondary body', isOptional: true },
      point,
    ],
    run: async (routes, values) => {
      const { altitude, secondary } = values
      const { station } = await routes.stations.create({
        name: values['name'] ?? '',
        parent_body: values['body'] ?? '',
        ...(altitude && { altitude: Number(altitude) }),
        ...(secondary && { secondary_body: secondary }),
        ...pointOf(values),
      })
      return `${station.name} is placed.`
    },
  },
  removeStation: {
    key: 'q',
    title: () => 'Remove a station',
    operations: ['deleteStation', 'listStations'],
    fields: [{ name: 'station', label: 'Station', hint: 'name or id', find: stationId }],
    isGrave: true,
    consequences: async (routes, values) => {
      const { stations } = await routes.stations.list()
      const { name: removed = 'The station' } =
        stations.find(({ station_id: id }) => id === values['station']) ?? {}
      return [`${removed} is removed. Ships that are docked at it fly on.`, LOST_TARGET]
    },
    run: async (routes, values) => {
      await routes.stations.remove(values['station'] ?? '')
      return 'The station is removed.'
    },
  },
  placeJumpgate: {
    key: 'j',
    title: () => 'Place a jump gate',
    operations: ['createJumpgate'],
    fields: [
      name,
      { name: 'primary', label: 'Larger body' },
      { name: 'secondary', label: 'Smaller body' },
      point,
      {
        name: 'pair',
        label: 'Gate it leads to',
        hint: 'name or id',
        find: jumpgateId,
        isOptional: true,
      },
    ],
    run: async (routes, values) => {
      const { pair } = values
      const { jumpgate } = await routes.jumpgates.create({
        name: values['name'] ?? '',
        primary_body: values['primary'] ?? '',
        secondary_body: values['secondary'] ?? '',
        ...(pair && { paired_jumpgate_id: pair }),
        ...pointOf(values),
      })
      return `${jumpgate.name} is placed.`
    },
  },
  removeJumpgate: {
    key: 'k',
    title: () => 'Remove a jump gate',
    operations: ['deleteJumpgate', 'listJumpgates'],
    fields: [{ name: 'jumpgate', label: 'Jump gate', hint: 'name or id', find: jumpgateId }],
    isGrave: true,
    consequences: async (routes, values) => {
      const { jumpgates } = await routes.jumpgates.list()
      const { name: removed = 'The jump gate' } =
        jumpgates.find(({ jumpgate_id: id }) => id === values['jumpgate']) ?? {}
      return [`${removed} is removed.`, LOST_TARGET]
    },
    run: async (routes, values) => {
      await routes.jumpgates.remove(values['jumpgate'] ?? '')
      return 'The jump gate is removed.'
    },
  },
  logLevel: {
    key: 'l',
    title: () => 'Set the log level',
    operations: ['changeManeuverLogging'],
    fields: [
      { name: 'level', label: 'Level', kind: 'choice', choices: ['normal', 'verbose', 'off'] },
    ],
    run: async (routes, values) => {
      const { level } = await routes.maneuverLog.changeLevel(values['level'] as Level)
      return `Maneuvers are logged: ${level}.`
    },
  },
  debugShip: {
    key: 'v',
    title: () => 'Debug a ship',
    operations: ['switchManeuverDebug', 'readManeuverDebug'],
    fields: [ship, { name: 'debug', label: 'Debug', kind: 'choice', choices: ['on', 'off'] }],
    consequences: async (routes, values) => {
      const { debug } = await routes.maneuverLog.debug(values['ship'] ?? '')
      return [`Debug of this ship is ${debug ? 'on' : 'off'}.`]
    },
    run: async (routes, values) => {
      const isOn = values['debug'] === 'on'
      const { debug } = await routes.maneuverLog.switchDebug(values['ship'] ?? '', isOn)
      return `Debug of the ship is ${debug ? 'on' : 'off'}.`
    },
  },
}
