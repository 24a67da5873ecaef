import { hashPassword } from '@stoa/kit/crypto/password.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { createDomain } from '../../../panel/domains/operations.ts'
import type { Tables } from '../../../tables.ts'
import { generateDomainKeys } from '../../domains/dkim-keys.ts'
import { createHosting, type Hosting } from '../../domains/hosting.ts'
import type { Domain } from '../../domains/queries.ts'
import { type AddressSettings, createAddress } from '../operations.ts'
import type { Address } from '../queries.ts'

export const HOSTNAME = 'mx.stoa.test'
export const MAILBOX_PASSWORD = 'the pass phrase of a mailbox'
/** What the keys of planted domains are sealed with: a service that signs with them has the same. */
export const HOSTING_SECRET = 'a secret of the tests, long enough for anyone'

export const testHosting = (): Hosting =>
  createHosting({ hostname: HOSTNAME, secret: new Secret(HOSTING_SECRET), environment: 'test' })

// Making a key and hashing a password take long; every test may have the same ones.
let keys: ReturnType<typeof generateDomainKeys> | undefined
let passwordHash: Promise<string> | undefined

/** An account on a plan, with its id and e-mail. */
export const plantAccount = async (
  { tx }: Database<Tables>,
  { plan = 'unlimited', email, role = 'member', now = new Date() }: PlantedAccount = {},
): Promise<{ id: string; email: string }> => {
  const id = newId()
  const row = { id, email: email ?? `customer-${id}@outside.test`, plan, role, password_hash: 'none' }
  await tx((tx) =>
    tx
      .insertInto('account')
      .values({ ...row, referral_code: id, created_at: now, updated_at: now })
      .execute(),
  )
  return { id, email: row.email }
}

type PlantedAccount = { plan?: string; email?: string; role?: 'owner' | 'member'; now?: Date }

/** A domain of the account, verified by default. */
export const plantDomain = async (
  { tx }: Database<Tables>,
  input: { accountId: string; name: string; isVerified?: boolean; now?: Date },
): Promise<Domain> => {
  keys ??= generateDomainKeys()
  const domain = { isVerified: true, now: new Date(), ...input, keys: await keys }
  return (await tx((tx) => createDomain(tx, testHosting(), domain))).domain
}

export type PlantedAddress = Address & { accountId: string; domainId: string }

/**
 * An address with an empty mailbox and MAILBOX_PASSWORD, in the account, or in a new one. Its domain is made when the
 * account does not have it yet.
 */
export const plantAddress = async (
  database: Database<Tables>,
  email: string,
  options: AddressSettings & { accountId?: string; now?: Date } = {},
): Promise<PlantedAddress> => {
  const { now = new Date(), ...settings } = options
  passwordHash ??= hashPassword(MAILBOX_PASSWORD)
  const accountId = options.accountId ?? (await plantAccount(database, { now })).id
  const [localPart = '', name = ''] = email.split('@')
  const domain =
    (await findDomain(database, accountId, name)) ?? (await plantDomain(database, { accountId, name, now }))
  const input = { ...settings, accountId, domainId: domain.id, localPart, passwordHash: await passwordHash, now }
  const address = await database.tx((tx) => createAddress(tx, input))
  return { ...address, accountId, domainId: domain.id }
}

const findDomain = ({ db }: Database<Tables>, accountId: string, name: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('domain')
    .select('id')
    .where('name', '=', name)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
