import { RULES_PER_SHIP } from '@orrery/sim'
import * as v from 'valibot'
import { type Rule, ruleSchema } from '../orders/rule.ts'
import type { ModuleCargo } from './world-modules.ts'

export type Triple = [number, number, number]
type Quaternion = [number, number, number, number]

/** A ship at the index at which it left a system, relative to its reference body there. */
export interface DepartedShip {
  readonly referenceBody: string
  /** metres; the low part is what a double rounds away */
  readonly position: Triple
  readonly positionLow: Triple
  /** m/s */
  readonly velocity: Triple
  readonly velocityLow: Triple
  /** w, x, y, z: body to inertial */
  readonly attitude: Quaternion
  /** N m s, inertial axes, hull and wheels */
  readonly angularMomentum: Triple
  /** N m s, body axes */
  readonly wheelMomentum: Triple
  /** kg */
  readonly fuel: number
  /** thrusters do not unload the wheels */
  readonly wheelsKept?: true
  /** name of its class; absent from one that is of the default class */
  readonly shipClass?: string
}

/** How a ship lies beside the gate it arrives at, inertial axes. */
export interface Passage {
  readonly jumpgateId: string
  /** from the gate's centre [m] */
  readonly offset: Triple
  /** relative to the gate [m/s] */
  readonly velocity: Triple
}

/** A ship on its way from one star system to another; (system, index, ship) name it in an era. */
export interface HandOff {
  readonly shipId: string
  readonly name: string
  /** ids of the systems */
  readonly from: string
  readonly to: string
  /** lattice index of the departure */
  readonly index: number
  /** every event of its maneuvers is emitted */
  readonly debugged: boolean
  readonly ship: DepartedShip
  /** of a ship that jumps; others arrive on their spawn orbit */
  readonly passage?: Passage
  /** its rules, if any, armed or not */
  readonly rules?: readonly Rule[]
  /** what modules keep of it */
  readonly modules?: ModuleCargo
}

/** What an account keeps, on its way from one of its ships to another. */
export interface AccountHandOff extends Pick<HandOff, 'from' | 'to' | 'index'> {
  /** a UUID of its own, in place of a ship's */
  readonly shipId: string
  /** ids of the ships */
  readonly giver: string
  readonly taker: string
  readonly modules: ModuleCargo
}

export type AnyHandOff = HandOff | AccountHandOff

/** From where to where a ship goes. */
export type Way = Pick<HandOff, 'from' | 'to' | 'passage'>

const real = v.pipe(v.number(), v.finite())
const triple = v.strictTuple([real, real, real])
const text = v.pipe(v.string(), v.nonEmpty())
const whole = v.pipe(v.number(), v.safeInteger())
const cargo = v.record(v.string(), v.record(v.string(), real))

/** A hand-off in a journal. */
export const handOff: v.GenericSchema<unknown, HandOff> = v.strictObject({
  shipId: text,
  name: text,
  from: text,
  to: text,
  index: whole,
  debugged: v.boolean(),
  ship: v.strictObject({
    referenceBody: text,
    position: triple,
    positionLow: triple,
    velocity: triple,
    velocityLow: triple,
    attitude: v.strictTuple([real, real, real, real]),
    angularMomentum: triple,
    wheelMomentum: triple,
    fuel: v.pipe(real, v.minValue(0)),
    wheelsKept: v.exactOptional(v.literal(true)),
    shipClass: v.exactOptional(text),
  }),
  passage: v.exactOptional(v.strictObject({ jumpgateId: text, offset: triple, velocity: triple })),
  rules: v.exactOptional(v.pipe(v.array(ruleSchema), v.maxLength(RULES_PER_SHIP))),
  modules: v.exactOptional(cargo),
})

export const accountHandOff: v.GenericSchema<unknown, AccountHandOff> = v.strictObject({
  shipId: text,
  giver: text,
  taker: text,
  from: text,
  to: text,
  index: whole,
  modules: cargo,
})

/** Reads a hand-off from its stored JSON; undefined when the text is no hand-off. */
export function readHandOff(stored: string): AnyHandOff | undefined {
  const any = v.union([handOff, accountHandOff])
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), any), stored)
  return parsed.success ? parsed.output : undefined
}
