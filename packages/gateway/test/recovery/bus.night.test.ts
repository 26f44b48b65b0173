// Law: a server without a bus loads nothing of NATS.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('a server without a bus loads nothing of NATS', () => {
  const program = `
    import { createRequire } from 'node:module'
    await import('${import.meta.resolve('@orrery/gateway')}')
    const paths = Object.keys(createRequire(import.meta.url).cache)
    console.log(paths.filter((path) => path.includes('@nats-io')).length, paths.length)`
  const args = ['--input-type=module', '--eval', program]
  const [ofNats, all] = execFileSync(process.execPath, args, { encoding: 'utf8' }).split(' ')
  expect(Number(all)).toBeGreaterThan(0)
  expect(Number(ofNats)).toBe(0)
})
