/**
 * Rewrites styles of a Mermaid picture that only browsers support, and those that depend on `data-`
 * attributes, which sanitisers drop.
 *
 * @param svg  as Mermaid wrote it, with its style sheet at the beginning
 * @param family  that every text is set in
 */
export function portableSvg(svg: string, family: string): string {
  const [, css = ''] = /<style[^<>]*>([^<]*)<\/style>/.exec(svg) ?? []
  const ids = new Set([...svg.matchAll(/\bid="([\w-]+)"/g)].map(([, id]) => id))
  const starts = new Set([...svg.matchAll(/marker-start="url\(#([\w-]+)\)/g)].map(([, id]) => id))
  const exceptions = new Map([...css.matchAll(EXCEPTION)].map(([rule, ...pair]) => [rule, pair]))
  return svg
    .replaceAll(TAG, (tag) => withExceptions(plainTag(tag, ids, starts), [...exceptions.values()]))
    .replaceAll(BASELINE, '$1 dominant-baseline="$2"')
    .replace(`${css}</style>`, () => `${plainSheet(css, ids)}${ownRules(family)}</style>`)
}

/**
 * Text is set in the font that is measured, labels of edges cover the edge, and steps of a journey
 * have the colour that HTML labels have.
 */
function ownRules(family: string): string {
  return [
    `#diagram text,#diagram tspan{font-family:${family},Arial,sans-serif!important;}`,
    '#diagram .edgeLabel rect,#diagram .edgeLabel .label rect',
    '{opacity:1!important;fill:#ffffff!important;}',
    '#diagram text.task,#diagram text.journey-section{fill:#333333;}',
  ].join('')
}

const TAG = /<[a-z]\w*\s[^<>]*>/gi

/** A selector by the end of an id, within a list of them. */
const BY_ID_END = /(?<=^|[,{}])([^,{}]*)\[id\$=(?:"|&quot;)([\w-]+)(?:"|&quot;)\]([^,{}]*)/g

/** Attributes that only style sheets use. */
const BY_LOOK = /\[(data-look|data-color-id)(?:=(?:"|&quot;)([\w-]+)(?:"|&quot;))?\]/g
const LOOK = /\s(data-look|data-color-id)="([\w-]+)"/g

/** A class without another class, or without an attribute that becomes one. */
const EXCEPTION = /\.([\w-]+):not\([.[]([\w-]+)\]?\)/g

/** Texts inherit the baseline of their group, but some programs read it from the text only. */
const BASELINE =
  /(<g [^<>]*\bdominant-baseline="(\w+)"[^<>]*><g>(?:<rect[^<>]*>(?:<\/rect>)?)?<text)\b/g

function plainSheet(css: string, ids: ReadonlySet<string>): string {
  const sheet = css
    // Custom properties, at which some parsers stop.
    .replaceAll(/(?<=^|[{}])[^{}]*:root\{[^{}]*\}/g, '')
    // Milestones have it as an attribute instead.
    .replaceAll(/(?<=\.milestone\{)transform:[^;{}]*;?/g, '')
    // Negative widths, which browsers ignore.
    .replaceAll(/stroke-width:-[\d.]+;?/g, '')
    .replaceAll(EXCEPTION, (_, name, other) => `.${name}.${name}-not-${other}`)
    .replaceAll(BY_LOOK, (_, name, value) => `.${[name, value].filter(Boolean).join('-')}`)
    .replaceAll(BY_ID_END, (_, before, end, after) => {
      const found = [...ids].filter((id) => id.endsWith(end))
      return found.map((id) => `${before}#${id}${after}`).join(',') || `${before}none${after}`
    })
  return plainValues(sheet, ids)
}

function plainTag(tag: string, ids: ReadonlySet<string>, starts: ReadonlySet<string>): string {
  const looks = [...tag.matchAll(LOOK)].map(([, name, value]) => `${name} ${name}-${value}`)
  const id = / id="([\w-]+)"/.exec(tag)?.[1] ?? ''
  let plain = plainValues(tag, ids).replace(/(?<= style=")[\s;]+/, '')
  if (looks.length > 0) plain = withClasses(plain, looks.join(' '))
  const radius = / style="[^"]*\brx:\s*([\d.]+)px/.exec(plain)?.[1]
  if (radius) plain = plain.replaceAll(/ (rx|ry)="[^"]*"/g, (_, name) => ` ${name}="${radius}"`)
  if (/ class="[^"]*\bmilestone\s/.test(plain)) plain = plain.replace(ORIGIN, TURNED)
  return starts.has(id) ? plain : plain.replace('"auto-start-reverse"', '"auto"')
}

/** The transformation that Mermaid's sheet gives milestones. */
const ORIGIN = / transform-origin="([\d.]+)px ([\d.]+)px"/
const TURNED = ' transform="translate($1,$2) rotate(45) scale(0.8) translate(-$1,-$2)"'

/** @param exceptions  pairs of a class and the one that it excludes */
function withExceptions(tag: string, exceptions: readonly (readonly string[])[]): string {
  const classes = / class="([^"]*)"/.exec(tag)?.[1].split(/\s+/) ?? []
  const met = exceptions.filter(
    ([name, other]) => classes.includes(name) && !classes.includes(other),
  )
  if (met.length === 0) return tag
  return withClasses(tag, met.map(([name, other]) => `${name}-not-${other}`).join(' '))
}

function withClasses(tag: string, classes: string): string {
  return / class="/.test(tag)
    ? tag.replace(/(?<= class=")/, `${classes} `)
    : tag.replace(/(?=\s)/, ` class="${classes}"`)
}

/** Hexadecimal colours, and no filters that are not defined: some programs draw nothing then. */
function plainValues(declarations: string, ids: ReadonlySet<string>): string {
  return declarations
    .replaceAll(/hsl\((-?[\d.]+),\s*([\d.]+)%,\s*([\d.]+)%\)/g, (_, ...numbers) => {
      const [hue, saturation, lightness] = numbers.slice(0, 3).map(Number)
      return hex(hue, saturation / 100, lightness / 100)
    })
    .replaceAll(/filter:\s*url\(#([\w-]+)\);?/g, (rule, id) => (ids.has(id) ? rule : ''))
}

function hex(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const parts = [0, 8, 4].map((offset) => {
    const at = (((offset + hue / 30) % 12) + 12) % 12
    const part = lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))
    const number = Math.round(part * 255)
    return number.toString(16).padStart(2, '0')
  })
  return `#${parts.join('')}`
}
