import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { MailboxSettings, MailboxSettingsInput } from '@stoa/mail-model/mailbox-settings.ts'
import type { Tables } from '../../../tables.ts'

/** The owner's settings, with `digest`, which is stored with the address. */
export const findSettings = async (db: Db<Tables>, addressId: string): Promise<Partial<MailboxSettings>> => {
  const [row] = await db.query<{ settings: Partial<MailboxSettings> }>({
    name: 'webmail-settings-find',
    text: `select coalesce(s.settings, '{}') || jsonb_build_object('digest', address.digest) as settings
      from address left join webmail_settings s on s.address_id = address.id where address.id = $1`,
    values: [addressId],
  })
  return row?.settings ?? {}
}

/** Changes what is given; two who change different things at the same moment both do. */
export const mergeSettings = async (
  tx: Tx<Tables>,
  { addressId, change, now }: { addressId: string; change: Omit<MailboxSettingsInput, 'digest'>; now: Date },
): Promise<void> => {
  await tx.query({
    text: `insert into webmail_settings as s (address_id, settings, updated_at) values ($1, $2::jsonb, $3)
      on conflict (address_id) do update set settings = s.settings || excluded.settings, updated_at = excluded.updated_at`,
    values: [addressId, JSON.stringify(change), now],
  })
}
