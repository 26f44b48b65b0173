/** When a flight to a target leaves. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import { Choice, DateLine } from '../elements/quantity-input.tsx'
import { DEPARTURES, type DepartureChoice, departureChoice } from '../orders/maneuvers.ts'

/** @param depart  of the order to begin with */
export function useDeparture(depart?: string): Signal<DepartureChoice> {
  return useSignal(departureChoice(depart))
}

interface DepartureFieldsProps {
  readonly departure: Signal<DepartureChoice>
}

export function DepartureFields({ departure }: DepartureFieldsProps): JSX.Element {
  const { way, date } = departure.value
  const change = (changed: Partial<DepartureChoice>): void => {
    departure.value = { ...departure.value, ...changed }
  }
  return (
    <>
      <Choice
        label={say('Leave')}
        name="depart"
        value={way}
        onChoose={(value) => change({ way: value as DepartureChoice['way'] })}
      >
        {Object.entries(DEPARTURES).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </Choice>
      {way === 'dated' && (
        <DateLine
          label={say('Date')}
          name="depart-date"
          value={date}
          onText={(text) => change({ date: text })}
        />
      )}
    </>
  )
}
