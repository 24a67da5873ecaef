import type { Suppression } from '@stoa/mail-model/suppressions.ts'
import { saveFile } from '@stoa/ui/browser/save-file.ts'
import { RunDialog } from '@stoa/ui/layer/run-dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useState } from 'react'
import { toCsv, toPlainField } from './csv.ts'
import { readSuppressions, type SuppressionsFilter } from './queries.ts'

const PAGE = 100
const HEAD = ['email', 'origin', 'reason', 'expires_at', 'created_at']

type ExportDialogProps = { filter: SuppressionsFilter; total: number; onClose: () => void }

/** Gathers every page of the list into one file. */
export const ExportDialog = ({ filter, total, onClose }: ExportDialogProps) => {
  // Keyed by id: an entry added during the export shifts others to the next page
  const [found] = useState(() => new Map<string, Suppression>())
  const [pages] = useState(() => Array.from({ length: Math.ceil(total / PAGE) }, (_, index) => index + 1))
  return (
    <RunDialog
      title={`Export ${formatCount(total, 'suppression', 'suppressions')}?`}
      consequence="You'll get a CSV file with address, origin, reason and dates."
      confirmLabel="Export"
      tone="primary"
      items={pages}
      unit="pages"
      action={async (page) => {
        const { data } = await readSuppressions(filter, page)
        for (const one of data) found.set(one.id, one)
      }}
      nameOf={(page) => `Page ${page}`}
      onSettled={({ failed, cancelled }) => {
        if (failed.length > 0 || cancelled) return
        saveFile('suppressions.csv', toCsv([HEAD, ...[...found.values()].map(lineOf)]), 'text/csv')
      }}
      onClose={onClose}
    />
  )
}

const lineOf = (one: Suppression): string[] => [
  one.email,
  one.origin,
  toPlainField(one.reason ?? ''),
  one.expires_at ?? '',
  one.created_at,
]
