/** Fields of rules on modules, and which modules forecasts leave out. */
import type {
  ModuleValue,
  ModuleValues,
  PanelField,
  PanelInput,
  RuleCondition,
} from '@orrery/client'
import type { Signal } from '@preact/signals'
import type { JSX, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'
import { Choice } from '../elements/quantity-input.tsx'
import { say } from '../languages/say.ts'
import type { RuleDraft } from '../orders/rule-draft.ts'
import type { RulePartProps, ModuleParts } from '../orders/module-parts.ts'
import type { OrderedCommand } from '../orders/rule-words.ts'
import { InputLine, givenValue } from './command-form.tsx'
import {
  type Drawn,
  type RuledColumn,
  type RuledCommand,
  bitWords,
  columnKey,
  commandWords,
  conditionWords,
  drawnModules,
  keyOf,
  orderKey,
  ruledColumns,
  ruledCommands,
} from './ruled.ts'
import type { Modules } from './use-modules.ts'

export function modulePartsOf({ modules, state }: Modules): ModuleParts {
  const drawn = (): readonly Drawn[] => drawnModules(modules.value)
  return {
    Condition: ({ draft }) => <Condition draft={draft} columns={ruledColumns(drawn())} />,
    Command: ({ draft }) => (
      <Command draft={draft} commands={ruledCommands(drawn())} tables={state.value?.tables ?? {}} />
    ),
    LeftOut: () => <LeftOut ids={state.value?.modules_left_out ?? []} drawn={drawn()} />,
    conditionWords: (condition) => conditionWords(drawn(), condition),
    commandWords: (ordered) => commandWords(drawn(), ordered),
  }
}

interface LeftOutProps {
  readonly ids: readonly string[]
  readonly drawn: readonly Drawn[]
}

function LeftOut({ ids, drawn }: LeftOutProps): JSX.Element | null {
  if (ids.length === 0) return null
  const names = ids.map((id) => drawn.find(({ module }) => module === id)?.panel.title ?? id)
  const modules = names.join(', ')
  return (
    <p class="faint">
      {say('Not reckoned in: {modules}, which may change the flight.', { modules })}
    </p>
  )
}

interface ChosenOption {
  readonly key: string
  readonly words: string
}

interface KeyChoiceProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly options: readonly ChosenOption[]
  readonly onChoose: (key: string) => void
}

