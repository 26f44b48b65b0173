/**
 * Preloaded into test processes: threads of the game that they start run from its bundle, where
 * `scripts/orrery test` has made that, as those of a server do. From its sources a thread takes 200
 * ms of processor time to load the core.
 */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** URL of the bundle's directory. */
const bundle = process.env['BUNDLED_THREADS']
const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url))
const THREAD = /^(?:engine|game)\/src\/.*\/(worker|[a-z]+-thread)\.ts$/

if (!isMainThread && bundle) {
  registerHooks({
    resolve(specifier, context, next) {
      const thread = specifier.startsWith(PACKAGES) && THREAD.exec(specifier.slice(PACKAGES.length))
      if (!thread) return next(specifier, context)
      return { url: `${bundle}/${thread[1]}.mjs`, format: 'module', shortCircuit: true }
    },
  })
}
