import type { ServiceEnvironment } from './service-process.ts'

/** Of argon2id, the least there is [KiB]; the server's own takes 30 ms of a processor. */
const MEMORY_KIB = 8

const PRELOAD = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads'
  if (!isMainThread) {
    const crypto = process.getBuiltinModule('node:crypto')
    const { argon2Sync } = crypto
    crypto.argon2Sync = (algorithm, parameters) =>
      argon2Sync(algorithm, { ...parameters, memory: ${MEMORY_KIB} })
    process.getBuiltinModule('node:module').syncBuiltinESMExports()
  }`)}`

/**
 * Of a game server that many accounts log in to, where the cost of a hash is not what is tested:
 * its hashes take little memory, and so no time. A server without it accepts none of them.
 */
export const QUICK_PASSWORDS: ServiceEnvironment = {
  NODE_OPTIONS: [process.env['NODE_OPTIONS'], `--import=${PRELOAD}`].filter(Boolean).join(' '),
}
