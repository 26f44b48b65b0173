import { say } from '../languages/say.ts'

/**
 * What is worth knowing of well-known bodies.
 *
 * @source NASA planetary fact sheets and Solar System Exploration pages; discoveries: JPL Solar
 *   System Dynamics and the Gazetteer of Planetary Nomenclature; other stars: the papers that the
 *   catalog names
 */
export interface BodyNote {
  readonly text: string
  /** a turn against the stars [h] */
  readonly turn?: number
  /** a revolution against the stars, on average [days] */
  readonly year?: number
  /** year and discoverer */
  readonly found?: string
}

const GILLON = say('{found} and colleagues', { found: 'Michaël Gillon' })

export const BODY_NOTES: Readonly<Record<string, BodyNote>> = {
  Sun: {
    text: say(
      'A star of middle age, 4.6 billion years old. It holds 99.8 % of the mass around it.',
    ),
    turn: 609.1,
  },
  Mercury: {
    text: say('The smallest planet and the nearest to the Sun: 430 °C by day, −180 °C by night.'),
    turn: 1407.6,
    year: 87.969,
  },
  Venus: {
    text: say('Clouds of sulphuric acid above a ground of 465 °C. It turns backwards.'),
    turn: 5832.6,
    year: 224.701,
  },
  Earth: {
    text: say(
      'The only world known to have life, and the only one with seas of water in the open.',
    ),
    turn: 23.9345,
    year: 365.256,
  },
  Moon: {
    text: say('It always shows Earth the same side. Twelve people walked on it from 1969 to 1972.'),
    year: 27.3217,
  },
  Mars: {
    text: say(
      'Rust colours its deserts. Olympus Mons, a volcano, stands 22 km above its mean level.',
    ),
    turn: 24.6229,
    year: 686.98,
  },
  Phobos: {
    text: say('It circles Mars three times a day, and comes nearer by 1.8 cm a year.'),
    found: '1877, Asaph Hall',
  },
  Deimos: {
    text: say('The smaller and outer moon of Mars, about 12 km across.'),
    found: '1877, Asaph Hall',
  },
  Ceres: {
    text: say('The largest body between Mars and Jupiter. Bright salt lies in its crater Occator.'),
    turn: 9.0742,
    found: '1801, Giuseppe Piazzi',
  },
  Vesta: {
    text: say('The brightest asteroid. A collision left a basin 500 km wide at its south pole.'),
    turn: 5.3421,
    found: '1807, Heinrich Olbers',
  },
  Jupiter: {
    text: say('Heavier than all other planets together. The Great Red Spot is wider than Earth.'),
    turn: 9.9249,
    year: 4332.589,
  },
  Io: {
    text: say('The most volcanic world known: tides of Jupiter heat it, sulphur colours it.'),
    found: '1610, Galileo Galilei',
  },
  Europa: {
    text: say('Below its ice there is probably an ocean with more water than all seas of Earth.'),
    found: '1610, Galileo Galilei',
  },
  Ganymede: {
    text: say(
      'The largest moon, wider than Mercury, and the only one with its own magnetic field.',
    ),
    found: '1610, Galileo Galilei',
  },
  Callisto: {
    text: say(
      'Craters cover it everywhere: its surface has hardly changed for four billion years.',
    ),
    found: '1610, Galileo Galilei',
  },
  Saturn: {
    text: say('Its main rings are ice, 280,000 km across and mostly some ten metres thick.'),
    turn: 10.656,
    year: 10_759.22,
  },
  Mimas: {
    text: say('Its crater Herschel is a third as wide as the moon itself.'),
    found: '1789, William Herschel',
  },
  Enceladus: {
    text: say('Jets of water from an ocean below its ice feed the outermost wide ring of Saturn.'),
    found: '1789, William Herschel',
  },
  Tethys: {
    text: say(
      'Almost pure ice. The canyon Ithaca Chasma runs three quarters of the way around it.',
    ),
    found: '1684, Giovanni Domenico Cassini',
  },
  Dione: {
    text: say('Bright cliffs of ice cross the side that looks back along its orbit.'),
    found: '1684, Giovanni Domenico Cassini',
  },
  Rhea: {
    text: say('The second-largest moon of Saturn, three quarters of it ice.'),
    found: '1672, Giovanni Domenico Cassini',
  },
  Titan: {
    text: say('The only moon with a dense atmosphere. Its lakes are of methane and ethane.'),
    found: '1655, Christiaan Huygens',
  },
  Iapetus: {
    text: say(
      'One half is as dark as coal, the other as bright as snow. A ridge follows its equator.',
    ),
    found: '1671, Giovanni Domenico Cassini',
  },
  Uranus: {
    text: say('It lies on its side: each pole has 42 years of day and then 42 years of night.'),
    turn: 17.24,
    year: 30_685.4,
    found: '1781, William Herschel',
  },
  Miranda: {
    text: say('Its cliff Verona Rupes is perhaps 20 km high, the highest known.'),
    found: '1948, Gerard Kuiper',
  },
  Ariel: {
    text: say('The brightest of the large moons of Uranus, crossed by valleys.'),
    found: '1851, William Lassell',
  },
  Umbriel: {
    text: say('The darkest of the large moons of Uranus.'),
    found: '1851, William Lassell',
  },
  Titania: {
    text: say('The largest moon of Uranus.'),
    found: '1787, William Herschel',
  },
  Oberon: {
    text: say('The outermost of the large moons of Uranus.'),
    found: '1787, William Herschel',
  },
  Neptune: {
    text: say('Found where its pull on Uranus said it must be. Its winds reach 2,000 km/h.'),
    turn: 16.11,
    year: 60_189,
    found: '1846, Urbain Le Verrier, Johann Galle',
  },
  Triton: {
    text: say(
      'It circles Neptune backwards, so it was probably captured. Geysers rise from its ice.',
    ),
    found: '1846, William Lassell',
  },
  Pluto: {
    text: say('One half of its bright heart, Tombaugh Regio, is a plain of frozen nitrogen.'),
    turn: 153.293,
    year: 90_560,
    found: '1930, Clyde Tombaugh',
  },
  Charon: {
    text: say('Half as wide as Pluto. Each of the two always shows the other the same side.'),
    found: '1978, James Christy',
  },
  Eris: {
    text: say('A little smaller than Pluto, and a quarter heavier.'),
    found: '2005, Mike Brown, Chad Trujillo, David Rabinowitz',
  },
  'Alpha Centauri A': {
    text: say('With B and Proxima the nearest star to the Sun, and 1.5 times as bright.'),
  },
  'Alpha Centauri B': {
    text: say('It and A circle each other in 80 years, 11 to 36 au apart.'),
  },
  'Proxima Centauri': {
    text: say(
      'The nearest star to the Sun, 4.24 light years away: a dwarf of an eighth of its mass.',
    ),
    found: '1915, Robert Innes',
  },
  'Proxima d': {
    text: say('At least a quarter as heavy as Earth, and too hot for seas.'),
    found: say('{found} and colleagues', { found: '2022, João Faria' }),
  },
  'Proxima b': {
    text: say('At least as heavy as Earth, and so far from its star that water could be liquid.'),
    found: say('{found} and colleagues', { found: '2016, Guillem Anglada-Escudé' }),
  },
  'TRAPPIST-1': {
    text: say('A red dwarf little wider than Jupiter, 41 light years away, with seven planets.'),
    found: say('planets 2016 and 2017, {found}', { found: GILLON }),
  },
  'TRAPPIST-1 b': {
    text: say('The Webb telescope measured 230 °C on its day side, so it has little air or none.'),
    found: `2016, ${GILLON}`,
  },
  'TRAPPIST-1 c': {
    text: say('As much sunlight as Venus has, and no thick air of carbon dioxide.'),
    found: `2016, ${GILLON}`,
  },
  'TRAPPIST-1 d': { text: say('Less than half as heavy as Earth.'), found: `2016, ${GILLON}` },
  'TRAPPIST-1 e': {
    text: say('Of the seven the most like Earth in size, density and sunlight.'),
    found: `2017, ${GILLON}`,
  },
  'TRAPPIST-1 f': {
    text: say('As large as Earth, with as much light as Mars.'),
    found: `2017, ${GILLON}`,
  },
  'TRAPPIST-1 g': { text: say('The largest of the seven.'), found: `2017, ${GILLON}` },
  'TRAPPIST-1 h': { text: say('The smallest and coldest of the seven.'), found: `2017, ${GILLON}` },
}
