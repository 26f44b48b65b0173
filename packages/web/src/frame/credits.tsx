/** Whose work the page shows. */
import type { JSX } from 'preact'

const CREDITS: readonly string[] = [
  'Earth by day: Blue Marble, by night: Black Marble, NASA Earth Observatory; three-globe, MIT',
  'Clouds: Tom Patterson, shadedrelief.com, and webgl-earth; three-globe, MIT',
  'Stars, constellations: XHIP, Anderson and Francis 2012; d3-celestial, Olaf Frohn, BSD-3-Clause',
  'Milky Way: outlines by Jose R. Vieira; d3-celestial, Olaf Frohn, BSD-3-Clause',
  'Where bodies are: integrated by this server from the start values of JPL',
  'How bodies turn: IAU Working Group on Cartographic Coordinates, report of 2015',
  'Facts: NASA planetary fact sheets, JPL Solar System Dynamics',
  'Other worlds are drawn by programs from their colours, not from photographs',
  'Graphics: three.js, MIT; interface: Preact, MIT',
]

export function Credits(): JSX.Element {
  return (
    <ul>
      {CREDITS.map((credit) => (
        <li key={credit}>{credit}</li>
      ))}
    </ul>
  )
}
