/** What the readings of an instrument mean. */
import type { JSX } from 'preact'
import { say } from '../../languages/say.ts'
import { INSTRUMENT_WORDS, type Instrument, explained } from '../../elements/explain.tsx'
import { Choice } from '../../elements/quantity-input.tsx'

type Meaning = readonly [name: string, words: string]

const MEANINGS: Readonly<Record<Instrument, readonly Meaning[]>> = {
  Orbit: [
    [say('Altitude'), say('Height over the mean radius of the body that the ship goes round.')],
    [say('Speed'), say('Relative to the centre of that body.')],
    [say('Vertical'), say('How fast the altitude grows; below zero it falls.')],
    [say('Ground'), say('Speed over the ground, which turns with the body.')],
    [
      say('Apoapsis'),
      say('The highest point of the orbit. A burn prograde raises the opposite side.'),
    ],
    [
      say('Periapsis'),
      say('The lowest point; below the ground or in air the ship will hit the body.'),
    ],
    [say('T−'), say('The time until then.')],
    [say('Period'), say('The time of one revolution.')],
    [say('Inclination'), say('The tilt of the orbit to the equator, or to the ecliptic.')],
    [say('Excess speed'), say('What is left far away, on a way that leaves the body for good.')],
  ],
  Ball: [
    [say('Blue and brown'), say('The sky and the ground. The wings in the middle are the nose.')],
    [say('HDG'), say('The compass heading of the nose: 0° is north, 90° is east.')],
    [say('PIT'), say('How far the nose is above the horizon.')],
    [say('ROL'), say('How far the wings are tilted.')],
    [
      say('Signs on it'),
      say('The directions that the buttons of Steering point to, in their colours.'),
    ],
  ],
  Ship: [
    [
      say('Δv left'),
      say('By how much the fuel can change the velocity: the range of a spacecraft.'),
    ],
    [say('Thrust'), say('Acceleration by the engine now; 1 g is the weight felt on Earth.')],
    [say('Fuel'), say('Mass in the tanks. Stations fill them.')],
    [
      say('Wheels'),
      say('How full of momentum the reaction wheels are; full ones cannot turn the hull.'),
    ],
    [say('Next burn'), say('The next burn ordered or previewed, and when it begins.')],
    [say('In step'), say('Whether this page and the server fly the ship alike, to the bit.')],
  ],
  Steering: [
    [
      say('Prograde, retrograde'),
      say('Along the flight and against it: burns make the orbit larger or smaller.'),
    ],
    [say('Normal, antinormal'), say('Across the orbit: burns tilt it.')],
    [say('Radial'), say('Up and down: burns shift where the orbit is highest.')],
    [say('Target, away'), say('At the chosen target and away from it.')],
    [say('Star'), say('At the star of the system.')],
    [
      say('Hold, stop, freely'),
      say('Keeps this attitude, ends all turning, or lets the hull turn.'),
    ],
    [
      say('Thrusters unload the wheels'),
      say('Small thrusters empty the wheels, for a little fuel.'),
    ],
  ],
  Target: [
    [say('Distance'), say('To its surface or hull.')],
    [say('Closing'), say('How fast the distance shrinks, and the time until there at this speed.')],
    [say('Closest ahead'), say('How near both come on a straight way.')],
    [say('Relative speed'), say('What a rendezvous has to take away.')],
    [say('Off the nose'), say('The angle from the nose to the target.')],
    [say('Rel. inclination'), say('The angle between both orbits, which costs Δv to take away.')],
    [say('Dock'), say('Flies to the station from anywhere and docks there.')],
  ],
  Ahead: [
    [
      say('The list'),
      say('What the ship will meet on its way, forecast by the physics of the server.'),
    ],
    [say('Span'), say('How far ahead it looks. Longer takes longer to compute.')],
    [
      say('Apsides here'),
      say('The true extremes of the way; the orbit instrument has those of the moment.'),
    ],
  ],
}

const INSTRUMENTS = Object.keys(MEANINGS) as Instrument[]

export function Meanings(): JSX.Element {
  return (
    <>
      <Choice
        label={say('Instrument')}
        name="instrument"
        value={explained.value}
        onChoose={(name) => {
          explained.value = INSTRUMENTS.find((one) => one === name) ?? explained.value
        }}
      >
        {INSTRUMENTS.map((name) => (
          <option key={name} value={name}>
            {INSTRUMENT_WORDS[name]}
          </option>
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
