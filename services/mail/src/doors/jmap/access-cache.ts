import { accessesOf, type MailboxAccess, ownAccess, SHARE_TOPIC } from '../../hosting/shares/shares.ts'
import type { SignedInAddress } from '../../principal.ts'
import type { JmapParts } from './method.ts'

/** Who may use which mailboxes, cached until something about it changes: every request needs it. */
export type AccessCache = {
  of(address: SignedInAddress): Promise<readonly MailboxAccess[]>
  close(): void
}

const MAX_KEPT = 10_000

/** While changes of other processes cannot be received, nothing is cached. */
export const createAccessCache = ({ database, bus }: Pick<JmapParts, 'database' | 'bus'>): AccessCache => {
  const kept = new Map<string, readonly MailboxAccess[]>()
  let generation = 0
  const forget = (addressId?: unknown): void => {
    generation += 1
    if (typeof addressId === 'string') kept.delete(addressId)
    else kept.clear()
  }
  const leave = bus.subscribe(
    ({ topic, data }) => {
      if (topic === SHARE_TOPIC) forget(data.withAddressId)
      // Whose mailbox is shared with whom is not in the change.
      else if (topic === 'address') forget()
    },
    () => forget(),
  )
  return {
    async of(address) {
      const known = bus.connected ? kept.get(address.id) : undefined
      if (known) return [ownAccess(address), ...known]
      const before = generation
      const [own, ...shared] = await accessesOf(database.db, address)
      if (bus.connected && generation === before) {
        if (kept.size >= MAX_KEPT) kept.clear()
        kept.set(address.id, shared)
      }
      return own ? [own, ...shared] : shared
    },
    close: leave,
  }
}
