// Goal: what engines make of hostile sources has no scripts and no references to other hosts or
// files. Method: every engine with attacks in all places that its language has.
import { expect, test } from 'vitest'
import type { DiagramEngine } from '../../../src/engines/drawing.ts'
import { sharedRenderer } from '../../renderer.ts'

const renderer = sharedRenderer()

const HOSTILE: readonly (readonly [DiagramEngine, string])[] = [
  [
    'd2',
    `note: |md
      <script>alert(1)</script> <img src="x" onerror="alert(1)"/> [go](javascript:alert(1))
    |
    a: {link: "javascript:alert(1)"; icon: file:///etc/passwd; tooltip: "<script>alert(1)</script>"}
    b: {icon: "https://evil.example/x.png"}
    a -> b: "</text><script>alert(1)</script>"`,
  ],
  [
    'graphviz',
    `digraph { a [URL="javascript:alert(1)" tooltip="<script>" image="/etc/passwd"];
      b [href="file:///etc/passwd" label="</text><script>alert(1)</script>"];
      c [label=<<table><tr><td href="javascript:alert(1)">x</td></tr></table>>] ;
      d [shapefile="/etc/passwd"]; imagepath="/etc"; stylesheet="https://evil.example/x.css" }`,
  ],
  [
    'mermaid',
    `flowchart LR
      a["<script>alert(1)</script><img src=x onerror=alert(1)>"] --> b
      click a href "javascript:alert(1)"
      click b call alert(1)`,
  ],
  [
    'diagrams_py',
    `from diagrams import Diagram
from diagrams.custom import Custom
with Diagram("</title><script>alert(1)</script>", show=False):
    Custom("<script>", "/etc/passwd") >> Custom("x", "https://evil.example/x.png")
    Custom("y", URL="javascript:alert(1)", href="file:///etc/passwd")`,
  ],
]

test.each(HOSTILE)('%s has no hostile output', async (engine, source) => {
  const result = await renderer.render({ engine, source })
  if (!result.ok) throw new Error(result.error)
  const text = Buffer.from(result.outputs[0].bytes).toString()
  expect(text).toMatch(/^<svg /)
  expect(text.match(/<script|<img|<foreignObject|<iframe|<\?xml-stylesheet/g)).toBeNull()
  const references = [...text.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
  expect(references.filter((target) => !/^#|^data:image\/svg/.test(target))).toEqual([])
  const tags = text.match(/<[^>]*>/g) ?? []
  expect(tags.filter((tag) => /javascript:|file:|evil\.example|\son\w+=/i.test(tag))).toEqual([])
})
