import { CLASSES_MAX, CLASS_COLUMNS } from './layout.ts'
import type { ShipClass } from './ship-class.ts'
import { SimError } from '../sim-error.ts'

/** Typed views of the table's columns. */
export type ClassColumns = {
  readonly [C in (typeof CLASS_COLUMNS)[number] as C['name']]: C['type'] extends 'u8'
    ? Uint8Array
    : Float64Array
}

/** The classes of a state. */
interface Classes {
  readonly classes: ShipClass[]
  readonly classTable?: ClassColumns
}

/** Ships of several classes, as a state has them. */
interface Classed extends Classes {
  readonly ships: {
    readonly payload: Float32Array
    readonly shipClass: Uint8Array
    readonly thrustCut: Uint8Array
  }
}

/** Parts of the thrust that `thrustCut` counts. */
const THRUST_PARTS = 200

/** The `thrustCut` of a limit to the thrust, 0 to 1 of that of the class. */
export function thrustCutOf(limit: number): number {
  return Math.floor((1 - limit) * THRUST_PARTS + 0.5)
}

/** Part of the thrust of its class that a ship has, 0 to 1. */
export function thrustLimitOf({ thrustCut }: Classed['ships'], slot: number): number {
  return (THRUST_PARTS - thrustCut[slot]) / THRUST_PARTS
}

/**
 * What the ship in a slot can do: its class, with its payload in the dry mass, and with what is
 * left of its thrust.
 */
export function shipClassOf(state: Classed, slot: number): ShipClass {
  const shipClass = emptyClassOf(state, slot)
  const { payload, thrustCut } = state.ships
  if (payload[slot] === 0 && thrustCut[slot] === 0) return shipClass
  return {
    ...shipClass,
    dryMass: shipClass.dryMass + payload[slot],
    thrustMax: shipClass.thrustMax * thrustLimitOf(state.ships, slot),
  }
}

/** The class of the ship in a slot, without payload and limits. */
export function emptyClassOf({ classes, classTable, ships }: Classed, slot: number): ShipClass {
  const row = ships.shipClass[slot]
  // Another thread may have written it since.
  return classes[row] ?? (classes[row] = classIn(classTable!, row))
}

/** The classes of a table, by row. */
export function classesIn(table: ClassColumns): ShipClass[] {
  const width = table.className.length / CLASSES_MAX
  const classes: ShipClass[] = []
  while (classes.length < CLASSES_MAX && table.className[width * classes.length] > 0) {
    classes.push(classIn(table, classes.length))
  }
  return classes
}

/**
 * Adds a class to those of a state, between ticks.
 *
 * @throws {SimError} 'ERR_STATE_SIZE' when the table is full
 */
export function addClass({ classes, classTable }: Classes, shipClass: ShipClass): void {
  const row = classes.length
  if (!classTable || row === CLASSES_MAX) {
    throw new SimError('ERR_STATE_SIZE', `A world has ${CLASSES_MAX} classes of ships at most.`)
  }
  const { name, ...values } = shipClass
  const letters = Array.from(name, (letter) => letter.charCodeAt(0))
  for (const column of CLASS_COLUMNS) {
    const value = column.name === 'className' ? letters : values[column.name]
    classTable[column.name].set(
      typeof value === 'number' ? [value] : value,
      column.components * row,
    )
  }
  classes.push(shipClass)
}

function classIn(table: ClassColumns, row: number): ShipClass {
  const width = table.className.length / CLASSES_MAX
  const letters = table.className.slice(width * row, width * (row + 1))
  const triple = (name: 'inertia' | 'wheelCapacity' | 'wheelTorque'): [number, number, number] => {
    const [x, y, z] = table[name].subarray(3 * row)
    return [x, y, z]
  }
  return {
    name: String.fromCharCode(...letters.filter((letter) => letter > 0)),
    dryMass: table.dryMass[row],
    fuelCapacity: table.fuelCapacity[row],
    thrustMax: table.thrustMax[row],
    exhaustVelocity: table.exhaustVelocity[row],
    inertia: triple('inertia'),
    wheelCapacity: triple('wheelCapacity'),
    wheelTorque: triple('wheelTorque'),
    thrusterArm: table.thrusterArm[row],
    thrusterExhaustVelocity: table.thrusterExhaustVelocity[row],
    turnSeconds: table.turnSeconds[row],
    radius: table.radius[row],
  }
}
