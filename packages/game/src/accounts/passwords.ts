import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto'
import type { WallClock } from '@orrery/engine'
import { Piscina } from 'piscina'
import type { Applicant } from './login-queue.ts'
import { createPasswordLanes } from './password-lanes.ts'

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

/** The thread ends after this time without a hash. */
const IDLE_MS = 15_000

/** What the owner of an account without a password learns. */
export const NO_PASSWORD = 'The account has no password: it signs in by a foreign identity'

/** Hashes passwords in a thread of low priority, one at a time: ticks go first. */
export interface Passwords {
  /**
   * @param applicant  who registers; absent for people who have shown who they are
   * @throws {PasswordsBusyError}
   */
  hash(password: string, applicant?: Applicant): Promise<string>
  /**
   * Whether a password fits a stored hash. Without a hash, which is `''` for an account without a
   * password, it takes the same time and is false.
   *
   * @throws {PasswordsBusyError}
   */
  verify(password: string, hash: string | undefined, applicant: Applicant): Promise<boolean>
  /** how many wait in all lanes, the one at work included */
  waiting(): number
}

/** @param onError  called when the thread fails without a task */
export function createPasswords(
  clock: Pick<WallClock, 'monotonicMs'>,
  onError?: (error: unknown) => void,
): Passwords {
  const queue = createPasswordLanes(clock)
  // One thread for all: the allocator keeps the memory of a hash for each that has made one.
  const thread = new Piscina<Argon2Parameters, Uint8Array>({
    filename: new URL('password-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  })
  if (onError) thread.on('error', onError)
  const tag = (
    password: string,
    parameters: Omit<Argon2Parameters, 'message'>,
  ): Promise<Uint8Array> => thread.run({ message: Buffer.from(password), ...parameters })
  // An unknown name, or an account without a password, is checked against a random hash.
  const randomHash = encode(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))
  return {
    hash: (password, applicant) => {
      const work = async (): Promise<string> => {
        const nonce = randomBytes(SALT_BYTES)
        const cost = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }
        return encode(nonce, await tag(password, { ...cost, nonce, tagLength: TAG_BYTES }))
      }
      return applicant ? queue.registration(applicant, work) : queue.trusted(work)
    },
    verify: (password, hash, applicant) =>
      queue.login(applicant, async () => {
        const [, memory, passes, lanes, salt, stored] = PATTERN.exec(hash || randomHash) ?? []
        if (!salt || !stored) return false
        const wanted = Buffer.from(stored, 'base64')
        const found = await tag(password, {
          nonce: Buffer.from(salt, 'base64'),
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(lanes),
          tagLength: wanted.length,
        })
        return timingSafeEqual(found, wanted) && Boolean(hash)
      }),
    waiting: () => queue.waiting(),
  }
}

/** PHC string format, which has no padding. */
function encode(salt: Buffer, hash: Uint8Array): string {
  const text = (bytes: Uint8Array): string =>
    Buffer.from(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${text(salt)}$${text(hash)}`
}
