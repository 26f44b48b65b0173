import type { Row } from './say.ts'

export const GERMAN_PLACES: Readonly<Record<string, Row>> = {
  'Search places': 'Orte suchen',
  Search: 'Suchen',
  'No place has this name.': 'Kein Ort heißt so.',
  '{found} and colleagues': '{found} und Mitarbeiter',
  'A star of middle age, 4.6 billion years old. It holds 99.8 % of the mass around it.':
    'Ein Stern mittleren Alters, 4,6 Milliarden Jahre alt. Er hat 99,8 % der Masse ringsum.',
  'The smallest planet and the nearest to the Sun: 430 °C by day, −180 °C by night.':
    'Der kleinste Planet und der sonnennächste: 430 °C bei Tag, −180 °C bei Nacht.',
  'Clouds of sulphuric acid above a ground of 465 °C. It turns backwards.':
    'Wolken aus Schwefelsäure über 465 °C heißem Grund. Sie dreht sich rückwärts.',
  'The only world known to have life, and the only one with seas of water in the open.':
    'Die einzige Welt, auf der Leben bekannt ist, und die einzige mit offenen Meeren aus Wasser.',
  'It always shows Earth the same side. Twelve people walked on it from 1969 to 1972.':
    'Er zeigt der Erde immer dieselbe Seite. Zwölf Menschen gingen dort von 1969 bis 1972.',
  'Rust colours its deserts. Olympus Mons, a volcano, stands 22 km above its mean level.':
    'Rost färbt seine Wüsten. Der Vulkan Olympus Mons ragt 22 km über sein mittleres Niveau.',
  'It circles Mars three times a day, and comes nearer by 1.8 cm a year.':
    'Er umkreist den Mars dreimal am Tag und kommt ihm jährlich um 1,8 cm näher.',
  'The smaller and outer moon of Mars, about 12 km across.':
    'Der kleinere, äußere Mond des Mars, etwa 12 km groß.',
  'The largest body between Mars and Jupiter. Bright salt lies in its crater Occator.':
    'Der größte Himmelskörper zwischen Mars und Jupiter. Im Krater Occator liegt helles Salz.',
  'The brightest asteroid. A collision left a basin 500 km wide at its south pole.':
    'Der hellste Asteroid. Ein Zusammenstoß hinterließ am Südpol ein 500 km weites Becken.',
  'Heavier than all other planets together. The Great Red Spot is wider than Earth.':
    'Schwerer als alle anderen Planeten zusammen. Der Große Rote Fleck ist größer als die Erde.',
  'The most volcanic world known: tides of Jupiter heat it, sulphur colours it.':
    'Die vulkanischste bekannte Welt: Gezeiten des Jupiter heizen sie, Schwefel färbt sie.',
  'Below its ice there is probably an ocean with more water than all seas of Earth.':
    'Unter dem Eis liegt wohl ein Ozean mit mehr Wasser als alle Meere der Erde.',
  'The largest moon, wider than Mercury, and the only one with its own magnetic field.':
    'Der größte Mond, größer als Merkur, und der einzige mit eigenem Magnetfeld.',
  'Craters cover it everywhere: its surface has hardly changed for four billion years.':
    'Überall Krater: seine Oberfläche ist seit vier Milliarden Jahren fast unverändert.',
  'Its main rings are ice, 280,000 km across and mostly some ten metres thick.':
    'Die Hauptringe sind Eis, 280.000 km weit und meist um zehn Meter dick.',
  'Its crater Herschel is a third as wide as the moon itself.':
    'Sein Krater Herschel ist ein Drittel so groß wie der Mond selbst.',
  'Jets of water from an ocean below its ice feed the outermost wide ring of Saturn.':
    'Wasserstrahlen aus einem Ozean unter dem Eis speisen den äußersten breiten Ring des Saturn.',
  'Almost pure ice. The canyon Ithaca Chasma runs three quarters of the way around it.':
    'Fast reines Eis. Der Graben Ithaca Chasma umrundet ihn zu drei Vierteln.',
  'Bright cliffs of ice cross the side that looks back along its orbit.':
    'Helle Eisklippen durchziehen die Seite, die entgegen der Bahn blickt.',
  'The second-largest moon of Saturn, three quarters of it ice.':
    'Der zweitgrößte Mond des Saturn, zu drei Vierteln aus Eis.',
  'The only moon with a dense atmosphere. Its lakes are of methane and ethane.':
    'Der einzige Mond mit dichter Atmosphäre. Seine Seen sind aus Methan und Ethan.',
  'One half is as dark as coal, the other as bright as snow. A ridge follows its equator.':
    'Eine Hälfte dunkel wie Kohle, die andere hell wie Schnee. Ein Grat folgt dem Äquator.',
  'It lies on its side: each pole has 42 years of day and then 42 years of night.':
    'Er liegt auf der Seite: jeder Pol hat 42 Jahre Tag und dann 42 Jahre Nacht.',
  'Its cliff Verona Rupes is perhaps 20 km high, the highest known.':
    'Seine Klippe Verona Rupes ist vielleicht 20 km hoch, die höchste bekannte.',
  'The brightest of the large moons of Uranus, crossed by valleys.':
    'Der hellste der großen Uranusmonde, von Tälern durchzogen.',
  'The darkest of the large moons of Uranus.': 'Der dunkelste der großen Uranusmonde.',
  'The largest moon of Uranus.': 'Der größte Mond des Uranus.',
  'The outermost of the large moons of Uranus.': 'Der äußerste der großen Uranusmonde.',
  'Found where its pull on Uranus said it must be. Its winds reach 2,000 km/h.':
    'Gefunden, wo er nach seinem Zug am Uranus sein musste. Winde bis 2.000 km/h.',
  'It circles Neptune backwards, so it was probably captured. Geysers rise from its ice.':
    'Er umkreist Neptun rückwärts, ist also wohl eingefangen. Geysire steigen aus dem Eis.',
  'One half of its bright heart, Tombaugh Regio, is a plain of frozen nitrogen.':
    'Eine Hälfte des hellen Herzens, Tombaugh Regio, ist eine Ebene aus gefrorenem Stickstoff.',
  'Half as wide as Pluto. Each of the two always shows the other the same side.':
    'Halb so groß wie Pluto. Beide zeigen einander immer dieselbe Seite.',
  'A little smaller than Pluto, and a quarter heavier.':
    'Etwas kleiner als Pluto und ein Viertel schwerer.',
  'With B and Proxima the nearest star to the Sun, and 1.5 times as bright.':
    'Mit B und Proxima der sonnennächste Stern, und 1,5-mal so hell wie sie.',
  'It and A circle each other in 80 years, 11 to 36 au apart.':
    'Er und A umkreisen einander in 80 Jahren, 11 bis 36 AE entfernt.',
  'The nearest star to the Sun, 4.24 light years away: a dwarf of an eighth of its mass.':
    'Der sonnennächste Stern, 4,24 Lichtjahre entfernt: ein Zwerg mit einem Achtel ihrer Masse.',
  'At least a quarter as heavy as Earth, and too hot for seas.':
    'Mindestens ein Viertel so schwer wie die Erde, und zu heiß für Meere.',
  'At least as heavy as Earth, and so far from its star that water could be liquid.':
    'Mindestens so schwer wie die Erde, und so weit vom Stern, dass Wasser flüssig sein könnte.',
  'A red dwarf little wider than Jupiter, 41 light years away, with seven planets.':
    'Ein roter Zwerg, kaum größer als Jupiter, 41 Lichtjahre entfernt, mit sieben Planeten.',
  'planets 2016 and 2017, {found}': 'Planeten 2016 und 2017, {found}',
  'The Webb telescope measured 230 °C on its day side, so it has little air or none.':
    'Das Webb-Teleskop maß 230 °C auf der Tagseite, also hat er wenig oder keine Luft.',
  'As much sunlight as Venus has, and no thick air of carbon dioxide.':
    'So viel Sternenlicht wie die Venus, und keine dicke Luft aus Kohlendioxid.',
  'Less than half as heavy as Earth.': 'Weniger als halb so schwer wie die Erde.',
  'Of the seven the most like Earth in size, density and sunlight.':
    'Von den sieben der Erde am ähnlichsten in Größe, Dichte und Licht.',
  'As large as Earth, with as much light as Mars.':
    'So groß wie die Erde, mit so viel Licht wie der Mars.',
  'The largest of the seven.': 'Der größte der sieben.',
  'The smallest and coldest of the seven.': 'Der kleinste und kälteste der sieben.',
  Radius: 'Radius',
  Mass: 'Masse',
  'Rotation period': 'Rotationszeit',
  'Lit side seen': 'Beleuchtet zu sehen',
  Found: 'Entdeckt',
  'Error {years}': 'Fehler {years}',
  'From {body}': 'Abstand: {body}',
  'Orbital period': 'Umlaufzeit',
  'Leads to': 'Führt nach',
  'Target ({key})': 'Ziel ({key})',
  'What they do': 'Was sie tun',
  'Search ships': 'Schiffe suchen',
  'Sort ships by': 'Schiffe ordnen nach',
  'No other ship with this name is in view.': 'Kein anderes Schiff dieses Namens ist in Sicht.',
  'The nearest {n} of {all}.': 'Die nächsten {n} von {all}.',
  'Who is online is not known now.': 'Wer online ist, ist gerade unbekannt.',
  '{n} other pilots are online': {
    one: '{n} weiterer Pilot ist online',
    other: '{n} weitere Piloten sind online',
  },
  '{pilots}, {n} in other star systems.': '{pilots}, {n} in anderen Sternsystemen.',
  '{doing}, online': '{doing}, online',
  'Target {name}': 'Ziel {name}',
  'Star system': 'Sternsystem',
  '{n} bodies': { one: '{n} Himmelskörper', other: '{n} Himmelskörper' },
  'target · {kind}': 'Ziel · {kind}',
  'It is out of view: only its name is known.': 'Außer Sicht: nur der Name ist bekannt.',
  'Look at it': 'Ansehen',
  'Fly to it and match its speed': 'Hinfliegen und die Geschwindigkeit angleichen',
  'Drop the target': 'Ziel aufgeben',
  Drop: 'Aufgeben',
  'Rendezvous with {name}': 'Rendezvous mit {name}',
  'Fly to it and match its speed.': 'Hinfliegen und die Geschwindigkeit angleichen.',
  'To its surface or hull': 'Bis zur Oberfläche oder zum Rumpf',
  Receding: 'Entfernt sich',
  'How near both come if neither turns': 'Wie nah sich beide kommen, wenn keines dreht',
  'Angle from the nose': 'Winkel von der Nase',
  'Angle between the planes of both orbits': 'Winkel zwischen beiden Bahnebenen',
  away: 'Entweichen',
  'Above {body}': 'Über {body}',
  'Fly to it and dock': 'Hinfliegen und andocken',
  'Jump, where the ship is beside it': 'Springen, wenn das Schiff daneben ist',
  star: 'Stern',
  planet: 'Planet',
  'dwarf planet': 'Zwergplanet',
  moon: 'Mond',
  asteroid: 'Asteroid',
  '{kind} of {body}': '{kind} ({body})',
  '3 hours': '3 Stunden',
  '1 day': '1 Tag',
  '4 days': '4 Tage',
  '16 days': '16 Tage',
  'How far ahead': 'Wie weit voraus',
  'The way ahead is being computed.': 'Der Weg voraus wird berechnet.',
  'Nothing changes: a steady orbit.': 'Nichts ändert sich: eine stetige Umlaufbahn.',
  'The ship stays where it is.': 'Das Schiff bleibt, wo es ist.',
  ['As it will be flown. The instruments show the apsis of the orbit as it is now, as if ' +
  'the body alone pulled and were a perfect sphere: they differ by kilometres.']:
    'Wie es geflogen wird. Die Instrumente zeigen die Apside der jetzigen Bahn, als zöge ' +
    'der Himmelskörper allein und als vollkommene Kugel: Unterschied einige Kilometer.',
}
