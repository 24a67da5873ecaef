import type { Address } from '@stoa/mail-model/addresses.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { formatBytes, formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ADDRESSES, addressQuery, deleteAddress } from './queries.ts'

type DeleteAddressProps = { address: Address | undefined; onClose: () => void; onDeleted?: () => void }

/** A deleted mailbox cannot be restored, so its name has to be typed. */
export const DeleteAddress = ({ address, onClose, onDeleted }: DeleteAddressProps) => {
  const queryClient = useQueryClient()
  if (!address) return null
  const remove = async () => {
    await deleteAddress(address.id)
    onDeleted?.()
    queryClient.removeQueries({ queryKey: addressQuery(address.id).queryKey, type: 'inactive' })
    const gone = (key: readonly unknown[]) => key[1] === address.id
    void queryClient.invalidateQueries({ queryKey: ADDRESSES, predicate: ({ queryKey }) => !gone(queryKey) })
    void queryClient.invalidateQueries({ queryKey: ['domains'] })
    toast({ tone: 'success', title: `${address.email} deleted` })
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={<span className="break-all">{`Delete ${address.email}?`}</span>}
      consequence={consequenceOf(address)}
      confirmLabel="Delete address"
      typeName={address.email}
      onConfirm={remove}
    />
  )
}

const consequenceOf = ({ messages_count: messages, used_bytes: used, aliases }: Address): string =>
  [
    messages === 0
      ? 'The mailbox is empty.'
      : `${formatCount(messages, 'message', 'messages')} (${formatBytes(used)}) ${messages === 1 ? 'is' : 'are'} deleted with it.`,
    aliases.length === 0
      ? 'Mail to it will be rejected.'
      : `Mail to it and its ${formatCount(aliases.length, 'alias', 'aliases')} will be rejected.`,
    'Its filters, app passwords and shares are deleted, too. You can restore it for 7 days under Recently deleted.',
  ].join(' ')
