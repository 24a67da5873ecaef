import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { BulkInput, EntryItem } from '@stoa/cms-model/entries.ts'
import type { TermReference } from '@stoa/cms-model/taxonomies.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import type { BulkAction } from '@stoa/ui/table/data-table.tsx'
import type { Selection } from '@stoa/ui/table/selection.ts'
import { useQuery } from '@tanstack/react-query'
import { FilePen, Globe, GlobeLock, Tags, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { may } from '../../allowed.tsx'
import { entryPath } from '../../content-path.ts'
import { taxonomiesQuery } from '../../taxonomies/queries.ts'
import { changeEntries } from '../queries.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { BulkLeft } from './bulk-left.tsx'
import { type BulkKind, bulkWords, entriesOf, questionOf } from './bulk-words.ts'
import { TermsDialog } from './terms-dialog.tsx'
import { useBulk } from './use-bulk.ts'
import { useTitles } from './use-titles.ts'

type Options = { me: Me; type: ContentType; rows: readonly EntryItem[]; selection: Selection }

type BulkActions = {
  actions: readonly BulkAction[]
  /** The notice that the last bulk action left. */
  notice: ReactNode
  /** The dialogs. */
  layers: ReactNode
}

/** Actions on the selected entries of a list. */
export const useBulkActions = ({ me, type, rows, selection }: Options): BulkActions => {
  const bulk = useBulk()
  const [asking, setAsking] = useState<{ action: BulkKind; ids: readonly string[] }>()
  const { data: taxonomies } = useQuery({ ...taxonomiesQuery, enabled: type.taxonomies.length > 0 })
  const usable = taxonomies?.items.filter(({ name, terms }) => type.taxonomies.includes(name) && terms.length > 0) ?? []
  const titles = useTitles(rows)
  const run = (action: BulkInput['action'], ids: readonly string[], terms?: TermReference[]) => {
    const { doing, done } = bulkWords[action]
    void bulk.start({
      ids,
      doing,
      done,
      change: (some) => changeEntries({ action, ids: some, ...(terms ? { terms } : {}) }),
      onEnd: (progress) => {
        const worked = progress.outcomes.filter(({ ok }) => ok).map(({ id }) => id)
        // Entries that failed stay selected
        selection.setAll(worked, false)
        if (worked.length < ids.length) return
        toast({
          tone: 'success',
          title: `${entriesOf(worked.length)} ${done}`,
          ...(action === 'trash' ? { action: { label: 'Undo', onAction: () => run('restore', worked) } } : {}),
        })
      },
    })
  }
  return {
    actions: actionsOf(me, usable.length > 0).map(({ action, ...shown }) => ({
      ...shown,
      onRun: (keys) => setAsking({ action, ids: [...keys] }),
    })),
    notice: <BulkLeft bulk={bulk} />,
    layers: (
      <>
        {asking?.action === 'terms' ? (
          <TermsDialog
            count={asking.ids.length}
            taxonomies={usable}
            onChoose={(terms) => run('terms', asking.ids, terms)}
            onClose={() => setAsking(undefined)}
          />
        ) : asking ? (
          <ConfirmDialog
            open
            onOpenChange={() => setAsking(undefined)}
            {...questionOf(asking.action, asking.ids.length)}
            onConfirm={() => run(asking.action, asking.ids)}
          />
        ) : null}
        {bulk.run && bulk.isShown ? (
          <BulkDialog
            run={bulk.run}
            describe={(id) => ({ title: titles.get(id) ?? id, to: entryPath({ type: type.name, id }) })}
            onCancel={bulk.cancel}
            onClose={bulk.hide}
          />
        ) : null}
      </>
    ),
  }
}

type Offered = Omit<BulkAction, 'onRun'> & { action: BulkKind }

const actionsOf = (me: Me, hasTerms: boolean): readonly Offered[] => [
  ...(may(me, 'content.publish')
    ? ([
        { action: 'publish', label: 'Publish', icon: <Globe /> },
        { action: 'unpublish', label: 'Unpublish', icon: <GlobeLock /> },
      ] as const)
    : []),
  { action: 'draft', label: 'Return to draft', icon: <FilePen /> },
  ...(hasTerms ? ([{ action: 'terms', label: 'Set terms', icon: <Tags /> }] as const) : []),
  { action: 'trash', label: 'Trash', icon: <Trash2 />, danger: true },
]
