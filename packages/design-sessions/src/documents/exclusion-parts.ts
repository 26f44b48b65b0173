import { FACTS, FACT_NAMES, choicesOf } from '../records/facts.ts'
import type { Version } from '../records/versions.ts'
import { heading, paragraph, plain, sentenceCase, table } from '../typesetting/pdf-blocks.ts'
import type { PdfPart } from '../typesetting/pdf-input.ts'
import type { ExcludedItem } from '../workflow/exclusions.ts'

/** The facts of a version, the critical items that do not apply, and how many come later. */
export function exclusionParts(
  { facts }: Pick<Version, 'facts'>,
  excluded: readonly ExcludedItem[],
): readonly PdfPart[] {
  const byFact = Map.groupBy(excluded, ({ fact }) => fact)
  const rows = FACT_NAMES.flatMap((fact) => {
    const answer = facts[fact]
    if (answer === undefined) return []
    const all = byFact.get(fact) ?? []
    const critical = all.filter(isCritical).length
    const meaning = sentenceCase(choicesOf(fact)[answer])
    return [[FACTS[fact].question, `${meaning}.`, String(critical), String(all.length - critical)]]
  })
  if (rows.length === 0) return []
  const critical = excluded.filter(isCritical)
  const unfit = critical
    .filter(({ status }) => status === 'na')
    .map(({ fact, category, item_text: text }) => [fact, category, text])
  const later = Map.groupBy(
    critical.filter(({ status }) => status === 'deferred'),
    ({ category }) => category,
  )
  const counts = [...later].map(([category, items]) => [category, String(items.length)])
  return [
    paragraph(plain('What is known of the project, and how many items are not asked for it:')),
    table([1, 1, 0, 0], ['Question', 'Fact', 'Critical', 'Others'], rows),
    ...part('Critical items that do not apply', [0, 0, 1], ['Fact', 'Category', 'Item'], unfit),
    ...part('Critical items for a later stage', [1, 0], ['Category', 'Items'], counts),
  ]
}

function isCritical({ priority }: ExcludedItem): boolean {
  return priority === 'Critical'
}

function part(title: string, ...of: Parameters<typeof table>): readonly PdfPart[] {
  const [, , rows] = of
  return rows.length === 0 ? [] : [heading(2, title), table(...of)]
}
