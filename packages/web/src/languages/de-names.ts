/** Bodies whose German names are others. */
export const GERMAN_NAMES: Readonly<Record<string, string>> = {
  Sun: 'Sonne',
  Mercury: 'Merkur',
  Earth: 'Erde',
  Moon: 'Mond',
  Callisto: 'Kallisto',
  Neptune: 'Neptun',
}
