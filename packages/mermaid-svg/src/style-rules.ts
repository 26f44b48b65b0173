import type { SvgNode } from 'svgdom'

type StyledElement = Pick<SvgNode, 'nodeName' | 'parentNode' | 'getAttribute' | 'matches'>

/** Values by the names of their properties. */
type Declarations = ReadonlyMap<string, string>

interface Rule {
  readonly selector: string
  readonly weight: number
  readonly declarations: Declarations
}

/** A flat style sheet, reduced to certain properties. */
export interface StyleRules {
  /** what an element's attributes, the sheet's rules and its own style set, the last first */
  of(element: StyledElement): Declarations
}

// Tried only where a rule can begin: otherwise text without braces takes quadratic time.
const BLOCK = /(?<=^|[{}])([^{}]+)\{([^{}]*)\}/g

/** @param properties  all others are left out */
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
  const matched = (element: StyledElement): Declarations => {
    const key = selectorPath(element, ids)
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
        // An empty attribute sets nothing.
        return value ? [[name, value] as const] : []
      })
      const own = declarations(element.getAttribute('style') ?? '', properties)
      return new Map([...attributes, ...matched(element), ...own])
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

/** All that selectors by names, classes and the sheet's own ids depend on. */
function selectorPath(element: StyledElement, ids: ReadonlySet<string>): string {
  const names: string[] = []
  for (let at: StyledElement | null = element; at?.getAttribute; at = at.parentNode) {
    const id = at.getAttribute('id') ?? ''
    names.push(`${at.nodeName}.${at.getAttribute('class') ?? ''}${ids.has(id) ? `#${id}` : ''}`)
  }
  return names.join('>')
}
