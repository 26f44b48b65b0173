/** User names that a new player can take as they are. */

const FIRST = ['Amber', 'Bright', 'Calm', 'Distant', 'Early', 'Gentle', 'Polar', 'Silent', 'Swift']
const SECOND = [
  'Comet',
  'Falcon',
  'Heron',
  'Lantern',
  'Meridian',
  'Otter',
  'Petrel',
  'Sparrow',
  'Tern',
]

/**
 * Such as `Silent_Heron_482`; at most 20 characters, as the server takes them.
 *
 * @param random  uniform in [0, 1)
 */
export function proposedName(random: () => number): string {
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)]
  return `${one(FIRST)}_${one(SECOND)}_${100 + Math.floor(random() * 900)}`
}
