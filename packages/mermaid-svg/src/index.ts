/**
 * Draws Mermaid diagrams as SVG, without a browser.
 *
 * ```ts
 * const font = { family: 'Arimo', regular: '/fonts/regular.ttf', bold: '/fonts/bold.ttf' }
 * const svg = await mermaidSvg('flowchart LR\n a --> b', { font, random: Math.random })
 * ```
 *
 * @module
 */
export { type MermaidOptions, MermaidSourceError, mermaidSvg } from './mermaid-svg.ts'
export type { Font } from './font.ts'
