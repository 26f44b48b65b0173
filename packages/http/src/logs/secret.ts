import { inspect } from 'node:util'

const MASK = '[redacted]'

/** A text that is masked when printed, logged or made JSON. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The text itself; call it only where it is used. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return MASK
  }

  toJSON(): string {
    return MASK
  }

  static {
    Object.defineProperty(Secret.prototype, inspect.custom, { value: () => MASK })
  }
}
