import {
  MAILBOX_SETTINGS_DEFAULTS,
  type MailboxSettings,
  type MailboxSettingsInput,
} from '@stoa/mail-model/mailbox-settings.ts'
import type { Ctx } from '../../context.ts'
import { signInOf } from '../../principal.ts'
import type { MailDb } from '../../store/store.ts'
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

export const changeSettings = async (ctx: Ctx, body: MailboxSettingsInput): Promise<SettingsJson> => {
  const input = { addressId: signInOf(ctx).address.id, change: body, now: ctx.now() }
  const settings = await ctx.tx((tx) => mergeSettings(tx, input))
  return { object: 'mailbox_settings', ...MAILBOX_SETTINGS_DEFAULTS, ...settings }
}
