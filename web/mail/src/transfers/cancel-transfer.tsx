import type { Transfer } from '@stoa/mail-model/transfers.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { hasName } from '../api.ts'
import { cancelTransfer, TRANSFERS } from './queries.ts'

type CancelTransferProps = { transfer: Transfer | undefined; onClose: () => void }

/** Asks before a copy is stopped. */
export const CancelTransfer = ({ transfer, onClose }: CancelTransferProps) => {
  const queryClient = useQueryClient()
  if (!transfer) return null
  const { id, address, messages_copied: copied } = transfer
  const stays =
    copied === 0
      ? 'Nothing has been copied yet.'
      : `The ${formatCount(copied, 'message', 'messages')} already copied stay.`
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Stop the transfer to ${address}?`}
      consequence={`Copying stops and the password is erased. ${stays} If you start again later, nothing is copied twice.`}
      confirmLabel="Stop transfer"
      onConfirm={async () => {
        await cancelTransfer(id).catch((error: unknown) => {
          // The transfer ended in the meantime, which is what was wanted
          if (!hasName(error, 'conflict')) throw error
        })
        await queryClient.invalidateQueries({ queryKey: TRANSFERS })
        toast({ title: `Transfer to ${address} stopped` })
      }}
    />
  )
}
