/** What the address of the page names. */
export interface Place {
  readonly client: string
  readonly project: string
  /** the last one by default */
  readonly version?: string | undefined
  readonly section?: string | undefined
  /** of the section, which is shown and has the focus */
  readonly record?: string | undefined
}

const ID = '([\\da-f-]{36})'
const ADDRESS = new RegExp(`^#/${ID}/${ID}(?:/${ID})?(?:/([a-z]+))?(?:/${ID})?$`)

/** undefined for the list of all projects */
export function placeOf(hash: string): Place | undefined {
  const [, client, project, version, section, record] = ADDRESS.exec(hash) ?? []
  return client === undefined ? undefined : { client, project, version, section, record }
}

export function addressOf({ client, project, version, section, record }: Place): string {
  return `#/${[client, project, version, section, record].filter(Boolean).join('/')}`
}
