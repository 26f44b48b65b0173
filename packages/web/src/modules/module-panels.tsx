/** Panels of the rules of the game's own, as modules declare them. */
import type {
  ModuleEntry,
  ModulePanel,
  ModuleValues,
  PanelButton,
  PanelField,
  PanelList,
} from '@orrery/client'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import { Panel } from '../elements/panel.tsx'
import { Row, Rows } from '../elements/rows.tsx'
import { useTicking } from '../elements/use-ticking.ts'
import type { Game } from '../game/game.ts'
import { distanceText, speedText } from '../quantities/quantities.ts'
import { useMeeting } from '../order-forms/meeting.tsx'
import type { Stage } from '../view/stage.ts'
import { CommandForm } from './command-form.tsx'
import { nearest } from './nearest-rows.ts'
import { type Signs, attachRowMarks } from './row-marks.ts'
import { modulePartsOf } from './parts-of.tsx'
import { type Modules, useModules } from './use-modules.ts'
import { rowName, valueText } from './value-text.ts'
import './modules.css'

export interface ModulePanelsProps {
  readonly game: Game
  readonly stage: Stage
  readonly draw: Signs
}

export function ModulePanels({ game, stage, draw }: ModulePanelsProps): JSX.Element {
  const rules = useModules(game)
  useEffect(() => {
    return attachRowMarks(stage, draw, () => ({
      modules: rules.modules.peek(),
      state: rules.state.peek(),
    }))
  }, [stage])
  useEffect(() => {
    game.moduleParts.value = modulePartsOf(rules)
    return () => (game.moduleParts.value = undefined)
  }, [])
  return (
    <>
      {rules.modules.value.map((entry) => {
        const { module, panel } = entry
        return (
          panel && <OnePanel key={module} game={game} rules={rules} entry={entry} panel={panel} />
        )
      })}
    </>
  )
}

interface OnePanelProps {
  readonly game: Game
  readonly rules: Modules
  readonly entry: ModuleEntry
  readonly panel: ModulePanel
}

function OnePanel(props: OnePanelProps): JSX.Element {
  const isOpen = useSignal(false)
  return (
    <Panel title={props.panel.title} name="module" isOpen={isOpen}>
      {isOpen.value && <Contents {...props} />}
    </Panel>
  )
}

function Contents(props: OnePanelProps): JSX.Element {
  useTicking()
  const { game, rules, entry, panel } = props
  const { module, stopped } = entry
  const { flight } = game.live.value ?? {}
  const values = rules.state.value?.ship_values[module]
  const tables = rules.state.value?.tables[module] ?? {}
  const why = stopped[flight?.world.system?.id ?? '']
  const shown = panel.fields.flatMap((field) => {
    const from = field.of === undefined ? values : rowOf(tables, field, values)
    return from ? [[field, from] as const] : []
  })
  return (
    <>
      {why !== undefined && <p class="order-fault">{say('It has stopped: {why}', { why })}</p>}
      {!values && <p class="order-hint">{say('The server has not said yet what there is.')}</p>}
      {flight && (
        <Rows>
          {shown.map(([field, from]) => (
            <Row
              key={field.label}
              name={field.label}
              value={valueText(field, from[field.column], panel, flight.clock)}
            />
          ))}
        </Rows>
      )}
      {shownButtons(panel.buttons, values).map((button) => (
        <CommandForm key={button.label} {...props} button={button} tables={tables} />
      ))}
      {panel.lists.map((list) => (
        <RowList key={list.label} {...props} list={list} rows={tables[list.table] ?? []} />
      ))}
    </>
  )
}

type Tables = Readonly<Record<string, readonly ModuleValues[]>>

/** The row that the ship refers to. */
function rowOf(
  tables: Tables,
  { of = '', table = '' }: PanelField,
  ship: ModuleValues | undefined,
): ModuleValues | undefined {
  return tables[table]?.[Number(ship?.[of] ?? 0) - 1]
}

function shownButtons(
  buttons: readonly PanelButton[],
  ship: ModuleValues | undefined,
): readonly PanelButton[] {
  return ship ? buttons.filter(({ when }) => when === undefined || ship[when]) : []
}

interface RowListProps extends OnePanelProps {
  readonly list: PanelList
  readonly rows: readonly ModuleValues[]
}

function RowList({ game, rules, entry, panel, list, rows }: RowListProps): JSX.Element {
  const { module } = entry
  const { flight } = game.live.value ?? {}
  const { state } = rules
  const buttons = shownButtons(list.buttons, state.value?.ship_values[module])
  return (
    <details open>
      <summary>{list.label}</summary>
      {rows.length === 0 && <p class="order-hint">{say('None in this star system.')}</p>}
      <ul class="order-list">
        {flight &&
          nearest(rows, flight, state.value?.index ?? NaN).map(({ id, values, away }) => {
            const name = rowName(panel.lists, list.table, id)
            const texts = list.columns.map((field) => {
              const text = valueText(field, values[field.column], panel, flight.clock)
              return `${field.label} ${text}`
            })
            return (
              <li key={id} class="order-row">
                <span>
                  {name}
                  {away && (
                    <small>
                      {distanceText(away.distance)}, {speedText(away.speed)}
                    </small>
                  )}
                  {texts.length > 0 && <small>{texts.join(' · ')}</small>}
                </span>
                {buttons.map((button) => (
                  <CommandForm
                    key={button.label}
                    rules={rules}
                    entry={entry}
                    panel={panel}
                    button={button}
                    tables={state.value?.tables[module] ?? {}}
                    row={id}
                    name={name}
                  />
                ))}
                {away && <RowMeeting game={game} id={String(values['id'])} name={name} />}
              </li>
            )
          })}
      </ul>
    </details>
  )
}

/** A rendezvous with a row on a rail, which orders name as they name stations. */
function RowMeeting(props: {
  readonly game: Game
  readonly id: string
  readonly name: string
}): JSX.Element {
  const { game, id, name } = props
  const label = say('Rendezvous with {name}', { name })
  const { button, form } = useMeeting({ game, target: { kind: 'station', id }, name, label })
  return (
    <>
      {button}
      {form}
    </>
  )
}
