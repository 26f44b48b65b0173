// Sources in the DOT language, by what they show.

function large(nodes: number): string {
  const edges = Array.from({ length: nodes - 1 }, (_, i) => `n${i >> 1} -> n${i + 1};`)
  return `digraph { ${edges.join(' ')} }`
}

export const graphvizSamples: Readonly<Record<string, string>> = {
  'one edge': 'digraph { client -> server [label=asks] }',
  undirected: 'graph { a -- b -- c -- a }',
  strict: 'strict digraph "once" { a -> b; a -> b; a -> b }',
  comments: '// first\n# second\n/* third { */ digraph g { a -> b /* inside */ }',
  'left to right': 'digraph { rankdir=LR; a -> b -> c -> d }',
  ranks: 'digraph { { rank=same; a; b } a -> c; b -> c; { rank=max; c } }',
  nested: `digraph {
    subgraph cluster_region {
      label=Frankfurt
      subgraph cluster_a { label="Zone A"; web_a -> app_a }
      subgraph cluster_b { label="Zone B"; web_b -> app_b }
      app_a -> app_b [dir=both label=replicates]
    }
    users -> web_a; users -> web_b
  }`,
  'edges between clusters': `digraph {
    compound=true
    subgraph cluster_0 { a b }
    subgraph cluster_1 { c d }
    a -> c [ltail=cluster_0 lhead=cluster_1]
  }`,
  sequence: `digraph {
    rankdir=LR; node [shape=plaintext]; edge [arrowhead=none style=dotted]
    browser -> b1 -> b2; gateway -> g1 -> g2
    b1, b2, g1, g2 [shape=point]
    { rank=same; b1; g1 } { rank=same; b2; g2 }
    edge [arrowhead=normal style=solid constraint=false]
    b1 -> g1 [label="GET /"]; g2 -> b2 [label="200"]
  }`,
  records: `digraph { node [shape=record]
    s [label="{<a> id|name|{x|y}}"]; t [label="<b> z"]; s:a -> t:b }`,
  'html tables': `digraph { t [shape=none label=<
    <table border="0" cellborder="1"><tr><td port="p"><b>orders</b></td></tr>
    <tr><td align="left">id <i>uuid</i></td></tr></table>>]; t:p -> u }`,
  shapes: `digraph { a [shape=cylinder]; b [shape=box3d]; c [shape=diamond]; d [shape=folder];
    e [shape=component]; f [shape=doublecircle]; a -> b -> c -> d -> e -> f }`,
  colours: `digraph { bgcolor="#f8fafc"
    node [style="filled,rounded" shape=box fillcolor="#dbeafe"];
    a -> b [color="#b91c1c:#1d4ed8" penwidth=2]
    c [fillcolor="#fde68a:#fca5a5" gradientangle=90] }`,
  splines: 'digraph { splines=ortho; a -> b; a -> c; b -> d; c -> d }',
  'spring layout': 'graph { layout=neato; a -- b -- c -- d -- a; a -- c }',
  'radial layout': 'graph { layout=twopi; root=hub; hub -- a; hub -- b; hub -- c; c -- d }',
  'circular layout': 'graph { layout=circo; a -- b -- c -- d -- e -- a }',
  'ports and loops': 'digraph { a -> a [label=again]; a:e -> b:w; b -> a [style=dashed weight=0] }',
  'other scripts': 'digraph { "Zürich Süd" -> "Αθήνα" [label="→ 10 Gbit/s"]; "Київ" -> "Αθήνα" }',
  large: large(400),
}
