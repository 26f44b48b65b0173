/** A `CSSStyleSheet` in which Mermaid collects the styles that a source defines. */
export class StyleSheet {
  readonly cssRules: StyleRule[] = []

  insertRule(text: string, index: number): number {
    this.cssRules.splice(index, 0, new StyleRule(text))
    return index
  }
}

class StyleRule {
  readonly style: Declarations = new Declarations()
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get cssText(): string {
    return this.#text.replace(/\}\s*$/, () => `${this.style.join(' ')}}`)
  }
}

class Declarations extends Array<string> {
  setProperty(name: string, value: string): void {
    this.push(`${name}: ${value};`)
  }
}
