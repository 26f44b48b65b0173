import { loadModules } from '@orrery/module/load'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../command/run.ts'

const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/**
 * Loads the modules of a folder as a server does, checks types and runs tests; returns the exit
 * code.
 *
 * @throws {ModuleError} naming file and line of what no server takes
 * @throws {CommandError} when there is no module
 */
export async function testFolder(directory: string): Promise<number> {
  const names = existsSync(directory) ? readdirSync(directory) : []
  const isTest = (name: string): boolean => name.endsWith('.test.ts')
  const files = names.filter((name) => name.endsWith('.ts') && !isTest(name))
  if (files.length === 0) throw new CommandError(`${directory} has no module.`)
  const { names: modules } = await loadModules(files.map((name) => join(directory, name)))
  for (const { id, version } of modules) console.log(`${id} ${version} loads.`)
  const node = process.execPath
  const steps = [
    // An installation for production has no compiler.
    ...(existsSync(COMPILER) ? [[node, COMPILER, '-p', directory]] : []),
    [node, '--test', ...names.filter(isTest).map((name) => join(directory, name))],
  ]
  for (const [program, ...args] of steps) {
    const { status, error } = spawnSync(program, args, { cwd: directory, stdio: 'inherit' })
    if (error) throw new CommandError(`${program}: ${error.message}`)
    if (status !== 0) return status ?? 1
  }
  return 0
}
