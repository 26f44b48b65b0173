/** Quantities of orders as people write them. */
import { say } from '../languages/say.ts'
import { LANGUAGE } from '../languages/language.ts'

export interface QuantityField {
  readonly label: string
  readonly unit: string
  /** SI per unit */
  readonly perUnit: number
}

export type QuantityName =
  | 'semi_major_axis'
  | 'eccentricity'
  | 'inclination'
  | 'ascending_node'
  | 'apoapsis'
  | 'periapsis'
  | 'altitude'
  | 'distance'
  | 'speed'
  | 'fuel'
  | 'thrust_level'
  | 'timeout'
  | 'depart_within'
  | 'delta_v_max'
  | 'delta_v'
  | 'duration'

const DEGREE = Math.PI / 180

export const QUANTITIES: Readonly<Record<QuantityName, QuantityField>> = {
  semi_major_axis: { label: say('Semi-major axis'), unit: 'km', perUnit: 1000 },
  eccentricity: { label: say('Eccentricity'), unit: '', perUnit: 1 },
  inclination: { label: say('Inclination'), unit: '°', perUnit: DEGREE },
  ascending_node: { label: say('Ascending node'), unit: '°', perUnit: DEGREE },
  apoapsis: { label: say('Apoapsis'), unit: 'km', perUnit: 1000 },
  periapsis: { label: say('Periapsis'), unit: 'km', perUnit: 1000 },
  altitude: { label: say('Altitude'), unit: 'km', perUnit: 1000 },
  distance: { label: say('Distance'), unit: 'km', perUnit: 1000 },
  speed: { label: say('Speed'), unit: 'm/s', perUnit: 1 },
  fuel: { label: say('Fuel'), unit: '%', perUnit: 0.01 },
  thrust_level: { label: say('Throttle'), unit: '%', perUnit: 0.01 },
  timeout: { label: say('Give up after'), unit: say('days'), perUnit: 86_400 },
  depart_within: { label: say('Leave within'), unit: say('days'), perUnit: 86_400 },
  delta_v_max: { label: say('Δv at most'), unit: 'm/s', perUnit: 1 },
  delta_v: { label: 'Δv', unit: 'm/s', perUnit: 1 },
  duration: { label: say('Duration'), unit: 's', perUnit: 1 },
}

/** What is written in the fields of a form. */
export type Texts = { readonly [Name in QuantityName]?: string }

/** Plain digits, with a point or a comma, or thousands between commas. */
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|\d{1,3}(?:,\d{3})+(?:\.\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i

/** As the page writes thousands in English. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/

/** Whether the language of the page has a comma for the point, and the other way round. */
const HAS_COMMA = (0.5).toLocaleString(LANGUAGE).includes(',')

/** A number with the signs of English in those of the language, and back. */
function exchanged(text: string): string {
  return HAS_COMMA ? text.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : text
}

/** Reads a quantity in SI units; undefined for an empty field, NaN for what is no number. */
export function readQuantity(text: string, { perUnit }: QuantityField): number | undefined {
  const plain = exchanged(text.replaceAll(/[\s']/g, '').replace('−', '-'))
  if (plain === '') return undefined
  if (!NUMBER.test(plain)) return NaN
  const isGrouped = GROUPED.test(plain)
  const number = Number(isGrouped ? plain.replaceAll(',', '') : plain.replace(',', '.'))
  return number * perUnit
}

/** Those of some fields that are not empty, as a message has them. */
export function readQuantities(
  texts: Texts,
  names: readonly QuantityName[],
): Partial<Record<QuantityName, number>> {
  const read = names.map(
    (name) => [name, readQuantity(texts[name] ?? '', QUANTITIES[name])] as const,
  )
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}

/** A quantity as it is proposed in a field: six digits, five decimals at most. */
export function writeQuantity(
  value: number | null | undefined,
  { perUnit }: QuantityField,
): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ''
  return exchanged(String(Number(Number((value / perUnit).toPrecision(6)).toFixed(5))))
}
