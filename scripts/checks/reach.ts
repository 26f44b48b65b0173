/** Which test files a change can reach. */
import { basename, dirname, join } from 'node:path/posix'

/** Imports and re-exports of names, of a default or of all. */
const FROM =
  /^(import|export)\s+(type\s+)?((?:\w+,\s*)?\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+)\s+from\s+'([^']+)'/gm

/** Names that files load others by for all they have, or start or read them by. */
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
  // Tests that compare a page with what is printed.
  const pages = changed.filter((file) => file.endsWith('.md'))
  const readsOne = (file: string): boolean =>
    pages.some((page) =>
      (texts.get(file) ?? '').includes(file.startsWith(roomOf(page)) ? basename(page) : page),
    )
  return tests.filter((file) => reached.has(file) || readsOne(file))
}

/** Empty for the root. */
function roomOf(file: string): string {
  return ROOM.exec(file)?.[0] ?? ''
}

/** By file, the files that a change of it can change. */
function usersOf(
  texts: ReadonlyMap<string, string>,
  rooms: readonly Room[],
): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  const add = (target: string, user: string): void =>
    void users.set(target, (users.get(target) ?? new Set()).add(user))
  const parts = new Map([...texts].map(([file, text]) => [file, partsOf(file, text, rooms)]))
  /** A file that passes a name on is not changed by where the name comes from: who takes it is. */
  const take = (target: string, name: string | undefined, user: string): void => {
    add(target, user)
    const passed = parts.get(target)?.passedOn ?? []
    const named = passed.filter((one) => one.name === name)
    const sources = name === undefined ? passed : named.length > 0 ? named : passed.filter(isAll)
    for (const { from, source } of sources) take(from, name === undefined ? name : source, user)
  }
  for (const [file, { taken }] of parts) {
    for (const { from, source } of taken) take(from, source, file)
  }
  for (const [source, user] of BUNDLED) add(source, user)
  return users
}

/** A name that a file takes from another; without names it is all that the other has. */
interface Taken {
  readonly from: string
  /** there */
  readonly source: string | undefined
  /** here */
  readonly name: string | undefined
}

const isAll = ({ name }: Taken): boolean => name === undefined

/** What a file takes and passes on while it runs: not types, which are gone by then. */
function partsOf(
  file: string,
  text: string,
  rooms: readonly Room[],
): { readonly taken: readonly Taken[]; readonly passedOn: readonly Taken[] } {
  const fileOf = (name: string): string | undefined =>
    name.startsWith('.') ? join(dirname(file), name) : exported(name, rooms)
  const code = text.replaceAll(COMMENT, '')
  const taken: Taken[] = []
  const passedOn: Taken[] = []
  for (const [, verb, type, clause = '', place = ''] of code.matchAll(FROM)) {
    const from = fileOf(place)
    if (from === undefined || type !== undefined) continue
    const into = verb === 'export' ? passedOn : taken
    for (const one of namesIn(clause)) into.push({ from, ...one })
  }
  for (const [, place = ''] of code.replaceAll(FROM, '').matchAll(NAMED)) {
    const from = fileOf(place)
    if (from !== undefined) taken.push({ from, source: undefined, name: undefined })
  }
  return { taken, passedOn }
}

/** The values in a clause such as `{ type Ship, mass as kg }`. */
function namesIn(clause: string): Omit<Taken, 'from'>[] {
  if (clause.startsWith('*')) return [{ source: undefined, name: undefined }]
  const [, first, list = ''] = /^(\w+)?,?\s*(?:\{([^}]*)\})?$/.exec(clause) ?? []
  const listed = list.split(',').map((word) => word.trim().split(/\s+as\s+/))
  const values = listed.filter(([source = '']) => source !== '' && !source.startsWith('type '))
  return [
    ...(first === undefined ? [] : [{ source: 'default', name: first }]),
    ...values.map(([source, name = source]) => ({ source, name })),
  ]
}

/** The file of a name such as `@orrery/database/embedded`. */
function exported(name: string, rooms: readonly Room[]): string | undefined {
  const room = rooms.find((one) => name === one.name || name.startsWith(`${one.name}/`))
  const path = room?.exports[`.${name.slice(room.name.length)}`]
  return room && path !== undefined ? join(room.folder, path) : undefined
}
