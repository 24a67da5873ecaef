import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { entriesQuery } from '../entries/queries.ts'
import { deleteType, typesQuery } from './queries.ts'

type DeleteTypeProps = {
  type: ContentType
  open: boolean
  onClose: () => void
  onDeleting: (deleting: boolean) => void
}

export const DeleteType = ({ type, open, onClose, onDeleting }: DeleteTypeProps) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const { data: entries } = useQuery({ ...entriesQuery({ type: type.name, limit: 1 }), enabled: open })
  const total = entries?.meta.total ?? 0
  const obstacle =
    total > 0 ? `It still has ${formatCount(total, 'entry', 'entries')}. Permanently delete them first. ` : ''
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Delete the type “${type.label}”?`}
      consequence={`${obstacle}/content/${type.name} stops working, and the type is removed from delivery keys, webhooks and taxonomies. This can't be undone.`}
      confirmLabel="Delete type"
      typeName={type.name}
      onConfirm={async () => {
        onDeleting(true)
        await deleteType(type.name).catch((error: unknown) => {
          onDeleting(false)
          throw error
        })
        navigateTo('/types')
        // Not the type itself: this screen still shows it until the next one is there
        void queryClient.invalidateQueries({
          queryKey: typesQuery.queryKey,
          predicate: ({ queryKey }) => queryKey[1] !== type.name,
        })
        toast({ tone: 'success', title: `“${type.label}” deleted` })
      }}
    />
  )
}
