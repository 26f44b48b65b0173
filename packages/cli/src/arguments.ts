import { InvalidArgumentError } from 'commander'
import { EXIT, Failure } from './failure.ts'

/** Whether an argument is `on`. @throws {Failure} when it is neither `on` nor `off` */
export function isOn(state: string): boolean {
  if (state !== 'on' && state !== 'off') throw new Failure(EXIT.usage, '`on` or `off` is expected.')
  return state === 'on'
}

/** A decimal number as an argument; its range is the server's to judge. */
export function number(text: string): number {
  const value = Number(text)
  if (!/^[+-]?\d+(?:\.\d+)?$/.test(text) || !Number.isFinite(value)) {
    throw new InvalidArgumentError('A decimal number is expected.')
  }
  return value
}
