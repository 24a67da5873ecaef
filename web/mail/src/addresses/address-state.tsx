import type { Address } from '@stoa/mail-model/addresses.ts'
import { Status } from '@stoa/ui/display/badge.tsx'

/** Whether a mailbox works, in two words. */
export const AddressState = ({ address }: { address: Address }) => {
  if (!address.enabled) return <Status tone="neutral">Off</Status>
  if (address.quota_bytes !== null && address.used_bytes >= address.quota_bytes)
    return <Status tone="failed">Full</Status>
  if (!address.send_enabled) return <Status tone="draft">Can't send</Status>
  return <Status tone="live">On</Status>
}
