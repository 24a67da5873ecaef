import { quotaOf } from '../../../hosting/plans/plans.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { usedBytes } from '../../../store/store.ts'
import { astring } from '../format.ts'
import type { ImapSession } from '../session.ts'

/** RFC 9208 §5.1: STORAGE is counted so. */
const UNIT = 1_024

/** A quota root is a mailbox; its name is the address. Null: it has no limit, so there is no root. */
export const quotaLine = async (session: ImapSession, access: MailboxAccess): Promise<string | null> => {
  const { db } = session.parts.database
  const limit = await quotaOf(db, access.addressId)
  if (limit === null) return null
  const used = await usedBytes(db, access.addressId)
  const storage = `STORAGE ${Math.ceil(used / UNIT)} ${Math.floor(limit / UNIT)}`
  return `QUOTA ${astring(session, access.email)} (${storage})`
}
