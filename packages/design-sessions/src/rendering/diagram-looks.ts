import type { Attributes } from './diagram-graph.ts'

/** Colours that readers know a provider by: border and filling. */
const PROVIDERS: Readonly<Record<string, readonly [border: string, filling: string]>> = {
  aws: ['#d97706', '#fff4e0'],
  azure: ['#0369a1', '#e3f2fd'],
  gcp: ['#2563eb', '#e8f0fe'],
  k8s: ['#3155c6', '#e9eefb'],
  openstack: ['#be123c', '#ffe9ee'],
  oci: ['#b91c1c', '#fdeaea'],
  ibm: ['#1d4ed8', '#e6ecff'],
  alibabacloud: ['#c2410c', '#fff0e5'],
  digitalocean: ['#0284c7', '#e5f5ff'],
  elastic: ['#0f766e', '#e2f7f4'],
  onprem: ['#475569', '#f1f5f9'],
}

const OTHER = ['#4b5563', '#f6f7f9'] as const

/** Shapes by what a module of the library holds. */
const SHAPES: Readonly<Record<string, string>> = {
  database: 'cylinder',
  inmemory: 'cylinder',
  storage: 'cylinder',
  queue: 'cds',
  integration: 'cds',
  messaging: 'cds',
  analytics: 'component',
  network: 'hexagon',
  dns: 'hexagon',
  cdn: 'hexagon',
  security: 'octagon',
  identity: 'octagon',
  auth: 'octagon',
  client: 'ellipse',
  general: 'ellipse',
  device: 'ellipse',
  compute: 'box3d',
  container: 'box3d',
  containers: 'box3d',
}

/**
 * How a node is drawn that in the library has an icon: shape by its kind, colour by its provider.
 *
 * @param module  such as `diagrams.aws.compute`
 */
export function nodeLooks(module: string): Attributes {
  const [, provider, kind = ''] = module.split('.')
  const [color, fillcolor] = PROVIDERS[provider] ?? OTHER
  return { shape: SHAPES[kind] ?? 'box', style: 'filled', color, fillcolor }
}

/** How a cluster is drawn, by how many it lies in. */
export function clusterLooks(depth: number): Attributes {
  const filling = ['#eef3fb', '#e4ebf7', '#f3f0fb', '#eef7f1'][depth % 4]
  return {
    style: 'rounded,filled',
    color: '#aebacd',
    fillcolor: filling,
    labeljust: 'l',
    fontsize: '14',
  }
}
