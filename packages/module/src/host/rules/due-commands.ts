import type { DueCommand } from '@orrery/engine/modules'

const NONE: readonly DueCommand[] = []

/** Commands of one module that rules have ordered. */
export class DueCommands {
  #commands: DueCommand[] = []

  get waiting(): readonly DueCommand[] {
    return this.#commands
  }

  add(command: DueCommand): void {
    this.#commands.push(command)
  }

  /** Takes those of a beat, as rules fired: by index, ship and place. */
  take(beat: number): readonly DueCommand[] {
    if (this.#commands.length === 0) return NONE
    const taken = this.#commands.filter((command) => command.beat <= beat)
    this.#commands = this.#commands.filter((command) => command.beat > beat)
    const noted = new Set<string>()
    return taken
      .filter(({ index, ruleId, shipNumber }) => {
        // The core notes its events again after a tick that broke.
        const key = `${index} ${shipNumber} ${ruleId}`
        return !noted.has(key) && noted.add(key)
      })
      .toSorted((a, b) => a.index - b.index || a.shipNumber - b.shipNumber)
  }
}
