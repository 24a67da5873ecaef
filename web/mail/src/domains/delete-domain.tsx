import type { Domain } from '@stoa/mail-model/domains.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { formatBytes, formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { deleteDomain, domainsKey } from './queries.ts'

type DeleteDomainProps = { domain: Domain | undefined; onClose: () => void; onDeleted?: () => void }

/** Asks for the name: a domain takes its addresses and their mail with it. */
export const DeleteDomain = ({ domain, onClose, onDeleted }: DeleteDomainProps) => {
  const queryClient = useQueryClient()
  if (!domain) return null
  const remove = async () => {
    await deleteDomain(domain.id)
    onDeleted?.()
    // Going back to it says that it is gone
    for (const part of ['one', 'dns', 'keys', 'reports', 'zone'])
      queryClient.removeQueries({ queryKey: [...domainsKey, part, domain.id] })
    for (const part of ['list', 'all']) void queryClient.invalidateQueries({ queryKey: [...domainsKey, part] })
    for (const key of ['addresses', 'overview', 'billing']) void queryClient.invalidateQueries({ queryKey: [key] })
    toast({ tone: 'success', title: `${domain.unicode_name} deleted` })
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${domain.unicode_name}?`}
      consequence={consequenceOf(domain)}
      confirmLabel="Delete domain"
      typeName={domain.unicode_name}
      onConfirm={remove}
    />
  )
}

const consequenceOf = ({ addresses_count: count, storage_used_bytes: bytes }: Domain) => (
  <>
    {count === 0
      ? 'It has no addresses. '
      : `Its ${formatCount(count, 'address', 'addresses')} and all their mail (${formatBytes(bytes)}) are deleted with it. `}
    Mail to it is rejected immediately, and your apps can't send from it. You can restore it for 7 days under Recently
    deleted. DNS records at your provider stay until you remove them.
  </>
)
