import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { type Column, DataTable, type Sort } from '@stoa/ui/table/data-table.tsx'
import { formatBytes, formatNumber } from '@stoa/ui/text/format.ts'
import { useLocation } from '@tanstack/react-router'
import { MediaThumb } from '../media-thumb.tsx'
import { kindOf, lacksAlt } from '../media-tile.tsx'
import type { MediaRecord } from '../queries.ts'
import { type FilesViewProps, startDrag } from './files-view.ts'

/** Files as rows. */
export const MediaTable = (props: FilesViewProps) => {
  const { state, selection, bulkActions, draggable, sort, onSort, toolbar, onClearFilters, pager, empty } = props
  const { searchStr } = useLocation()
  const toFile = ({ id }: MediaRecord) => {
    const search = new URLSearchParams(searchStr)
    search.set('id', id)
    return `/media?${search}`
  }
  return (
    <DataTable
      label="Files"
      columns={columnsOf(draggable, selection.keys)}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ filename }) => filename}
      rowTo={toFile}
      sort={readSort(sort)}
      onSort={({ by, direction }) => onSort(direction === 'desc' ? `-${by}` : by)}
      selection={selection}
      bulkActions={bulkActions}
      toolbar={toolbar}
      onClearFilters={onClearFilters}
      empty={empty}
      {...(pager ? { pager } : {})}
    />
  )
}

const readSort = (sort: string): Sort => ({
  by: sort.replace(/^-/, ''),
  direction: sort.startsWith('-') ? 'desc' : 'asc',
})

const columnsOf = (
  draggable: boolean,
  chosen: ReadonlySet<string>,
): readonly [Column<MediaRecord>, ...Column<MediaRecord>[]] => [
  {
    id: 'filename',
    header: 'Name',
    sortable: true,
    cell: (media) => (
      // biome-ignore lint/a11y/noStaticElementInteractions: a way for the mouse; the keyboard has "Move"
      <span
        draggable={draggable}
        onDragStart={(event) => startDrag(event, media.id, chosen)}
        className="flex min-w-0 items-center gap-3"
      >
        <MediaThumb media={media} size="sm" />
        <span className="min-w-0 truncate">{media.filename}</span>
      </span>
    ),
  },
  {
    id: 'alt',
    header: 'Alt text',
    cell: (media) => <AltCell media={media} />,
  },
  { id: 'folder', header: 'Folder', hideOnPhone: true, isSpare: true, cell: ({ folder }) => <Cut>{folder}</Cut> },
  { id: 'kind', header: 'Type', hideOnPhone: true, isSpare: true, cell: ({ mimeType }) => kindOf(mimeType) },
  {
    id: 'size',
    header: 'Size',
    sortable: true,
    align: 'end',
    lineOnPhone: true,
    cell: ({ size }) => formatBytes(size),
  },
  {
    id: 'usage',
    header: 'Used in',
    align: 'end',
    hideOnPhone: true,
    isSpare: true,
    cell: ({ usage }) => formatNumber(usage.count),
  },
  {
    id: 'createdAt',
    header: 'Uploaded',
    sortable: true,
    lineOnPhone: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

const Cut = ({ children }: { children: string }) => <span className="block max-w-40 truncate">{children}</span>

const AltCell = ({ media }: { media: MediaRecord }) => {
  if (lacksAlt(media)) return <Badge tone="draft">Missing</Badge>
  if (media.decorative) return <span className="text-faint">Decorative</span>
  return <Cut>{media.alt}</Cut>
}
