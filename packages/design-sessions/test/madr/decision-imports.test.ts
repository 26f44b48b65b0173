// Goal: files of other tools are imported without loss: what has a field goes there, all else into
// the context. Method: files in the forms of MADR and Nygard.
import { expect, test } from 'vitest'
import { decisionFrom } from '../../src/madr/decision.ts'

const NO_LISTS = { date: null, decision_makers: [], drivers: [], options: [] }

test('lists and metadata of a file become fields; other parts go into the context', () => {
  const source = `---
# These are optional metadata elements.
status: "rejected"
date: 2026-05-01
decision-makers:
  - Ann
  - 'Bob'
consulted: Eve
informed:
---

# Use JUnit 5 for \`advanced\` tests

## Context and Problem Statement

How to test?

<!-- This is an optional element. Feel free to remove. -->
## Decision Drivers

* Cost
* Time, which
  is short
* … <!-- numbers of drivers can vary -->

## Considered Options

* [JUnit 5](https://junit.org)
* TestNG

## Decision Outcome

Chosen option: "JUnit 5".

### Consequences

* Good, because known

### Confirmation

Review.

<!-- This is an optional element. Feel free to remove. -->
## Pros and Cons of the Options

### JUnit 5

The usual one,
as it is.

* Good, because known
* Neutral, because large
* Bad, because <!-- none -->

### Spock

* Bad, because new
* …

## More Information

None.
`
  const context = `How to test?

<!-- This is an optional element. Feel free to remove. -->

## More Information

None.

## Status

rejected

## Metadata

- consulted: Eve`
  const option = { description: null, pros: [], neutral: [], cons: [] }
  const expected = {
    title: 'Use JUnit 5 for `advanced` tests',
    status: 'deprecated',
    date: '2026-05-01',
    decision_makers: ['Ann', 'Bob'],
    context,
    drivers: ['Cost', 'Time, which is short'],
    options: [
      {
        title: '[JUnit 5](https://junit.org)',
        description: 'The usual one, as it is.',
        pros: ['known'],
        neutral: ['large'],
        cons: ['<!-- none -->'],
      },
      { ...option, title: 'TestNG' },
      { ...option, title: 'Spock', cons: ['new'] },
    ],
    decision:
      'Chosen option: "JUnit 5".\n\n### Confirmation\n\nReview.\n\n' +
      '<!-- This is an optional element. Feel free to remove. -->',
    consequences: '* Good, because known',
  }
  expect(decisionFrom(source)).toEqual(expected)
  expect(decisionFrom(source.replaceAll('\n', '\r\n'))).toEqual(expected)
})

test('drivers and options that are more than lists of lines stay in the context', () => {
  const sections = [
    '## Decision Drivers\n\nCost, above all.\n\n* Time',
    '## Considered Options\n\n* One\n  * with a part',
    '## Pros and Cons of the Options\n\n### One\n\n| for | against |',
    '## Pros and Cons of the Options\n\n### One\n\n* It depends',
    '## Considered Options\n\n* One\n\n      code',
  ]
  const text = sections.join('\n\n')
  const source = `---\ndate: May 2026\n---\n# T\n\n## Context\n\nC\n\n${text}\n\n## Decision\n\nD\n`
  const found = decisionFrom(source)
  expect(found).toMatchObject({ date: null, drivers: [], options: [] })
  expect(found.context).toBe(`C\n\n${text}\n\n## Metadata\n\n- date: May 2026`)
})

test('minimal and bare files of MADR 4 are decisions, without consequences too', () => {
  const minimal = `# Use {X}\n\n## Context and Problem Statement\n\nC
\n## Considered Options\n\n* A\n* B
\n## Decision Outcome\n\nChosen option: "A", because D.\n`
  const consequences = `${minimal}
<!-- This is an optional element. Feel free to remove. -->\n### Consequences\n\n* Good, because Q\n`
  const bare = `---\nstatus:\ndate: \ndecision-makers: \nconsulted: \ninformed: \n---
\n# Use {X}\n\n## Context and Problem Statement\n\nC\n
\n## Decision Drivers\n\n* <!-- decision driver -->
\n## Considered Options\n\n* A\n* B
\n## Decision Outcome\n\nChosen option: "A", because D.\n
\n### Consequences\n\n* <!-- * Good, because -->\n* <!-- * Bad, because -->
\n### Confirmation\n\n
\n## Pros and Cons of the Options\n\n### A\n\n* Good, because \n* <!-- Bad, because -->
\n## More Information\n`
  const expected = {
    title: 'Use {X}',
    status: 'proposed',
    date: null,
    decision_makers: [],
    context: 'C',
    drivers: [],
    options: ['A', 'B'].map((title) => ({
      title,
      description: null,
      pros: [],
      neutral: [],
      cons: [],
    })),
    decision: 'Chosen option: "A", because D.',
    consequences: '',
  }
  expect(decisionFrom(minimal)).toEqual(expected)
  expect(decisionFrom(consequences)).toMatchObject({
    consequences: '* Good, because Q',
  })
  const filled = decisionFrom(bare)
  expect(filled).toEqual({ ...expected, context: 'C\n\n## More Information' })
})

test('files in the forms of Nygard and of older MADR are imported', () => {
  const nygard = `# 12. Record decisions\n\nDate: 2016-02-12
\n## Status\n\nSuperceded by [13](13.md)\n\n## Context\n\nWe forget.
\n## Decision\n\nWe write.\n\n## Consequences\n\nWe know.\n`
  expect(decisionFrom(nygard)).toEqual({
    title: 'Record decisions',
    ...NO_LISTS,
    status: 'superseded',
    date: '2016-02-12',
    context: 'We forget.\n\n## Status\n\nSuperceded by [13](13.md)',
    decision: 'We write.',
    consequences: 'We know.',
  })
  const older = `# Use X\n\n* Status: accepted\n* Deciders: Ann, Bob
\n## Context and Problem Statement\n\nC
\n## Decision Outcome\n\nD\n\n### Positive Consequences <!-- optional -->\n\n* P
\n### Negative Consequences\n\n* N\n`
  expect(decisionFrom(older)).toEqual({
    title: 'Use X',
    ...NO_LISTS,
    status: 'accepted',
    decision_makers: ['Ann', 'Bob'],
    context: 'C',
    decision: 'D',
    consequences:
      '### Positive Consequences <!-- optional -->\n\n* P\n\n### Negative Consequences\n\n* N',
  })
})
