import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Tables } from '../../tables.ts'
import type { Attempts } from '../sign-in-limit/sign-in-limit.ts'

export type StoredCredentials = {
  id: string
  accountId: string
  domainId: string
  email: string
  name: string | null
  sendEnabled: boolean
  passwordHash: string
  requireAppPassword: boolean
}

type CredentialsRow = {
  id: string
  account_id: string
  domain_id: string
  email: string
  name: string | null
  send_enabled: boolean
  password_hash: string
  require_app_password: boolean
}

const COLUMNS = `address.id, address.account_id, address.domain_id, address.email, address.name, address.send_enabled,
  address.password_hash, address.require_app_password`

export type FoundCredentials = {
  /** Only of an address that may be used. */
  stored: StoredCredentials | undefined
  /** The key's present window, if it has one. */
  attempts: Attempts | undefined
}

/** What a password is checked against, and how often one was tried: one statement, for every sign-in asks for both. */
export const findCredentials = async (
  db: Db<Tables>,
  { email, key, now }: { email: string; key: Buffer; now: Date },
): Promise<FoundCredentials> => {
  const [row] = await db.query<(CredentialsRow | { id: null }) & (Attempts | { used: null })>({
    name: 'find-address-credentials',
    text: `select ${COLUMNS}, attempt.used, attempt.ends_at as "endsAt" from (values ($1::text)) given (email)
           left join address on address.email = given.email and address.deleted_at is null and address.enabled
           left join password_attempt attempt on attempt.key = $2 and attempt.ends_at > $3`,
    values: [email, key, now],
  })
  if (!row) throw new Error('an outer join returned no row')
  return {
    stored: row.id === null ? undefined : toCredentials(row),
    attempts: row.used === null ? undefined : { used: row.used, endsAt: row.endsAt },
  }
}

export type FoundAppPassword = { id: string; address: StoredCredentials }

/** An app password that holds for this door at this moment. */
export const findAppPassword = async (
  db: Db<Tables>,
  { tokenHash, scope, now }: { tokenHash: Buffer; scope: string; now: Date },
): Promise<FoundAppPassword | undefined> => {
  const [row] = await db.query<CredentialsRow & { app_password_id: string }>({
    name: 'find-app-password',
    text: `select app_password.id as app_password_id, ${COLUMNS}
           from app_password join address on address.id = app_password.address_id
           where app_password.token_hash = $1 and $2 = any(app_password.scopes)
             and (app_password.expires_at is null or app_password.expires_at > $3)
             and address.deleted_at is null and address.enabled`,
    values: [tokenHash, scope, now],
  })
  return row && { id: row.app_password_id, address: toCredentials(row) }
}

/** Never goes back, and is not written more often than once a minute. */
export const touchAppPassword = async (
  tx: Tx<Tables>,
  used: { addressId: string; id: string; ip: string; now: Date; unlessSince: Date },
): Promise<void> => {
  await tx
    .updateTable('app_password')
    .set({ last_used_at: used.now, last_used_ip: used.ip })
    .where('address_id', '=', used.addressId)
    .where('id', '=', used.id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', used.unlessSince)]))
    .execute()
}

/** Stores a stronger hash of the same password, unless it was changed at the same moment. */
export const replaceHash = async (
  tx: Tx<Tables>,
  { id, passwordHash }: Pick<StoredCredentials, 'id' | 'passwordHash'>,
  stronger: string,
): Promise<void> => {
  await tx
    .updateTable('address')
    .set({ password_hash: stronger })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .execute()
}

export const touchLogin = async (tx: Tx<Tables>, id: string, now: Date): Promise<void> => {
  await tx
    .updateTable('address')
    .set({ last_login_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_login_at', 'is', null), where('last_login_at', '<', now)]))
    .execute()
}

export const insertLogin = async (
  tx: Tx<Tables>,
  login: { addressId: string; type: 'login' | 'login_failed'; ip: string; result: string; now: Date },
): Promise<void> => {
  await tx
    .insertInto('activity')
    .values({
      address_id: login.addressId,
      id: newId(),
      type: login.type,
      remote_ip: login.ip,
      result: login.result,
      created_at: login.now,
    })
    .execute()
}

const toCredentials = (row: CredentialsRow): StoredCredentials => ({
  id: row.id,
  accountId: row.account_id,
  domainId: row.domain_id,
  email: row.email,
  name: row.name,
  sendEnabled: row.send_enabled,
  passwordHash: row.password_hash,
  requireAppPassword: row.require_app_password,
})

export type StandingCredentials = {
  addressId: string
  passwordHash: string
  requireAppPassword: boolean
  /** App passwords that have not expired. */
  appPasswordIds: string[]
  /** The requested webmail sessions that are open. */
  sessionIds: string[]
}

/** The valid credentials of these addresses, if the addresses may be used. */
export const findStanding = async (
  db: Db<Tables>,
  { addressIds, sessionIds, now }: { addressIds: readonly string[]; sessionIds: readonly string[]; now: Date },
): Promise<StandingCredentials[]> =>
  db.query<StandingCredentials>({
    name: 'find-standing-credentials',
    text: `select id as "addressId", password_hash as "passwordHash", require_app_password as "requireAppPassword",
             array(select app_password.id from app_password
                   where app_password.address_id = address.id
                     and (app_password.expires_at is null or app_password.expires_at > $2)) as "appPasswordIds",
             array(select session.id from webmail_session session
                   where session.address_id = address.id and session.id = any($3::uuid[])
                     and session.expires_at > $2) as "sessionIds"
           from address where id = any($1::uuid[]) and deleted_at is null and enabled`,
    values: [addressIds, now, sessionIds],
  })
