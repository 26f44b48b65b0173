import { element, prose } from '../kit/element.ts'
import { type Decision, dayOf, numberOf } from './relations.ts'

/** A decision as it is read: when and by whom, what replaced it, and its texts. */
export function decisionNodes(
  one: Decision,
  known: readonly Decision[],
  addressOf: (decision: Decision) => string,
): readonly Node[] {
  const successor = known.find(({ id }) => id === one.superseded_by)
  const facts = [one.status, dayOf(one), one.decision_makers.join(', ')].filter(Boolean)
  const link = successor
    ? [element('p', {}, 'Superseded by ', linkTo(successor, addressOf(successor)))]
    : []
  return [
    element('p', { className: 'pale' }, facts.join(', ')),
    ...link,
    element('details', {}, element('summary', {}, 'Text'), ...texts(one)),
  ]
}

function linkTo(decision: Decision, href: string): Node {
  return element('a', { href }, `${numberOf(decision)} ${decision.title}`)
}

function texts({ context, drivers, options, decision, consequences }: Decision): Node[] {
  return [
    ...part('Context', prose(context)),
    ...(drivers.length > 0 ? part('Drivers', list(drivers)) : []),
    ...(options.length > 0 ? part('Options', ...options.flatMap(optionNodes)) : []),
    ...part('Decision', prose(decision)),
    ...(consequences === '' ? [] : part('Consequences', prose(consequences))),
  ]
}

function part(heading: string, ...nodes: readonly Node[]): Node[] {
  return [element('h4', {}, heading), ...nodes]
}

function list(entries: readonly string[]): Node {
  return element('ul', {}, ...entries.map((entry) => element('li', {}, entry)))
}

function optionNodes({ title, description, ...sides }: Decision['options'][number]): Node[] {
  const reasons = [
    ...sides.pros.map((reason) => `Good: ${reason}`),
    ...sides.neutral.map((reason) => `Neutral: ${reason}`),
    ...sides.cons.map((reason) => `Bad: ${reason}`),
  ]
  return [element('h5', {}, title), ...(description ? [prose(description)] : []), list(reasons)]
}
