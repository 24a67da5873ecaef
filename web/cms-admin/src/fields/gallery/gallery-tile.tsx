import { IconButton } from '@stoa/ui/button/button.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { appBase } from '@stoa/ui/request/request.ts'
import { useSortableItem } from '@stoa/ui/sortable/sortable.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, Ellipsis, ExternalLink, ImageOff, Replace, X } from 'lucide-react'
import { useRef } from 'react'
import { MediaThumb } from '../../media/media-thumb.tsx'
import { mediaQuery } from '../../media/queries.ts'
import { lacksAlt } from '../media/file-notes.ts'
import { AltWarning } from '../media/media-card.tsx'

type GalleryTileProps = {
  tileKey: string
  id: string
  path: string
  index: number
  count: number
  errors: readonly string[]
  disabled: boolean
  onMove: (from: number, to: number) => void
  onReplace: () => void
  onRemove: () => void
}

/** One file of a gallery. */
export const GalleryTile = (props: GalleryTileProps) => {
  const { tileKey, id, path, errors, disabled } = props
  const { data, isPending } = useQuery(mediaQuery(id))
  const name = data?.filename ?? 'Missing file'
  const { item, handle, isDragging } = useSortableItem(tileKey, { label: `Move ${name}`, disabled })
  return (
    <li
      {...item}
      data-path={path}
      className={cx(
        'relative flex min-w-0 flex-col overflow-hidden rounded-lg border bg-surface',
        errors.length > 0 ? 'border-failed-mark' : 'border-line',
        isDragging && 'layer-sticky shadow-md',
      )}
    >
      <div className="aspect-4/3 overflow-hidden bg-sunken">
        {data ? <MediaThumb media={data} size="fill" /> : isPending ? <Skeleton className="size-full" /> : <Missing />}
      </div>
      <div className="flex min-w-0 items-center gap-0.5 py-0.5 pr-0.5 pl-0.5">
        {handle}
        <span className={cx('min-w-0 flex-1 truncate text-xs', data || isPending ? 'text-ink' : 'text-danger-ink')}>
          {isPending ? '' : name}
        </span>
        <TileMenu {...props} name={name} />
      </div>
      {data && lacksAlt(data) ? (
        <div className="px-2 pb-1.5">
          <AltWarning />
        </div>
      ) : null}
      {errors.map((error, place) => (
        <div key={error} className="px-2 pb-1.5">
          <FieldError id={`${path}-error-${place}`}>{error}</FieldError>
        </div>
      ))}
    </li>
  )
}

const Missing = () => (
  <span className="flex size-full items-center justify-center text-faint">
    <ImageOff aria-hidden className="size-6" />
  </span>
)

const TileMenu = ({ id, name, index, count, disabled, ...actions }: GalleryTileProps & { name: string }) => {
  const trigger = useRef<HTMLButtonElement>(null)
  const group = useRef<HTMLElement>(undefined)
  const remove = () => {
    group.current = trigger.current?.closest<HTMLElement>('[role=group]') ?? undefined
    actions.onRemove()
  }
  return (
    <Menu
      trigger={<IconButton ref={trigger} size="sm" label={`Actions for ${name}`} icon={<Ellipsis />} />}
      onClosed={() => (group.current ?? trigger.current)?.focus()}
    >
      {disabled ? null : (
        <>
          <MenuItem icon={<ArrowLeft />} disabled={index === 0} onSelect={() => actions.onMove(index, index - 1)}>
            Move earlier
          </MenuItem>
          <MenuItem
            icon={<ArrowRight />}
            disabled={index === count - 1}
            onSelect={() => actions.onMove(index, index + 1)}
          >
            Move later
          </MenuItem>
          <MenuItem icon={<Replace />} onSelect={actions.onReplace}>
            Replace
          </MenuItem>
        </>
      )}
      <MenuItem
        icon={<ExternalLink />}
        onSelect={() => window.open(`${appBase()}/media?id=${id}`, '_blank', 'noreferrer')}
      >
        Open in a new tab
      </MenuItem>
      {disabled ? null : (
        <>
          <MenuSeparator />
          <MenuItem icon={<X />} danger onSelect={remove}>
            Remove
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
