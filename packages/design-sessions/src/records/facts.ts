import * as v from 'valibot'

/**
 * What is asked of a version once, so that items of checklists that do not apply are not. Of two
 * facts that exclude an item the first one counts.
 */
export const FACTS = {
  personal_data: {
    question: 'Does it hold data about people?',
    choices: { yes: 'it holds data about people', no: 'it holds no data about people' },
  },
  tenants: {
    question: 'Do several customers share an installation?',
    choices: {
      one: 'each installation has one customer',
      several: 'several customers share an installation',
    },
  },
  hosting: {
    question: 'Who runs the hardware?',
    choices: {
      own: 'the client runs hardware of its own',
      hosted: 'a partner runs the hardware for the client',
      cloud: 'it runs in public clouds alone, without private lines to rooms of the client',
    },
  },
  lasting_data: {
    question: 'Does it keep data that exists nowhere else?',
    choices: {
      yes: 'it keeps data that exists nowhere else',
      no: 'all its data can be made again from elsewhere',
    },
  },
  load: {
    question: 'Is its load high, or does it vary much?',
    choices: { high: 'its load is high or varies much', low: 'its load is low and steady' },
  },
  software: {
    question: 'Is software written or changed for it?',
    choices: { built: 'software is written for it', bought: 'all its software is bought as it is' },
  },
  messages: {
    question: 'Do its parts exchange messages or events?',
    choices: {
      yes: 'its parts exchange messages or events',
      no: 'its parts exchange no messages or events',
    },
  },
  partners: {
    question: 'Does it use services of companies beside its cloud providers, or serve others?',
    choices: {
      yes: 'it uses services of other companies, or serves them',
      no: 'no company beside its cloud providers takes part',
    },
  },
  predecessor: {
    question: 'Does it take over data or users of an earlier system?',
    choices: {
      yes: 'it takes over data or users of an earlier system',
      no: 'it takes over nothing of an earlier system',
    },
  },
  stage: {
    question: 'What does the session prepare?',
    choices: {
      first: 'the session prepares the first diagrams',
      detail: 'the session prepares the detailed design',
      launch: 'the session prepares going live',
    },
  },
} as const satisfies Readonly<Record<string, Fact>>

interface Fact {
  readonly question: string
  /** what each answer says, as a sentence without its end */
  readonly choices: Readonly<Record<string, string>>
}

export type FactName = keyof typeof FACTS

/** The answers of a version; a fact without one excludes nothing. */
export type Facts = { readonly [Name in FactName]?: keyof (typeof FACTS)[Name]['choices'] }

export const FACT_NAMES = Object.keys(FACTS) as readonly FactName[]

/** What each answer to a fact says. */
export function choicesOf(name: FactName): Readonly<Record<string, string>> {
  return FACTS[name].choices
}

const entries = FACT_NAMES.map((name) => {
  const choices = choicesOf(name)
  const meanings = Object.entries(choices).map(([choice, meaning]) => `\`${choice}\`: ${meaning}`)
  const text = `${FACTS[name].question} ${meanings.join('; ')}.`
  return [name, v.optional(v.pipe(v.picklist(Object.keys(choices)), v.description(text)))] as const
})

export const facts = v.object(Object.fromEntries(entries)) as v.GenericSchema<Facts, Facts>
