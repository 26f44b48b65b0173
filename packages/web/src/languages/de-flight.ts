import type { Row } from './say.ts'

export const GERMAN_FLIGHT: Readonly<Record<string, Row>> = {
  '{what} in {wait}': '{what} in {wait}',
  'In {wait}.': 'In {wait}.',
  'The target is in sight.': 'Das Ziel ist in Sicht.',
  'The target is out of sight.': 'Das Ziel ist außer Sicht.',
  'The ship ran into {body}. It starts again from its first orbit.':
    'Aufprall auf {body}. Das Schiff beginnt wieder in seiner ersten Umlaufbahn.',
  'The ship cannot be flown on: the server has frozen it.':
    'Das Schiff kann nicht weiterfliegen: der Server hat es eingefroren.',
  'The turn is complete.': 'Die Drehung ist abgeschlossen.',
  'The reaction wheels are full: the ship turns freely.':
    'Die Reaktionsräder sind voll: das Schiff dreht frei.',
  'The burn has ended.': 'Die Brennphase ist zu Ende.',
  '{maneuver} goes on.': '{maneuver} läuft weiter.',
  '{maneuver} enters its next phase.': '{maneuver}: nächste Phase.',
  '{maneuver} is complete.': '{maneuver}: abgeschlossen.',
  '{maneuver} has failed{why}.': '{maneuver}: fehlgeschlagen{why}.',
  'The rule “{name}” has fired.': 'Die Regel „{name}“ hat ausgelöst.',
  'A rule has fired.': 'Eine Regel hat ausgelöst.',
  'Docked at {station}.': 'Angedockt: {station}.',
  'Undocked from {station}.': 'Abgedockt: {station}.',
  'Refuelled at {station}.': 'Aufgetankt: {station}.',
  'The ship is lost, and starts again.': 'Das Schiff ist verloren und beginnt von vorn.',
  'Jumped from {from} to {to}.': 'Sprung von {from} nach {to}.',
  'An administrator has moved the ship to {system}.':
    'Die Spielleitung hat das Schiff nach {system} versetzt.',
  'The ship has been given another class, fuel or place.':
    'Das Schiff hat eine andere Klasse, anderen Treibstoff oder einen anderen Ort bekommen.',
  'The other star system could not be reached. The ship is back.':
    'Das andere Sternsystem war nicht erreichbar. Das Schiff ist zurück.',
  'Rules that name what is elsewhere are gone.':
    'Regeln, die anderswo Gelegenes nennen, sind gelöscht.',
  'Event of {module}.': 'Ereignis von {module}.',
  'Event: {event}': 'Ereignis: {event}',
  'The maneuver': 'Das Manöver',
  ' (while {phase})': ' (in der Phase {phase})',
  '{deltaV} spent': '{deltaV} verbraucht',
  '{deltaV} spent of some {expected}': '{deltaV} von etwa {expected} verbraucht',
  '{distance} to go': 'noch {distance}',
  'next burn in {burn}': 'nächste Brennphase in {burn}',
  'there in {end}': 'dort in {end}',
  complete: 'abgeschlossen',
  failed: 'fehlgeschlagen',
  aborted: 'abgebrochen',
  'Last maneuver: {maneuver}, {outcome}{why}.': 'Letztes Manöver: {maneuver}, {outcome}{why}.',
  'The world has gone back to {time} UTC.': 'Die Welt ist auf {time} UTC zurückgesetzt.',
  'Practice: ': 'Übung: ',
  'In the game: ': 'Im Spiel: ',
  '{username} has no ship now. An administrator can assign one.':
    '{username} hat jetzt kein Schiff. Die Spielleitung kann eines zuteilen.',
  'This page and the server are of different versions: the server moves your ship here.':
    'Seite und Server haben verschiedene Versionen: der Server bewegt hier das Schiff.',
  'out of fuel': 'kein Treibstoff mehr',
  unreachable: 'unerreichbar',
  'timed out': 'Zeit abgelaufen',
  'target lost': 'Ziel verloren',
  impact: 'Aufprall',
  'let go': 'Räder überlastet',
  late: 'zu spät',
  frozen: 'eingefroren',
  'Nothing is known of the ship yet': 'Vom Schiff ist noch nichts bekannt',
  'Frozen: it moves no more': 'Eingefroren: es bewegt sich nicht mehr',
  'Waiting for the server, {seconds} s': 'Wartet auf den Server, {seconds} s',
  'Practice: only here': 'Übung: nur hier',
  'As the server states it': 'Wie der Server es angibt',
  'In step with the server': 'Im Takt mit dem Server',
  'Corrected by the server': 'Vom Server berichtigt',
  'Out of step with the server': 'Nicht im Takt mit dem Server',
  'Closest to {thing}': 'Nächster Punkt: {thing}',
  '{distance} at {speed}': '{distance} bei {speed}',
  'Enters the sphere of influence of {body}': 'Tritt in die Einflusssphäre ein: {body}',
  Burn: 'Brennphase',
  'Burn ends': 'Brennschluss',
  'Impact on {body}': 'Aufprall: {body}',
  'Maneuver completed': 'Manöver abgeschlossen',
  'Maneuver fails': 'Manöver schlägt fehl',
  Docked: 'Angedockt',
  'No player is signed in': 'Kein Spieler ist angemeldet',
  'It cannot be forecast now': 'Jetzt ist keine Vorhersage möglich',
  'pitches down': 'nickt nach unten',
  'pitches up': 'nickt nach oben',
  'yaws left': 'giert nach links',
  'yaws right': 'giert nach rechts',
  'rolls left': 'rollt nach links',
  'rolls right': 'rollt nach rechts',
  'opens the practice': 'öffnet die Übung',
  'makes what is looked at the target, or drops it':
    'macht das Angesehene zum Ziel, oder gibt es auf',
  'raises the throttle': 'mehr Schub',
  'lowers the throttle': 'weniger Schub',
  'full throttle': 'voller Schub',
  'Full throttle': 'Voller Schub',
  'cuts the engine': 'schaltet das Triebwerk ab',
  'Cut the engine': 'Triebwerk abschalten',
  Ctrl: 'Strg',
  'Page Up': 'Bild ↑',
  'Page Down': 'Bild ↓',
  'map of the own orbit, and back': 'Karte der eigenen Umlaufbahn, und zurück',
  View: 'Blick',
  'turns the view left': 'dreht den Blick nach links',
  'turns the view right': 'dreht den Blick nach rechts',
  'turns the view up': 'dreht den Blick nach oben',
  'turns the view down': 'dreht den Blick nach unten',
  'goes nearer': 'geht näher',
  'goes farther': 'geht weiter weg',
  'next body': 'nächster Himmelskörper',
  'previous body': 'voriger Himmelskörper',
  'from a moon to its planet, from a planet to its star':
    'vom Mond zum Planeten, vom Planeten zum Stern',
  'back to the start': 'zurück zum Anfang',
  'whole system': 'ganzes System',
  'saves the picture as PNG': 'speichert das Bild als PNG',
  "back to one's own ship": 'zurück zum eigenen Schiff',
  'next ship, by distance from the own one': 'nächstes Schiff nach Entfernung',
  'previous ship': 'voriges Schiff',
  'Around {body}': 'Um {body}',
  'There is no ship.': 'Es gibt kein Schiff.',
  'the equator of {body}': 'den Äquator: {body}',
  'the ecliptic': 'die Ekliptik',
  'Away from the body': 'Vom Himmelskörper weg',
  'Speed over the ground': 'Geschwindigkeit über Grund',
  'Left far away': 'Bleibt in großer Ferne',
  'To {plane}': 'Gegen {plane}',
  ['As if {body} alone pulled, and were a perfect sphere. Its shape and other bodies ' +
  'change that by kilometres on the way: “Ahead” has what will be flown.']:
    'Als zöge {body} allein, und als vollkommene Kugel. Form und andere Himmelskörper ' +
    'ändern das unterwegs um Kilometer: „Voraus“ hat, was geflogen wird.',
  "Acceleration now, in multiples of the Earth's gravity":
    'Beschleunigung, in Vielfachen der Erdschwere',
  N: 'N',
  E: 'O',
  S: 'S',
  W: 'W',
  Attitude: 'Lage',
  'Attitude: not known yet': 'Lage: noch unbekannt',
  'pitch {pitch}°, heading {heading}°, roll {roll}°':
    'Nicken {pitch}°, Kurs {heading}°, Rollen {roll}°',
  'Attitude to the horizon of {body}: {angles}': 'Lage zum Horizont, {body}: {angles}',
  holding: 'gehalten',
  turning: 'dreht',
  'turning freely': 'dreht frei',
  'Keep the wheels loaded': 'Räder geladen lassen',
  'Unload the wheels by thrusters': 'Räder mit Düsen entladen',
  Directions: 'Richtungen',
  'Gamepad connected: sticks turn, triggers move the throttle.':
    'Gamepad verbunden: Sticks drehen, Trigger geben Schub.',
  '{words}: choose a target first': '{words}: zuerst ein Ziel wählen',
  'Full throttle ({key})': 'Voller Schub ({key})',
  Full: 'Voll',
  'Throttle ({raise} raises, {lower} lowers it, the wheel does both)':
    'Schub ({raise} mehr, {lower} weniger, das Mausrad beides)',
  'Throttle {level}': 'Schub {level}',
  'Cut the engine ({key})': 'Triebwerk abschalten ({key})',
  Cut: 'Aus',
  'not now': 'nicht jetzt',
  practice: 'Übung',
  Practice: 'Übung',
  'Other dates': 'Andere Zeiten',
  'Round trip to the server, and its tick': 'Weg zum Server und zurück, und sein Tick',
  'Turn by hand': 'Von Hand drehen',
  'Drag to pitch and yaw ({keys})': 'Ziehen zum Nicken und Gieren ({keys})',
  'Roll left': 'Nach links rollen',
  'Roll right': 'Nach rechts rollen',
  '{words} while pressed ({keyName})': '{words}, solange gedrückt ({keyName})',
  'Look around: drag the picture, or press {left} and {right} while it has the focus.':
    'Umsehen: das Bild ziehen, oder {left} und {right} drücken, während es den Fokus hat.',
  'The ship is seen from another side.': 'Das Schiff ist von einer anderen Seite zu sehen.',
  'Point radially out, with {key} or under Steering: the nose turns up, as the ball shows.':
    'Nase radial nach außen richten, mit {key} oder unter Lage: sie dreht nach oben, wie ' +
    'die Kugel zeigt.',
  'The nose points up.': 'Die Nase zeigt nach oben.',
  'Point prograde, with {point}, and when the nose is there open the throttle, with {full}.':
    'Nase prograd richten, mit {point}, und wenn sie dort ist, vollen Schub geben, mit {full}.',
  'The engine burns.': 'Das Triebwerk brennt.',
  ['When the apoapsis, the highest point of the orbit, is at {height}, cut the engine, ' +
  'with {key}.']:
    'Wenn die Apoapsis, der höchste Punkt der Umlaufbahn, bei {height} liegt, das ' +
    'Triebwerk abschalten, mit {key}.',
  'The orbit is higher on one side.': 'Die Umlaufbahn ist auf einer Seite höher.',
  ['Under Orders start the maneuver Circularize: at the apoapsis, within one revolution, ' +
  'the autopilot makes the orbit round.']:
    'Unter Befehle das Manöver Zirkularisieren starten: an der Apoapsis, innerhalb eines ' +
    'Umlaufs, macht der Autopilot die Bahn rund.',
  'The orbit is round.': 'Die Umlaufbahn ist rund.',
  ['Look at Earth Station, which is under Places ({places}), and make it the target, ' +
  'with {choose}.']:
    'Earth Station ansehen, zu finden unter Orte ({places}), und zum Ziel machen, mit {choose}.',
  'The station is the target.': 'Die Station ist das Ziel.',
  ['Under the target’s name start a Rendezvous: within a day the autopilot brings the ' +
  'ship to rest beside the station.']:
    'Unter dem Namen des Ziels ein Rendezvous starten: innerhalb eines Tages bringt der ' +
    'Autopilot das Schiff neben der Station zur Ruhe.',
  'The ship is beside the station.': 'Das Schiff ist neben der Station.',
  'Dock at the station, by the button under its name or by Dock under Orders.':
    'An der Station andocken, mit dem Knopf unter ihrem Namen oder mit Andocken unter Befehle.',
  'The ship is docked.': 'Das Schiff ist angedockt.',
  'The station fills the tanks: look at Fuel under Ship until it is full.':
    'Die Station füllt die Tanks: auf Treibstoff unter Schiff achten, bis sie voll sind.',
  'The tanks are full.': 'Die Tanks sind voll.',
  ['Undock by Dock under Orders, then start the maneuver Transfer to the Moon: it leaves ' +
  'when that costs least, and ends in an orbit there.']:
    'Mit Andocken unter Befehle abdocken, dann das Manöver Transfer zum Mond starten: es ' +
    'bricht auf, wenn es am wenigsten kostet, und endet in einer Umlaufbahn dort.',
  'The Moon holds the ship.': 'Der Mond hält das Schiff.',
  '{n} of {all}': '{n} von {all}',
  'This was the first voyage. All other places are flown to by the same orders.':
    'Das war die erste Reise. Alle anderen Orte erreichen dieselben Befehle.',
  Skip: 'Überspringen',
  '“Help” goes on with it': '„Hilfe“ setzt sie fort',
  Stop: 'Aufhören',
}
