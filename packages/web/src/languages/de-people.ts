import type { Row } from './say.ts'

export const GERMAN_PEOPLE: Readonly<Record<string, Row>> = {
  'Your account is deleted.': 'Das Konto ist gelöscht.',
  'Delete the account': 'Konto löschen',
  'The account and its ship are gone for good.':
    'Das Konto und sein Schiff sind dann endgültig weg.',
  'Type {username} to confirm': 'Zur Bestätigung {username} eingeben',
  Delete: 'Löschen',
  'The choice of ships': 'Die Auswahl der Schiffe',
  'Fly a ship of your own': 'Ein eigenes Schiff fliegen',
  'New here? The first voyage teaches to fly, step by step, as far as the Moon.':
    'Neu hier? Die erste Reise lehrt Schritt für Schritt das Fliegen, bis zum Mond.',
  Begin: 'Beginnen',
  'Registration is closed on this server. Players can sign in.':
    'Neue Konten nimmt dieser Server nicht an. Wer eines hat, kann sich anmelden.',
  Name: 'Name',
  Password: 'Passwort',
  'Register and fly': 'Registrieren und fliegen',
  'I have an account': 'Ich habe ein Konto',
  'I am new here': 'Ich bin neu hier',
  "You are invited: your ship begins beside another player's.":
    'Eine Einladung: das Schiff beginnt neben dem eines anderen Spielers.',
  'Begin alone': 'Allein beginnen',
  'Take this name or another one, and choose a password.':
    'Diesen Namen oder einen anderen nehmen und ein Passwort wählen.',
  'Your ship has flown on while you were away.': 'Das Schiff ist inzwischen weitergeflogen.',
  'The ship is called {name}.': 'Das Schiff heißt {name}.',
  'Name of the ship': 'Name des Schiffs',
  Rename: 'Umbenennen',
  'The password is changed. You are signed out everywhere else.':
    'Das Passwort ist geändert. Überall sonst ist das Konto abgemeldet.',
  'Present password': 'Bisheriges Passwort',
  'New password': 'Neues Passwort',
  'Change password': 'Passwort ändern',
  'This is not the present password.': 'Dies ist nicht das bisherige Passwort.',
  'Sign out everywhere': 'Überall abmelden',
  'The account': 'Das Konto',
  Fly: 'Fliegen',
  Leave: 'Aufbruch',
  'The ship flies on until you come back.': 'Das Schiff fliegt bis zur Rückkehr weiter.',
  'Sign out': 'Abmelden',
  Followers: 'Zuschauer',
  'Everyone sees your ship, also without an account; Share has a link to it.':
    'Alle sehen das Schiff, auch ohne Konto; unter Teilen steht ein Link dazu.',
  'Only other pilots see your ship.': 'Nur andere Piloten sehen das Schiff.',
  'Hide my ship from guests': 'Schiff vor Gästen verbergen',
  'Let guests follow me': 'Gäste zusehen lassen',
  Invite: 'Einladen',
  'A new player begins beside your ship: one, within a day.':
    'Jemand Neues beginnt neben dem eigenen Schiff: einmal, innerhalb eines Tages.',
  'Address of the invitation': 'Adresse der Einladung',
  'Make an invitation': 'Einladung erstellen',
  'Make another invitation': 'Weitere Einladung erstellen',
  Ships: 'Schiffe',
  'The one that you fly; the others fly on without you':
    'Das geflogene; die anderen fliegen von allein weiter',
  'Between two star systems': 'Zwischen zwei Sternsystemen',
  'Fly this ship': 'Dieses Schiff fliegen',
  'Take another ship': 'Weiteres Schiff nehmen',
  'Ship to give up for good': 'Schiff, das endgültig aufgegeben wird',
  None: 'Keines',
  'Give up this ship': 'Dieses Schiff aufgeben',
  'Ship, with the Δv and acceleration of a full tank':
    'Schiff, mit Δv und Beschleunigung bei vollem Tank',
  'The ship is gone, or its pilot lets guests follow it no more.':
    'Das Schiff ist weg, oder sein Pilot lässt keine Gäste mehr zusehen.',
  'It has stopped: {why}': 'Angehalten: {why}',
  'The server has not said yet what there is.': 'Der Server hat noch nicht gemeldet, was es gibt.',
  'None in this star system.': 'Keine in diesem Sternsystem.',
  none: 'keine',
  yes: 'ja',
  no: 'nein',
  'Your ship is flown in another tab or window.':
    'Das Schiff wird in einem anderen Tab oder Fenster geflogen.',
  'Your account has a new password. Sign in with it.':
    'Das Konto hat ein neues Passwort. Damit anmelden.',
  'Your account has been deleted, and its ship with it.':
    'Das Konto ist gelöscht, und sein Schiff auch.',
  'The world has begun again. All accounts and ships of the old one are gone.':
    'Die Welt hat neu begonnen. Alle Konten und Schiffe der alten sind weg.',
  ['The server does not accept your sign-in any more. It has expired, the password is ' +
  'another one, or the account is gone.']:
    'Der Server nimmt die Anmeldung nicht mehr an. Sie ist abgelaufen, das Passwort ist ' +
    'ein anderes, oder das Konto ist weg.',
  'The server does not allow a page of this address to play.':
    'Der Server lässt eine Seite dieser Adresse nicht spielen.',
  'Fly here': 'Hier fliegen',
  Register: 'Registrieren',
  '3 to 20 letters, digits or underscores': '3 bis 20 Buchstaben, Ziffern oder Unterstriche',
  'At least 8 characters': 'Mindestens 8 Zeichen',
  '3 to 32 characters': '3 bis 32 Zeichen',
  'The name or the password is wrong.': 'Name oder Passwort ist falsch.',
  'Another player has this name. Choose another one.':
    'Diesen Namen hat schon jemand. Einen anderen wählen.',
  'A name has {rule}.': 'Ein Name hat {rule}.',
  'A password has at least 8 characters and at most 1024 bytes.':
    'Ein Passwort hat mindestens 8 Zeichen und höchstens 1024 Bytes.',
  'Registration is closed on this server.': 'Neue Konten nimmt dieser Server nicht an.',
  "A ship's name has {rule}, none of them invisible.":
    'Der Name eines Schiffs hat {rule}, keines davon unsichtbar.',
  'The server does not answer. Try again in a moment.':
    'Der Server antwortet nicht. Gleich noch einmal versuchen.',
  'The server took too long to answer. Try again.':
    'Der Server hat zu lange gebraucht. Noch einmal versuchen.',
  'The connection is lost. Try again in a moment.':
    'Die Verbindung ist unterbrochen. Gleich noch einmal versuchen.',
  'Something went wrong on this page. Reload it.': 'Auf dieser Seite ging etwas schief. Neu laden.',
  'Too many attempts. Try again later.': 'Zu viele Versuche. Später noch einmal versuchen.',
  'Too many attempts. Try again in {time}.': 'Zu viele Versuche. In {time} noch einmal versuchen.',
  '{n} seconds': { one: '{n} Sekunde', other: '{n} Sekunden' },
  '{n} minutes': { one: '{n} Minute', other: '{n} Minuten' },
  'The flight cannot go on as it is': 'Der Flug kann so nicht weitergehen',
  'says something to other pilots': 'spricht mit anderen Piloten',
  'Talk ({unread} new)': 'Funk ({unread} neu)',
  'What pilots say, newest first': 'Was Piloten sagen, neuestes zuerst',
  'Nobody has said anything yet.': 'Noch hat niemand etwas gesagt.',
  'There is no connection.': 'Es gibt keine Verbindung.',
  'No other pilot is in view.': 'Kein anderer Pilot ist in Sicht.',
  To: 'Nach',
  'All in view': 'Alle in Sicht',
  'Only {name}': 'Nur {name}',
  Message: 'Nachricht',
  Say: 'Sagen',
  ' (to one)': ' (an einen)',
  ' (to you)': ' (an dich)',
  'Mute {name}': '{name} stumm schalten',
  Mute: 'Stumm',
  'Muted:': 'Stumm:',
  'Hear {name}': '{name} wieder hören',
  'Pace vote ({given} of {voters})': 'Tempowahl ({given} von {voters})',
  'Times real time': 'Vielfaches der Echtzeit',
  '{low} to {high}': '{low} bis {high}',
  Vote: 'Abstimmen',
  Withdraw: 'Zurückziehen',
  'You have no vote.': 'Noch keine Stimme abgegeben.',
  'You vote for {pace}.': 'Eigene Stimme: {pace}.',
  'When all pilots who are here have a vote, the lowest one is the pace.':
    'Wenn alle anwesenden Piloten abgestimmt haben, gilt die kleinste Zahl.',
  'All have voted: {pace}.': 'Alle haben abgestimmt: {pace}.',
}
