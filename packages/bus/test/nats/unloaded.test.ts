import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** Modules of the client of NATS that are loaded after some statements. */
function loaded(statements: string): number {
  const program = `
    import { createRequire } from 'node:module'
    import { createLocalBus, openBus } from '${import.meta.resolve('@orrery/bus')}'
    ${statements}
    const paths = Object.keys(createRequire(import.meta.url).cache)
    console.log(paths.filter((path) => path.includes('@nats-io')).length)`
  const args = ['--input-type=module', '--eval', program]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

it('loads the client of NATS for a bus by NATS alone', () => {
  expect(loaded('await createLocalBus().close()')).toBe(0)
  expect(loaded(`await openBus({ url: 'none:' }).catch(() => undefined)`)).toBeGreaterThan(20)
})
