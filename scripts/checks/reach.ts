/** Which test files a change can reach. */
import { dirname, join } from 'node:path/posix'

/** Names that files import others by, or start or read them by. */
const NAMED = /'((?:\.{1,2}\/|@orrery\/)[^'\s]+)'/g

const COMMENT = /^\s*(?:\*|\/[/*]).*$/gm

/** What bundles name in HTML only. */
const BUNDLED: readonly (readonly [source: string, user: string])[] = [
  ['packages/web/src/main.ts', 'packages/page-kit/build/build-pages.ts'],
  ['packages/console/src/main.ts', 'packages/page-kit/build/build-pages.ts'],
]

/** Of a package: other files than sources may be read by any of its files. */
const SOURCE = /\.tsx?$/

const ROOM = /^(packages\/[^/]+|bench|scripts)\//

/** A package's name to its folder and the files of its exports, by subpath. */
export interface Room {
  readonly folder: string
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
}

/**
 * The test files that changed files can reach, by what each file names; all of them when a file
 * outside of the packages has changed.
 *
 * @param changed  paths from the root
 * @param texts    of all source files, by path
 */
export function reachedTests(
  changed: readonly string[],
  texts: ReadonlyMap<string, string>,
  rooms: readonly Room[],
): string[] {
  const tests = [...texts.keys()].filter((file) => file.endsWith('.test.ts'))
  const code = changed.filter((file) => !file.endsWith('.md'))
  if (code.some((file) => !ROOM.test(file))) return tests
  const users = usersOf(texts, rooms)
  const reached = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    for (const user of users.get(file) ?? []) visit(user)
  }
  for (const file of code) {
    visit(file)
    if (SOURCE.test(file) && texts.has(file)) continue
    // Also what is gone: each file of its package may have used it.
    for (const other of texts.keys()) if (other.startsWith(roomOf(file))) visit(other)
  }
  // Tests that compare a README with what is printed.
  const readmes = changed.filter((file) => file.endsWith('.md'))
  const readsOne = (file: string): boolean =>
    readmes.some((readme) => file.startsWith(roomOf(readme))) &&
    (texts.get(file) ?? '').includes('README')
  return tests.filter((file) => reached.has(file) || readsOne(file))
}

/** Empty for the root. */
function roomOf(file: string): string {
  return ROOM.exec(file)?.[0] ?? ''
}

function usersOf(
  texts: ReadonlyMap<string, string>,
  rooms: readonly Room[],
): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  const add = (target: string, user: string): void =>
    void users.set(target, (users.get(target) ?? new Set()).add(user))
  for (const [file, text] of texts) {
    for (const [, name = ''] of text.replaceAll(COMMENT, '').matchAll(NAMED)) {
      const target = name.startsWith('.') ? join(dirname(file), name) : exported(name, rooms)
      if (target !== undefined) add(target, file)
    }
  }
  for (const [source, user] of BUNDLED) add(source, user)
  return users
}

/** The file of a name such as `@orrery/database/embedded`. */
function exported(name: string, rooms: readonly Room[]): string | undefined {
  const room = rooms.find((one) => name === one.name || name.startsWith(`${one.name}/`))
  const path = room?.exports[`.${name.slice(room.name.length)}`]
  return room && path !== undefined ? join(room.folder, path) : undefined
}
