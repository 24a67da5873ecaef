import type { QueueItem } from '@stoa/mail-model/queue.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { dropItem, QUEUE } from './queries.ts'

/** Asks before mail is given up: it cannot be brought back. */
export const DropItem = ({ item, onClose }: { item: QueueItem; onClose: () => void }) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Drop mail to ${item.recipient}?`}
      consequence={
        item.from === null
          ? "This delivery report won't be sent. You can't undo this."
          : "It won't be delivered, and the sender gets a failure report. You can't undo this."
      }
      confirmLabel="Drop mail"
      onConfirm={async () => {
        await dropItem(item.id)
        await queryClient.invalidateQueries({ queryKey: QUEUE })
        toast({ tone: 'success', title: 'Mail dropped' })
      }}
    />
  )
}