/** One that no panel shows is there while it is chosen. */
function KeyChoice({ options, value, ...choice }: KeyChoiceProps): JSX.Element {
  const isShown = value === '' || options.some(({ key }) => key === value)
  return (
    <Choice {...choice} value={value} isRequired>
      <option value="">{say('choose')}</option>
      {!isShown && <option value={value}>{value}</option>}
      {options.map(({ key, words }) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </Choice>
  )
}

interface ConditionProps {
  readonly draft: Signal<RuleDraft>
  readonly columns: readonly RuledColumn[]
}

function Condition({ draft, columns }: ConditionProps): JSX.Element {
  const { ofModule } = draft.value
  const change = (ofModule: RuleCondition | undefined): void => {
    draft.value = { ...draft.value, ofModule }
  }
  const options = columns.map(({ field, module, title }) => {
    return { key: keyOf(module, field.column), words: `${title}: ${field.label}` }
  })
  const at = options.findIndex(({ key }) => key === columnKey(ofModule))
  const choose = (key: string): void => {
    const { field, module } = columns[options.findIndex((option) => option.key === key)] ?? {}
    if (!field || !module) return change(undefined)
    const side = field.kind === 'bit' ? { above: 1 } : { below: NaN }
    change({ type: 'module', module, column: field.column, ...side })
  }
  return (
    <>
      <KeyChoice
        label={say('Value')}
        name="module-column"
        value={columnKey(ofModule)}
        options={options}
        onChoose={choose}
      />
      {ofModule && <Passing condition={ofModule} field={columns[at]?.field} onChange={change} />}
    </>
  )
}

interface PassingProps {
  readonly condition: RuleCondition
  /** undefined for a column that no panel shows */
  readonly field: PanelField | undefined
  readonly onChange: (condition: RuleCondition) => void
}

/** The value that a column passes. */
function Passing({ condition, field, onChange }: PassingProps): JSX.Element {
  const id = useId()
  const { above, below, ...column } = condition
  const value = above ?? below ?? NaN
  const pass = (isAbove: boolean, value: number): void => {
    onChange({ ...column, ...(isAbove ? { above: value } : { below: value }) })
  }
  const side = above === undefined ? 'below' : 'above'
  if (field?.kind === 'bit') {
    const [no, yes] = bitWords(field)
    return (
      <Choice
        label={say('Becomes')}
        name="module-bit"
        value={side}
        onChoose={(chosen) => pass(chosen === 'above', chosen === 'above' ? 1 : 0)}
      >
        <option value="above">{yes}</option>
        <option value="below">{no}</option>
      </Choice>
    )
  }
  return (
    <>
      <Choice
        label={say('Passes')}
        name="module-side"
        value={side}
        onChoose={(chosen) => pass(chosen === 'above', value)}
      >
        <option value="below">{say('falls below')}</option>
        <option value="above">{say('rises above')}</option>
      </Choice>
      <p class="order-line">
        <label for={id}>{field?.label ?? condition.column}</label>
        <input
          id={id}
          name="module-value"
          type="number"
          step="any"
          required
          defaultValue={Number.isNaN(value) ? '' : `${value}`}
          onInput={({ currentTarget }) => pass(side === 'above', currentTarget.valueAsNumber)}
        />
        {field && field.unit !== '' && <span class="order-unit">{field.unit}</span>}
      </p>
    </>
  )
}

interface CommandProps extends RulePartProps {
  readonly commands: readonly RuledCommand[]
  readonly tables: Readonly<Record<string, Readonly<Record<string, readonly ModuleValues[]>>>>
}

function Command({ draft, commands, tables }: CommandProps): JSX.Element {
  const { ordered } = draft.value
  const change = (ordered: OrderedCommand | undefined): void => {
    draft.value = { ...draft.value, ordered }
  }
  const options = commands.map(({ command, entry, label }) => {
    return { key: keyOf(entry.module, command), words: `${entry.panel.title}: ${label}` }
  })
  const chosen = commands[options.findIndex(({ key }) => key === orderKey(ordered))]
  const choose = (key: string): void => {
    const { command, entry, inputs } = commands[options.findIndex((one) => one.key === key)] ?? {}
    if (!command || !entry || !inputs) return change(undefined)
    change({ module: entry.module, command, values: startValues(inputs) })
  }
  const give = ({ target }: TargetedInputEvent<HTMLElement>): void => {
    const { checked, name, type, value } = target as HTMLInputElement
    const input = chosen?.inputs.find((one) => one.name === name)
    if (!ordered || !input) return
    const given = givenValue(input, type === 'checkbox' && !checked ? null : value)
    change({ ...ordered, values: { ...ordered.values, [name]: given } })
  }
  const { module, panel } = chosen?.entry ?? {}
  return (
    <>
      <KeyChoice
        label={say('Command')}
        name="module-command"
        value={orderKey(ordered)}
        options={options}
        onChoose={choose}
      />
      {panel && (
        <div key={orderKey(ordered)} onInput={give}>
          {chosen.inputs.map((input) => (
            <InputLine
              key={input.name}
              input={input}
              panel={panel}
              rows={tables[module ?? '']?.[input.table ?? '']}
              value={ordered?.values?.[input.name]}
            />
          ))}
        </div>
      )}
    </>
  )
}

/** As the fields show them before they are touched. */
function startValues(inputs: readonly PanelInput[]): ModuleValues {
  const starts = { bit: false, number: NaN, row: 1, text: '' } as const
  return Object.fromEntries(
    inputs.map(({ kind, name }): [string, ModuleValue] => [name, starts[kind]]),
  )
}
