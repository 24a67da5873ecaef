import { hashPassword } from '@stoa/kit/crypto/password.ts'
import { newKey } from '@stoa/kit/crypto/tokens.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { Insertable } from 'kysely'
import { fail } from '../../errors.ts'
import {
  changeAddressPassword,
  createAddress,
  deleteAddress,
  findAddressByEmail,
} from '../../hosting/addresses/addresses.ts'
import { hostActor, recordAct } from '../../hosting/audit/audit.ts'
import { generateDomainKeys, type Hosting, type KeyPair } from '../../hosting/domains/domains.ts'
import type { AccountTable } from '../../tables/accounts.ts'
import type { Tables } from '../../tables.ts'
import { createDomain, verifyDomain } from '../domains/domains.ts'

/** What the person at the machine may do without signing in. Passwords are drawn here and shown once. */

/** 119 bits, without anything that a shell or a person could read in two ways. */
const PASSWORD_CHARACTERS = 20
const REFERRAL_CODE_CHARACTERS = 10

export type AddedAddress = {
  email: string
  password: Secret
  /** The instance had no account: this one owns it, with the same address and password. */
  madeOwner: boolean
  madeDomain: boolean
}

/** Adds an address in the account that has the domain, or with the domain in the owner's. The operator needs no proof. */
export const addAddress = async (
  database: Database<Tables>,
  hosting: Hosting,
  { localPart, domain, now }: { localPart: string; domain: string; now: Date },
): Promise<AddedAddress> => {
  const password = newPassword()
  const passwordHash = await hashPassword(password.reveal())
  const keys = (await findAnyDomain(database.db, domain)) ? null : await generateDomainKeys()
  const email = `${localPart}@${domain}`
  return database.tx(async (tx) => {
    const owner = await ensureOwner(tx, { email, passwordHash, now })
    const { accountId, domainId, madeDomain } = await ensureDomain(tx, hosting, {
      accountId: owner.id,
      name: domain,
      keys,
      now,
    })
    const address = await createAddress(tx, { accountId, domainId, localPart, passwordHash, now })
    await recordAct(tx, hostActor(now), { action: 'address.created', target: address.email })
    return { email: address.email, password, madeOwner: owner.isNew, madeDomain }
  })
}

/** Draws a new password; app passwords end with the old one. */
export const resetAddressPassword = async (
  database: Database<Tables>,
  { email, now }: { email: string; now: Date },
): Promise<Secret> => {
  const password = newPassword()
  const passwordHash = await hashPassword(password.reveal())
  await database.tx(async (tx) => {
    const address = (await findAddressByEmail(tx, email)) ?? fail('not_found')
    await changeAddressPassword(tx, { accountId: address.account_id, addressId: address.id, passwordHash, now })
    await recordAct(tx, hostActor(now), { action: 'address.password_set', target: email })
  })
  return password
}

export const removeAddress = (
  database: Database<Tables>,
  { email, now }: { email: string; now: Date },
): Promise<void> =>
  database.tx(async (tx) => {
    const address = (await findAddressByEmail(tx, email)) ?? fail('not_found')
    await deleteAddress(tx, { accountId: address.account_id, addressId: address.id, now })
    await recordAct(tx, hostActor(now), { action: 'address.deleted', target: email })
  })

const newPassword = (): Secret => new Secret(newKey('', PASSWORD_CHARACTERS))

const ensureOwner = async (
  tx: Tx<Tables>,
  { email, passwordHash, now }: { email: string; passwordHash: string; now: Date },
): Promise<{ id: string; isNew: boolean }> => {
  const known = await findOwnerId(tx)
  if (known) return { id: known, isNew: false }
  const id = newId()
  await insertOwner(tx, {
    id,
    email,
    password_hash: passwordHash,
    referral_code: newKey('', REFERRAL_CODE_CHARACTERS),
    created_at: now,
    updated_at: now,
  })
  return { id, isNew: true }
}

type WantedDomain = { accountId: string; name: string; keys: readonly [KeyPair, KeyPair] | null; now: Date }

const ensureDomain = async (tx: Tx<Tables>, hosting: Hosting, wanted: WantedDomain) => {
  const known = await findAnyDomain(tx, wanted.name)
  if (!known) {
    const keys = wanted.keys ?? fail('conflict', { message: 'The domain was just deleted.' })
    const { domain } = await createDomain(tx, hosting, { ...wanted, keys, isVerified: true })
    return { accountId: wanted.accountId, domainId: domain.id, madeDomain: true }
  }
  const { id: domainId, account_id: accountId } = known
  await verifyDomain(tx, { accountId, domainId, now: wanted.now })
  return { accountId, domainId, madeDomain: false }
}

/** The account that owns the instance. */
const findOwnerId = async (db: Db<Tables>): Promise<string | undefined> =>
  (await db.selectFrom('account').select('id').where('role', '=', 'owner').executeTakeFirst())?.id

const insertOwner = async (tx: Tx<Tables>, row: Omit<Insertable<AccountTable>, 'role'>): Promise<void> => {
  await tx
    .insertInto('account')
    .values({ ...row, role: 'owner' })
    .execute()
}

/** A domain of whichever account. */
const findAnyDomain = (
  db: Db<Tables>,
  name: string,
): Promise<{ id: string; account_id: string; verified_at: Date | null } | undefined> =>
  db
    .selectFrom('domain')
    .select(['id', 'account_id', 'verified_at'])
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

type ListedAddress = {
  email: string
  enabled: boolean
  used_bytes: number | null
  account: string
  verified_at: Date | null
}

export const listAllAddresses = (db: Db<Tables>): Promise<ListedAddress[]> =>
  db
    .selectFrom('address')
    .innerJoin('account', 'account.id', 'address.account_id')
    .innerJoin('domain', 'domain.id', 'address.domain_id')
    .leftJoin('mailbox', 'mailbox.address_id', 'address.id')
    .select([
      'address.email',
      'address.enabled',
      'mailbox.used_bytes',
      'account.email as account',
      'domain.verified_at',
    ])
    .where('address.deleted_at', 'is', null)
    .orderBy('domain.name')
    .orderBy('address.email')
    .execute()
