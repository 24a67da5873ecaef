import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { type DomainConfig, maySend } from './domain-json.ts'
import { findSendingRow } from './sending-queries.ts'

/** A domain in whose name mail is sent. */
export type SendingDomain = {
  id: string
  name: string
  /** Its ownership, SPF and DKIM records are there. */
  isReady: boolean
  /** Mail goes out encrypted or not at all. */
  requiresTls: boolean
  tracksOpens: boolean
  tracksClicks: boolean
}

/** The domain of this name, in ASCII, if the account has it. */
export const findSendingDomain = async (
  db: Db<Tables>,
  config: DomainConfig,
  { accountId, name }: { accountId: string; name: string },
): Promise<SendingDomain | undefined> => {
  const row = await findSendingRow(db, accountId, name)
  return (
    row && {
      id: row.id,
      name: row.name,
      isReady: maySend(config, row),
      requiresTls: row.tls === 'enforced',
      tracksOpens: row.open_tracking,
      tracksClicks: row.click_tracking,
    }
  )
}
