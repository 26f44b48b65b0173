function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean))
}

/** Elements that run, move, load and embed nothing. */
export const allowedElements: ReadonlySet<string> = words(`
  svg g defs symbol use a switch title desc style
  path rect circle ellipse line polyline polygon text tspan textPath
  marker clipPath mask pattern linearGradient radialGradient stop
  filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset`)

/** Attributes without a namespace; `href` has separate rules. */
export const allowedAttributes: ReadonlySet<string> = words(`
  id class style transform role aria-label aria-labelledby aria-roledescription aria-hidden lang
  x y dx dy x1 y1 x2 y2 cx cy r rx ry fx fy width height d points pathLength rotate
  viewBox preserveAspectRatio version
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset
  stroke-linecap stroke-linejoin stroke-miterlimit opacity color display visibility overflow
  paint-order shape-rendering text-rendering vector-effect mix-blend-mode
  font-family font-size font-style font-weight font-variant font-stretch letter-spacing word-spacing
  text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode
  textLength lengthAdjust startOffset method spacing
  clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits
  marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient
  patternUnits patternContentUnits patternTransform gradientUnits gradientTransform spreadMethod
  offset stop-color stop-opacity
  filter filterUnits primitiveUnits in in2 result mode type values operator k1 k2 k3 k4
  stdDeviation radius tableValues slope intercept amplitude exponent edgeMode
  flood-color flood-opacity color-interpolation-filters`)

export function isSafeLink(target: string): boolean {
  if (target.startsWith('#')) return true
  return ['http:', 'https:', 'mailto:'].includes(URL.parse(target)?.protocol ?? '')
}

/** Raster images inside the file; an embedded SVG could contain references. */
export function isPicture(source: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z\d+/=\s]*$/.test(source)
}

/** Keywords by which CSS loads resources, besides `url`. */
const LOADERS =
  /@import|@charset|@namespace|image-set|\bimage\(|\bsrc\(|expression\(|behavior:|-moz-b/i

const URLS = /url\(\s*(?:"([^"]*)"\s*|'([^']*)'\s*|([^'"()\s]+)\s*)?\)/gi

/** A style sheet or declarations without external references; otherwise empty. */
export function cleanStyle(css: string): string {
  const plain = withoutComments(css)
  // An escape could hide any of these keywords.
  if (plain.includes('\\') || LOADERS.test(plain)) return ''
  let isSafe = true
  const rest = plain.replaceAll(URLS, (_, ...targets: (string | undefined)[]) => {
    const target = targets.slice(0, 3).find((one) => one !== undefined) ?? ''
    isSafe &&= /^#|^data:(?:application\/font-woff2?|font\/\w+);base64,[A-Za-z\d+/=]*$/.test(target)
    return ''
  })
  return isSafe && !/url\s*\(/i.test(rest) ? plain : ''
}

/** A style sheet without comments; empty if one is not closed. */
function withoutComments(css: string): string {
  const parts: string[] = []
  let from = 0
  for (let start = css.indexOf('/*'); start >= 0; start = css.indexOf('/*', from)) {
    const end = css.indexOf('*/', start + 2)
    if (end < 0) return ''
    parts.push(css.slice(from, start))
    from = end + 2
  }
  return [...parts, css.slice(from)].join('')
}
