/**
 * Checks what no other tool does, of the code itself: the arrows between packages and between
 * folders of some, the sizes of files, the list of promises, paths that texts name, and in `sim`
 * the arithmetic that engines round differently.
 * Each file is read once; every finding is one line, and one finding fails the run.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { areFiguresWritten } from '../../bench/figures.ts'
import { arithmeticFaults, codeOf, impurities } from '@orrery/module/purity'
import type { Finding } from './finding.ts'
import { ARROWS, TEST_ARROWS, withPicture } from './arrows.ts'
import { GROUND, LAYERS } from './layers.ts'
import { textFindings } from './page-texts.ts'
import { PROMISES, promiseFindings } from './promises.ts'
import { pathFindings } from './readme-paths.ts'

const LINES_MAX = 400
const COLUMNS_MAX = 100
const FILES_MAX = 20

/** Their clock is an argument, which the two services pass. */
const CLOCKLESS = /^packages\/(?:game|store)\/src\//

/** Functions of gl-matrix that use nothing but exact arithmetic. */
const EXACT_MATRIX = new Set([
  'add',
  'set',
  'sub',
  'scale',
  'dot',
  'cross',
  'length',
  'normalize',
  'multiply',
  'conjugate',
  'transformQuat',
])

/** A library of texts, which is no code. */
const DATA = /^packages\/design-sessions\/knowledge\//

/** Split, so that this file does not match. */
const LEFTOVER = new RegExp(['TO', 'DO|FIX', 'ME'].join(''))

/** Files of `sim` that hash: the only ones where 32-bit operators belong. */
const HASHING = new Set(['packages/sim/src/state/digest.ts', 'packages/sim/src/ships/spawn.ts'])

/** All findings in one file. */
export function tidy(file: string, text: string): Finding[] {
  const lines = text.split('\n')
  const found: Finding[] = []
  const report = (line: number, message: string): void => void found.push({ file, line, message })
  if (lines.length > LINES_MAX + 1) report(1, `${lines.length - 1} lines, at most ${LINES_MAX}`)
  for (const [i, line] of lines.entries()) {
    if (line.length > COLUMNS_MAX) report(i + 1, `${line.length} columns, at most ${COLUMNS_MAX}`)
    if (LEFTOVER.test(line)) report(i + 1, 'leftover marker')
  }
  reportArrows(file, lines, report)
  reportPaths(file, lines, report)
  reportLayers(file, lines, report)
  if (CLOCKLESS.test(file)) reportClock(lines, report)
  if (/^packages\/module\/src\/(?:mining|missions)\.ts$/.test(file)) {
    for (const { line, message } of impurities(text)) report(line, message)
  }
  if (file.startsWith('packages/sim/src/')) reportArithmetic(file, lines, report)
  return found
}

/** Folders with too many files; those of data apart. */
export function crowdedFolders(files: readonly string[]): Finding[] {
  const folders = Map.groupBy(
    files.filter((file) => !DATA.test(file)),
    dirname,
  )
  return [...folders]
    .filter(([, { length }]) => length > FILES_MAX)
    .map(([file, { length }]) => {
      return { file, line: 1, message: `${length} files, at most ${FILES_MAX}` }
    })
}

type Report = (line: number, message: string) => void

function reportArrows(file: string, lines: readonly string[], report: Report): void {
  const owner = /^packages\/([^/]+)\//.exec(file)?.[1]
  if (!owner) return
  if (!ARROWS[owner]) {
    report(1, `package ${owner} has no row in the table of arrows`)
    return
  }
  const besides = file.includes('/test/') ? ['testkit', ...(TEST_ARROWS[owner] ?? [])] : []
  const allowed = new Set([...ARROWS[owner], ...besides])
  for (const [i, line] of lines.entries()) {
    const [, target, entry] = /from '@orrery\/([^'/]+)([^']*)/.exec(line) ?? []
    if (target && target !== owner && !allowed.has(target)) {
      report(i + 1, `${owner} may not import ${target}`)
    }
    if (entry === '/testing' && !file.includes('/test/')) {
      report(i + 1, `only tests, benches and scripts import ${target}${entry}`)
    }
  }
}

/** Also of tests, scripts and benches: what they share with other packages is in `testkit`. */
function reportPaths(file: string, lines: readonly string[], report: Report): void {
  for (const [i, line] of lines.entries()) {
    const path = importedPath(line)
    if (path === undefined) continue
    const target = join(dirname(file), path)
    const isAcross = file.startsWith('packages/') || target.startsWith('packages/')
    if (isAcross && roomOf(target) !== roomOf(file)) {
      report(i + 1, 'imports across packages go by name')
    }
  }
}

