// Directories with a new embedded database in them, for tests: one is built, the others copied.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/index.ts'

export interface EmbeddedDirectories {
  /** The directory the others are copied from; built by the first copy unless it is there. */
  readonly template: string
  /** A directory of its own with an empty database. */
  fresh(): Promise<string>
  /** A path where nothing is yet. */
  empty(): string
  remove(): void
}

export function embeddedDirectories(): EmbeddedDirectories {
  const root = mkdtempSync(join(tmpdir(), 'orrery-test-'))
  const template = join(root, 'template')
  let count = 0
  const empty = (): string => join(root, String((count += 1)))
  return {
    template,
    empty,
    async fresh() {
      if (!existsSync(join(template, 'cluster'))) {
        const database = await openDatabase({ directory: template, schema: 'game' })
        await database.close()
      }
      const directory = empty()
      cpSync(template, directory, { recursive: true })
      return directory
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
