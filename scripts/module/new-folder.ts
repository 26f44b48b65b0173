import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../command/run.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGE = join(ROOT, 'packages/module')
const FILES = ['beacons.ts', 'beacons.test.ts']

/**
 * Begins a game's own module; returns the exit code.
 *
 * @throws {CommandError} when the folder has something already
 */
export function newFolder(directory: string): Promise<number> {
  mkdirSync(directory, { recursive: true })
  if (readdirSync(directory).length > 0) throw new CommandError(`${directory} is not empty.`)
  for (const file of FILES) copyFileSync(join(PACKAGE, 'examples', file), join(directory, file))
  const links = join(directory, 'node_modules/@orrery')
  mkdirSync(links, { recursive: true })
  // On Windows only a junction needs no rights of an administrator.
  symlinkSync(PACKAGE, join(links, 'module'), 'junction')
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
    include: ['*.ts'],
    exclude: ['node_modules'],
  }
  const write = (name: string, value: object): void => {
    writeFileSync(join(directory, name), `${JSON.stringify(value, undefined, 2)}\n`)
  }
  write('tsconfig.json', settings)
  write('package.json', { private: true, type: 'module' })
  console.log(`${relative('.', directory) || '.'} has ${FILES.join(' and ')}.`)
  return Promise.resolve(0)
}
