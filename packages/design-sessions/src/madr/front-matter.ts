/** What stands before a Markdown document, between two lines of dashes. */
export interface FrontMatter {
  /** values by key, each as one line; what YAML quotes is unquoted */
  readonly values: ReadonlyMap<string, string>
  /** lines by key as they stand, lists with the lines below them */
  readonly lines: ReadonlyMap<string, readonly string[]>
  readonly body: string
}

const ENTRY = /^([A-Za-z][\w-]*):([^]*)$/

/** The front matter of a document: as much of YAML as decisions have in theirs. */
export function frontMatter(source: string): FrontMatter {
  const lines = new Map<string, string[]>()
  const [first, ...others] = source.split('\n')
  const end = others.findIndex((line) => line.trimEnd() === '---')
  if (first.trimEnd() !== '---' || end === -1) return { values: new Map(), lines, body: source }
  let key = ''
  for (const line of others.slice(0, end)) {
    if (line.startsWith('#')) continue
    const [, name] = ENTRY.exec(line) ?? []
    key = name?.toLowerCase() ?? key
    const all = lines.get(key)
    if (all) all.push(line.trimEnd())
    else lines.set(key, [line.trimEnd()])
  }
  const values = [...lines].map(
    ([name, [line]]) => [name, unquoted(ENTRY.exec(line)?.[2] ?? '')] as const,
  )
  return { values: new Map(values), lines, body: others.slice(end + 1).join('\n') }
}

function unquoted(value: string): string {
  const text = value.trim()
  if (/^"[^]*"$/.test(text)) {
    try {
      return String(JSON.parse(text))
    } catch {
      // YAML knows more escapes than JSON.
      return text.slice(1, -1)
    }
  }
  return /^'[^]*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
}
