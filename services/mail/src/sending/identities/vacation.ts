import { type MailDb, type MailTx, noteChanges } from '../../store/store.ts'
import type { VacationTable } from '../../tables/identities.ts'
import { findVacations, upsertVacation } from './vacation-queries.ts'

/** What a mailbox answers while its owner is away (RFC 8621 §8). */
export type Vacation = {
  isEnabled: boolean
  /** Null: at once, and without an end. */
  fromDate: Date | null
  toDate: Date | null
  /** Null: the service finds words. */
  subject: string | null
  textBody: string | null
  htmlBody: string | null
}

const NONE: Vacation = {
  isEnabled: false,
  fromDate: null,
  toDate: null,
  subject: null,
  textBody: null,
  htmlBody: null,
}

export const readVacation = async (db: MailDb, addressId: string): Promise<Vacation> => {
  const [row] = await findVacations(db, [addressId])
  return row ? toVacation(row) : NONE
}

/** Changes what is given. */
export const changeVacation = async (
  tx: MailTx,
  { addressId, change, now }: { addressId: string; change: Partial<Vacation>; now: Date },
): Promise<Vacation> => {
  await noteChanges(tx, addressId, [])
  const vacation = { ...(await readVacation(tx, addressId)), ...change }
  await upsertVacation(tx, {
    address_id: addressId,
    enabled: vacation.isEnabled,
    from_date: vacation.fromDate,
    to_date: vacation.toDate,
    subject: vacation.subject,
    text_body: vacation.textBody,
    html_body: vacation.htmlBody,
    updated_at: now,
  })
  await noteChanges(tx, addressId, [{ kind: 'vacation', objectId: addressId, op: 'updated' }])
  return vacation
}

/** Those of these mailboxes that have one, with the version of each. */
export const listVacations = async (
  db: MailDb,
  addressIds: readonly string[],
): Promise<{ addressId: string; updatedAt: Date; vacation: Vacation }[]> =>
  (await findVacations(db, addressIds)).map((row) => ({
    addressId: row.address_id,
    updatedAt: row.updated_at,
    vacation: toVacation(row),
  }))

const toVacation = (row: VacationTable): Vacation => ({
  isEnabled: row.enabled,
  fromDate: row.from_date,
  toDate: row.to_date,
  subject: row.subject,
  textBody: row.text_body,
  htmlBody: row.html_body,
})
