import { CLASSES_MAX, COURIER, type ShipClass, type WorldState, addClass } from '@orrery/sim'
import * as v from 'valibot'
import { EngineError } from '../engine-error.ts'

/** Of a world that is given none, and of images from before there were any. */
export const DEFAULT_CLASSES: readonly ShipClass[] = [COURIER]

/** Of light in empty space [m/s]. */
const LIGHT_SPEED = 299_792_458

/** What every value of a class is less than; far beyond what can be flown. */
const VALUE_MAX = 1e12

/** Beyond it a hull and what is in it do not hold [m/s²]. */
const ACCELERATION_MAX = 1_000

/** Rate that wheels may hold [rad/s]: the closed loop of a turn has quarter-second steps. */
const RATE_MAX = 0.5

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/

const amount = (max: number) => v.pipe(v.number(), v.gtValue(0), v.maxValue(max))
const value = amount(VALUE_MAX)
const speed = amount(LIGHT_SPEED)
const triple = v.strictTuple([value, value, value])

/** A class as images and journals keep it. */
export const shipClassSchema: v.GenericSchema<unknown, ShipClass> = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(NAME)),
    dryMass: value,
    fuelCapacity: value,
    thrustMax: value,
    exhaustVelocity: speed,
    inertia: triple,
    wheelCapacity: triple,
    wheelTorque: triple,
    thrusterArm: value,
    thrusterExhaustVelocity: speed,
    turnSeconds: value,
    radius: value,
  }),
  v.check(
    ({ inertia }) => [0, 1, 2].every((axis) => 2 * inertia[axis] <= sumOf(inertia)),
    'no body has one moment of inertia above the sum of the two others',
  ),
  v.check(
    ({ thrustMax, dryMass }) => thrustMax <= ACCELERATION_MAX * dryMass,
    `the empty hull accelerates by more than ${ACCELERATION_MAX} m/s²`,
  ),
  v.check(
    (shipClass) => ratesOf(shipClass).every((rate) => rate <= RATE_MAX),
    `its wheels turn it at more than ${RATE_MAX} rad/s`,
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const least = halfTurnSeconds(dataset.value)
    if (dataset.value.turnSeconds >= least) return
    addIssue({ message: `its wheels take up to ${Math.ceil(least)} s for half a turn` })
  }),
)

function sumOf([x, y, z]: ShipClass['inertia']): number {
  return x + y + z
}

function ratesOf({ wheelCapacity, inertia }: ShipClass): number[] {
  return wheelCapacity.map((capacity, axis) => capacity / inertia[axis])
}

/** The longest that half a turn takes: at the share of its rate that is planned with [s]. */
function halfTurnSeconds(shipClass: ShipClass): number {
  const { wheelTorque, inertia } = shipClass
  const rate = Math.min(...ratesOf(shipClass))
  const braking = Math.min(...wheelTorque.map((torque, axis) => torque / inertia[axis]))
  return Math.PI / (0.75 * rate) + rate / braking
}

/** The classes of a world, by row. */
export const shipClassesSchema: v.GenericSchema<unknown, readonly ShipClass[]> = v.pipe(
  v.array(shipClassSchema),
  v.minLength(1),
  v.maxLength(CLASSES_MAX),
  v.checkItems(
    ({ name }, row, classes) => classes.findIndex((one) => one.name === name) === row,
    'there is another of its name',
  ),
)

/**
 * Checks that ships of classes can be flown, and that their names are unlike.
 *
 * @throws {EngineError} 'ERR_SHIP_CLASS' naming the class and what is wrong
 */
export function requireClasses(classes: readonly ShipClass[]): void {
  const { issues } = v.safeParse(shipClassesSchema, classes, { abortEarly: true })
  if (!issues) return
  const [row, ...fields] = v.getDotPath(issues[0])?.split('.') ?? []
  const which = row === undefined ? 'es' : ` ${classes[Number(row)].name}`
  throw unsound(`Ship class${which}: ${[...fields, issues[0].message].join(': ')}.`)
}

/** Whether a world has the default class alone. */
export function isDefault(classes: readonly ShipClass[]): boolean {
  return JSON.stringify(classes) === JSON.stringify(DEFAULT_CLASSES)
}

/**
 * The classes that a world lacks of those it is to have: to the ones it has, classes are only
 * added, since ships and journals rely on them.
 *
 * @throws {EngineError} 'ERR_SHIP_CLASS' naming a class that is left out or changed
 */
export function addedClasses(
  kept: readonly ShipClass[],
  given: readonly ShipClass[],
): readonly ShipClass[] {
  for (const before of kept) {
    const { name } = before
    const now = given.find((one) => one.name === name)
    if (!now) throw unsound(`The world has a ship class ${name}, which those given lack.`)
    const fields = Object.keys(before) as (keyof ShipClass)[]
    const field = fields.find((key) => String(before[key]) !== String(now[key]))
    if (field === undefined) continue
    const change = `${field} is ${String(before[field])} in the world, and ${String(now[field])}`
    throw unsound(`Ship class ${name} is another: ${change} as given. Classes are only added.`)
  }
  return given.filter(({ name }) => !kept.some((one) => one.name === name))
}

/**
 * Adds a class to those of a world.
 *
 * @throws {EngineError} 'ERR_SHIP_CLASS' when it cannot be flown, or there is one of its name
 */
export function addShipClass({ state }: { readonly state: WorldState }, added: ShipClass): void {
  requireClasses([...state.classes, added])
  addClass(state, added)
}

/** The row of a class in a world's table. @throws {EngineError} 'ERR_SHIP_CLASS' */
export function classRow(
  { classes, system }: { classes: readonly ShipClass[]; system: { readonly name: string } },
  name: string,
): number {
  const row = classes.findIndex((one) => one.name === name)
  if (row >= 0) return row
  throw unsound(`There is no ship class ${name} in ${system.name}.`)
}

function unsound(message: string): EngineError {
  return new EngineError('ERR_SHIP_CLASS', message)
}
