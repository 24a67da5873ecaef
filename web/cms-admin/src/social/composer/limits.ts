import { countCaption } from '@stoa/cms-model/count-caption.ts'
import type { PickableAccount, SocialNetwork } from '../wire.ts'
import { type Draft, sentCaption } from './draft.ts'

export type Count = { used: number; max: number; left: number }

type Selected = { network: SocialNetwork; accounts: readonly PickableAccount[] }

/** How much of the caption a network takes: counted as it counts, with the strictest of the chosen accounts. */
export const countFor = (draft: Draft, { network, accounts }: Selected): Count => {
  const { limits } = network
  const text = sentCaption(draft, network)
  const usual = isOfPictures(draft) ? (limits.photoCaptionMax ?? limits.captionMax) : limits.captionMax
  const max = Math.min(...accounts.map(({ capabilities }) => capabilities.captionMax ?? usual))
  const urlLengths = accounts.flatMap(({ capabilities }) => capabilities.urlLength ?? [])
  const used = countCaption(
    limits.captionCount,
    text,
    urlLengths.length > 0 ? { urlLength: Math.max(...urlLengths) } : {},
  )
  return { used, max, left: max - used }
}

export const imagesMax = ({ network, accounts }: Selected): number =>
  Math.min(...accounts.map(({ capabilities }) => capabilities.imagesMax ?? network.limits.imagesMax))

/** The longest alternative text for a file; undefined when the network takes none, or any length. */
export const altMax = ({ network, accounts }: Selected, kind: 'image' | 'video'): number | undefined => {
  const { altText } = network.limits
  if (!altText[kind]) return undefined
  const maxes = accounts.map(({ capabilities }) => capabilities.altMax ?? altText.max ?? Number.POSITIVE_INFINITY)
  const max = Math.min(...maxes)
  return Number.isFinite(max) ? max : undefined
}

const isOfPictures = ({ media }: Draft): boolean => media.length > 0 && media.every(({ kind }) => kind === 'image')

/** Each post with a link costs more at X than one without. */
export const hasLink = (draft: Draft, network: string): boolean =>
  draft.link.trim() !== '' || /\bhttps?:\/\/\S+/i.test(draft.captions[network] ?? draft.caption)
