import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Field, FieldError } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Sortable, useSortableItem } from '@stoa/ui/sortable/sortable.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, ImageOff, X } from 'lucide-react'
import { useId, useState } from 'react'
import { mayMove, moveItem, removeItem, replaceItem } from '../../fields/items.ts'
import { AddFiles } from '../../fields/media/add-files.tsx'
import { factsOf } from '../../fields/media/file-notes.ts'
import { useFieldUpload } from '../../fields/media/use-field-upload.ts'
import { MediaThumb } from '../../media/media-thumb.tsx'
import { MediaPicker } from '../../media/picker/media-picker.tsx'
import { mediaQuery } from '../../media/queries.ts'
import type { DraftMedia } from './draft.ts'

const ACCEPT = ['image/*', 'video/*'] as const
const STARTS = ['image/', 'video/'] as const

type MediaTrayProps = {
  media: readonly DraftMedia[]
  /** The longest alternative text that all chosen networks take. */
  altMax: number | undefined
  error: string | undefined
  onMedia: (media: readonly DraftMedia[]) => void
}

/** The pictures of a post in their order, or its video. */
export const MediaTray = ({ media, altMax, error, onMedia }: MediaTrayProps) => {
  const id = useId()
  const client = useQueryClient()
  const [picking, setPicking] = useState(false)
  const add = (records: readonly MediaRecord[]) => {
    for (const record of records) client.setQueryData(mediaQuery(record.id).queryKey, record)
    const known = new Set(media.map(({ mediaId }) => mediaId))
    onMedia([...media, ...records.filter((record) => !known.has(record.id)).map(draftMediaOf)])
  }
  const upload = useFieldUpload(ACCEPT, add)
  const ids = media.map(({ mediaId }) => mediaId)
  const move = (from: number, to: number) => {
    if (mayMove(media.length, from, to)) onMedia(moveItem(media, from, to))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would take the labels of the inputs inside into its name
    <div role="group" aria-labelledby={id} className="flex min-w-0 flex-col gap-1.5">
      <span id={id} className="font-medium text-ink text-sm">
        Media<span className="ml-1.5 font-normal text-faint text-xs">Images or one video</span>
      </span>
      <AddFiles
        accept={ACCEPT}
        multiple
        disabled={false}
        chooseLabel={media.length === 0 ? 'Choose media' : 'Add media'}
        onChoose={() => setPicking(true)}
        upload={upload}
      >
        {media.length === 0 ? undefined : (
          <Sortable ids={ids} nameOf={(one) => `file ${ids.indexOf(one) + 1}`} onMove={move} layout="rows">
            <ol className="flex flex-col gap-2">
              {media.map((one, index) => (
                <MediaRow
                  key={one.mediaId}
                  media={one}
                  index={index}
                  count={media.length}
                  altMax={altMax}
                  onAlt={(alt) => onMedia(replaceItem(media, index, { ...one, alt }))}
                  onMove={move}
                  onRemove={() => onMedia(removeItem(media, index))}
                />
              ))}
            </ol>
          </Sortable>
        )}
      </AddFiles>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      <MediaPicker open={picking} onOpenChange={setPicking} accept={STARTS} multiple onPick={add} />
    </div>
  )
}

const draftMediaOf = ({ id, alt, mimeType }: MediaRecord): DraftMedia => ({
  mediaId: id,
  alt,
  kind: mimeType.startsWith('video/') ? 'video' : 'image',
})

type MediaRowProps = {
  media: DraftMedia
  index: number
  count: number
  altMax: number | undefined
  onAlt: (alt: string) => void
  onMove: (from: number, to: number) => void
  onRemove: () => void
}

const MediaRow = ({ media, index, count, altMax, onAlt, onMove, onRemove }: MediaRowProps) => {
  const { data, error } = useQuery(mediaQuery(media.mediaId))
  const name = data?.filename ?? `file ${index + 1}`
  const { item, handle, isDragging } = useSortableItem(media.mediaId, { label: `Move ${name}`, disabled: count === 1 })
  return (
    <li
      {...item}
      className={cx(
        'flex min-w-0 items-start gap-2.5 rounded-lg border border-line bg-surface p-2',
        isDragging && 'layer-sticky shadow-md',
      )}
    >
      {handle}
      <span className="size-16 shrink-0 overflow-hidden rounded-md bg-sunken">
        {data ? <MediaThumb media={data} size="fill" /> : error ? <Missing /> : <Skeleton className="size-full" />}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <span className="flex min-w-0 items-baseline gap-2 text-xs">
          <span className="min-w-0 truncate text-ink">{error && !data ? 'Missing file' : name}</span>
          <span className="shrink-0 text-faint tabular-nums">{data ? factsOf(data) : ''}</span>
        </span>
        <Field label={`Alt text of ${name}`} hideLabel optional>
          <Input
            value={media.alt}
            placeholder={data?.alt || "Describe it for people who can't see it"}
            onChange={({ target }) => onAlt(target.value)}
          />
        </Field>
        {altMax !== undefined && media.alt.length > altMax * 0.8 ? (
          <span className={cx('text-2xs tabular-nums', media.alt.length > altMax ? 'text-danger-ink' : 'text-faint')}>
            {media.alt.length}/{altMax}
          </span>
        ) : null}
      </div>
      <div className="flex shrink-0 phone:flex-col">
        {count > 1 ? (
          <>
            <IconButton
              size="sm"
              label={`Move ${name} up`}
              icon={<ArrowUp />}
              disabled={index === 0}
              onClick={() => onMove(index, index - 1)}
            />
            <IconButton
              size="sm"
              label={`Move ${name} down`}
              icon={<ArrowDown />}
              disabled={index === count - 1}
              onClick={() => onMove(index, index + 1)}
            />
          </>
        ) : null}
        <IconButton size="sm" label={`Remove ${name}`} icon={<X />} onClick={onRemove} />
      </div>
    </li>
  )
}

const Missing = () => (
  <span className="flex size-full items-center justify-center text-faint">
    <ImageOff aria-hidden className="size-5" />
  </span>
)
