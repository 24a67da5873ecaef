import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { entryUsesQuery } from './queries.ts'
import { nameOf } from './session/labels.ts'
import { usesWords } from './uses-words.ts'

type TrashDialogProps = {
  entry: Pick<EntryItem, 'id' | 'title' | 'slug' | 'status'>
  onClose: () => void
  onConfirm: () => Promise<void> | void
}

/** Asks before an entry goes to the trash, naming what leads to it. */
export const TrashDialog = ({ entry, onClose, onConfirm }: TrashDialogProps) => {
  const { data } = useQuery(entryUsesQuery(entry.id))
  const leaving = entry.status === 'published' ? "It's removed from your website immediately. " : ''
  const uses = usesWords(data && { items: data.items, total: data.meta.total })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Move “${nameOf(entry)}” to the trash?`}
      consequence={`${leaving}${uses} You can restore it from the trash as a draft.`}
      confirmLabel="Move to trash"
      onConfirm={onConfirm}
    />
  )
}
