/** What the player can choose of how the page looks. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { LANGUAGES } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import { CHOICES, type SettingName, type Settings } from '../session/settings.ts'
import './settings-form.css'

interface Choice {
  readonly name: SettingName
  readonly title: string
  /** of the values, in their order */
  readonly words: readonly string[]
  readonly note?: string
}

const ON_OFF = [say('On'), say('Off')]

const SHOWN: readonly Choice[] = [
  {
    name: 'language',
    title: say('Language'),
    words: [say('As the browser'), ...Object.values(LANGUAGES)],
    note: say('The page loads again in another language.'),
  },
  {
    name: 'quality',
    title: say('Quality'),
    words: [say('Automatic'), say('Low'), say('High')],
    note: say('Automatic draws as many pixels as this machine can follow.'),
  },
  { name: 'units', title: say('Units'), words: [say('Metric'), say('Nautical')] },
  {
    name: 'motion',
    title: say('Camera'),
    words: [say('As the system'), say('Calm'), say('In motion')],
    note: say('Calm: the camera jumps to a new view and does not fly there.'),
  },
  { name: 'labels', title: say('Names'), words: ON_OFF },
  { name: 'orbits', title: say('Orbits'), words: ON_OFF },
  { name: 'trails', title: say('Trails'), words: ON_OFF },
  { name: 'constellations', title: say('Constellations'), words: ON_OFF.toReversed() },
  {
    name: 'alarms',
    title: say('Alarms'),
    words: [say('Off'), say('On')],
    note: say(
      'A minute before a burn, an encounter and an arrival: by the title of the window and, ' +
        'where the browser allows it, a notification.',
    ),
  },
  {
    name: 'sound',
    title: say('Sound'),
    words: [say('Off'), say('On')],
    note: say(
      'Engine, thrusters, docking, alarms and warnings; with a calm camera the last three.',
    ),
  },
]

export function SettingsForm({ settings }: { readonly settings: Settings }): JSX.Element {
  return (
    <>
      {SHOWN.map((choice) => (
        <Choosing key={choice.name} choice={choice} chosen={settings[choice.name]} />
      ))}
      <button type="button" onClick={() => settings.reset()}>
        {say('Restore defaults')}
      </button>
    </>
  )
}

/** Some browsers have none: the title says it. */
function askForNotifications(): void {
  if ('Notification' in globalThis) void Notification.requestPermission()
}

function Choosing({
  choice: { name, title, words, note },
  chosen,
}: {
  readonly choice: Choice
  readonly chosen: Signal<unknown>
}): JSX.Element {
  const id = useId()
  return (
    <fieldset aria-describedby={note && id}>
      <legend>{title}</legend>
      <div class="segments">
        {CHOICES[name].map((value, i) => (
          <label key={words[i]}>
            <input
              type="radio"
              name={name}
              checked={chosen.value === value}
              onChange={() => {
                chosen.value = value
                if (name === 'alarms' && value === true) askForNotifications()
              }}
            />
            <span>{words[i]}</span>
          </label>
        ))}
      </div>
      {note && (
        <p class="faint" id={id}>
          {note}
        </p>
      )}
    </fieldset>
  )
}
