/** A form's request to the server: whether it runs, and why it was refused. */
import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { type AccountField, type Refusal, refusalOf } from '../session/refusals.ts'

export interface FormRequest {
  readonly isBusy: boolean
  /** of a field, or of none */
  faultOf(field?: AccountField): Refusal | undefined
  readonly submit: (event: TargetedSubmitEvent<HTMLFormElement>) => void
}

/** @param send  sends what the form has; a refusal of it is shown */
export function useRequest(
  send: (values: Readonly<Record<string, string>>, form: HTMLFormElement) => Promise<void>,
  texts?: Parameters<typeof refusalOf>[1],
): FormRequest {
  const isBusy = useSignal(false)
  const refusal = useSignal<Refusal | undefined>(undefined)
  const run = async (form: HTMLFormElement): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    refusal.value = undefined
    const entries = [...new FormData(form)].filter(([, value]) => typeof value === 'string')
    try {
      await send(Object.fromEntries(entries) as Record<string, string>, form)
    } catch (error) {
      refusal.value = refusalOf(error, texts)
    } finally {
      isBusy.value = false
    }
  }
  return {
    isBusy: isBusy.value,
    faultOf: (field) => (refusal.value?.field === field ? refusal.value : undefined),
    submit: (event) => {
      event.preventDefault()
      void run(event.currentTarget)
    },
  }
}
