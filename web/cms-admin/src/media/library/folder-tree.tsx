import { IconButton } from '@stoa/ui/button/button.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ChevronDown, ChevronRight, Folder, FolderOpen, Images, Inbox, Pencil } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { type FolderRow, folderRows, parentsOf } from '../folders.ts'
import { type MediaFolder, NO_FOLDER } from '../queries.ts'
import { DRAGGED, draggedIds } from './files-view.ts'

type Drops = {
  onDropFiles?: (files: readonly File[], folder: string) => void
  onDropMedia?: (ids: readonly string[], folder: string) => void
}

type FolderTreeProps = Drops & {
  folders: readonly MediaFolder[]
  /** The folder that is open; `NO_FOLDER` or empty for all files. */
  current: string
  /** One input in place of the tree. */
  compact: boolean
  onOpen: (folder: string) => void
  onRename?: (folder: string) => void
}

/** The folders of the library; files can be dropped on them. */
export const FolderTree = ({ folders, current, compact, onOpen, onRename, ...drops }: FolderTreeProps) => {
  const rows = folderRows(folders, current === '' || current === NO_FOLDER ? [] : [current])
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const total = folders.reduce((sum, { count }) => sum + count, 0)
  const nested = rows.some(({ hasFolders }) => hasFolders)
  const loose = folders.find(({ folder }) => folder === '')?.count ?? 0
  if (compact) return <FolderSelect rows={rows} current={current} onOpen={onOpen} />
  const toggle = (path: string) => {
    const next = new Set(closed)
    if (!next.delete(path)) next.add(path)
    setClosed(next)
  }
  return (
    <nav aria-label="Folders" className="w-52 shrink-0">
      <ul className="sticky top-7 flex max-h-[calc(100dvh-4rem)] flex-col gap-0.5 overflow-y-auto p-0.5">
        <Row label="All files" count={total} icon={<Images />} isCurrent={current === ''} onOpen={() => onOpen('')} />
        <Row
          label="No folder"
          count={loose}
          icon={<Inbox />}
          isCurrent={current === NO_FOLDER}
          onOpen={() => onOpen(NO_FOLDER)}
          drop={dropsInto('', drops)}
        />
        {rows
          .filter(({ path }) => !parentsOf(path).some((parent) => closed.has(parent)))
          .map((row) => (
            <Row
              key={row.path}
              label={row.name}
              count={row.total}
              depth={row.depth}
              nested={nested}
              icon={row.path === current ? <FolderOpen /> : <Folder />}
              isCurrent={row.path === current}
              onOpen={() => onOpen(row.path)}
              drop={dropsInto(row.path, drops)}
              {...(row.hasFolders ? { isClosed: closed.has(row.path), onToggle: () => toggle(row.path) } : {})}
              {...(onRename && row.total > 0 ? { onRename: () => onRename(row.path) } : {})}
            />
          ))}
      </ul>
    </nav>
  )
}

type FolderSelectProps = { rows: readonly FolderRow[]; current: string; onOpen: (folder: string) => void }

const FolderSelect = ({ rows, current, onOpen }: FolderSelectProps) => (
  <Select
    aria-label="Folder"
    value={current}
    onValue={onOpen}
    options={[
      { value: '', label: 'All files' },
      { value: NO_FOLDER, label: 'No folder' },
      ...rows.map(({ path, name, depth, total }) => ({
        value: path,
        label: `${'– '.repeat(depth)}${name} (${formatNumber(total)})`,
      })),
    ]}
  />
)

type Drop = { onFiles: (files: readonly File[]) => void; onMedia: (ids: readonly string[]) => void }

const dropsInto = (folder: string, { onDropFiles, onDropMedia }: Drops): Drop | undefined =>
  onDropFiles && onDropMedia
    ? { onFiles: (files) => onDropFiles(files, folder), onMedia: (ids) => onDropMedia(ids, folder) }
    : undefined

type RowProps = {
  label: string
  count: number
  depth?: number
  /** Others have a button before their name: it stands below theirs. */
  nested?: boolean
  icon: ReactNode
  isCurrent: boolean
  onOpen: () => void
  isClosed?: boolean
  onToggle?: () => void
  onRename?: () => void
  drop?: Drop | undefined
}

const Row = (props: RowProps) => {
  const { label, count, depth = 0, nested = false, icon, isCurrent, onOpen, isClosed, onToggle, onRename, drop } = props
  const [over, dropProps] = useDropTarget(drop)
  return (
    <li
      {...dropProps}
      style={{ paddingInlineStart: `calc(var(--spacing) * ${depth * 3})` }}
      className={cx(
        'group/folder flex min-w-0 items-center rounded-md text-sm',
        over ? 'bg-accent-soft ring-2 ring-accent' : isCurrent ? 'bg-pressed' : 'hover:bg-hover',
      )}
    >
      {onToggle ? (
        <button
          type="button"
          aria-label={isClosed ? `Show the folders in ${label}` : `Hide the folders in ${label}`}
          aria-expanded={!isClosed}
          onClick={onToggle}
          className="flex size-6 shrink-0 items-center justify-center rounded-sm text-faint hover:text-ink [&_svg]:size-3.5"
        >
          {isClosed ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
        </button>
      ) : (
        <span className={cx('shrink-0', nested ? 'w-6' : 'w-1.5')} />
      )}
      <button
        type="button"
        onClick={onOpen}
        aria-current={isCurrent ? 'true' : undefined}
        className={cx(
          'flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md pr-2 text-left [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint',
          isCurrent ? 'font-medium text-ink' : 'text-muted',
        )}
      >
        {icon}
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <span className={cx('text-faint text-xs tabular-nums', onRename && 'group-hover/folder:hidden')}>
          {formatNumber(count)}
        </span>
      </button>
      {onRename ? (
        <IconButton
          size="sm"
          label={`Rename ${label}`}
          icon={<Pencil />}
          onClick={onRename}
          className="sr-only focus-visible:not-sr-only group-hover/folder:not-sr-only"
        />
      ) : null}
    </li>
  )
}

const useDropTarget = (drop: Drop | undefined) => {
  const [over, setOver] = useState(false)
  if (!drop) return [false, {}] as const
  const takes = ({ dataTransfer }: DragEvent) =>
    dataTransfer.types.includes(DRAGGED) || dataTransfer.types.includes('Files')
  return [
    over,
    {
      onDragOver: (event: DragEvent) => {
        if (!takes(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        const to = event.relatedTarget
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!takes(event)) return
        // Also marks the drop as handled for the page
        event.preventDefault()
        setOver(false)
        const ids = draggedIds(event)
        if (ids.length > 0) drop.onMedia(ids)
        else drop.onFiles([...event.dataTransfer.files])
      },
    },
  ] as const
}
