import { fileURLToPath } from 'node:url'

/** Where the commands keep compiled modules, as long as the installation lasts. */
export const COMPILED: string = fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
)
