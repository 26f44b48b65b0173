/**
 * Keeps compiled modules as long as the installation lasts; Node loads it before a command. It is
 * JavaScript, since Node's compiler of TypeScript takes 20 MB in each thread that loads it.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Threads and children of the process have it from here.
process.env.NODE_COMPILE_CACHE ||= fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
)
enableCompileCache(process.env.NODE_COMPILE_CACHE)
