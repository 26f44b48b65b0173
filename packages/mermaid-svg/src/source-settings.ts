import type { Mermaid, MermaidConfig } from 'mermaid'

/** A source without its settings. */
export interface Parted {
  /** with the lines of the source; its settings are blank */
  readonly body: string
  /** between the dashes up front */
  readonly frontMatter: string
  /** of the front matter, from 1 */
  readonly firstLine: number
  /** such as `%%{init: {...}}%%` */
  readonly directives: string
  /** its title in front matter as it is written there, with the key */
  readonly title: string
}

/** Settings that a source chooses. */
export interface SourceSettings {
  readonly taken: Settings
  /** names of settings that are not taken */
  readonly dropped: readonly string[]
}

interface Settings {
  readonly [name: string]: Setting
}

type Setting = string | number | boolean | Settings | readonly Setting[]

const FRONT_MATTER = /^(\s*---[ \t]*\r?\n)([^]*?)(\r?\n[ \t]*---[ \t]*)(?=\r?\n|$)/
const TITLE = /^([ \t]*)title[ \t]*:[^\n]*(?:\n\1[ \t]+[^\n]*)*/m

/** Parts a source into its settings and the rest. */
export function partedSource(source: string): Parted {
  const [all = '', opening = '', frontMatter = '', closing = ''] = FRONT_MATTER.exec(source) ?? []
  const { body, directives } = withoutDirectives(source.slice(all.length))
  return {
    body: blank(opening + frontMatter + closing) + body,
    frontMatter,
    firstLine: opening.split('\n').length,
    directives,
    title: titleOf(frontMatter),
  }
}

/** No regular expression: many openings without an end would take quadratic time. */
function withoutDirectives(text: string): Pick<Parted, 'body' | 'directives'> {
  const directives: string[] = []
  let body = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('%%{', at)
    if (start === -1) return { body: body + text.slice(at), directives: directives.join('\n') }
    const end = text.indexOf('}%%', start)
    // Mermaid takes one without an end, too.
    const directive = text.slice(start, end === -1 ? undefined : end + 3)
    directives.push(end === -1 ? `${directive}}%%` : directive)
    body += text.slice(at, start) + blank(directive)
    at = start + directive.length
  }
}

function titleOf(frontMatter: string): string {
  const [title = '', indent = ''] = TITLE.exec(frontMatter) ?? []
  return title.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, '')
}

/** Settings that are taken: of every kind, and sections of kinds. */
const TAKEN = new Set(
  (
    'theme themeVariables look layout elk darkMode wrap markdownAutoWrap flowchart swimlane' +
    ' sequence gantt journey timeline class state er pie quadrantChart xyChart requirement' +
    ' architecture mindmap ishikawa kanban gitGraph c4 sankey packet block eventmodeling treeView' +
    ' treemap radar usecase venn wardley-beta cynefin railroad'
  ).split(' '),
)

/** Inside of these: what changes how text is measured, what is loaded, or the size on a page. */
const UNSAFE = /html|fontfamily|renderer|css|maxwidth|marker|minnodewidth|textplacement|menus|^__/i

/** A colour, a name, a format or a length, or the address of a tracker. */
const SAFE_TEXT = /^(?:https?:\/\/[^\s"'<>]{1,200}|[^"<>\\:;{}]{1,200})$/

const NUMBER_MAX = 10_000
const DEPTH_MAX = 4

/**
 * The settings of a source that are on a list of harmless ones.
 *
 * @throws for front matter that is no YAML
 */
export async function sourceSettings(
  engine: Mermaid,
  { frontMatter, directives }: Parted,
): Promise<SourceSettings> {
  const { config } = await engine.parse(`---\n${frontMatter}\n---\n${directives}\ninfo`)
  const taken = takenSettings(config)
  const kept = new Set(namesOf(taken))
  const dropped = [...writtenNames(frontMatter, directives)].filter((name) => !kept.has(name))
  return { taken, dropped }
}

function takenSettings(config: MermaidConfig): Settings {
  const settings = Object.entries(config).flatMap(([name, value]) => {
    const safe = TAKEN.has(name) ? safeSetting(value, DEPTH_MAX) : undefined
    return safe === undefined ? [] : [[name, safe] as const]
  })
  return Object.fromEntries(settings)
}

function safeSetting(value: unknown, depth: number): Setting | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Math.abs(value) <= NUMBER_MAX ? value : undefined
  if (typeof value === 'string') return SAFE_TEXT.test(value) ? value : undefined
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  if (Array.isArray(value)) return value.flatMap((one) => safeSetting(one, depth - 1) ?? [])
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const safe = UNSAFE.test(name) ? undefined : safeSetting(one, depth - 1)
    return safe === undefined ? [] : [[name, safe] as const]
  })
  return Object.fromEntries(entries)
}

function namesOf(settings: Settings): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? [name, ...namesOf(value as Settings)]
      : [name],
  )
}

/** Names that are no settings by themselves. */
const FRAMES = new Set(['title', 'config', 'init', 'initialize', 'displayMode'])

const QUOTED = /("[^"\n]*"|'[^'\n]*')(\s*:)?/g

/** The names of settings in the text: Mermaid drops those that it does not know. */
function writtenNames(frontMatter: string, directives: string): ReadonlySet<string> {
  const bare = (text: string): string =>
    text.replaceAll(QUOTED, (_, quoted: string, colon?: string) => (colon ? quoted + colon : ''))
  const names = [
    ...bare(frontMatter).matchAll(/(?:^[ \t]*|[{,][ \t]*)["']?([\w-]+)["']?[ \t]*:(?=\s|$)/gm),
    ...bare(directives).matchAll(/[{,]\s*["']?([\w-]+)["']?\s*:/g),
  ]
  return new Set(names.map(([, name]) => name).filter((name) => !FRAMES.has(name)))
}
