import type { Me } from '@stoa/cms-model/accounts.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import type { BulkAction } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import type { Selection } from '@stoa/ui/table/selection.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Download, FolderInput, Text, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { pagerOf } from '../../list-pages.ts'
import { downloadAll } from '../download.ts'
import type { MediaList } from '../queries.ts'
import { mayUpload } from '../rights.ts'
import { isNarrowed, NEWEST_FIRST } from './filter.ts'
import type { LibraryAction } from './library-actions.tsx'
import { LibraryToolbar } from './library-toolbar.tsx'
import { MediaGrid } from './media-grid.tsx'
import { MediaTable } from './media-table.tsx'
import { useView } from './view.ts'

type LibraryFilesProps = {
  query: UseQueryResult<MediaList>
  me: Me
  selection: Selection
  upload: ReactNode
  onAction: (action: LibraryAction) => void
  onClear: () => void
}

/** The files as a grid or a list, with search, filters, selection and pages. */
export const LibraryFiles = ({ query, me, selection, upload, onAction, onClear }: LibraryFilesProps) => {
  const url = useUrlState()
  const [view, setView] = useView()
  const manages = mayUpload(me)
  const data = query.data
  const narrowed = isNarrowed(url.get)
  const View = view === 'grid' ? MediaGrid : MediaTable
  return (
    <div className="min-w-0 flex-1">
      <View
        state={listState({ data: data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        selection={selection}
        bulkActions={bulkActions(manages, data?.items ?? [], onAction)}
        draggable={manages}
        sort={url.get('sort') || NEWEST_FIRST}
        onSort={(sort) => url.set({ sort: sort === NEWEST_FIRST ? '' : sort, page: '' })}
        toolbar={<LibraryToolbar me={me} files={data?.items ?? []} view={view} onView={setView} />}
        onClearFilters={narrowed ? onClear : undefined}
        pager={data ? pagerOf(data, turnIn(url)) : undefined}
        empty={<Empty folder={url.get('folder')} upload={upload} />}
      />
    </div>
  )
}

const bulkActions = (
  manages: boolean,
  files: MediaList['items'],
  onAction: (action: LibraryAction) => void,
): readonly BulkAction[] => {
  const download: BulkAction = {
    label: 'Download',
    icon: <Download />,
    onRun: (keys) => downloadAll(files.filter(({ id }) => keys.has(id))),
  }
  if (!manages) return [download]
  return [
    { label: 'Move', icon: <FolderInput />, onRun: (keys) => onAction({ kind: 'move', ids: [...keys] }) },
    { label: 'Alt texts', icon: <Text />, onRun: (keys) => onAction({ kind: 'alt', ids: [...keys] }) },
    download,
    { label: 'Delete', icon: <Trash2 />, danger: true, onRun: (keys) => onAction({ kind: 'delete', ids: [...keys] }) },
  ]
}

const Empty = ({ folder, upload }: { folder: string; upload: ReactNode }) =>
  folder === '' ? (
    <EmptyState drawing="pictures" title="No files yet" action={upload}>
      {upload
        ? 'Drop files anywhere on this page, paste an image, or choose files to upload.'
        : 'Files uploaded by authors and editors show up here.'}
    </EmptyState>
  ) : (
    <EmptyState drawing="pictures" title="This folder is empty" action={upload}>
      {upload ? "Upload files or move some here. Empty folders aren't kept." : undefined}
    </EmptyState>
  )
