import type { Row } from './say.ts'

export const GERMAN_PAGE: Readonly<Record<string, Row>> = {
  'No key does this now.': 'Keine Taste tut dies jetzt.',
  'This key keeps what it does in browsers. Press another.':
    'Diese Taste behält, was sie im Browser tut. Eine andere drücken.',
  'Press a key; Delete for none, Escape to leave it.':
    'Eine Taste drücken; Entf für keine, Esc lässt alles.',
  Altitude: 'Höhe',
  Speed: 'Geschw.',
  Apoapsis: 'Apoapsis',
  Periapsis: 'Periapsis',
  Inclination: 'Inklination',
  Fuel: 'Treibstoff',
  Distance: 'Entfernung',
  Paused: 'Angehalten',
  Language: 'Sprache',
  'As the browser': 'Wie im Browser',
  'The page loads again in another language.': 'In einer anderen Sprache lädt die Seite neu.',
  'This browser keeps no login: after a reload, sign in again. The ship flies on meanwhile.':
    'Dieser Browser merkt sich keine Anmeldung: nach dem Neuladen neu anmelden. Das ' +
    'Schiff fliegt inzwischen weiter.',
  'Your sign-in has expired. The ship flies on; sign in to steer it again.':
    'Die Anmeldung ist abgelaufen. Das Schiff fliegt weiter; zum Steuern neu anmelden.',
  'Sign in': 'Anmelden',
  'The connection is slow: an answer takes {seconds} s. Other ships may be shown late.':
    'Die Verbindung ist langsam: eine Antwort dauert {seconds} s. Andere Schiffe ' +
    'erscheinen vielleicht verspätet.',
  'Ships are still arriving: {known} of {inView}.':
    'Es kommen noch Schiffe an: {known} von {inView}.',
  'An administrator lets game time run at another pace.':
    'Die Spielleitung lässt die Spielzeit anders schnell laufen.',
  'The server brings the game back to UTC.': 'Der Server führt das Spiel zu UTC zurück.',
  'The game keeps its own time: nothing corrects it to UTC.':
    'Das Spiel hat seine eigene Zeit: nichts gleicht sie an UTC an.',
  'in step with UTC': 'im Takt mit UTC',
  '{time} behind UTC': '{time} hinter UTC',
  '{time} ahead of UTC': '{time} vor UTC',
  'This browser draws no WebGL 2, so there is no picture. Everything else works.':
    'Dieser Browser zeichnet kein WebGL 2, darum gibt es kein Bild. Alles andere geht.',
  'Constellations do not load.': 'Die Sternbilder laden nicht.',
  'Space. Arrow keys turn the view, plus and minus zoom, question mark shows all keys.':
    'Weltraum. Pfeiltasten drehen den Blick, Plus und Minus zoomen, das Fragezeichen ' +
    'zeigt alle Tasten.',
  'There is no picture to save: this browser draws none.':
    'Es gibt kein Bild zum Speichern: dieser Browser zeichnet keines.',
  'The server does not answer. The page tries again every ten seconds.':
    'Der Server antwortet nicht. Die Seite versucht es alle zehn Sekunden.',
  'The server does not answer': 'Der Server antwortet nicht',
  'The graphics card is not available. The picture returns as soon as it is.':
    'Die Grafikkarte ist nicht verfügbar. Das Bild kehrt mit ihr zurück.',
  Reload: 'Neu laden',
  body: 'Himmelskörper',
  ship: 'Schiff',
  station: 'Station',
  'jump gate': 'Sprungtor',
  'The link cannot be read.': 'Der Link ist nicht lesbar.',
  '{system} has no body {name}.': 'In {system} gibt es {name} nicht.',
  'its pilot lets no guest see it': 'sein Pilot lässt keine Gäste zusehen',
  'out of sight': 'außer Sicht',
  'The {kind} of the link is gone, or {why}.':
    'Was der Link zeigt ({kind}), ist nicht mehr da, oder: {why}.',
  'The link leads to {system}, and your ship is in {own}.':
    'Der Link führt nach {system}, das Schiff ist in {own}.',
  'There is no star system {system} here.': 'Ein Sternsystem {system} gibt es hier nicht.',
  'The date of the link cannot be read.': 'Das Datum des Links ist nicht lesbar.',
  'This is the view without it.': 'Dies ist die Ansicht ohne ihn.',
  'Nothing is known of the ship yet.': 'Vom Schiff ist noch nichts bekannt.',
  'apoapsis is needed: the present orbit has none.': 'apoapsis fehlt: die jetzige Bahn hat keine.',
  'apoapsis must be a number of kilometres.': 'apoapsis muss eine Zahl in Kilometern sein.',
  'periapsis must be a number of kilometres.': 'periapsis muss eine Zahl in Kilometern sein.',
  'periapsis must be above the middle of the body.':
    'periapsis muss über der Mitte des Himmelskörpers liegen.',
  'periapsis must not be above the apoapsis.': 'periapsis darf nicht über der Apoapsis liegen.',
  '{n} au': '{n} AE',
  '{n} million nmi': '{n} Mio. sm',
  '{n} million km': '{n} Mio. km',
  '{n} days': '{n} Tage',
  '{n} years': '{n} Jahre',
  paused: 'angehalten',
  'real time': 'Echtzeit',
  '{pace} × real time': '{pace} × Echtzeit',
  'Semi-major axis': 'Große Halbachse',
  Eccentricity: 'Exzentrizität',
  'Ascending node': 'Aufst. Knoten',
  Throttle: 'Schub',
  'Give up after': 'Aufgeben nach',
  days: 'Tage',
  'Leave within': 'Aufbruch binnen',
  'Δv at most': 'Δv höchstens',
  Duration: 'Dauer',
  destroyed: 'zerstört',
  'burns, {level}': 'Schub, {level}',
  'docked, {station}': 'angedockt, {station}',
  turns: 'dreht',
  coasts: 'fliegt antriebslos',
  'a ship': 'ein Schiff',
  'a station': 'eine Station',
  'a jump gate': 'ein Sprungtor',
}
