/** The part of the scale that makes a difference; the service takes 0 to 100. */
export const SPAM_SCALE = { min: 1, max: 15, step: 0.5, usual: 5 } as const

/** What a threshold means for somebody who has never seen a spam score. */
export const describeThreshold = (threshold: number): { name: string; meaning: string } => {
  if (threshold < 3)
    return {
      name: 'Very strict',
      meaning: 'Almost no spam in the inbox, but check Junk often for legitimate mail.',
    }
  if (threshold < 5) return { name: 'Strict', meaning: 'Little spam in the inbox. Some newsletters may land in Junk.' }
  if (threshold <= 6) return { name: 'Balanced', meaning: 'Recommended. Obvious spam goes to Junk.' }
  if (threshold <= 9)
    return { name: 'Lenient', meaning: 'Legitimate mail rarely lands in Junk, but more spam reaches the inbox.' }
  return { name: 'Very lenient', meaning: 'Only the most obvious spam goes to Junk.' }
}
