import type { SocialPost } from '../wire.ts'

/** How a post is called in lists: its first line. */
export const nameOfPost = ({
  caption,
  captions,
}: Pick<SocialPost, 'caption'> & Partial<Pick<SocialPost, 'captions'>>): string => {
  const text = caption.trim() || Object.values(captions ?? {}).find((own) => own.trim() !== '') || ''
  return text.trim().split('\n', 1)[0]?.slice(0, 140) || 'Post without a caption'
}

/** The networks of a post, each once. */
export const networksOf = ({ targets }: Pick<SocialPost, 'targets'>): readonly string[] => [
  ...new Set(targets.map(({ network }) => network)),
]

/** When the first of its targets went out. */
export const postedAt = ({ targets }: Pick<SocialPost, 'targets'>): string | undefined =>
  targets.flatMap((target) => target.postedAt ?? []).toSorted()[0]
