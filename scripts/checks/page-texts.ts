/**
 * Texts of the player's page: each that people read is said in the language of the page, and each
 * that is said stands in the tables of all languages.
 */
import { parseAst } from 'rolldown/parseAst'
import type { Finding } from './finding.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly [part: string]: unknown
}

/** Functions whose argument at a place is a text in English. */
const SAYS: Readonly<Record<string, number>> = { say: 0, sayCount: 2 }

/** Attributes that people read, whatever stands there. */
const READ_ATTRIBUTES = /^(?:title|aria-label|label|placeholder|alt|words|note)$/

/** Attributes that programs read. */
const CODE_ATTRIBUTES = /^(?:class|style|type|id|of|role|key|for|[dD]|auto\w+|input\w+|data-.*)$/

/** Names of keys, of events and of what browsers and shaders know. */
const CODE = new RegExp(
  '^(?:(?:Key|Digit)[A-Z0-9]|(?:Arrow|Page|Bracket)[A-Z]\\w+|WEBGL_\\w+|[A-Z]\\d+|' +
    'Period|Backslash|Equal|Minus|Home|Enter|Escape|Delete|Backspace|Shift|Control|UTC|Δv)$|\\n|' +
    '^(?:[.#][\\w-]+|li|select)[ .:>[]|^\\(prefers|px |^translate|rad\\)',
)

/** By file of `web/src`: what looks like a text, and is a key or a name. */
const NAMES: Readonly<Record<string, RegExp>> = {
  'elements/explain.tsx': /^Orbit$/,
  'frame/settings-form.tsx': /^Notification$/,
  'frame/tools.tsx': /^(?:Share|Settings|Help|Credits)$/,
  'game/game.ts': /^Maneuver$/,
  'input/actions.ts': /^(?:Digit|Key)\{\}$/,
  'labels/body-labels.ts': /^body /,
  'labels/label-layer.ts': /^label /,
  'labels/reticles.ts': /^reticle /,
  'labels/ship-labels.ts': /^ship /,
  'labels/trajectory-marks.ts': /^(?:mark|ghost) /,
  'languages/language.ts': /./,
  'modules/value-text.ts': /^s since J2000$/,
  'order-forms/change-order.ts': /^(?:Dock|Plan)$/,
  'orders/order-kinds.ts': /^(?:Maneuver|Plan|Burn|Dock|Jump|Rules)$/,
  'page/picture-file.ts': /^(?:picture file|Orrery)$/,
  'places/body-notes.ts': /^(?:\d{4}, )?\p{Lu}[^.]*$/u,
  'plans/knob.ts': /^plan-knob /,
  'plans/node-knobs.ts': /^arm /,
  'plans/plan-map.ts': /^Plan$/,
  'practice/practice-session.ts': /^practice /,
  'readings/thing-names.ts': /^the /,
  'record/track-layer.ts': /^record /,
  'session/proposed-name.ts': /./,
}

const SOURCES = 'packages/web/src/'

/** A table of one language, and its bodies' names. */
const TABLE = /^packages\/web\/src\/languages\/(?<language>[a-z]{2})-(?!names)\w+\.ts$/
const TABLES = /^packages\/web\/src\/languages\/[a-z]{2}(?:-\w+)?\.ts$/

