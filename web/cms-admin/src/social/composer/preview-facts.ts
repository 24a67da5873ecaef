/** How a network shows a post, as far as it is known; only for looking, nothing is cut when it is sent. */
export type PreviewFacts = {
  /** Characters before "more"; null: all of it is shown. */
  fold: number | null
  /** Narrowest and widest frame around a picture, width by height. */
  frame: readonly [number, number]
  /** Text above or below the picture. */
  text: 'above' | 'below'
  /** Several pictures as a grid, or one after the other. */
  several: 'grid' | 'carousel'
}

const usual: PreviewFacts = { fold: null, frame: [0.8, 1.91], text: 'above', several: 'grid' }

const facts: Readonly<Record<string, Partial<PreviewFacts>>> = {
  facebook: { fold: 477 },
  instagram: { fold: 125, text: 'below', several: 'carousel' },
  threads: { frame: [0.75, 1.91], several: 'carousel' },
  x: { frame: [0.75, 1.78] },
  linkedin: { fold: 210 },
  tiktok: { fold: 100, frame: [0.5625, 0.5625], text: 'below', several: 'carousel' },
  youtube: { fold: 157, frame: [1.78, 1.78], text: 'below' },
  pinterest: { fold: 50, frame: [0.5, 1], text: 'below', several: 'carousel' },
  mastodon: { frame: [0.75, 1.91] },
}

export const previewFacts = (network: string): PreviewFacts => ({ ...usual, ...facts[network] })

/** The words before the fold, and whether there are more; a word is not cut in half. */
export const folded = (text: string, fold: number | null): { shown: string; isCut: boolean } => {
  if (fold === null || text.length <= fold) return { shown: text, isCut: false }
  const cut = text.slice(0, fold)
  const space = cut.lastIndexOf(' ')
  const whole = space > fold * 0.6 ? cut.slice(0, space) : cut
  return { shown: (whole.isWellFormed() ? whole : whole.slice(0, -1)).trimEnd(), isCut: true }
}

/** The shape that a picture is shown in: its own, as far as the network allows it. */
export const frameOf = (
  size: { width: number | null; height: number | null },
  [narrow, wide]: PreviewFacts['frame'],
): number => {
  if (size.width === null || size.height === null || size.height === 0) return Math.min(Math.max(16 / 9, narrow), wide)
  return Math.min(Math.max(size.width / size.height, narrow), wide)
}
