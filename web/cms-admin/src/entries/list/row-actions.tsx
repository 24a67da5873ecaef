import type { Me } from '@stoa/cms-model/accounts.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import type { TableAction } from '@stoa/ui/table/data-table.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarX2, Copy, ExternalLink, Eye, Globe, GlobeLock, PanelsTopLeft, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { may } from '../../allowed.tsx'
import { entryPath } from '../../content-path.ts'
import { pagePath, useHasPages } from '../../visual/pages.ts'
import { entryUsesQuery } from '../queries.ts'
import { rightsOn } from '../rights.ts'
import { TrashDialog } from '../trash-dialog.tsx'
import { openWebsite, useListActions } from './list-actions.ts'

type Action = TableAction<EntryItem>

type RowActions = { rowActions: (entry: EntryItem) => readonly Action[]; dialog: ReactNode }

/** What this person can do with an entry of a list; all of it once the list is in use. */
export const useRowActions = (me: Me, isInUse: boolean): RowActions => {
  const navigateTo = useNavigateTo()
  const listActions = useListActions(me)
  const hasPages = useHasPages(isInUse)
  const { trash, dialog } = useTrashing(listActions.trash)
  const rowActions = (entry: EntryItem) => {
    const rights = rightsOn(me, entry)
    const scheduled = entry.publishAt !== null || entry.unpublishAt !== null
    const actions: (Action | false)[] = [
      {
        label: rights.edit ? 'Edit' : 'Open',
        icon: rights.edit ? <Pencil /> : <Eye />,
        onRun: () => navigateTo(entryPath(entry)),
      },
      rights.edit &&
        hasPages(entry.type) && {
          label: 'Edit on the page',
          icon: <PanelsTopLeft />,
          onRun: () => navigateTo(pagePath(entry.id)),
        },
      isLive(entry) && {
        label: 'View on website',
        icon: <ExternalLink />,
        onRun: openWebsite,
      },
      may(me, 'content.write') && { label: 'Duplicate', icon: <Copy />, onRun: listActions.duplicate },
      rights.publish &&
        (entry.status === 'draft' || entry.pending) && {
          label: entry.status === 'draft' ? 'Publish' : 'Publish changes',
          icon: <Globe />,
          onRun: listActions.publish,
        },
      rights.publish &&
        entry.status === 'published' && { label: 'Unpublish', icon: <GlobeLock />, onRun: listActions.unpublish },
      scheduled &&
        (entry.status === 'draft' ? rights.write : rights.publish) && {
          label: 'Cancel schedule',
          icon: <CalendarX2 />,
          onRun: listActions.unschedule,
        },
      rights.write && { label: 'Move to trash', icon: <Trash2 />, danger: true, onRun: trash },
    ]
    return actions.filter((action) => action !== false)
  }
  return { rowActions, dialog }
}

/** At once, with undo; only what something leads to is asked about. */
const useTrashing = (trash: (entry: EntryItem) => void) => {
  const queryClient = useQueryClient()
  const [used, setUsed] = useState<EntryItem>()
  const ask = async (entry: EntryItem) => {
    const uses = await queryClient.fetchQuery(entryUsesQuery(entry.id)).catch(() => undefined)
    // The dialog says what it knows
    if (uses?.meta.total === 0) trash(entry)
    else setUsed(entry)
  }
  return {
    trash: (entry: EntryItem) => void ask(entry),
    dialog: used ? <TrashDialog entry={used} onClose={() => setUsed(undefined)} onConfirm={() => trash(used)} /> : null,
  }
}

const isLive = (entry: EntryItem): boolean => entry.status === 'published' && entry.url !== null
