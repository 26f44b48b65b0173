import type { Attributes, GraphDefaults } from './dot-graph.ts'

interface Theme {
  /** filling of clusters by depth */
  readonly fillings: readonly string[]
  readonly border: string
  readonly edge: string
}

/** The library's themes. */
export const THEMES: Readonly<Record<string, Theme>> = {
  neutral: {
    fillings: ['#f8f9fa', '#f1f3f5', '#e9ecef', '#dee2e6'],
    border: '#adb5bd',
    edge: '#495057',
  },
  pastel: {
    fillings: ['#e5f5fd', '#ebf3e7', '#ece8f6', '#fdf7e3'],
    border: '#aeb6be',
    edge: '#7b8894',
  },
  blues: {
    fillings: ['#e7f5ff', '#d0ebff', '#a5d8ff', '#74c0fc'],
    border: '#339af0',
    edge: '#1971c2',
  },
  greens: {
    fillings: ['#ebfbee', '#d3f9d8', '#b2f2bb', '#8ce99a'],
    border: '#40c057',
    edge: '#2f9e44',
  },
  orange: {
    fillings: ['#fff4e6', '#ffe8cc', '#ffd8a8', '#ffc078'],
    border: '#fd7e14',
    edge: '#e8590c',
  },
}

const FONT: Attributes = { fontname: 'Arial', fontcolor: '#2d3436' }

export function graphDefaults(theme: Theme): GraphDefaults {
  return {
    graph: {
      ...FONT,
      fontsize: '18',
      pad: '0.4',
      nodesep: '0.5',
      ranksep: '0.8',
      compound: 'true',
      splines: 'spline',
    },
    node: { ...FONT, shape: 'box', style: 'rounded', fontsize: '13', color: '#6c757d' },
    edge: { ...FONT, fontsize: '12', color: theme.edge, arrowsize: '0.8' },
  }
}

export function clusterLooks(theme: Theme, depth: number): Attributes {
  return {
    style: 'rounded',
    labeljust: 'l',
    fontsize: '14',
    margin: '14',
    pencolor: theme.border,
    bgcolor: theme.fillings[depth % theme.fillings.length],
  }
}

/** Width of an icon [inch] */
const ICON = 0.88

/** An icon with its label below. */
export function iconLooks(image: string, label: string): Attributes {
  const lines = label.split('\n')
  const longest = Math.max(...lines.map(({ length }) => length))
  return {
    shape: 'none',
    image,
    imagepos: 'tc',
    labelloc: 'b',
    fixedsize: 'true',
    width: Math.max(ICON + 0.2, longest * 0.1).toFixed(2),
    height: (ICON + 0.08 + lines.length * 0.24).toFixed(2),
  }
}
