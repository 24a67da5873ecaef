import {
  MAILBOX_SETTINGS_DEFAULTS,
  type MailboxSettings,
  type MailboxSettingsInput,
} from '@stoa/mail-model/mailbox-settings.ts'
import type { Ctx } from '../../../context.ts'
import { updateDigest } from '../../../hosting/addresses/addresses.ts'
import { signInOf } from '../../../principal.ts'
import type { MailDb } from '../../../store/store.ts'
import { findSettings, mergeSettings } from './settings-queries.ts'

type SettingsJson = MailboxSettings & { object: 'mailbox_settings' }

/** How the owner of a mailbox likes it, with every gap filled. */
export const readSettings = async (db: MailDb, addressId: string): Promise<MailboxSettings> => ({
  ...MAILBOX_SETTINGS_DEFAULTS,
  ...(await findSettings(db, addressId)),
})

export const getSettings = async (ctx: Ctx): Promise<SettingsJson> => ({
  object: 'mailbox_settings',
  ...(await readSettings(ctx.db, signInOf(ctx).address.id)),
})

export const changeSettings = async (ctx: Ctx, { digest, ...change }: MailboxSettingsInput): Promise<SettingsJson> => {
  const addressId = signInOf(ctx).address.id
  const settings = await ctx.tx(async (tx) => {
    await mergeSettings(tx, { addressId, change, now: ctx.now() })
    if (digest !== undefined) await updateDigest(tx, { addressId, digest, now: ctx.now() })
    return readSettings(tx, addressId)
  })
  return { object: 'mailbox_settings', ...settings }
}
