/** Math functions whose results ECMAScript fixes to the bit. */
export const EXACT_MATH: ReadonlySet<string> = new Set([
  'sqrt',
  'abs',
  'floor',
  'ceil',
  'trunc',
  'min',
  'max',
  'fround',
  'imul',
])

export interface Impurity {
  /** from 1 on */
  readonly line: number
  readonly message: string
}

/** What in a source gives other results elsewhere or at another time, as far as text shows. */
export function arithmeticFaults(lines: readonly string[]): Impurity[] {
  const found: Impurity[] = []
  for (const [i, text] of lines.entries()) {
    const report = (message: string): void => void found.push({ line: i + 1, message })
    const code = codeOf(text)
    for (const [, name] of code.matchAll(/\bMath\.(\w+)/g)) {
      if (!EXACT_MATH.has(name)) report(`Math.${name} is not the same on every engine`)
    }
    if (code.includes('**')) report('** is not the same on every engine')
    if (/\b(?:Date|performance|process|crypto|console)\b\s*[.(]/.test(code)) {
      report('there is no clock and no input or output here')
    }
  }
  return found
}

/** A line without comments and the contents of strings. */
export function codeOf(line: string): string {
  return line.replace(/\/\/.*$|^\s*\/?\*.*$/, '').replace(/'[^']*'|`[^`]*`/g, "''")
}

/** What a module must not do, as far as text shows. */
export function impurities(source: string): Impurity[] {
  const lines = source.split('\n')
  const found = arithmeticFaults(lines)
  for (const [i, line] of lines.entries()) {
    const code = codeOf(line)
    const report = (message: string): void => void found.push({ line: i + 1, message })
    if (/^(?:export )?(?:let|var)\b|^(?:export )?const .*\bnew\b/.test(code)) {
      report('a module keeps nothing but its columns and tables')
    }
    if (/\b(?:globalThis|Intl|eval|Function|Reflect|Proxy|await|async)\b|\.toLocale/.test(code)) {
      report(`this is not the same everywhere: ${line.trim()}`)
    }
    const from = /^(?:import|export)\b.*\bfrom '([^']*)'|\bimport\(/.exec(line)
    if (from && from[1] !== '@orrery/module') report('a module imports @orrery/module alone')
  }
  return found.toSorted((a, b) => a.line - b.line)
}
