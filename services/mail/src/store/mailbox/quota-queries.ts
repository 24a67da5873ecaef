import type { MailDb } from '../handles.ts'

export const sumAccount = async (db: MailDb, accountId: string): Promise<number> => {
  const [row] = await db.query<{ bytes: number }>({
    name: 'store-sum-account',
    text: `select coalesce(sum(b.used_bytes), 0)::bigint as bytes
      from address a join mailbox b on b.address_id = a.id where a.account_id = $1 and a.deleted_at is null`,
    values: [accountId],
  })
  return row?.bytes ?? 0
}
