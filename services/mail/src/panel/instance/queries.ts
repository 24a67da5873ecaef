import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { InstanceSettingTable } from '../../tables/panel-accounts.ts'
import type { Tables } from '../../tables.ts'

export type Signups = InstanceSettingTable['signups']

export const findSignups = async (db: Db<Tables>): Promise<Signups | undefined> =>
  (await db.selectFrom('instance_setting').select('signups').executeTakeFirst())?.signups

export const putSignups = async (tx: Tx<Tables>, signups: Signups, now: Date): Promise<void> => {
  await tx
    .insertInto('instance_setting')
    .values({ signups, updated_at: now })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ signups, updated_at: now }))
    .execute()
}