/** A word with a capital, or two words. */
const TEXT = /^[“(]?\p{Lu}\p{Ll}|\p{L}{2}[,:.]? [\p{L}{]/u

export interface PageTexts {
  readonly findings: readonly Finding[]
  /** texts that are said */
  readonly said: readonly string[]
}

/** Of one file. */
export function pageTexts(file: string, code: string): PageTexts {
  const findings: Finding[] = []
  const said: string[] = []
  const report = ({ start }: Node, message: string): void => {
    findings.push({ file, line: code.slice(0, start).split('\n').length, message })
  }
  const read = (node: Node, isSurely: boolean): void => {
    const text = node.type === 'JSXText' ? oneLine(textOf(node)) : textOf(node)
    if (!/\p{L}{2}/u.test(text.replaceAll('{}', ''))) return
    if (CODE.test(text.trim()) || NAMES[file.slice(SOURCES.length)]?.test(text)) return
    if (!isSurely && !TEXT.test(text)) return
    report(node, `a text that is not said: ${text.trim()}`)
  }
  const visit = (node: Node): void => {
    const call = saidBy(node)
    if (call) {
      const text = constantText(call.text)
      if (text === undefined) report(node, `${call.name} takes a text that stands there`)
      else said.push(text)
      for (const value of call.values) visit(value)
    } else if (isText(node)) {
      read(node, node.type === 'JSXText')
      for (const part of children(node)) visit(part)
    } else if (node.type === 'JSXAttribute') {
      const { name, value } = node as Node & { name: { name?: unknown }; value: Node | null }
      const attribute = String(name.name)
      if (!value || CODE_ATTRIBUTES.test(attribute)) return
      if (isText(value)) read(value, READ_ATTRIBUTES.test(attribute))
      else visit(value)
    } else for (const part of shownParts(node)) visit(part)
  }
  for (const statement of parsed(code)) visit(statement)
  return { findings, said }
}

/** All that is wrong with the texts of the page. @param sources  by file, others too */
export function textFindings(sources: ReadonlyMap<string, string>): Finding[] {
  const pages = [...sources].filter(([file]) => file.startsWith(SOURCES) && !TABLES.test(file))
  const read = pages.map(([file, code]) => pageTexts(file, code))
  const said = new Set(read.flatMap((page) => page.said))
  const tables = Map.groupBy(
    [...sources].filter(([file]) => TABLE.test(file)),
    ([file]) => TABLE.exec(file)?.groups?.['language'] ?? '',
  )
  return [
    ...read.flatMap(({ findings }) => findings),
    ...[...tables.values()].flatMap((parts) => tableFindings(said, parts)),
  ]
}

/** What the parts of one table lack, and what is too much in them. */
function tableFindings(
  said: ReadonlySet<string>,
  parts: readonly (readonly [file: string, code: string])[],
): Finding[] {
  const rows = parts.flatMap(([file, code]) => rowsOf(code).map((row) => ({ file, ...row })))
  const known = new Set(rows.map(({ text }) => text))
  const [[first]] = parts
  const missing = [...said].filter((text) => !known.has(text))
  return [
    ...missing.map((text) => ({ file: first, line: 1, message: `no row for: ${text}` })),
    ...rows.flatMap(({ file, line, text, rest }, i) => {
      const report = (message: string): Finding[] => [
        { file, line, message: `${message}: ${text}` },
      ]
      if (!said.has(text)) return report('nothing says this')
      if (rows.findIndex((row) => row.text === text) < i) return report('a second row for this')
      return rest.every((one) => placesIn(one) === placesIn(text)) ? [] : report('other {places}')
    }),
  ]
}

function placesIn(text: string): string {
  return [...new Set(text.match(/\{\w+\}/g))].toSorted().join()
}

interface RowOfTable {
  readonly line: number
  readonly text: string
  /** what is said in its place, by plurals where it has them */
  readonly rest: readonly string[]
}

/** Of the object that a part of a table exports. */
function rowsOf(code: string): RowOfTable[] {
  const rows: RowOfTable[] = []
  const visit = (node: Node): void => {
    if (node.type !== 'Property') {
      for (const part of children(node)) visit(part)
      return
    }
    const key = node['key'] as Node
    const value = node['value'] as Node
    const plurals = value.type === 'ObjectExpression' ? (value['properties'] as Node[]) : undefined
    const said = plurals?.map((one) => one['value'] as Node) ?? [value]
    rows.push({
      line: code.slice(0, node.start).split('\n').length,
      text: constantText(key) ?? String(key['name']),
      rest: said.map((one) => constantText(one) ?? ''),
    })
  }
  for (const node of parsed(code)) visit(node)
  return rows
}

interface Said {
  readonly name: string
  readonly text: Node
  readonly values: readonly Node[]
}

function saidBy({ type, callee, arguments: all }: Node): Said | undefined {
  if (type !== 'CallExpression') return undefined
  const name = String((callee as Node)['name'])
  if (!Object.hasOwn(SAYS, name)) return undefined
  const at = SAYS[name]
  const given = all as readonly Node[]
  return { name, text: given[at], values: given.filter((_, i) => i > at || i < at - 1) }
}

function parsed(code: string): Node[] {
  return parseAst(code, { lang: 'tsx' }).body as unknown as Node[]
}

/** Of a literal or literals added; undefined of all else. */
function constantText(node: Node): string | undefined {
  if (node.type === 'Literal') return String(node['value'])
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return undefined
  const [left, right] = [node['left'], node['right']].map((side) => constantText(side as Node))
  return left === undefined || right === undefined ? undefined : left + right
}

function isText({ type, value }: Node): boolean {
  if (type === 'Literal') return typeof value === 'string'
  return type === 'TemplateLiteral' || type === 'JSXText'
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** With `{}` for what a template takes in. */
function textOf({ value, quasis }: Node): string {
  if (typeof value === 'string') return value
  return (quasis as readonly { value: { raw: string } }[]).map((one) => one.value.raw).join('{}')
}

/** Parts of a node where a text may be for people. */
function shownParts(node: Node): readonly Node[] {
  const { type } = node
  if (/^(?:Import|TS(?!As|NonNull|Satisfies)|ExportAll)/.test(type)) return []
  if (type === 'NewExpression' && (node['callee'] as Node)['name'] === 'Error') return []
  const parts = children(node, node['computed'] === true ? [] : HIDDEN[type])
  const isComparison = type === 'BinaryExpression' && /^[!=]==?$/.test(String(node['operator']))
  return isComparison ? parts.filter((part) => !isText(part)) : parts
}

/** Parts that hold names. */
const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  Property: ['key'],
  MemberExpression: ['property'],
  ExportNamedDeclaration: ['source'],
  ImportExpression: ['source'],
  SwitchCase: ['test'],
}

function children(node: Node, hidden: readonly string[] = []): Node[] {
  return Object.entries(node)
    .filter(([name]) => !hidden.includes(name))
    .flatMap(([, part]) => part)
    .filter((part): part is Node => typeof Object(part).type === 'string')
}
