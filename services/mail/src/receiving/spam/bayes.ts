/** How often a word stood in spam and in other mail. */
export type WordCount = { readonly spam: number; readonly ham: number }

/** Robinson's s and x: how much is believed of a word that was seen once. */
const STRENGTH = 0.45
const UNKNOWN = 0.5
/** Words that stand in both kinds of mail say nothing. */
const MIN_DISTANCE = 0.1
/** The most significant words decide; a long text does not outweigh them. */
const MAX_SIGNIFICANT = 150
/** Below this nothing is known about one of the two kinds. */
const MIN_SAMPLES = 5
/** From here on what was learned is believed in full. */
const FULL_SAMPLES = 25

/**
 * How likely a message is spam, from 0 to 1, by the words that a mailbox has learned; Robinson's and Fisher's way of
 * putting them together, which knows when it does not know. Null while too little was learned.
 */
export const spamProbability = (words: readonly WordCount[], learned: WordCount): number | null => {
  if (learned.spam < MIN_SAMPLES || learned.ham < MIN_SAMPLES) return null
  const significant = words
    .map(({ spam, ham }) => {
      const inSpam = spam / learned.spam
      const inHam = ham / learned.ham
      const seen = spam + ham
      const chance = seen === 0 ? UNKNOWN : inSpam / (inSpam + inHam)
      return (STRENGTH * UNKNOWN + seen * chance) / (STRENGTH + seen)
    })
    .filter((chance) => Math.abs(chance - 0.5) >= MIN_DISTANCE)
    .sort((one, other) => Math.abs(other - 0.5) - Math.abs(one - 0.5))
    .slice(0, MAX_SIGNIFICANT)
  if (significant.length === 0) return 0.5
  let logSpam = 0
  let logHam = 0
  for (const chance of significant) {
    logSpam += Math.log(1 - chance)
    logHam += Math.log(chance)
  }
  const spam = 1 - chiSquare(-2 * logSpam, significant.length)
  const ham = 1 - chiSquare(-2 * logHam, significant.length)
  return (1 + spam - ham) / 2
}

/** How far a probability counts, by how much was learned: from 0 to 1. */
export const confidence = ({ spam, ham }: WordCount): number => Math.min(1, Math.min(spam, ham) / FULL_SAMPLES + 0.2)

/** The chance that a chi-squared number with twice so many degrees of freedom is at least this big. */
const chiSquare = (value: number, halfDegrees: number): number => {
  const half = value / 2
  // The sum would vanish in front of its tiny first member.
  if (half > 700) return 0
  let term = Math.exp(-half)
  let sum = term
  for (let index = 1; index < halfDegrees; index += 1) {
    term *= half / index
    sum += term
  }
  return Math.min(sum, 1)
}
