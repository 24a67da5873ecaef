import type { BulkResults, TrashedEntry } from '@stoa/cms-model/entries.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import type { BulkAction } from '@stoa/ui/table/data-table.tsx'
import type { Selection } from '@stoa/ui/table/selection.ts'
import { RotateCcw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { BulkDialog } from '../list/bulk-dialog.tsx'
import { BulkLeft } from '../list/bulk-left.tsx'
import { bulkWords, entriesOf } from '../list/bulk-words.ts'
import { useBulk } from '../list/use-bulk.ts'
import { useTitles } from '../list/use-titles.ts'
import { changeEntries, purgeEntry } from '../queries.ts'

type Options = { rows: readonly TrashedEntry[]; selection: Selection; purges: boolean }
type TrashBulk = { actions: readonly BulkAction[]; notice: ReactNode; layers: ReactNode }

const purgeWords = { doing: 'Deleting', done: 'permanently deleted' }

/** Restoring and deleting many entries of the trash. */
export const useTrashBulk = ({ rows, selection, purges }: Options): TrashBulk => {
  const bulk = useBulk()
  const [purging, setPurging] = useState<readonly string[]>()
  const titles = useTitles(rows)
  const run = (words: { doing: string; done: string }, ids: readonly string[], change: typeof purgeAll) =>
    void bulk.start({
      ids,
      ...words,
      change,
      onEnd: ({ outcomes }) => {
        const worked = outcomes.filter(({ ok }) => ok).map(({ id }) => id)
        selection.setAll(worked, false)
        if (worked.length === ids.length) toast({ tone: 'success', title: `${entriesOf(worked.length)} ${words.done}` })
      },
    })
  return {
    actions: [
      {
        label: 'Restore',
        icon: <RotateCcw />,
        onRun: (keys) => run(bulkWords.restore, [...keys], (ids) => changeEntries({ action: 'restore', ids })),
      },
      ...(purges
        ? [
            {
              label: 'Delete permanently',
              icon: <Trash2 />,
              danger: true,
              onRun: (keys: ReadonlySet<string>) => setPurging([...keys]),
            },
          ]
        : []),
    ],
    notice: <BulkLeft bulk={bulk} />,
    layers: (
      <>
        <ConfirmDialog
          open={purging !== undefined}
          onOpenChange={() => setPurging(undefined)}
          title={`Permanently delete ${entriesOf(purging?.length ?? 0)}?`}
          consequence="They're permanently deleted along with their history. This can't be undone."
          confirmLabel="Delete permanently"
          onConfirm={() => run(purgeWords, purging ?? [], purgeAll)}
        />
        {bulk.run && bulk.isShown ? (
          <BulkDialog
            run={bulk.run}
            describe={(id) => ({ title: titles.get(id) ?? id, to: undefined })}
            onCancel={bulk.cancel}
            onClose={bulk.hide}
          />
        ) : null}
      </>
    ),
  }
}

/** One after the other; what one is refused for does not stop the others. */
const purgeAll = async (ids: string[]): Promise<BulkResults> => {
  const results: BulkResults['results'] = []
  for (const id of ids) {
    try {
      await purgeEntry(id)
      results.push({ id, ok: true })
    } catch (error) {
      results.push({ id, ok: false, error: messageOf(error) })
    }
  }
  return { results }
}
