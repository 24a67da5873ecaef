import { Badge } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { useQuery } from '@tanstack/react-query'
import { Film, ImageOff, Link2 } from 'lucide-react'
import { ownPath, pictureSource } from '../../media/renditions.ts'
import { settingsQuery } from '../../settings/queries.ts'
import { NetworkMark } from '../network-mark.tsx'
import type { SocialPost } from '../wire.ts'

type PostContentProps = { post: SocialPost; labelOf: (network: string) => string }

/** The text and media of a post. */
export const PostContent = ({ post, labelOf }: PostContentProps) => (
  <Panel title="Content">
    <div className="flex min-w-0 flex-col gap-4 text-sm">
      {post.media.length > 0 ? <Pictures media={post.media} /> : null}
      {post.caption === '' ? null : <p className="wrap-anywhere whitespace-pre-line text-ink">{post.caption}</p>}
      {Object.entries(post.captions).map(([network, caption]) => (
        <div key={network} className="flex flex-col items-start gap-1">
          <Badge icon={<NetworkMark network={network} size="xs" />}>{labelOf(network)}</Badge>
          <p className="wrap-anywhere w-full whitespace-pre-line text-muted">{caption}</p>
        </div>
      ))}
      {post.link === null ? null : (
        <a
          href={post.link}
          target="_blank"
          rel="noreferrer"
          className="flex min-w-0 items-center gap-1.5 text-accent-ink hover:underline"
        >
          <Link2 aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{post.link}</span>
        </a>
      )}
    </div>
  </Panel>
)

const Pictures = ({ media }: { media: SocialPost['media'] }) => {
  const { data: sizes } = useQuery({ ...settingsQuery, select: ({ imageSizes }) => imageSizes })
  return (
    <ul className="grid grid-cols-3 gap-2">
      {media.map(({ mediaId, kind, url, alt }) => (
        <li
          key={mediaId}
          className="flex aspect-square items-center justify-center overflow-hidden rounded-md bg-sunken text-faint"
        >
          {url === null ? (
            <ImageOff aria-label="This file was deleted" className="size-6" />
          ) : kind === 'image' && sizes ? (
            <img
              src={pictureSource({ url, mimeType: 'image/jpeg', width: null, height: null }, 200, sizes)}
              alt={alt}
              className="size-full object-cover"
            />
          ) : (
            <a href={ownPath(url)} target="_blank" rel="noreferrer" aria-label="Play the video" className="p-4">
              <Film aria-hidden className="size-6" />
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
