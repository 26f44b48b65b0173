import { type Argon2Parameters, argon2Sync } from 'node:crypto'
import { yieldToTicks } from '@orrery/engine/background-thread'

yieldToTicks()

/** The tag of a password by argon2id. */
export default function passwordThread(parameters: Argon2Parameters): Buffer {
  return argon2Sync('argon2id', parameters)
}
