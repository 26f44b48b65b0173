/** Whose work the page shows. */
import { say } from '../languages/say.ts'
import type { JSX } from 'preact'

const CREDITS: readonly string[] = [
  say(
    'Earth by day: Blue Marble, by night: Black Marble, NASA Earth Observatory; ' +
      'three-globe, MIT',
  ),
  say('Clouds: Tom Patterson, shadedrelief.com, and webgl-earth; three-globe, MIT'),
  say(
    'Stars, constellations: XHIP, Anderson and Francis 2012; d3-celestial, Olaf Frohn, ' +
      'BSD-3-Clause',
  ),
  say('Milky Way: outlines by Jose R. Vieira; d3-celestial, Olaf Frohn, BSD-3-Clause'),
  say('Where bodies are: integrated by this server from the start values of JPL'),
  say('How bodies turn: IAU Working Group on Cartographic Coordinates, report of 2015'),
  say('Facts: NASA planetary fact sheets, JPL Solar System Dynamics'),
  say('Other worlds are drawn by programs from their colours, not from photographs'),
  say('Graphics: three.js, MIT; interface: Preact, MIT'),
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
