/** What the readings of an instrument mean. */
import type { JSX } from 'preact'
import { type Instrument, explained } from '../elements/explain.tsx'
import { Choice } from '../elements/quantity-input.tsx'

type Meaning = readonly [name: string, words: string]

const MEANINGS: Readonly<Record<Instrument, readonly Meaning[]>> = {
  Orbit: [
    ['Altitude', 'Height over the mean radius of the body that the ship goes round.'],
    ['Speed', 'Relative to the centre of that body.'],
    ['Vertical', 'How fast the altitude grows; below zero it falls.'],
    ['Ground', 'Speed over the ground, which turns with the body.'],
    ['Apoapsis', 'The highest point of the orbit. A burn prograde raises the opposite side.'],
    ['Periapsis', 'The lowest point; below the ground or in air the ship will hit the body.'],
    ['T−', 'The time until then.'],
    ['Period', 'The time of one revolution.'],
    ['Inclination', 'The tilt of the orbit to the equator, or to the ecliptic.'],
    ['Excess speed', 'What is left far away, on a way that leaves the body for good.'],
  ],
  Ball: [
    ['Blue and brown', 'The sky and the ground. The wings in the middle are the nose.'],
    ['HDG', 'The compass heading of the nose: 0° is north, 90° is east.'],
    ['PIT', 'How far the nose is above the horizon.'],
    ['ROL', 'How far the wings are tilted.'],
    ['Signs on it', 'The directions that the buttons of Steering point to, in their colours.'],
  ],
  Ship: [
    ['Δv left', 'By how much the fuel can change the velocity: the range of a spacecraft.'],
    ['Thrust', 'Acceleration by the engine now; 1 g is the weight felt on Earth.'],
    ['Fuel', 'Mass in the tanks. Stations fill them.'],
    ['Wheels', 'How full of momentum the reaction wheels are; full ones cannot turn the hull.'],
    ['Next burn', 'The next burn ordered or previewed, and when it begins.'],
    ['In step', 'Whether this page and the server fly the ship alike, to the bit.'],
  ],
  Steering: [
    [
      'Prograde, retrograde',
      'Along the flight and against it: burns make the orbit larger or smaller.',
    ],
    ['Normal, antinormal', 'Across the orbit: burns tilt it.'],
    ['Radial', 'Up and down: burns shift where the orbit is highest.'],
    ['Target, away', 'At the chosen target and away from it.'],
    ['Star', 'At the star of the system.'],
    ['Hold, stop, freely', 'Keeps this attitude, ends all turning, or lets the hull turn.'],
    ['Thrusters unload the wheels', 'Small thrusters empty the wheels, for a little fuel.'],
  ],
  Target: [
    ['Distance', 'To its surface or hull.'],
    ['Closing', 'How fast the distance shrinks, and the time until there at this speed.'],
    ['Closest ahead', 'How near both come on a straight way.'],
    ['Relative speed', 'What a rendezvous has to take away.'],
    ['Off the nose', 'The angle from the nose to the target.'],
    ['Rel. inclination', 'The angle between both orbits, which costs Δv to take away.'],
    ['Dock', 'Flies to the station from anywhere and docks there.'],
  ],
  Ahead: [
    ['The list', 'What the ship will meet on its way, forecast by the physics of the server.'],
    ['Span', 'How far ahead it looks. Longer takes longer to compute.'],
    ['Apsides here', 'The true extremes of the way; the orbit instrument has those of the moment.'],
  ],
}

const INSTRUMENTS = Object.keys(MEANINGS) as Instrument[]

export function Meanings(): JSX.Element {
  return (
    <>
      <Choice
        label="Instrument"
        name="instrument"
        value={explained.value}
        onChoose={(name) => {
          explained.value = INSTRUMENTS.find((one) => one === name) ?? explained.value
        }}
      >
        {INSTRUMENTS.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Choice>
      <dl class="meanings">
        {MEANINGS[explained.value].map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
