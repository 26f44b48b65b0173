/** The practice: where it begins, how fast it runs, and the way back to the game. */
import type { PracticeStart } from '@orrery/client/flight'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { LANGUAGE } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { PracticeRoom } from './practice-room.ts'
import './practice.css'

const PACES = [0, 1, 10, 100, 1000, 10_000, 100_000]

/** Stations that it can begin beside. */
const STATIONS_MAX = 2

export function PracticeBar({ game }: { readonly game: Game }): JSX.Element {
  const room = useMemo(() => new PracticeRoom(game), [game])
  useEffect(() => () => room.close(), [room])
  return (
    <section class="practice" aria-label={say('Practice')}>
      {game.practice.value ? (
        <Running game={game} room={room} />
      ) : (
        <Beginning game={game} room={room} />
      )}
      <p role="status">{room.said}</p>
    </section>
  )
}

interface RoomProps {
  readonly game: Game
  readonly room: PracticeRoom
}

function Beginning({ game, room }: RoomProps): JSX.Element {
  const objects = game.live.value?.flight.world.objects() ?? []
  const stations = objects.filter(({ kind }) => kind === 'station').slice(0, STATIONS_MAX)
  const starts: readonly (readonly [words: string, start?: PracticeStart])[] = [
    [say('As I fly now')],
    [say('In a low orbit'), 'low_orbit'],
    ...stations.map(({ id, name }) => [say('Beside {name}', { name }), { stationId: id }] as const),
  ]
  return (
    <>
      <p>
        <strong>{say('Practice')}</strong>{' '}
        {say(
          'with your ship at any pace, in this browser alone: nothing reaches the server, where ' +
            'the ship flies on. Begin:',
        )}
      </p>
      <div class="practice-buttons">
        {starts.map(([words, start]) => (
          <button key={words} type="button" onClick={() => void room.begin(start)}>
            {words}
          </button>
        ))}
        <button
          type="button"
          aria-label={say('Close the practice')}
          onClick={() => (game.practising.value = false)}
        >
          ×
        </button>
      </div>
    </>
  )
}

function Running({ game, room }: RoomProps): JSX.Element {
  return (
    <>
      <p>
        <strong>{say('Practice — nothing here reaches the server')}</strong>
      </p>
      <div class="practice-buttons" role="group" aria-label={say('Pace')}>
        {PACES.map((pace) => (
          <button
            key={pace}
            type="button"
            aria-label={
              pace === 0
                ? say('Stand still')
                : say('{pace} times', { pace: pace.toLocaleString(LANGUAGE) })
            }
            aria-pressed={room.pace.value === pace}
            onClick={() => room.setPace(pace)}
          >
            {pace === 0 ? '❚❚' : `${pace.toLocaleString(LANGUAGE)} ×`}
          </button>
        ))}
      </div>
      <div class="practice-buttons">
        <button type="button" onClick={() => void room.hurry()}>
          {say('Until the next event')}
        </button>
        <button type="button" onClick={() => void room.again()}>
          {say('Begin again')}
        </button>
        <button type="button" class="primary" onClick={() => (game.practising.value = false)}>
          {say('Back to the game')}
        </button>
      </div>
    </>
  )
}
