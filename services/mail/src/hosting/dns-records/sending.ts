import type { Db } from '@stoa/kit/db/database.ts'
import type { RecordState } from '../../tables/dns.ts'
import type { Tables } from '../../tables.ts'
import { type DomainConfig, maySend } from './domain-json.ts'

/** A domain in whose name mail is sent. */
export type SendingDomain = {
  id: string
  name: string
  /** The domain's ownership, SPF and DKIM records are published. */
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

type SendingRow = {
  id: string
  name: string
  ownership_token: string
  tls: 'opportunistic' | 'enforced'
  dmarc_policy: 'none' | 'quarantine' | 'reject'
  mta_sts_mode: 'none' | 'testing' | 'enforce'
  open_tracking: boolean
  click_tracking: boolean
  records: Record<string, RecordState> | null
  active_selector: string | null
}

/** The domain of an account with what decides whether it sends; this runs for each mail of a program. */
const findSendingRow = async (db: Db<Tables>, accountId: string, name: string): Promise<SendingRow | undefined> => {
  const [row] = await db.query<SendingRow>({
    name: 'find-sending-domain',
    text: `select d.id, d.name, d.ownership_token, d.tls, d.dmarc_policy, d.mta_sts_mode, d.open_tracking,
                  d.click_tracking, c.records, k.selector as active_selector
           from domain d
           left join dns_check c on c.domain_id = d.id
           left join dkim_key k on k.domain_id = d.id and k.active
           where d.account_id = $1 and d.name = $2 and d.deleted_at is null`,
    values: [accountId, name],
  })
  return row
}
