/**
 * Programs for the Python library `diagrams` as Graphviz sources, without Python.
 *
 * ```ts
 * const [{ dot }] = diagramsPy(
 *   'from diagrams import Diagram, Node\nwith Diagram("Shop"):\n    Node("web")',
 * )
 * const svg = iconSvg('icon:aws-amazon-ec2')
 * ```
 *
 * @module
 */
export { diagramsPy } from './diagrams-py.ts'
export type { DrawnDiagram } from './library.ts'
export { DiagramsSourceError } from './program.ts'
export { collectedIcon, iconSvg } from './icons.ts'
export { iconNames, nearestIcon } from './icon-names.ts'
