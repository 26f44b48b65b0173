import type { Adr } from '../../src/records/adrs.ts'
import type { Sent } from '../kit/api.ts'

export type Decision = Sent<Adr>

/** Two decisions, the earlier one first. */
export interface Relation {
  readonly kind: 'supersedes' | 'relates'
  readonly from: Decision
  readonly to: Decision
}

const NAME = /\bADR[- ]?0*(\d{1,6})\b/gi

/** Which decisions supersede others, and which name others in their texts. */
export function relationsOf(decisions: readonly Decision[]): readonly Relation[] {
  const byId = new Map(decisions.map((one) => [one.id, one]))
  const byNumber = new Map(decisions.map((one) => [one.adr_number, one]))
  const found = new Map<string, Relation>()
  const add = (kind: Relation['kind'], a: Decision, b: Decision): void => {
    const [from, to] = a.adr_number < b.adr_number ? [a, b] : [b, a]
    const key = `${from.id} ${to.id}`
    if (from !== to && !found.has(key)) found.set(key, { kind, from, to })
  }
  for (const one of decisions) {
    const successor = byId.get(one.superseded_by ?? '')
    if (successor) add('supersedes', one, successor)
  }
  for (const one of decisions) {
    for (const [, number] of textOf(one).matchAll(NAME)) {
      const other = byNumber.get(Number(number))
      if (other) add('relates', one, other)
    }
  }
  return [...found.values()]
}

function textOf({ title, context, drivers, options, decision, consequences }: Decision): string {
  return [title, context, ...drivers, JSON.stringify(options), decision, consequences].join('\n')
}

export function numberOf({ adr_number: number }: Decision): string {
  return `ADR-${String(number).padStart(3, '0')}`
}

/** The day of the decision, or of its record. */
export function dayOf({ date, created_at: created }: Decision): string {
  return date ?? created.slice(0, 10)
}
