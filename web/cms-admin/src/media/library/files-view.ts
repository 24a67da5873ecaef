import type { BulkAction } from '@stoa/ui/table/data-table.tsx'
import type { ListState } from '@stoa/ui/table/list-state.ts'
import type { Selection } from '@stoa/ui/table/selection.ts'
import type { PagerProps } from '@stoa/ui/table/table-parts.tsx'
import type { DragEvent, ReactNode } from 'react'
import type { MediaRecord } from '../queries.ts'

/** The props that the grid and the list share. */
export type FilesViewProps = {
  state: ListState<MediaRecord>
  selection: Selection
  bulkActions: readonly BulkAction[]
  /** Files can be dragged onto folders. */
  draggable: boolean
  sort: string
  onSort: (sort: string) => void
  toolbar: ReactNode
  onClearFilters: (() => void) | undefined
  pager: PagerProps | undefined
  empty: ReactNode
}

/** The drag type of library files; files dragged from the desktop carry `Files`. */
export const DRAGGED = 'application/x-stoa-media'

/** Takes this file along, and with a chosen one all that are chosen. */
export const startDrag = (event: DragEvent, id: string, chosen: ReadonlySet<string>): void => {
  const ids = chosen.has(id) ? [...chosen] : [id]
  // A link would be dragged as its address
  event.dataTransfer.clearData()
  event.dataTransfer.setData(DRAGGED, ids.join(','))
  event.dataTransfer.effectAllowed = 'move'
}

export const draggedIds = ({ dataTransfer }: DragEvent): readonly string[] =>
  dataTransfer.getData(DRAGGED).split(',').filter(Boolean)
