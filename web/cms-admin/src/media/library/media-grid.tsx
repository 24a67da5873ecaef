import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Checkbox } from '@stoa/ui/form/checkbox.tsx'
import type { Selection } from '@stoa/ui/table/selection.ts'
import { BulkBar, ListError, NothingMatches, Pager, ToolbarOrBulk } from '@stoa/ui/table/table-parts.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { TileFace } from '../media-tile.tsx'
import type { MediaRecord } from '../queries.ts'
import { useGridKeys } from '../use-grid-keys.ts'
import { type FilesViewProps, startDrag } from './files-view.ts'

/** Files as tiles. */
export const MediaGrid = (props: FilesViewProps) => {
  const { state, selection, bulkActions, toolbar, pager } = props
  const region = useRef<HTMLElement>(null)
  const clear = () => {
    selection.clear()
    region.current?.focus()
  }
  const shown = state.status === 'ready' ? state.rows.map(({ id }) => id) : []
  useSelectionKeys(region, { selectAll: () => selection.setAll(shown, true), clear, chosen: selection.keys.size > 0 })
  return (
    <section ref={region} tabIndex={-1} aria-label="Files" className="flex min-w-0 flex-col gap-3">
      <ToolbarOrBulk
        bulk={selection.keys.size > 0 ? <BulkBar selection={selection} actions={bulkActions} onClear={clear} /> : null}
      >
        <div className="flex min-h-8 flex-wrap items-center gap-2">{toolbar}</div>
      </ToolbarOrBulk>
      <div aria-busy={state.status === 'loading'}>
        <Body {...props} />
      </div>
      <p role="status" className="sr-only">
        {state.status === 'loading' ? 'Loading files' : `${formatCount(shown.length, 'file', 'files')} shown`}
      </p>
      {pager && shown.length > 0 ? <Pager {...pager} /> : null}
    </section>
  )
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-5'
const frame = 'rounded-xl border border-line bg-surface shadow-sm'

const Body = ({ state, selection, draggable, onClearFilters, empty }: FilesViewProps) => {
  if (state.status === 'error')
    return (
      <div className={frame}>
        <ListError message={state.message} onRetry={state.onRetry} />
      </div>
    )
  if (state.status === 'loading')
    return (
      <div className={grid}>
        {Array.from({ length: 12 }, (_, tile) => tile).map((tile) => (
          <Skeleton key={tile} className="aspect-4/3 h-auto rounded-lg" />
        ))}
      </div>
    )
  if (state.rows.length === 0)
    return <div className={frame}>{onClearFilters ? <NothingMatches onClear={onClearFilters} /> : empty}</div>
  return <Tiles files={state.rows} selection={selection} draggable={draggable} />
}

type TilesProps = { files: readonly MediaRecord[]; selection: Selection; draggable: boolean }

const Tiles = ({ files, selection, draggable }: TilesProps) => {
  const order = files.map(({ id }) => id)
  const keys = useGridKeys(order)
  return (
    <ul {...keys.props} className={grid}>
      {files.map((media) => (
        <li key={media.id} className="group/tile relative min-w-0">
          <Link
            to="/media"
            search={(before: Record<string, unknown>) => ({ ...before, id: media.id })}
            data-tile={media.id}
            tabIndex={keys.tabIndex(media.id)}
            draggable={draggable}
            onDragStart={(event) => startDrag(event, media.id, selection.keys)}
            onClick={(event) => {
              // The browser would open another window
              if (!event.shiftKey) return
              event.preventDefault()
              selection.toggle(media.id, order, true)
            }}
            onKeyDown={(event) => {
              if (event.key !== ' ') return
              event.preventDefault()
              selection.toggle(media.id, order, event.shiftKey)
            }}
            className="flex w-full flex-col gap-1.5 rounded-lg"
          >
            <TileFace media={media} chosen={selection.keys.has(media.id)} />
          </Link>
          <Checkbox
            aria-label={`Select ${media.filename}`}
            tabIndex={-1}
            checked={selection.keys.has(media.id)}
            // The click carries the Shift key, the change event does not
            onClick={(event) => selection.toggle(media.id, order, event.shiftKey)}
            onChecked={() => undefined}
            className={cx(
              'absolute! top-2 left-2 touch:opacity-100',
              selection.keys.size === 0 &&
                'opacity-0 focus-within:opacity-100 group-focus-within/tile:opacity-100 group-hover/tile:opacity-100',
            )}
          />
        </li>
      ))}
    </ul>
  )
}

type SelectionKeys = { selectAll: () => void; clear: () => void; chosen: boolean }

/** mod+A chooses all, Esc nothing; while someone types, and below a dialog, the keys mean something else. */
const useSelectionKeys = (region: RefObject<HTMLElement | null>, { selectAll, clear, chosen }: SelectionKeys): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event.target, region.current)) return
    if (event.key === 'Escape' && chosen) clear()
    if (event.key.toLowerCase() !== 'a' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    selectAll()
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

const isElsewhere = (target: EventTarget | null, region: HTMLElement | null): boolean => {
  if (document.querySelector('[role=dialog], [role=alertdialog]')) return true
  if (!(target instanceof HTMLElement)) return true
  if (target.isContentEditable || target.closest('input:not([type=checkbox]), textarea, select, [role=menu]'))
    return true
  return target !== document.body && target.id !== 'content' && !region?.contains(target)
}
