/** All keys, by what they are for; each can be changed. */
import { type Signal, batch, useSignal } from '@preact/signals'
import type { JSX, TargetedKeyboardEvent } from 'preact'
import { say } from '../../languages/say.ts'
import type { Action, Actions, PressedKey } from '../../input/actions.ts'
import { holderOf, keyToGive, withKey } from '../../input/giving-keys.ts'
import { keyName, keyNames } from '../../input/key-names.ts'
import { ownKeys } from '../../input/own-keys.ts'
import './keys.css'

/** What the next key is for, and what came of the last one. */
interface Asking {
  readonly name: string
  readonly isOpen: boolean
  readonly said: string
  /** a key that another action has */
  readonly taken?: PressedKey
}

interface KeysProps {
  readonly actions: Actions
  /** whether keys that type something act */
  readonly takesSigns: Signal<boolean>
}

export function Keys({ actions, takesSigns }: KeysProps): JSX.Element {
  const all = actions.all.value
  const groups = Map.groupBy(all, ({ group }) => group)
  const asking = useSignal<Asking | undefined>(undefined)
  return (
    <>
      <h3>{say('Keys')}</h3>
      <label class="check">
        <input
          type="checkbox"
          checked={takesSigns.value}
          onChange={() => (takesSigns.value = !takesSigns.value)}
        />
        {say('Letters, digits and signs act')}
      </label>
      <p class="faint">
        {say('Switch them off where speech input, which types, would fly by mistake.')}
      </p>
      {[...groups].map(([group, listed]) => (
        <section key={group}>
          <h4>{group}</h4>
          <dl>
            {listed.map((action) => (
              <Line key={action.name} action={action} all={all} asking={asking} />
            ))}
          </dl>
        </section>
      ))}
      <p class="faint">{say('Press the keys of a line to change them.')}</p>
      <button
        type="button"
        disabled={Object.keys(ownKeys.value).length === 0}
        onClick={() => {
          ownKeys.value = {}
          asking.value = undefined
        }}
      >
        {say('Restore all keys')}
      </button>
    </>
  )
}

interface LineProps {
  readonly action: Action
  /** that share the keyboard with it */
  readonly all: readonly Action[]
  readonly asking: Signal<Asking | undefined>
}

function Line({ action, all, asking }: LineProps): JSX.Element {
  const { name, words } = action
  const own = asking.value?.name === name ? asking.value : undefined
  const names = keyNames(action, all)
  const note = (said: string, more: Partial<Asking> = {}): void => {
    asking.value = { name, said, isOpen: false, ...more }
  }
  const give = (pressed: PressedKey): void =>
    batch(() => {
      const holder = holderOf(all, action, pressed)
      ownKeys.value = withKey(ownKeys.value, all, action, pressed)
      note(givenText(keyName(keyToGive(pressed) ?? ''), holder))
    })
  const take = (event: TargetedKeyboardEvent<HTMLElement>, isModifier: boolean): void => {
    if (!own?.isOpen || isModifier !== (event.type === 'keyup')) return
    event.preventDefault()
    event.stopPropagation()
    const { key, code } = event
    if (key === 'Escape') return void (asking.value = undefined)
    if (key === 'Delete' || key === 'Backspace') {
      ownKeys.value = { ...ownKeys.value, [name]: [] }
      return note(say('No key does this now.'))
    }
    if (keyToGive(event) === undefined) {
      return note(say('This key keeps what it does in browsers. Press another.'), { isOpen: true })
    }
    const holder = holderOf(all, action, event)
    if (!holder) return give({ key, code })
    const taken = keyName(keyToGive(event) ?? '')
    const text = say('{key} already does “{words}”.', { key: taken, words: holder.words })
    note(text, { taken: { key, code } })
  }
  const isModifier = ({ key }: KeyboardEvent): boolean => key === 'Shift' || key === 'Control'
  return (
    <div>
      <dt>
        <button
          type="button"
          class="key-button"
          aria-label={say('Change: {words}, {keys}', {
            words,
            keys: names.join(say(' or ')) || say('no key'),
          })}
          onClick={() =>
            note(say('Press a key; Delete for none, Escape to leave it.'), { isOpen: true })
          }
          onKeyDown={(event) => take(event, isModifier(event))}
          onKeyUp={(event) => isModifier(event) && take(event, true)}
          onBlur={() => own?.isOpen && (asking.value = undefined)}
        >
          {own?.isOpen ? '…' : names.map((one) => <kbd key={one}>{one}</kbd>)}
          {!own?.isOpen && names.length === 0 && '—'}
        </button>
      </dt>
      <dd>
        {words}
        <span role="alert">{own?.said}</span>
        {own?.taken && (
          <button type="button" onClick={() => own.taken && give(own.taken)}>
            {say('Use it here')}
          </button>
        )}
      </dd>
    </div>
  )
}

function givenText(key: string, holder: Action | undefined): string {
  return holder
    ? say('{key} now does this, and no longer “{words}”.', { key, words: holder.words })
    : say('{key} now does this.', { key })
}
