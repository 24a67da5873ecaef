import type { Label } from '@stoa/mail-model/labels.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { forgetLabel } from '../actions/known-labels.ts'
import { useMessageActions } from '../actions/use-message-actions.ts'
import { messagesQuery } from '../queries.ts'

type RemoveLabelProps = { label: Pick<Label, 'name' | 'display_name'>; onClose: () => void; onDeleted?: () => void }

/** Asks before a label is taken off all messages. */
export const RemoveLabel = ({ label, onClose, onDeleted }: RemoveLabelProps) => {
  const remove = useRemoveLabel()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete the label “${label.display_name}”?`}
      consequence="It's removed from all messages. The messages stay where they are."
      confirmLabel="Delete label"
      onConfirm={async () => {
        await remove(label.name)
        onDeleted?.()
      }}
    />
  )
}

const useRemoveLabel = () => {
  const queryClient = useQueryClient()
  const actions = useMessageActions()
  return async (name: string) => {
    const query = { search: `label:${name}` }
    const { total } = await queryClient.fetchQuery({ ...messagesQuery(query, 1), staleTime: 0 })
    if (total > 0) await actions.label({ query, total }, { remove: [name] })
    await forgetLabel(queryClient, name)
    // Lists of before would bring it back
    queryClient.removeQueries({ queryKey: ['webmail', 'messages'], type: 'inactive' })
    await queryClient.invalidateQueries({ queryKey: ['webmail', 'messages'] })
  }
}
