import type { MailDb, MailTx } from '../../store/store.ts'
import type { VacationTable } from '../../tables/identities.ts'

export const findVacations = (db: MailDb, addressIds: readonly string[]): Promise<VacationTable[]> =>
  db.query<VacationTable>({
    name: 'vacation-find',
    text: `select address_id, enabled, from_date, to_date, subject, text_body, html_body, updated_at
      from vacation where address_id = any($1)`,
    values: [addressIds],
  })

/** Every write is another version, also within the same millisecond. */
export const upsertVacation = async (tx: MailTx, row: VacationTable): Promise<void> => {
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
