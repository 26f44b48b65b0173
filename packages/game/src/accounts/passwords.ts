import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type WallClock, systemClock } from '@orrery/engine'
import type { Applicant } from './login-queue.ts'
import { type PasswordLane, createPasswordLanes } from './password-lanes.ts'

/**
 * Cost of one hash: 19 MiB, two passes, one lane.
 *
 * @source OWASP Password Storage Cheat Sheet, argon2id
 */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const TAG_BYTES = 32

const PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const derive = promisify(argon2)

/** Hashes passwords off the main thread, one at a time, so that ticks keep the other core. */
export interface Passwords {
  /** @throws {PasswordsBusyError} */
  hash(password: string, lane?: PasswordLane): Promise<string>
  /**
   * Whether a password fits a stored hash. Without a hash it takes the same time and is false.
   *
   * @throws {PasswordsBusyError}
   */
  verify(password: string, hash: string | undefined, applicant: Applicant): Promise<boolean>
  /** how many wait in all lanes, the one at work included */
  waiting(): number
}

export function createPasswords(clock: Pick<WallClock, 'monotonicMs'> = systemClock): Passwords {
  const queue = createPasswordLanes(clock)
  // An unknown name is checked against a random hash, at the same cost.
  const randomHash = encode(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))
  return {
    hash: (password, lane = 'trusted') =>
      queue.enqueue(lane, async () => {
        const salt = randomBytes(SALT_BYTES)
        return encode(salt, await tag(password, salt, MEMORY_KIB, PASSES, LANES, TAG_BYTES))
      }),
    verify: (password, hash, applicant) =>
      queue.login(applicant, async () => {
        const [, memory, passes, lanes, salt, stored] = PATTERN.exec(hash ?? randomHash) ?? []
        if (!salt || !stored) return false
        const wanted = Buffer.from(stored, 'base64')
        const found = await tag(
          password,
          Buffer.from(salt, 'base64'),
          Number(memory),
          Number(passes),
          Number(lanes),
          wanted.length,
        )
        return timingSafeEqual(found, wanted) && hash !== undefined
      }),
    waiting: () => queue.waiting(),
  }
}

function tag(
  password: string,
  nonce: Buffer,
  memory: number,
  passes: number,
  parallelism: number,
  tagLength: number,
): Promise<Buffer> {
  return derive('argon2id', {
    message: Buffer.from(password),
    nonce,
    memory,
    passes,
    parallelism,
    tagLength,
  })
}

/** PHC string format, which has no padding. */
function encode(salt: Buffer, hash: Buffer): string {
  const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${text(salt)}$${text(hash)}`
}
