import type { ComponentChildren, JSX } from 'preact'
import type { ActionId } from '../operator/actions.ts'
import type { Reading } from '../operator/live.ts'
import type { Operator } from '../operator/operator.ts'
import { ActionButton } from '../controls/action-button.tsx'
import { byteText, countText, durationText, shareText } from '../controls/quantity-text.ts'

type Grade = 'good' | 'fair' | 'bad'

/** Drift of game time that is good, and that is not bad yet [s]. */
const DRIFT_GOOD = 10
const DRIFT_FAIR = 60

/** Drift of energy and momentum: what the integrator reaches, and what is promised. */
const PHYSICS_GOOD = 1e-14
const PHYSICS_FAIR = 1e-6

/** Journal lag at which commands are refused [s]. */
const LAG_MAX = 2

export interface CardsProps {
  readonly operator: Operator
  readonly reading: Reading
}

/** What an operator looks at every day. */
export function Cards({ operator, reading }: CardsProps): JSX.Element {
  const { status, load } = reading
  const drift = status.time_drift_seconds
  const adaptive = status.adaptive_tick_rate ? 'Disable adaptive rate' : 'Enable adaptive rate'
  const talk = status.talk_enabled ? 'Disable talk' : 'Enable talk'
  const does = (id: ActionId, name?: string): JSX.Element => (
    <ActionButton of={id} operator={operator} {...(name && { name })} />
  )
  return (
    <div class="cards">
      <Card title="Time" actions={[does('pause'), does('timeSync'), does('moveClock')]}>
        <Line name="tick" value={countText(status.current_tick)} />
        <Line name="game time" value={momentText(status.game_time, 19)} />
        <Line
          name="drift from UTC"
          value={`${drift.toFixed(3)} s`}
          grade={grade(drift, DRIFT_GOOD, DRIFT_FAIR)}
        />
        {load.clock_goal !== null && (
          <Line name="fast-forwards to" value={momentText(load.clock_goal, 16)} grade="fair" />
        )}
        {status.planned && <Line name="planned" value={plannedText(status.planned)} grade="fair" />}
        <Line name="time sync" value={status.time_sync_enabled ? 'on' : 'off'} />
      </Card>
      <Card
        title="Rate"
        actions={[
          does('tickRate', 'Tick rate'),
          does('timeScale', 'Time scale'),
          does('paceVote', 'Pace vote'),
          does('adaptiveTickRate', adaptive),
        ]}
      >
        <Line name="target rate" value={`${status.tick_rate} Hz`} />
        <Line name="measured rate" value={`${status.actual_rate.toFixed(2)} Hz`} />
        <Line
          name="ticks behind"
          value={String(status.ticks_behind)}
          grade={grade(status.ticks_behind, 0, 2)}
        />
        <Line name="time scale" value={scaleText(status)} />
      </Card>
      <Work reading={reading} />
      <Card title="Physics">
        <Physics name="energy drift" value={status.energy_drift} />
        <Physics name="momentum drift" value={status.momentum_drift} />
        <Line
          name="recomputed chunks"
          value={`${countText(load.canary_checks)} checked, ${load.canary_mismatches} differ`}
          grade={grade(load.canary_mismatches, 0, 0)}
        />
        <Replay replay={load.replay} />
        {load.digests.map(({ system_id, digest }) => (
          <Line key={system_id} name={`digest ${system_id}`} value={digest.slice(0, 12)} />
        ))}
      </Card>
      <Card title="People" actions={[does('registration'), does('talk', talk)]}>
        <Line name="players online" value={countText(load.players_online)} />
        <Line name="observers" value={countText(load.observers_online)} />
        <Line name="ships" value={countText(load.ships)} />
        <Line name="queued to send" value={byteText(load.socket_queued_bytes)} />
      </Card>
      <Records reading={reading} action={does('makeSnapshot')} />
    </div>
  )
}

/** How the clocks of all hosts that fly are to run. */
function plannedText({
  game_time: from,
  paused,
  tick_rate: rate,
  time_scale: scale,
}: NonNullable<Reading['status']['planned']>): string {
  const what = paused ? 'paused' : `time scale ${scale}, ${rate} Hz`
  return `${what} from ${momentText(from, 19)}`
}

/** What is kept of the world, and how long the server has run. */
function Records({
  reading: { status, load },
  action,
}: Pick<CardsProps, 'reading'> & { readonly action: JSX.Element }): JSX.Element {
  return (
    <Card title="Records" actions={action}>
      <Line
        name="journal lag"
        value={`${load.journal_lag_seconds.toFixed(2)} s, ${load.journal_lag_rows} rows`}
        grade={grade(load.journal_lag_seconds, LAG_MAX / 2, LAG_MAX)}
      />
      {status.stopped_systems.map(({ system_id, reason }) => (
        <Line key={system_id} name={`${system_id} stopped`} value={reason} grade="bad" />
      ))}
      <Line name="last snapshot" value={`${durationText(load.snapshot_age_seconds)} ago`} />
      <Line name="version" value={status.version} />
      <Line name="uptime" value={durationText(load.uptime_seconds)} />
      <Line name="memory" value={byteText(load.resident_bytes)} />
    </Card>
  )
}

/** What the replay of the journal came to when the server started. */
function Replay({ replay }: Pick<Reading['load'], 'replay'>): JSX.Element {
  if (!replay) return <Line name="replay at start" value="none in this world" />
  const { at, digests, mismatches } = replay
  const minute = momentText(at, 16)
  if (digests === 0) return <Line name="replay at start" value={`${minute}, nothing to compare`} />
  const value = `${minute}, ${digests - mismatches} of ${digests} agree`
  return <Line name="replay at start" value={value} grade={grade(mismatches, 0, 0)} />
}

interface CardProps {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

function Card({ title, actions, children }: CardProps): JSX.Element {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <dl>{children}</dl>
      {actions && <footer>{actions}</footer>}
    </section>
  )
}

interface LineProps {
  readonly name: string
  readonly value: string
  readonly grade?: Grade
}

function Line({ name, value, grade: graded }: LineProps): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={graded}>{value}</dd>
    </div>
  )
}

function Physics({ name, value }: { readonly name: string; readonly value: number }): JSX.Element {
  const graded = grade(value, PHYSICS_GOOD, PHYSICS_FAIR)
  return <Line name={name} value={value === 0 ? '0' : value.toExponential(1)} grade={graded} />
}

/** How a tick fills its period, by phase. */
function Work({ reading: { status, load } }: { readonly reading: Reading }): JSX.Element {
  const shares = Object.entries(load.phases).map(
    ([name, seconds]) => [name, Math.min(1, seconds * status.tick_rate)] as const,
  )
  return (
    <Card title="Work">
      <Line
        name="utilisation"
        value={shareText(load.utilisation)}
        grade={grade(load.utilisation, 0.7, 0.9)}
      />
      {shares.map(([name, share]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <meter min={0} max={1} value={share} aria-label={name} /> {shareText(share)}
          </dd>
        </div>
      ))}
    </Card>
  )
}

/** Game seconds per second, and what was set where the server cannot keep up. */
function scaleText({ effective_time_scale: now, time_scale: set }: Reading['status']): string {
  return now === set ? `× ${set}` : `× ${now}, set to × ${set}`
}

/** The first characters of a moment, as a date and a time. */
function momentText(moment: string, characters: number): string {
  return `${moment.slice(0, characters).replace('T', ' ')} UTC`
}

/** Grades a quantity by its size. */
function grade(value: number, good: number, fair: number): Grade {
  const size = Math.abs(value)
  if (size <= good) return 'good'
  return size <= fair ? 'fair' : 'bad'
}
