import type { AdminClient } from '@orrery/client'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX, RefObject, TargetedSubmitEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { modalEnds } from '@orrery/page-kit'
import { type Field, type Values, withIds } from '../operator/action.ts'
import { failureText } from '../operator/failure-text.ts'
import type { Asked, Operator } from '../operator/operator.ts'
import { FieldInput, valuesOf } from './field.tsx'
import { useModal } from './use-modal.ts'

export interface ActionDialogProps {
  readonly operator: Operator
  readonly admin: AdminClient
}

/** Asks for what an action has to know, and whether it is meant. */
export function ActionDialog({ operator, admin }: ActionDialogProps): JSX.Element {
  const asked = operator.asked.value
  const close = (): void => {
    // A question that takes long may have been followed by another.
    if (operator.asked.value === asked) operator.asked.value = undefined
  }
  const element = useModal(asked !== undefined)
  return (
    <dialog ref={element} {...modalEnds(close)} aria-labelledby="action-title">
      {asked && (
        <Form key={asked.id} asked={asked} operator={operator} admin={admin} close={close} />
      )}
    </dialog>
  )
}

interface FormProps extends ActionDialogProps {
  readonly asked: Asked
  readonly close: () => void
}

function Form({ asked, operator, admin, close }: FormProps): JSX.Element | null {
  const { action, values, about } = asked
  const { fields = [], isGrave = false, word } = action
  const reading = operator.live.reading.value
  const fault = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const warned = useConsequences(asked, admin, fault)
  const cancel = useKeptFocus(warned.sentences)
  if (!reading) return null
  const off = action.offBecause?.(reading)
  // Another button shows what a grave action does, so that a double click confirms nothing.
  const needsWarning = isGrave && warned.sentences === undefined
  const perform = async (given: Values): Promise<string | undefined> => {
    if (needsWarning) return warned.read(given)
    if (word && given['word'] !== word(reading)) return `Type ${word(reading)} to go on.`
    const refusal = await operator.run(action, given)
    if (refusal === undefined) close()
    return refusal
  }
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    fault.value = await perform(valuesOf(event.currentTarget))
    isBusy.value = false
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h2 id="action-title">
        {action.title(reading)}
        {about !== undefined && `: ${about}`}
      </h2>
      <div class="fields" onInput={warned.forget}>
        {fields.map((field) => {
          const initial = values[field.name] ?? field.initial?.(reading) ?? ''
          return <FieldInput key={field.name} field={field} initial={initial} />
        })}
      </div>
      {needsWarning && <button disabled={isBusy.value}>Show what it does</button>}
      {warned.sentences?.map((sentence) => (
        <p key={sentence} class={isGrave ? 'warning' : 'hint'}>
          {sentence}
        </p>
      ))}
      {word && !needsWarning && (
        <FieldInput field={wordField(word(reading))} initial="" isFocused />
      )}
      <p class="fault" role="alert">
        {off ?? fault.value}
      </p>
      <footer>
        <button ref={cancel} type="button" onClick={close}>
          Cancel
        </button>
        <button
          class={isGrave ? 'grave' : 'main'}
          disabled={isBusy.value || off !== undefined || needsWarning}
        >
          {action.title(reading)}
        </button>
      </footer>
    </form>
  )
}

function wordField(word: string): Field {
  return { name: 'word', label: `Type ${word} to confirm` }
}

/** A button that takes the focus when the one that had it is gone. */
function useKeptFocus(
  sentences: readonly string[] | undefined,
): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (sentences && document.activeElement === document.body) button.current?.focus()
  }, [sentences])
  return button
}

interface Consequences {
  /** undefined until they are known for what the fields hold */
  readonly sentences: readonly string[] | undefined
  /** resolves with a sentence when they cannot be had */
  read(values: Values): Promise<string | undefined>
  readonly forget: () => void
}

/** What an action would do; read at once where its target is known. */
function useConsequences(
  { action, values }: Asked,
  admin: AdminClient,
  fault: Signal<string | undefined>,
): Consequences {
  const sentences = useSignal<readonly string[] | undefined>(undefined)
  const read = async (given: Values): Promise<string | undefined> => {
    try {
      sentences.value =
        (await action.consequences?.(admin, await withIds(action, admin, given))) ?? []
      return undefined
    } catch (error) {
      return failureText(error)
    }
  }
  // Before it can be submitted.
  useLayoutEffect(() => {
    const { fields = [] } = action
    const isKnown = fields.every(({ name, isOptional, choices }) =>
      Boolean(isOptional || choices || values[name]),
    )
    if (isKnown) void read(values).then((text) => (fault.value = text))
  }, [])
  return {
    sentences: sentences.value,
    read,
    forget: () => {
      sentences.value = undefined
    },
  }
}
