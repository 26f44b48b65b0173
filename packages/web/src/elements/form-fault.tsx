import type { JSX } from 'preact'
import type { FormRequest } from './use-request.ts'

/** Why the request of a form was refused, where no field of it is at fault. */
export function FormFault({ request }: { readonly request: FormRequest }): JSX.Element {
  return (
    <p class="form-fault" role="alert">
      {request.faultOf()?.text}
    </p>
  )
}
