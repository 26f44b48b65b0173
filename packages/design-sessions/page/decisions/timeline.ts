import { element } from '../kit/element.ts'
import { type Decision, dayOf, numberOf, relationsOf } from './relations.ts'

/** Decisions by their days, month by month. */
export function timeline(
  decisions: readonly Decision[],
  addressOf: (decision: Decision) => string,
): Node {
  const relations = relationsOf(decisions)
  const entry = (one: Decision): Node => {
    const superseded = relations
      .filter(({ kind, to }) => kind === 'supersedes' && to === one)
      .map(({ from }) => numberOf(from))
    return element(
      'li',
      { className: one.status },
      element('time', { dateTime: dayOf(one) }, dayOf(one)),
      ' ',
      element('a', { href: addressOf(one) }, `${numberOf(one)} ${one.title}`),
      ' ',
      element(
        'span',
        { className: 'pale' },
        [one.status, ...superseded.map((number) => `supersedes ${number}`)].join(', '),
      ),
    )
  }
  const ordered = decisions.toSorted((a, b) =>
    dayOf(a) === dayOf(b) ? a.adr_number - b.adr_number : dayOf(a) < dayOf(b) ? -1 : 1,
  )
  const months = [...Map.groupBy(ordered, (one) => dayOf(one).slice(0, 7))]
  return element(
    'div',
    {},
    ...months.flatMap(([month, all]) => [
      element('h3', {}, month),
      element('ol', { className: 'timeline' }, ...all.map(entry)),
    ]),
  )
}
