import type { Json, Place } from '../ask.ts'

/** A PDF as a service answers it. */
export interface Export {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** The export of an artifact. */
export async function exported(
  service: Place,
  { version_id, id }: Json,
  query: string = '',
): Promise<Export> {
  const url = `${service.url}/api/v1/versions/${version_id}/artifacts/${id}/export-pdf${query}`
  const response = await fetch(url)
  const { status, headers } = response
  return { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}
