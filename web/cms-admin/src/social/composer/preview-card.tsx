import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link2, Play } from 'lucide-react'
import { useState } from 'react'
import { cropPosition } from '../../media/crops.ts'
import { type MediaRecord, mediaQuery } from '../../media/queries.ts'
import { ownPath, pictureSource } from '../../media/renditions.ts'
import { settingsQuery } from '../../settings/queries.ts'
import { NetworkMark } from '../network-mark.tsx'
import { captionFor, type Draft, type selectedNetworks, sentCaption } from './draft.ts'
import { folded, frameOf, type PreviewFacts, previewFacts } from './preview-facts.ts'

type PreviewCardProps = {
  draft: Draft
  selected: ReturnType<typeof selectedNetworks>
  network: string | null
  onNetwork: (network: string) => void
}

/** The post about as one network shows it: its crop, and where it folds the text. */
export const PreviewCard = ({ draft, selected, network, onNetwork }: PreviewCardProps) => {
  const current = selected.find((one) => one.network.network === network) ?? selected[0]
  if (!current)
    return (
      <div className="rounded-xl border border-line-strong border-dashed px-5 py-10 text-center text-faint text-sm">
        Choose an account to preview your post.
      </div>
    )
  const { network: name, label } = current.network
  const facts = previewFacts(name)
  const account = current.accounts[0]
  return (
    <section
      aria-label={`Preview for ${label}`}
      className="min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-sm"
    >
      <div className="flex items-center gap-1 overflow-x-auto border-line border-b px-3 py-2 [scrollbar-width:none]">
        <span className="mr-auto pr-2 font-medium text-ink text-sm">Preview</span>
        {selected.map((one) => (
          <button
            key={one.network.network}
            type="button"
            aria-label={`Preview for ${one.network.label}`}
            aria-pressed={one.network.network === name}
            title={one.network.label}
            onClick={() => onNetwork(one.network.network)}
            className={cx(
              'flex size-7 shrink-0 items-center justify-center rounded-md transition-colors touch:size-10',
              one.network.network === name
                ? 'bg-accent-soft text-accent-ink'
                : 'text-faint hover:bg-hover hover:text-ink',
            )}
          >
            <NetworkMark network={one.network.network} size="xs" />
          </button>
        ))}
      </div>
      <div className="flex min-w-0 flex-col gap-3 p-4">
        <div className="flex min-w-0 items-center gap-2.5">
          <Avatar name={account?.name ?? label} person={account?.id ?? null} size="md" />
          <span className="flex min-w-0 flex-col leading-none">
            <span className="truncate font-medium text-ink text-sm">{account?.name}</span>
            <span className="truncate text-faint text-xs">{account?.handle ?? label}</span>
          </span>
        </div>
        {facts.text === 'above' ? <Caption key={name} draft={draft} current={current} fold={facts.fold} /> : null}
        <Media draft={draft} facts={facts} />
        {facts.text === 'below' ? <Caption key={name} draft={draft} current={current} fold={facts.fold} /> : null}
        {current.network.limits.link === 'field' && draft.link.trim() !== '' && draft.media.length === 0 ? (
          <LinkCard link={draft.link.trim()} />
        ) : null}
      </div>
    </section>
  )
}

type CaptionProps = { draft: Draft; current: PreviewCardProps['selected'][number]; fold: number | null }

const Caption = ({ draft, current, fold }: CaptionProps) => {
  const [isOpen, setOpen] = useState(false)
  const text = sentCaption(draft, current.network)
  if (text === '')
    return captionFor(draft, current.network.network) === '' ? (
      <p className="text-faint text-sm">Your caption appears here.</p>
    ) : null
  const { shown, isCut } = folded(text, isOpen ? null : fold)
  return (
    <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-ink text-sm">
      {shown}
      {isCut ? (
        <>
          …{' '}
          <button type="button" className="text-muted hover:text-ink" onClick={() => setOpen(true)}>
            more
          </button>
        </>
      ) : null}
    </p>
  )
}

const SHOWN_IN_GRID = 4

const Media = ({ draft, facts }: { draft: Draft; facts: PreviewFacts }) => {
  const records = useQueries({ queries: draft.media.map(({ mediaId }) => mediaQuery(mediaId)) })
  const media = records.flatMap(({ data }) => data ?? [])
  const [first] = media
  if (!first) return null
  if (media.length === 1 || facts.several === 'carousel')
    return (
      <div className="relative min-w-0">
        <Picture media={first} ratio={frameOf(first, facts.frame)} className="rounded-lg" />
        {media.length > 1 ? (
          <span className="absolute top-2 right-2 rounded-full bg-inverse px-2 text-2xs text-on-inverse tabular-nums">
            1/{media.length}
          </span>
        ) : null}
      </div>
    )
  return (
    <div className="grid grid-cols-2 gap-0.5 overflow-clip rounded-lg">
      {media.slice(0, SHOWN_IN_GRID).map((one, index) => (
        <div key={one.id} className={cx('relative', media.length === 3 && index === 0 && 'col-span-2')}>
          <Picture media={one} ratio={media.length === 3 && index === 0 ? 2 : 1} />
          {index === SHOWN_IN_GRID - 1 && media.length > SHOWN_IN_GRID ? (
            <span className="absolute inset-0 flex items-center justify-center bg-overlay font-semibold text-lg text-on-accent">
              +{media.length - SHOWN_IN_GRID}
            </span>
          ) : null}
        </div>
      ))}
    </div>
  )
}

type PictureProps = { media: MediaRecord; ratio: number; className?: string }

const WIDTH = 640

/** A picture as the network crops it. */
const Picture = ({ media, ratio, className }: PictureProps) => {
  const { data: sizes } = useQuery({ ...settingsQuery, select: ({ imageSizes }) => imageSizes })
  const isVideo = media.mimeType.startsWith('video/')
  const { width, height, focalX, focalY } = media
  const position =
    width === null || height === null ? undefined : cropPosition({ width, height, focalX, focalY }, ratio)
  return (
    <div
      style={{ aspectRatio: ratio }}
      className={cx(
        'mx-auto flex max-h-112 w-full items-center justify-center overflow-hidden bg-sunken text-faint',
        className,
      )}
    >
      {isVideo ? (
        <span className="relative flex size-full items-center justify-center">
          <video
            src={ownPath(media.url)}
            aria-label={media.filename}
            preload="metadata"
            muted
            className="absolute inset-0 size-full object-cover"
          />
          <span className="relative flex size-12 items-center justify-center rounded-full bg-inverse text-on-inverse">
            <Play aria-hidden className="size-5" />
          </span>
        </span>
      ) : sizes ? (
        <img
          src={pictureSource(media, WIDTH, sizes)}
          alt={media.alt}
          style={{ objectPosition: position }}
          className="size-full object-cover"
        />
      ) : null}
    </div>
  )
}

const LinkCard = ({ link }: { link: string }) => (
  <div className="flex min-w-0 items-center gap-2 rounded-lg border border-line bg-canvas px-3 py-2.5 text-muted text-xs">
    <Link2 aria-hidden className="size-4 shrink-0" />
    <span className="truncate">{link.replace(/^https?:\/\//, '')}</span>
  </div>
)
