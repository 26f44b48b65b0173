/** What we use of it; the package has no types. */
declare module 'svgdom' {
  export const config: {
    setFontDir(directory: string): typeof config
    /** file names by families */
    setFontFamilyMappings(files: Readonly<Record<string, string>>): typeof config
    preloadFonts(): typeof config
  }
  export function createHTMLWindow(): {
    readonly document: import('./dom-boxes.ts').DomDocument & { readonly implementation: object }
    readonly Element: object
    readonly HTMLElement: { readonly prototype: object }
    readonly Node: { readonly prototype: object }
    readonly SVGElement: object
  }
}
