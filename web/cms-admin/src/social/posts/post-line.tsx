import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { Film, Type } from 'lucide-react'
import { pictureSource } from '../../media/renditions.ts'
import { settingsQuery } from '../../settings/queries.ts'
import { NetworkMarks } from '../network-mark.tsx'
import { postPath } from '../paths.ts'
import { PostState } from '../statuses.tsx'
import { useLabels } from '../use-labels.ts'
import type { SocialPost } from '../wire.ts'
import { nameOfPost, networksOf } from './post-text.ts'
import { PostTime } from './post-time.tsx'

/** The first picture of a post, small; a sign where it has none. */
export const PostThumb = ({ media }: { media: SocialPost['media'] }) => {
  const { data: sizes } = useQuery({ ...settingsQuery, select: ({ imageSizes }) => imageSizes })
  const [first] = media
  const box =
    'flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-md bg-sunken text-faint [&>svg]:size-4'
  if (first?.kind === 'image' && first.url !== null && sizes)
    return (
      <span aria-hidden className={box}>
        <img
          src={pictureSource({ url: first.url, mimeType: 'image/jpeg', width: null, height: null }, 72, sizes)}
          alt=""
          loading="lazy"
          className="size-full object-cover"
        />
      </span>
    )
  return (
    <span aria-hidden className={box}>
      {first?.kind === 'video' ? <Film /> : <Type />}
    </span>
  )
}

type PostLineProps = { post: SocialPost; at: string | null | undefined; className?: string }

/** One post in a short list. */
export const PostLine = ({ post, at, className }: PostLineProps) => {
  const labelOf = useLabels()
  return (
    <li>
      <AppLink
        to={postPath(post.id)}
        className={cx(
          'flex min-w-0 items-center gap-3 px-5 py-2.5 text-sm outline-offset-[-2px] hover:bg-hover',
          className,
        )}
      >
        <PostThumb media={post.media} />
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="truncate text-ink">{nameOfPost(post)}</span>
          <span className="flex min-w-0 items-center gap-2 text-faint text-xs">
            <NetworkMarks networks={networksOf(post)} labelOf={labelOf} />
            {at ? <PostTime at={at} className="truncate" /> : null}
          </span>
        </span>
        <PostState status={post.status} />
      </AppLink>
    </li>
  )
}
