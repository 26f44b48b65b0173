// Law: a service ends with the process that has started it, however that ends.
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { ENDS_WITH_PARENT } from '../src/services/service-process.ts'
import { isRunning } from '../src/services/processes.ts'

const STARTER = `
  const { startService } = await import(${JSON.stringify(
    new URL('../src/services/service-process.ts', import.meta.url),
  )})
  const main = ${JSON.stringify(new URL('endless/quiet.ts', import.meta.url))}
  console.log(startService({ main, variables: {} }).pid)
  setInterval(() => {}, 1000)`

test.runIf(ENDS_WITH_PARENT)('a service of a killed process ends', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', STARTER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = (await child.stdout.setEncoding('utf8').take(1).toArray()) as string[]
  const pid = Number(text)
  expect(isRunning(pid)).toBe(true)
  child.kill('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
})