/** The relative path that a line imports. */
function importedPath(line: string): string | undefined {
  return /(?:from |import |import\()'(\.{1,2}\/[^']+)'/.exec(line)?.[1]
}

function roomOf(file: string): string {
  return /^(?:packages\/)?[^/]+/.exec(file)?.[0] ?? ''
}

function reportLayers(file: string, lines: readonly string[], report: Report): void {
  const { owner = '', folder = '' } = sourceFolder(file)
  const layers = LAYERS[owner]?.split(' ')
  if (!layers || !folder) return
  if (!layers.includes(folder)) report(1, `${folder} is not one of the layers of ${owner}`)
  const ground = GROUND[owner] ?? []
  const allowed = new Set([...layers.slice(0, layers.indexOf(folder) + 1), ...ground])
  for (const [i, line] of lines.entries()) {
    const path = importedPath(line)
    const imported = path === undefined ? '' : join(dirname(file), path)
    if (!imported.startsWith(`packages/${owner}/src/`)) continue
    const target = sourceFolder(imported).folder ?? basename(imported)
    if (!allowed.has(target)) report(i + 1, `${folder} may not import ${target}`)
  }
}

/** Package and first folder of a source file; nothing of other files. */
function sourceFolder(file: string): { owner?: string; folder?: string } {
  return /^packages\/(?<owner>[^/]+)\/src\/(?<folder>[^/]+)\//.exec(file)?.groups ?? {}
}

function reportClock(lines: readonly string[], report: Report): void {
  for (const [i, line] of lines.entries()) {
    if (/Date\.now|new Date\(\)|performance\.now|setInterval/.test(line)) {
      report(i + 1, 'the clock is an argument here')
    }
  }
}

function reportArithmetic(file: string, lines: readonly string[], report: Report): void {
  for (const { line, message } of arithmeticFaults(lines)) report(line, message)
  for (const [i, line] of lines.entries()) {
    const code = codeOf(line)
    for (const [, name] of code.matchAll(/\b(?:vec3|quat|mat3)\.(\w+)/g)) {
      if (!EXACT_MATRIX.has(name)) report(i + 1, `gl-matrix ${name} is not on the allowed list`)
    }
    if (!HASHING.has(file) && />>|<<|[^|]\|[^|].*\b0\b|[^&]&[^&]\s*\d|\^/.test(stripTypes(code))) {
      report(i + 1, 'a 32-bit operator: lattice indices are wider')
    }
  }
}

/** Leaves expressions only: unions and intersections of types use the same signs. */
function stripTypes(code: string): string {
  return /^\s*(?:export\s+)?(?:type|interface|readonly)\b|^\s*\|/.test(code) ? '' : code
}

function trackedFiles(...patterns: readonly string[]): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns],
    { encoding: 'utf8' },
  )
  // A file that is deleted stays in git's list until that is committed.
  return listed.split('\n').filter((file) => file !== '' && existsSync(file))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const texts = new Map(
    trackedFiles('*.ts', '*.tsx').map((file) => [file, readFileSync(file, 'utf8')]),
  )
  const findings = [
    ...[...texts].flatMap(([file, text]) => tidy(file, text)),
    ...textFindings(texts),
    ...trackedFiles('*.md').flatMap((file) => pathFindings(file, readFileSync(file, 'utf8'))),
    ...crowdedFolders(trackedFiles()),
    ...promiseFindings(readFileSync(PROMISES, 'utf8'), texts, Object.keys(ARROWS)),
  ]
  if (!areFiguresWritten()) {
    const message = 'the figures are not those of bench/results: scripts/orrery bench figures'
    findings.push({ file: 'README.md', line: 1, message })
  }
  const readme = readFileSync('README.md', 'utf8')
  if (process.argv.includes('--write')) writeFileSync('README.md', withPicture(readme))
  else if (withPicture(readme) !== readme) {
    const message = 'the picture is not that of the arrows: node scripts/checks/tidy.ts --write'
    findings.push({ file: 'README.md', line: 1, message })
  }
  for (const { file, line, message } of findings) console.error(`${file}:${line} ${message}`)
  if (findings.length > 0) process.exitCode = 1
  else console.log('tidy: nothing to mend')
}
