/** A command of a module: its button, and fields for what it is given. */
import type {
  ModuleEntry,
  ModulePanel,
  ModuleValue,
  ModuleValues,
  PanelButton,
  PanelInput,
} from '@orrery/client'
import type { JSX, TargetedSubmitEvent } from 'preact'
import { useId } from 'preact/hooks'
import type { Modules } from './use-modules.ts'
import { rowName } from './value-text.ts'

interface CommandFormProps {
  readonly rules: Modules
  readonly entry: ModuleEntry
  readonly panel: ModulePanel
  readonly button: PanelButton
  readonly tables: Readonly<Record<string, readonly ModuleValues[]>>
  /** id of the row that it stands at, and its name */
  readonly row?: number
  readonly name?: string
}

export function CommandForm(props: CommandFormProps): JSX.Element {
  const { rules, entry, panel, button, tables, row, name } = props
  const { label, command, inputs } = button
  const words = name === undefined ? label : `${label}: ${name}`
  const send = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const values: Record<string, ModuleValue> = Object.fromEntries(
      inputs.map((input) => [input.name, givenValue(input, given.get(input.name))]),
    )
    if (button.row !== undefined && row !== undefined) values[button.row] = row
    void rules.command(entry.module, command, values, words)
  }
  return (
    <form class="module-command" onSubmit={send}>
      {inputs.map((input) => (
        <InputLine key={input.name} input={input} panel={panel} rows={tables[input.table ?? '']} />
      ))}
      <button type="submit" class="go" aria-label={words}>
        {label}
      </button>
    </form>
  )
}

/** @param given  of a box that is not checked, null */
export function givenValue({ kind }: PanelInput, given: unknown): ModuleValue {
  if (kind === 'bit') return given !== null
  return kind === 'text' && typeof given === 'string' ? given : Number(given)
}

interface InputLineProps {
  readonly input: PanelInput
  readonly panel: ModulePanel
  readonly rows: readonly ModuleValues[] | undefined
  /** that it begins with */
  readonly value?: ModuleValue | undefined
}

export function InputLine({ input, panel, rows = [], value }: InputLineProps): JSX.Element {
  const { kind, label, name, table, unit } = input
  const id = useId()
  const texts = {
    id,
    name,
    required: true,
    defaultValue: Number.isNaN(value) ? '' : `${value ?? ''}`,
  }
  return (
    <p class="order-line">
      <label for={id}>{label}</label>
      {kind === 'row' ? (
        <select id={id} name={name} required>
          {rows.map((_, i) => (
            <option key={i} value={i + 1} selected={value === i + 1}>
              {rowName(panel.lists, table, i + 1)}
            </option>
          ))}
        </select>
      ) : kind === 'bit' ? (
        <input id={id} name={name} type="checkbox" defaultChecked={value === true} />
      ) : kind === 'text' ? (
        <input {...texts} type="text" maxLength={256} autoComplete="off" />
      ) : (
        <input {...texts} type="number" step="any" />
      )}
      {unit !== '' && <span class="order-unit">{unit}</span>}
    </p>
  )
}
