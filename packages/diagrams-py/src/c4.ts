import type { Attributes } from './dot-graph.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign])

/** Lines of a text; of more than three, the third ends in dots. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = ['']
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const line = `${lines[lines.length - 1]} ${word}`.trim()
    if (line.length <= width) lines[lines.length - 1] = line
    else lines.push(word.slice(0, width))
  }
  return lines.length > 3 ? [...lines.slice(0, 2), `${lines[2]} …`] : lines
}

const LOOKS: Readonly<Record<string, Attributes>> = {
  Person: { style: 'rounded,filled', fillcolor: '#08427b' },
  System: { fillcolor: '#1168bd' },
  Container: { fillcolor: '#438dd5' },
  Database: { fillcolor: '#438dd5', shape: 'cylinder' },
}

const EXTERNAL: Attributes = { fillcolor: '#8c8496' }

export interface C4Element {
  readonly name: string
  readonly kind: string
  readonly technology: string
  readonly description: string
  readonly isExternal: boolean
}

/** A box of a C4 diagram: its name, what it is, what it is for. */
export function c4Node(element: C4Element): Attributes {
  const { name, kind, technology, description, isExternal } = element
  const type = `${isExternal ? 'External ' : ''}${kind}${technology ? `: ${technology}` : ''}`
  const lines = description === '' ? [] : wrapped(description, 40)
  const html = [
    `<font point-size="13"><b>${wrapped(name, 34).map(escaped).join('<br/>')}</b></font>`,
    `<br/><font point-size="10">[${escaped(type)}]</font>`,
    lines.length === 0
      ? ''
      : `<br/><br/><font point-size="11">${lines.map(escaped).join('<br/>')}</font>`,
  ].join('')
  return {
    shape: 'rect',
    style: 'filled',
    fixedsize: 'false',
    width: '2.4',
    height: lines.length === 0 ? '1' : '1.5',
    labelloc: 'c',
    margin: '0.2,0.12',
    penwidth: '0',
    fontcolor: 'white',
    ...LOOKS[kind],
    ...(isExternal && EXTERNAL),
    label: { html },
  }
}

export const c4Boundary: Attributes = { bgcolor: 'white', margin: '16', style: 'dashed' }

/** An arrow of a C4 diagram. */
export function c4Relationship(label: string): Attributes {
  const html = wrapped(label, 24).map(escaped).join('<br/>')
  return {
    style: 'dashed',
    color: '#707070',
    fontcolor: '#505050',
    ...(label !== '' && { label: { html: `<font point-size="11">${html}</font>` } }),
  }
}
