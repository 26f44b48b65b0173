import type { Adr, AdrOption } from '../records/adrs.ts'

/** How one line of a list is written; by default as the Markdown it is. */
type Written = (text: string) => string

const asIs: Written = (text) => text

/** The drivers of a decision as a list in Markdown. */
export function driverList({ drivers }: Pick<Adr, 'drivers'>, written: Written = asIs): string {
  return drivers.map((text) => `- ${written(text)}`).join('\n')
}

/** The options of a decision as a list in Markdown, each with its arguments. */
export function optionList({ options }: Pick<Adr, 'options'>, written: Written = asIs): string {
  return options.flatMap((option) => optionLines(option, written)).join('\n')
}

function optionLines(
  { title, description, pros, neutral, cons }: AdrOption,
  written: Written,
): readonly string[] {
  const sides = Object.entries({ Good: pros, Neutral: neutral, Bad: cons })
  return [
    `- ${[title, description ?? []].flat().map(written).join(': ')}`,
    ...sides.flatMap(([side, texts]) =>
      texts.map((text) => `  - ${side}, because ${written(text)}`),
    ),
  ]
}
