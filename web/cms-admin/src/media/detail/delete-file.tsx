import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { deleteMedia, type MediaRecord, mediaKey, mediaQuery, usesQuery } from '../queries.ts'
import { nameOfUse } from './uses-panel.tsx'

type DeleteFileProps = { media: MediaRecord; onClose: () => void; onDeleted: () => void }

/** More names would not be read. */
const MAX_NAMED = 3

/** Deletes one file after naming what uses it. */
export const DeleteFile = ({ media, onClose, onDeleted }: DeleteFileProps) => {
  const queryClient = useQueryClient()
  const { data } = useQuery({ ...usesQuery(media.id), staleTime: 0 })
  const total = data?.meta.total ?? media.usage.count
  const names = (data?.items ?? []).slice(0, MAX_NAMED).map((use) => `“${nameOfUse(use)}”`)
  const named = new Intl.ListFormat('en').format([
    ...names,
    ...(total > names.length && names.length > 0 ? [`${total - names.length} more`] : []),
  ])
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete “${media.filename}”?`}
      consequence={
        total === 0
          ? "It isn't used anywhere. Its URL stops working immediately. This can't be undone."
          : `It's used in ${formatCount(total, 'place', 'places')}${named ? `: ${named}` : ''}, where it will be missing. This can't be undone.`
      }
      confirmLabel="Delete file"
      onConfirm={async () => {
        // An unused file is not force-deleted: the service refuses if it came into use meanwhile
        await deleteMedia(media.id, { version: 'any', force: total > 0 })
        toast({ tone: 'success', title: `“${media.filename}” deleted` })
        onDeleted()
        queryClient.removeQueries(mediaQuery(media.id))
        void queryClient.invalidateQueries({ queryKey: mediaKey })
      }}
    />
  )
}
