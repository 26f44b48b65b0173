import type { Row } from './say.ts'

export const GERMAN_PAGE: Readonly<Record<string, Row>> = {
  Close: 'Schließen',
  Orbit: 'Umlaufbahn',
  Ball: 'Kugel',
  Ship: 'Schiff',
  Steering: 'Lage',
  Target: 'Ziel',
  Ahead: 'Voraus',
  'What “{instrument}” shows': 'Was „{instrument}“ zeigt',
  '{name} does not load. Reload the page.': '{name} lädt nicht. Seite neu laden.',
  '{name} is loading.': '{name} lädt.',
  'Hide password': 'Passwort verbergen',
  'Show password': 'Passwort zeigen',
  Hide: 'Verbergen',
  Show: 'Zeigen',
  'The voyage': 'Die Reise',
  'The practice': 'Die Übung',
  Talk: 'Funk',
  'The vote': 'Die Abstimmung',
  'What the rules of this game show': 'Was die Regeln dieses Spiels zeigen',
  'The time bar': 'Die Zeitleiste',
  'The connection is lost. The ship flies on by its last order.':
    'Die Verbindung ist unterbrochen. Das Schiff fliegt nach dem letzten Befehl weiter.',
  'The server is restarting. The game goes on when it is back.':
    'Der Server startet neu. Danach geht das Spiel weiter.',
  ['The server answers but takes no connection. It may be full, or a proxy on the way ' +
  'blocks WebSockets or changes the header Host.']:
    'Der Server antwortet, nimmt aber keine Verbindung an. Vielleicht ist er voll, oder ' +
    'ein Proxy sperrt WebSockets oder ändert den Header Host.',
  'Next attempt in {seconds} s.': 'Nächster Versuch in {seconds} s.',
  'Connecting …': 'Verbindet …',
  'Try now': 'Jetzt versuchen',
  'Earth by day: Blue Marble, by night: Black Marble, NASA Earth Observatory; three-globe, MIT':
    'Erde bei Tag: Blue Marble, bei Nacht: Black Marble, NASA Earth Observatory; three-globe, MIT',
  'Clouds: Tom Patterson, shadedrelief.com, and webgl-earth; three-globe, MIT':
    'Wolken: Tom Patterson, shadedrelief.com, und webgl-earth; three-globe, MIT',
  ['Stars, constellations: XHIP, Anderson and Francis 2012; d3-celestial, Olaf Frohn, ' +
  'BSD-3-Clause']:
    'Sterne, Sternbilder: XHIP, Anderson und Francis 2012; d3-celestial, Olaf Frohn, BSD-3-Clause',
  'Milky Way: outlines by Jose R. Vieira; d3-celestial, Olaf Frohn, BSD-3-Clause':
    'Milchstraße: Umrisse von Jose R. Vieira; d3-celestial, Olaf Frohn, BSD-3-Clause',
  'Where bodies are: integrated by this server from the start values of JPL':
    'Orte der Himmelskörper: von diesem Server integriert, aus Startwerten des JPL',
  'How bodies turn: IAU Working Group on Cartographic Coordinates, report of 2015':
    'Drehung der Himmelskörper: IAU Working Group on Cartographic Coordinates, Bericht von 2015',
  'Facts: NASA planetary fact sheets, JPL Solar System Dynamics':
    'Daten: NASA Planetary Fact Sheets, JPL Solar System Dynamics',
  'Other worlds are drawn by programs from their colours, not from photographs':
    'Andere Welten zeichnen Programme nach ihren Farben, nicht nach Fotos',
  'Graphics: three.js, MIT; interface: Preact, MIT':
    'Grafik: three.js, MIT; Oberfläche: Preact, MIT',
  'The dialog': 'Der Dialog',
  Share: 'Teilen',
  Settings: 'Einstellungen',
  Help: 'Hilfe',
  Credits: 'Quellen',
  'What it shows': 'Was es zeigt',
  Problems: 'Probleme',
  Log: 'Logbuch',
  'Events of the ship, newest first': 'Ereignisse des Schiffs, neueste zuerst',
  'No problems so far.': 'Bisher keine Probleme.',
  'Nothing has happened yet.': 'Noch nichts geschehen.',
  'orbits on or off': 'Umlaufbahnen ein oder aus',
  'names on or off': 'Namen ein oder aus',
  'constellations on or off': 'Sternbilder ein oder aus',
  'list of places': 'Liste der Orte',
  'link to this view': 'Link zu dieser Ansicht',
  'help and keys': 'Hilfe und Tasten',
  Page: 'Seite',
  Drag: 'Ziehen',
  'turns the view': 'dreht den Blick',
  'Wheel, pinch': 'Mausrad, zwei Finger',
  'goes nearer or farther': 'geht näher oder weiter weg',
  'Click, tap': 'Klick, Tippen',
  'looks at something': 'sieht etwas an',
  'First voyage': 'Erste Reise',
  'It teaches to fly, step by step, as far as the Moon.':
    'Sie lehrt Schritt für Schritt das Fliegen, bis zum Mond.',
  'Begin or go on': 'Beginnen oder fortsetzen',
  'Mouse and touch': 'Maus und Finger',
  Keys: 'Tasten',
  'Letters, digits and signs act': 'Buchstaben, Ziffern und Zeichen wirken',
  'Switch them off where speech input, which types, would fly by mistake.':
    'Ausschalten, wo eine Spracheingabe tippt und aus Versehen fliegen würde.',
  'Press the keys of a line to change them.':
    'Auf die Tasten einer Zeile drücken, um sie zu ändern.',
  'Restore all keys': 'Alle Tasten zurücksetzen',
  'No key does this now.': 'Keine Taste tut dies jetzt.',
  'This key keeps what it does in browsers. Press another.':
    'Diese Taste behält, was sie im Browser tut. Eine andere drücken.',
  '{key} already does “{words}”.': '{key} ist schon belegt: „{words}“.',
  'Change: {words}, {keys}': 'Ändern: {words}, {keys}',
  ' or ': ' oder ',
  'no key': 'keine Taste',
  'Press a key; Delete for none, Escape to leave it.':
    'Eine Taste drücken; Entf für keine, Esc lässt alles.',
  'Use it here': 'Hier verwenden',
  '{key} now does this, and no longer “{words}”.': '{key} tut jetzt dies, nicht mehr „{words}“.',
  '{key} now does this.': '{key} tut jetzt dies.',
  Altitude: 'Höhe',
  'Height over the mean radius of the body that the ship goes round.':
    'Höhe über dem mittleren Radius des umkreisten Himmelskörpers.',
  Speed: 'Geschw.',
  'Relative to the centre of that body.': 'Gegen den Mittelpunkt dieses Himmelskörpers.',
  Vertical: 'Vertikal',
  'How fast the altitude grows; below zero it falls.':
    'Wie schnell die Höhe wächst; unter null sinkt sie.',
  Ground: 'Über Grund',
  'Speed over the ground, which turns with the body.':
    'Geschwindigkeit über dem Grund, der sich mitdreht.',
  Apoapsis: 'Apoapsis',
  'The highest point of the orbit. A burn prograde raises the opposite side.':
    'Der höchste Punkt der Umlaufbahn. Prograder Schub hebt die Gegenseite.',
  Periapsis: 'Periapsis',
  'The lowest point; below the ground or in air the ship will hit the body.':
    'Der tiefste Punkt; unter dem Grund oder in Luft prallt das Schiff auf.',
  'T−': 'T−',
  'The time until then.': 'Die Zeit bis dahin.',
  Period: 'Umlaufzeit',
  'The time of one revolution.': 'Die Zeit für einen Umlauf.',
  Inclination: 'Inklination',
  'The tilt of the orbit to the equator, or to the ecliptic.':
    'Die Neigung der Umlaufbahn gegen den Äquator oder die Ekliptik.',
  'Excess speed': 'Überschuss',
  'What is left far away, on a way that leaves the body for good.':
    'Was in großer Ferne bleibt, auf einem Weg ohne Rückkehr.',
  'Blue and brown': 'Blau und braun',
  'The sky and the ground. The wings in the middle are the nose.':
    'Himmel und Grund. Die Flügel in der Mitte sind die Nase.',
  HDG: 'KUR',
  'The compass heading of the nose: 0° is north, 90° is east.':
    'Der Kurs der Nase: 0° ist Norden, 90° Osten.',
  PIT: 'NCK',
  'How far the nose is above the horizon.': 'Wie weit die Nase über dem Horizont steht.',
  ROL: 'ROL',
  'How far the wings are tilted.': 'Wie weit die Flügel geneigt sind.',
  'Signs on it': 'Zeichen darauf',
  'The directions that the buttons of Steering point to, in their colours.':
    'Die Richtungen der Knöpfe unter Lage, in deren Farben.',
  'Δv left': 'Δv übrig',
  'By how much the fuel can change the velocity: the range of a spacecraft.':
    'Um wie viel der Treibstoff die Geschwindigkeit ändern kann: die Reichweite.',
  Thrust: 'Schub',
  'Acceleration by the engine now; 1 g is the weight felt on Earth.':
    'Beschleunigung durch das Triebwerk; 1 g ist das Gewicht auf der Erde.',
  Fuel: 'Treibstoff',
  'Mass in the tanks. Stations fill them.': 'Masse in den Tanks. Stationen füllen sie.',
  Wheels: 'Räder',
  'How full of momentum the reaction wheels are; full ones cannot turn the hull.':
    'Wie voll Drehimpuls die Reaktionsräder sind; volle drehen den Rumpf nicht.',
  'Next burn': 'Nächster Schub',
  'The next burn ordered or previewed, and when it begins.':
    'Die nächste befohlene oder vorausberechnete Brennphase und ihr Beginn.',
  'In step': 'Im Takt',
  'Whether this page and the server fly the ship alike, to the bit.':
    'Ob Seite und Server das Schiff bis aufs Bit gleich fliegen.',
  'Prograde, retrograde': 'Prograd, retrograd',
  'Along the flight and against it: burns make the orbit larger or smaller.':
    'In Flugrichtung und dagegen: Schub macht die Umlaufbahn größer oder kleiner.',
  'Normal, antinormal': 'Normal, antinormal',
  'Across the orbit: burns tilt it.': 'Quer zur Umlaufbahn: Schub neigt sie.',
  Radial: 'Radial',
  'Up and down: burns shift where the orbit is highest.':
    'Auf und ab: Schub verschiebt den höchsten Punkt.',
  'Target, away': 'Ziel, weg davon',
  'At the chosen target and away from it.': 'Zum gewählten Ziel und davon weg.',
  Star: 'Stern',
  'At the star of the system.': 'Zum Stern des Systems.',
  'Hold, stop, freely': 'Halten, stoppen, frei',
  'Keeps this attitude, ends all turning, or lets the hull turn.':
    'Hält diese Lage, beendet jede Drehung oder lässt den Rumpf drehen.',
  'Thrusters unload the wheels': 'Düsen entladen die Räder',
  'Small thrusters empty the wheels, for a little fuel.':
    'Kleine Düsen leeren die Räder, für etwas Treibstoff.',
  Distance: 'Entfernung',
  'To its surface or hull.': 'Bis zur Oberfläche oder zum Rumpf.',
  Closing: 'Annäherung',
  'How fast the distance shrinks, and the time until there at this speed.':
    'Wie schnell die Entfernung schrumpft, und die Zeit bis dorthin.',
  'Closest ahead': 'Größte Nähe',
  'How near both come on a straight way.': 'Wie nah sich beide auf geradem Weg kommen.',
  'Relative speed': 'Relativgeschw.',
  'What a rendezvous has to take away.': 'Was ein Rendezvous abbauen muss.',
  'Off the nose': 'Zur Nase',
  'The angle from the nose to the target.': 'Der Winkel zwischen Nase und Ziel.',
  'Rel. inclination': 'Rel. Inklination',
  'The angle between both orbits, which costs Δv to take away.':
    'Der Winkel zwischen beiden Umlaufbahnen; ihn abzubauen kostet Δv.',
  Dock: 'Andocken',
  'Flies to the station from anywhere and docks there.':
    'Fliegt von überall zur Station und dockt an.',
  'The list': 'Die Liste',
  'What the ship will meet on its way, forecast by the physics of the server.':
    'Was dem Schiff bevorsteht, vorhergesagt mit der Physik des Servers.',
  Span: 'Zeitraum',
  'How far ahead it looks. Longer takes longer to compute.':
    'Wie weit die Vorhersage reicht. Weiter braucht länger.',
  'Apsides here': 'Apsiden hier',
  'The true extremes of the way; the orbit instrument has those of the moment.':
    'Die wahren Extreme des Wegs; das Instrument hat die des Augenblicks.',
  Instrument: 'Instrument',
  'Close message': 'Meldung schließen',
  Paused: 'Angehalten',
  'tick {n}': 'Tick {n}',
  'Orders act when the game goes on.': 'Befehle wirken, wenn das Spiel weitergeht.',
  On: 'Ein',
  Off: 'Aus',
  Language: 'Sprache',
  'As the browser': 'Wie im Browser',
  'The page loads again in another language.': 'In einer anderen Sprache lädt die Seite neu.',
  Quality: 'Qualität',
  Automatic: 'Automatisch',
  Low: 'Niedrig',
  High: 'Hoch',
  'Automatic draws as many pixels as this machine can follow.':
    'Automatisch: so viele Pixel, wie das Gerät schafft.',
  Units: 'Einheiten',
  Metric: 'Metrisch',
  Nautical: 'Nautisch',
  Camera: 'Kamera',
  'As the system': 'Wie im System',
  Calm: 'Ruhig',
  'In motion': 'Bewegt',
  'Calm: the camera jumps to a new view and does not fly there.':
    'Ruhig: die Kamera springt zur neuen Ansicht und fliegt nicht hin.',
  Names: 'Namen',
  Orbits: 'Bahnen',
  Trails: 'Spuren',
  Constellations: 'Sternbilder',
  Alarms: 'Alarme',
  ['A minute before a burn, an encounter and an arrival: by the title of the window and, ' +
  'where the browser allows it, a notification.']:
    'Eine Minute vor Brennphase, Begegnung und Ankunft: im Titel des Fensters und, wo der ' +
    'Browser es erlaubt, als Mitteilung.',
  Sound: 'Ton',
  'Engine, thrusters, docking, alarms and warnings; with a calm camera the last three.':
    'Triebwerk, Düsen, Andocken, Alarme und Warnungen; bei ruhiger Kamera die letzten drei.',
  'Restore defaults': 'Zurücksetzen',
  'The flight': 'Der Flug',
  Picture: 'Bild',
  'It has no instruments and no names.': 'Ohne Instrumente und Namen.',
  'Save picture': 'Bild speichern',
  'Copied.': 'Kopiert.',
  'The browser does not let the page copy. The link is selected: press Ctrl+C.':
    'Der Browser lässt die Seite nicht kopieren. Der Link ist markiert: Strg+C drücken.',
  Link: 'Link',
  'It shows the same place, from the same side, with the same layers.':
    'Er zeigt denselben Ort von derselben Seite mit denselben Ebenen.',
  'Link to this view': 'Link zu dieser Ansicht',
  'Copy link': 'Link kopieren',
  Places: 'Orte',
  Facts: 'Daten',
  Menu: 'Menü',
  Flight: 'Flug',
  Orders: 'Befehle',
  Panels: 'Tafeln',
  Map: 'Karte',
  'Whole system': 'Ganzes System',
  'My ship': 'Eigenes Schiff',
  'Next ship': 'Nächstes Schiff',
  Nearer: 'Näher',
  Farther: 'Weiter weg',
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
