import { hashToken, newKey } from '@stoa/kit/crypto/tokens.ts'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { fail, failMember } from '../../errors.ts'
import type { Tables } from '../../tables.ts'
import {
  type AppPassword,
  countAppPasswords,
  deleteAppPasswordRow,
  deleteAppPasswords,
  insertAppPassword,
  listAppPasswordRows,
  lockOwner,
} from './app-passwords-queries.ts'

export type { AppPassword } from './app-passwords-queries.ts'

export const APP_PASSWORD_SCOPES = ['imap', 'pop3', 'smtp', 'managesieve', 'jmap'] as const
export type AppPasswordScope = (typeof APP_PASSWORD_SCOPES)[number]

const TOKEN_PREFIX = 'ap_'
/** 190 bits: enough that a plain hash may keep it. */
const TOKEN_CHARACTERS = 32
const SHOWN_CHARACTERS = 7
const MAX_NAME = 100
const MAX_APP_PASSWORDS = 100

export type NewAppPassword = {
  accountId: string
  addressId: string
  name: string
  scopes?: readonly AppPasswordScope[]
  expiresAt?: Date | null
  now: Date
}

/** The token is in the answer and nowhere else. */
export const createAppPassword = async (
  tx: Tx<Tables>,
  input: NewAppPassword,
): Promise<{ appPassword: AppPassword; token: Secret }> => {
  const { accountId, addressId, now, expiresAt = null } = input
  if (!(await lockOwner(tx, accountId, addressId))) fail('not_found')
  const name = input.name.trim()
  if (name === '' || name.length > MAX_NAME) failMember('name', `must have 1 to ${MAX_NAME} characters`)
  const scopes = [...new Set(input.scopes ?? APP_PASSWORD_SCOPES)]
  if (scopes.length === 0) failMember('scopes', "can't be empty")
  if (expiresAt !== null && expiresAt <= now) failMember('expires_at', 'must be in the future')
  if ((await countAppPasswords(tx, addressId)) >= MAX_APP_PASSWORDS)
    fail('quota_exceeded', { message: `An address can have up to ${MAX_APP_PASSWORDS} app passwords.` })
  const token = newKey(TOKEN_PREFIX, TOKEN_CHARACTERS)
  const appPassword = await insertAppPassword(tx, {
    address_id: addressId,
    id: newId(),
    name,
    scopes,
    token_hash: hashToken(token),
    token_prefix: token.slice(0, SHOWN_CHARACTERS),
    expires_at: expiresAt,
    created_at: now,
  })
  return { appPassword, token: new Secret(token) }
}

export const listAppPasswords = (db: Db<Tables>, addressId: string): Promise<AppPassword[]> =>
  listAppPasswordRows(db, addressId)

/** Ends one at once, with the connections that it opened. */
export const deleteAppPassword = async (
  tx: Tx<Tables>,
  { accountId, addressId, id }: { accountId: string; addressId: string; id: string },
): Promise<void> => {
  if (!(await lockOwner(tx, accountId, addressId))) fail('not_found')
  if (!(await deleteAppPasswordRow(tx, addressId, id))) fail('not_found')
  tx.changes.push({ topic: 'address', event: 'app_password_deleted', data: { addressId, appPasswordId: id } })
}

/** Ends all of an address, when its password changes. */
export const revokeAppPasswords = (tx: Tx<Tables>, addressId: string): Promise<void> =>
  deleteAppPasswords(tx, addressId)

const APP_PASSWORD = /^ap_[0-9A-Za-z]{32}$/

/** Whether a text could be an app password: only then is it worth a look into the table. */
export const looksLikeAppPassword = (password: string): boolean => APP_PASSWORD.test(password)
