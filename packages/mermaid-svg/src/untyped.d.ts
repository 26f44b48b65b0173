/** Packages without types, as far as they are used. */

declare module 'color-name' {
  const rgb: Readonly<Record<string, readonly [number, number, number]>>
  export default rgb
}

/** Mermaid with its dependencies inside. */
declare module 'mermaid/dist/mermaid.esm.min.mjs' {
  export { default } from 'mermaid'
}

declare module 'svgdom' {
  export const config: {
    setFontDir(directory: string): typeof config
    /** file names by families */
    setFontFamilyMappings(files: Readonly<Record<string, string>>): typeof config
  }

  export interface SvgNode {
    readonly nodeType: number
    readonly nodeName: string
    readonly parentNode: SvgNode | null
    readonly childNodes: readonly SvgNode[]
    /** of a text node */
    readonly data: string
    textContent: string
    getAttribute(name: string): string | null
    setAttribute(name: string, value: string): void
    matches(selector: string): boolean
    querySelector(selector: string): SvgNode | null
    getBBox: (this: SvgNode) => import('./geometry.ts').Box
    getScreenCTM(): import('./geometry.ts').Matrix
    /** its own transformation; only graphics have one */
    readonly matrixify?: () => import('./geometry.ts').Matrix
  }

  interface NodeClass {
    readonly prototype: SvgNode
  }

  export function createHTMLWindow(): {
    readonly document: {
      readonly implementation: object
      createElementNS(namespace: string, name: string): SvgNode
    }
    readonly Element: NodeClass
    readonly HTMLElement: NodeClass
    readonly Node: NodeClass
    readonly SVGGraphicsElement: NodeClass
  }
}
