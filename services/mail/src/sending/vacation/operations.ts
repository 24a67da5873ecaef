import { type MailDb, type MailTx, recordObjectChanges } from '../../store/store.ts'
import type { VacationTable } from '../../tables/identities.ts'

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
  await recordObjectChanges(tx, addressId, [])
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
  await recordObjectChanges(tx, addressId, [{ kind: 'vacation', objectId: addressId, op: 'updated' }])
  return vacation
}

/** The vacations of these mailboxes, each with its version. */
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

const findVacations = (db: MailDb, addressIds: readonly string[]): Promise<VacationTable[]> =>
  db.query<VacationTable>({
    name: 'vacation-find',
    text: `select address_id, enabled, from_date, to_date, subject, text_body, html_body, updated_at
      from vacation where address_id = any($1)`,
    values: [addressIds],
  })

/** Every write is another version, also within the same millisecond. */
const upsertVacation = async (tx: MailTx, row: VacationTable): Promise<void> => {
  await tx.query({
    text: `insert into vacation as v (address_id, enabled, from_date, to_date, subject, text_body, html_body, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (address_id) do update set enabled = excluded.enabled, from_date = excluded.from_date,
        to_date = excluded.to_date, subject = excluded.subject, text_body = excluded.text_body,
        html_body = excluded.html_body, updated_at = greatest(excluded.updated_at, v.updated_at + interval '1 ms')`,
    values: [
      row.address_id,
      row.enabled,
      row.from_date,
      row.to_date,
      row.subject,
      row.text_body,
      row.html_body,
      row.updated_at,
    ],
  })
}
