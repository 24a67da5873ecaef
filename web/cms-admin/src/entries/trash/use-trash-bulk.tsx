import type { BulkResults, TrashedEntry } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import type { BulkAction } from '@stoa/ui/data-table.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import type { Selection } from '@stoa/ui/selection.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { RotateCcw, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { failuresOf } from '../list/bulk.ts'
import { BulkDialog } from '../list/bulk-dialog.tsx'
import { bulkWords, entriesOf } from '../list/bulk-words.ts'
import { useBulk } from '../list/use-bulk.ts'
import { titleOf } from '../list/values.ts'
import { changeEntries, purgeEntry } from '../queries.ts'

type Options = { rows: readonly TrashedEntry[]; selection: Selection; purges: boolean }
type TrashBulk = { actions: readonly BulkAction[]; notice: ReactNode; layers: ReactNode }

const purgeWords = { doing: 'Deleting for good', done: 'deleted for good' }

/** Restoring and deleting many entries of the trash. */
export const useTrashBulk = ({ rows, selection, purges }: Options): TrashBulk => {
  const bulk = useBulk()
  const [purging, setPurging] = useState<readonly string[]>()
  const titles = useRef(new Map<string, string>())
  useEffect(() => {
    for (const entry of rows) titles.current.set(entry.id, titleOf(entry))
  }, [rows])
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
  const left = bulk.run && !bulk.isShown && bulk.run.progress.state !== 'running' ? failuresOf(bulk.run.progress) : []
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
              label: 'Delete for good',
              icon: <Trash2 />,
              danger: true,
              onRun: (keys: ReadonlySet<string>) => setPurging([...keys]),
            },
          ]
        : []),
    ],
    notice:
      left.length === 0 ? null : (
        <Notice
          tone="warning"
          className="mb-3"
          action={
            <Button size="sm" onClick={bulk.show}>
              Read the result
            </Button>
          }
        >
          {entriesOf(left.length)} could not be {bulk.run?.done}.
        </Notice>
      ),
    layers: (
      <>
        <ConfirmDialog
          open={purging !== undefined}
          onOpenChange={() => setPurging(undefined)}
          title={`Delete ${entriesOf(purging?.length ?? 0)} for good?`}
          consequence="They and their whole histories are gone. This cannot be undone."
          confirmLabel="Delete for good"
          onConfirm={() => run(purgeWords, purging ?? [], purgeAll)}
        />
        {bulk.run && bulk.isShown ? (
          <BulkDialog
            run={bulk.run}
            describe={(id) => ({ title: titles.current.get(id) ?? id, to: undefined })}
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
