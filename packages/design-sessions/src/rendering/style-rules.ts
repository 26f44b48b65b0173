/** An element of the document that a style sheet is about. */
export interface StyledElement {
  readonly nodeName: string
  readonly parentNode: StyledElement | null
  getAttribute(name: string): string | null
  matches(selector: string): boolean
}

/** Values by the names of their properties. */
export type Declarations = ReadonlyMap<string, string>

interface Rule {
  readonly selector: string
  readonly weight: number
  readonly declarations: Declarations
}

/** A flat style sheet, as far as it says something of certain properties. */
export interface StyleRules {
  /** what holds for an element by its classes, its attributes and its own style */
  of(element: StyledElement): Declarations
}

// Tried only where a rule can begin: text without braces would be read again from each letter.
const BLOCK = /(?<=^|[{}])([^{}]+)\{([^{}]*)\}/g

/** @param properties  all others are passed over */
export function styleRules(css: string, properties: ReadonlySet<string>): StyleRules {
  const rules = [...css.matchAll(BLOCK)].flatMap(([, selectors, body]) => {
    const found = declarations(body, properties)
    if (found.size === 0) return []
    return selectors
      .split(',')
      .map((selector) => selector.trim())
      .filter((selector) => !/[:@]/.test(selector))
      .map((selector): Rule => ({ selector, weight: specificity(selector), declarations: found }))
  })
  const sorted = rules.toSorted((a, b) => a.weight - b.weight)
  // Matching is slow, and thousands of labels have the same classes above them.
  const known = new Map<string, Declarations>()
  const ids = new Set([...css.matchAll(/#([\w-]+)/g)].map(([, id]) => id))
  const ruled = (element: StyledElement): Declarations => {
    const key = styledPath(element, ids)
    const found =
      known.get(key) ??
      new Map(
        sorted
          .filter(({ selector }) => element.matches(selector))
          .flatMap((rule) => [...rule.declarations]),
      )
    known.set(key, found)
    return found
  }
  return {
    of: (element) => {
      const attributes = [...properties].flatMap((name) => {
        const value = element.getAttribute(name)
        return value === null ? [] : [[name, value] as const]
      })
      const own = declarations(element.getAttribute('style') ?? '', properties)
      return new Map([...attributes, ...ruled(element), ...own])
    },
  }
}

function declarations(body: string, properties: ReadonlySet<string>): Declarations {
  const pairs = body.split(';').map((pair): readonly [string, string] => {
    const [name, value = ''] = pair.split(':')
    return [name.trim(), value.replace('!important', '').trim()]
  })
  return new Map(pairs.filter(([name, value]) => properties.has(name) && value !== ''))
}

/** Ids before classes and attributes before names. */
function specificity(selector: string): number {
  const count = (pattern: RegExp): number => selector.match(pattern)?.length ?? 0
  return count(/#/g) * 10_000 + count(/[.[]/g) * 100 + count(/(?:^|[\s>+~])[a-z]/gi)
}

/** What selectors by name, class and the sheet's own ids see of an element. */
function styledPath(element: StyledElement, ids: ReadonlySet<string>): string {
  const names: string[] = []
  for (let at: StyledElement | null = element; at?.getAttribute; at = at.parentNode) {
    const id = at.getAttribute('id') ?? ''
    names.push(`${at.nodeName}.${at.getAttribute('class') ?? ''}${ids.has(id) ? `#${id}` : ''}`)
  }
  return names.join('>')
}
