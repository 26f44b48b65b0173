import { element, prose } from '../kit/element.ts'
import { svg } from '../kit/svg.ts'
import { type Spot, layoutOf } from './graph-layout.ts'
import { type Decision, type Relation, numberOf, relationsOf } from './relations.ts'

/** Sizes [px]. */
const WIDTH = 200
const HEIGHT = 58
const GAP_X = 70
const GAP_Y = 18
const MARGIN = 6

const TITLE_MAX = 23

/** Decisions that supersede or name others, as boxes that are links; then the others. */
export function graph(
  decisions: readonly Decision[],
  addressOf: (decision: Decision) => string,
): Node {
  const relations = relationsOf(decisions)
  const spots = layoutOf(relations)
  const placed = new Set(spots.map(({ decision }) => decision))
  const single = decisions.filter((one) => !placed.has(one))
  const links = single.map((one) =>
    element('li', {}, element('a', { href: addressOf(one) }, `${numberOf(one)} ${one.title}`)),
  )
  const label = 'Graph of decisions'
  const scrolls = element('div', { className: 'scrolls', tabIndex: 0, role: 'region' })
  scrolls.ariaLabel = label
  scrolls.append(drawing(spots, relations, addressOf))
  return element(
    'div',
    {},
    ...(spots.length > 0
      ? [
          scrolls,
          prose('An arrow leads to what is superseded; dashes join one that names another.'),
        ]
      : []),
    ...(links.length > 0
      ? [element('h3', {}, 'Without relations'), element('ul', {}, ...links)]
      : []),
  )
}

function drawing(
  spots: readonly Spot[],
  relations: readonly Relation[],
  addressOf: (decision: Decision) => string,
): Node {
  const width =
    MARGIN * 2 + (1 + Math.max(0, ...spots.map(({ column }) => column))) * (WIDTH + GAP_X) - GAP_X
  const height =
    MARGIN * 2 + (1 + Math.max(0, ...spots.map(({ row }) => row))) * (HEIGHT + GAP_Y) - GAP_Y
  const byDecision = new Map(spots.map((spot) => [spot.decision, spot]))
  const arrow = {
    id: 'superseded',
    viewBox: '0 0 8 8',
    refX: 8,
    refY: 4,
    markerWidth: 8,
    markerHeight: 8,
  }
  const marker = svg(
    'marker',
    { ...arrow, orient: 'auto-start-reverse' },
    svg('path', { d: 'M0 0 8 4 0 8z', class: 'head' }),
  )
  return svg(
    'svg',
    { class: 'graph', role: 'group', 'aria-label': 'Decisions', width, height },
    svg('defs', {}, marker),
    ...relations.map(({ kind, from, to }) => {
      const [a, b] = [byDecision.get(from), byDecision.get(to)]
      return a && b ? line(kind, a, b) : ''
    }),
    ...spots.map((spot) => box(spot, addressOf(spot.decision))),
  )
}

function cornerOf({ column, row }: Spot): readonly [x: number, y: number] {
  return [MARGIN + column * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y)]
}

/** From the earlier decision to the later one. */
function line(kind: Relation['kind'], from: Spot, to: Spot): Node {
  const [left, top] = cornerOf(from)
  const [right, bottom] = cornerOf(to)
  const [x1, y1, x2, y2] = [left + WIDTH, top + HEIGHT / 2, right, bottom + HEIGHT / 2]
  const d = `M${x1} ${y1}C${x1 + GAP_X / 2} ${y1} ${x2 - GAP_X / 2} ${y2} ${x2} ${y2}`
  const head = kind === 'supersedes' ? { 'marker-start': 'url(#superseded)' } : {}
  return svg('path', { d, class: kind, ...head })
}

function box(spot: Spot, href: string): Node {
  const { decision } = spot
  const [x, y] = cornerOf(spot)
  const { title, status } = decision
  const short = title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX - 1)}…` : title
  return svg(
    'a',
    { href, class: status },
    svg('title', {}, title),
    svg('rect', { x, y, width: WIDTH, height: HEIGHT, rx: 6 }),
    svg('text', { x: x + 12, y: y + 23, class: 'strong' }, `${numberOf(decision)}, ${status} `),
    svg('text', { x: x + 12, y: y + 43 }, short),
  )
}
