import type { Row } from './say.ts'

export const GERMAN_TIMES: Readonly<Record<string, Row>> = {
  'The look back': 'Der Rückblick',
  Now: 'Jetzt',
  'Close, back to the present': 'Schließen, zurück zur Gegenwart',
  Step: 'Schritt',
  ', now': ', jetzt',
  'Arrow keys: a step left or right, the pace up or down. Space plays, Home is now.':
    'Pfeiltasten: ein Schritt nach links oder rechts, Tempo mit auf und ab. Leertaste ' +
    'spielt ab, Pos1 ist jetzt.',
  Play: 'Abspielen',
  'Back {step}': 'Zurück: {step}',
  'Play backward': 'Rückwärts abspielen',
  'Play forward': 'Vorwärts abspielen',
  'On {step}': 'Weiter: {step}',
  Pace: 'Tempo',
  'Known are dates from {from} to {until}': 'Bekannt ist die Zeit von {from} bis {until}',
  'Date and time, UTC': 'Datum und Zeit, UTC',
  'The present. Bodies are known at other dates too, from {first} to {last}.':
    'Die Gegenwart. Die Himmelskörper sind auch zu anderen Zeiten bekannt, von {first} ' +
    'bis {last}.',
  'The present. Bodies are known at other dates too.':
    'Die Gegenwart. Die Himmelskörper sind auch zu anderen Zeiten bekannt.',
  '{time} before now.': '{time} vor jetzt.',
  '{time} after now.': '{time} nach jetzt.',
  'Not now:': 'Nicht jetzt:',
  'The bodies are being computed.': 'Die Himmelskörper werden berechnet.',
  'Other ships and the instruments are shown at the present only.':
    'Andere Schiffe und die Instrumente gibt es nur in der Gegenwart.',
  'Your ship has no forecast yet.': 'Für das Schiff gibt es noch keine Vorhersage.',
  'Your ship is not shown at earlier dates.': 'Das Schiff wird zu früheren Zeiten nicht gezeigt.',
  'The forecast of your ship ends at {date}.': 'Die Vorhersage für das Schiff endet am {date}.',
  'Your ship is where its forecast has it.': 'Das Schiff steht, wo die Vorhersage es hat.',
  '{pace} times real time': '{pace}-mal Echtzeit',
  '{date}, stopped': '{date}, angehalten',
  'Plays backward, {pace} times real time': 'Läuft rückwärts, {pace}-mal Echtzeit',
  'Plays forward, {pace} times real time': 'Läuft vorwärts, {pace}-mal Echtzeit',
  'The present': 'Die Gegenwart',
  ['The date {day} is outside of what is known of {system}: {first} to {last}. This is ' +
  'the present.']:
    'Das Datum {day} liegt außerhalb dessen, was von {system} bekannt ist: {first} bis ' +
    '{last}. Dies ist die Gegenwart.',
  '{date}: no date beyond is known': '{date}: darüber hinaus ist nichts bekannt',
  'Other dates cannot be shown: {why}': 'Andere Zeiten können nicht gezeigt werden: {why}',
  '1 minute': '1 Minute',
  '1 hour': '1 Stunde',
  '30 days': '30 Tage',
  '1 year': '1 Jahr',
  'The server flies this moment again, beside the game':
    'Der Server fliegt diesen Augenblick noch einmal, neben dem Spiel',
  'Look back': 'Zurückblicken',
  'End the look back': 'Rückblick beenden',
  'The past is being flown again.': 'Die Vergangenheit wird noch einmal geflogen.',
  'The past cannot be shown: {reason}.': 'Die Vergangenheit kann nicht gezeigt werden: {reason}.',
  '{n} of {all} digests DIFFER from the recorded ones':
    '{n} von {all} Prüfsummen WEICHEN von den aufgezeichneten AB',
  'no digest to compare yet': 'noch keine Prüfsumme zum Vergleich',
  'all {n} digests equal': 'alle {n} Prüfsummen gleich',
  'The past, flown again: {verdict}.': 'Die Vergangenheit, noch einmal geflogen: {verdict}.',
  'As I fly now': 'Wie jetzt',
  'In a low orbit': 'In niedriger Umlaufbahn',
  'Beside {name}': 'Neben {name}',
  ['with your ship at any pace, in this browser alone: nothing reaches the server, where ' +
  'the ship flies on. Begin:']:
    'mit dem eigenen Schiff in beliebigem Tempo, nur in diesem Browser: nichts erreicht ' +
    'den Server, dort fliegt das Schiff weiter. Beginn:',
  'Close the practice': 'Übung schließen',
  'Practice — nothing here reaches the server': 'Übung — nichts hiervon erreicht den Server',
  'Stand still': 'Anhalten',
  '{pace} times': '{pace}-mal',
  'Until the next event': 'Bis zum nächsten Ereignis',
  'Begin again': 'Von vorn',
  'Back to the game': 'Zurück zum Spiel',
  'Looks for the next event.': 'Sucht das nächste Ereignis.',
  'Nothing happens within 16 days.': 'In 16 Tagen geschieht nichts.',
  'Flies to: {name}, {wait} ahead.': 'Fliegt bis: {name}, {wait} voraus.',
  'Stands at: {event}.': 'Steht bei: {event}.',
  'Jumps and rules are not part of a practice: go back to the game.':
    'Sprünge und Regeln gehören nicht zur Übung: zurück ins Spiel.',
  'its form is {version}, this page reads {own}':
    'seine Form ist {version}, diese Seite liest {own}',
  'This flight is from another release of Orrery ({form}).':
    'Dieser Flug ist aus einer anderen Ausgabe von Orrery ({form}).',
  'This is no flight of Orrery, or the file is damaged.':
    'Dies ist kein Flug aus Orrery, oder die Datei ist beschädigt.',
  "A file has the ship's track, its orders and events; who opens it here sees them on the map.":
    'Eine Datei enthält Spur, Befehle und Ereignisse des Schiffs; wer sie hier öffnet, ' +
    'sieht sie auf der Karte.',
  'Open a flight': 'Flug öffnen',
  'Recording. Close this and fly; come back to save it.':
    'Aufzeichnung läuft. Schließen und fliegen; zum Speichern hierher zurück.',
  'There is nothing to save yet: the flight was too short.':
    'Noch nichts zu speichern: der Flug war zu kurz.',
  'End the record ({n} points)': 'Aufzeichnung beenden ({n} Punkte)',
  'Record the flight': 'Flug aufzeichnen',
  'It was not sent.': 'Nicht gesendet.',
  'Save the flight': 'Flug speichern',
  Send: 'Senden',
  'It is drawn in {system}, and was a practice.': 'Gezeichnet in {system}; es war eine Übung.',
  'It is drawn in {system}.': 'Gezeichnet in {system}.',
  'Events of the flight': 'Ereignisse des Flugs',
  'Take it away': 'Entfernen',
  '{ship}, {from} to {to}': '{ship}, {from} bis {to}',
  'Nothing has changed.': 'Nichts hat sich geändert.',
  'This file is too large for a flight.': 'Diese Datei ist zu groß für einen Flug.',
  'This file cannot be read.': 'Diese Datei ist nicht lesbar.',
}
