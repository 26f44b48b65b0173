/** What pilots vote for, and the own vote for how fast game time runs. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import { Panel } from '../elements/panel.tsx'
import { paceText } from '../quantities/quantities.ts'
import type { LiveSession } from '../session/session.ts'
import './votes.css'

export function VotesPanel({ live }: { readonly live: LiveSession }): JSX.Element | null {
  const { socket, vote, votes } = live
  const wanted = useSignal('')
  const fault = useSignal('')
  const give = async (pace: number | null): Promise<void> => {
    fault.value = ''
    try {
      await socket.vote(pace)
    } catch (error) {
      fault.value = `${(error as Error).message}.`
    }
  }
  const { value: now } = votes
  if (!now || now.lowest === null || now.highest === null) return null
  const { lowest, highest, voters, votes: given, pace } = now
  return (
    <Panel
      title={say('Pace vote ({given} of {voters})', { given, voters })}
      name="votes"
      isFolded={true}
    >
      <form
        class="votes-form"
        onSubmit={(event) => {
          event.preventDefault()
          void give(Number(wanted.peek()))
        }}
      >
        <input
          type="number"
          aria-label={say('Times real time')}
          placeholder={say('{low} to {high}', { low: lowest, high: highest })}
          required
          min={lowest}
          max={highest}
          step="any"
          value={wanted.value}
          onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
        />
        <button type="submit">{say('Vote')}</button>
        <button type="button" disabled={vote.value === null} onClick={() => void give(null)}>
          {say('Withdraw')}
        </button>
      </form>
      <p role="status">
        {fault.value ||
          (vote.value === null
            ? say('You have no vote.')
            : say('You vote for {pace}.', { pace: paceText(vote.value) }))}
      </p>
      <p class="faint">
        {pace === null
          ? say('When all pilots who are here have a vote, the lowest one is the pace.')
          : say('All have voted: {pace}.', { pace: paceText(pace) })}
      </p>
    </Panel>
  )
}
