import { checkNewPassword, hashPassword, type PasswordProblem } from '@stoa/kit/crypto/password.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Digest } from '@stoa/mail-model/digest.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import { fail, failMember } from '../../errors.ts'
import { createMailbox } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import { findDomain, listDomains } from '../domains/domains.ts'
import { lockPlan, type Plan, refuseOver } from '../plans/plans.ts'
import { revokeAppPasswords } from './app-passwords.ts'
import { recordAddressEvent } from './events.ts'
import { parseAlias, parseLocalPart } from './names.ts'
import {
  type Address,
  countAddresses,
  deleteAliases,
  insertAddress,
  insertNames,
  listAliases,
  lockAddress,
  updateAddressRow,
  updateDigest,
} from './queries.ts'
import { restorableUntil, tombstoneAddresses } from './tombstones.ts'

/** RFC 5321 §4.5.3.1.3 */
const MAX_EMAIL = 254
/** More than anybody forwards to by hand; a list is another thing. */
const MAX_FORWARDS = 20
/** The limit for accounts whose plan has none. */
const MAX_ALIASES = 1_000

/** Settings that are left out stay. */
export type AddressSettings = {
  name?: string | null | undefined
  quotaBytes?: number | null | undefined
  aliases?: readonly string[] | undefined
  forwardTo?: readonly string[] | undefined
  keepCopy?: boolean | undefined
  enabled?: boolean | undefined
  requireAppPassword?: boolean | undefined
}

export type NewAddress = AddressSettings & {
  accountId: string
  domainId: string
  localPart: string
  /** From `hashAddressPassword`: hashing takes longer than a transaction should. */
  passwordHash: string
  recoveryEmail?: string | null
  now: Date
}

export type AddressUpdate = AddressSettings & {
  sendEnabled?: boolean | undefined
  spamThreshold?: number | undefined
  digest?: Digest | undefined
}

/** Checks a new mailbox password and hashes it. */
export const hashAddressPassword = async (password: string): Promise<string> => {
  const problem = checkNewPassword(password)
  if (problem) failMember('password', PASSWORD_PROBLEMS[problem])
  return hashPassword(password)
}

/** A new address with its names and its empty mailbox. */
export const createAddress = async (tx: Tx<Tables>, input: NewAddress): Promise<Address> => {
  const { accountId, domainId, now } = input
  const plan = await lockPlan(tx, accountId)
  const domain = (await findDomain(tx, accountId, domainId)) ?? fail('not_found')
  const localPart = readLocalPart(input.localPart)
  const email = `${localPart}@${domain.name}`
  if (email.length > MAX_EMAIL) failMember('local_part', 'the address is too long')
  const columns = { ...columnsOf(input), recovery_email: readRecovery(input.recoveryEmail ?? null, email) }
  const aliases = await readAliases(tx, { accountId, domainName: domain.name, aliases: input.aliases ?? [] })
  refuseOver(plan.limits.addresses, (await countAddresses(tx, accountId)) + 1, 'addresses')
  refuseManyAliases(plan, aliases)
  const address = await insertAddress(tx, {
    id: newId(),
    account_id: accountId,
    domain_id: domainId,
    local_part: localPart,
    email,
    password_hash: input.passwordHash,
    ...columns,
    created_at: now,
    updated_at: now,
  }).catch(explainTaken)
  await writeNames(tx, address.id, [{ domain_id: domainId, local_part: localPart, kind: 'address' }, ...aliases])
  await createMailbox(tx, { addressId: address.id, now })
  await recordAddressEvent(tx, 'address.created', { accountId, addressId: address.id, now })
  tx.changes.push({ topic: 'address', event: 'created', data: { addressId: address.id, accountId } })
  return address
}

export const updateAddress = async (
  tx: Tx<Tables>,
  { accountId, addressId, change, now }: { accountId: string; addressId: string; change: AddressUpdate; now: Date },
): Promise<Address> => {
  const plan = await lockPlan(tx, accountId)
  const address = (await lockAddress(tx, accountId, addressId)) ?? fail('not_found')
  const columns = columnsOf(change)
  if (change.aliases !== undefined) {
    const domain = (await findDomain(tx, accountId, address.domain_id)) ?? fail('not_found')
    const aliases = await readAliases(tx, { accountId, domainName: domain.name, aliases: change.aliases })
    // After a downgrade there may be more of them: they stay, and can become fewer.
    refuseManyAliases(plan, aliases, (await listAliases(tx, addressId)).length)
    await deleteAliases(tx, addressId)
    await writeNames(tx, addressId, aliases)
  }
  if (change.digest !== undefined) await updateDigest(tx, { addressId, digest: change.digest, now })
  const updated = await updateAddressRow(tx, addressId, {
    ...columns,
    ...(change.sendEnabled !== undefined && { send_enabled: change.sendEnabled }),
    ...(change.spamThreshold !== undefined && { spam_threshold: change.spamThreshold }),
    updated_at: now,
  })
  await recordAddressEvent(tx, 'address.updated', { accountId, addressId, now })
  tx.changes.push({ topic: 'address', event: 'updated', data: { addressId } })
  return updated
}

/** A new password ends every app password too: its owner may have lost one. */
export const changeAddressPassword = async (
  tx: Tx<Tables>,
  input: { accountId: string; addressId: string; passwordHash: string; now: Date },
): Promise<Address> => {
  const { accountId, addressId } = input
  if (!(await lockAddress(tx, accountId, addressId))) fail('not_found')
  const change = { password_hash: input.passwordHash, updated_at: input.now }
  const updated = await updateAddressRow(tx, addressId, change)
  await revokeAppPasswords(tx, addressId)
  tx.changes.push({ topic: 'address', event: 'password_changed', data: { addressId } })
  return updated
}

export const setRecoveryEmail = async (
  tx: Tx<Tables>,
  input: { accountId: string; addressId: string; recoveryEmail: string | null; now: Date },
): Promise<Address> => {
  const address = (await lockAddress(tx, input.accountId, input.addressId)) ?? fail('not_found')
  const recovery = readRecovery(input.recoveryEmail, address.email)
  const updated = await updateAddressRow(tx, address.id, { recovery_email: recovery, updated_at: input.now })
  await recordAddressEvent(tx, 'address.updated', input)
  return updated
}

/** Deletes an address. Its names are free at once; it can be restored, by default for a week. */
export const deleteAddress = async (
  tx: Tx<Tables>,
  {
    accountId,
    addressId,
    now,
    purgeAt = restorableUntil(now),
  }: { accountId: string; addressId: string; now: Date; purgeAt?: Date },
): Promise<void> => {
  if (!(await lockAddress(tx, accountId, addressId))) fail('not_found')
  await recordAddressEvent(tx, 'address.deleted', { accountId, addressId, now })
  await tombstoneAddresses(tx, { addressId, now, purgeAt })
}

const PASSWORD_PROBLEMS = {
  too_short: 'must have at least 8 characters',
  too_long: 'must have at most 1024 bytes',
  malformed: 'must be text',
  common: 'this password is too common',
} as const satisfies Record<PasswordProblem, string>

const NAME_PROBLEMS = {
  malformed: 'must have 1 to 64 letters, digits, dots and dashes, without +',
  reserved: 'this name is reserved',
} as const

const columnsOf = (settings: AddressSettings) => ({
  ...(settings.name !== undefined && { name: settings.name }),
  ...(settings.quotaBytes !== undefined && { quota_bytes: settings.quotaBytes }),
  ...(settings.forwardTo !== undefined && { forward_to: readForwards(settings.forwardTo) }),
  ...(settings.keepCopy !== undefined && { keep_copy: settings.keepCopy }),
  ...(settings.enabled !== undefined && { enabled: settings.enabled }),
  ...(settings.requireAppPassword !== undefined && { require_app_password: settings.requireAppPassword }),
})

const readForwards = (given: readonly string[]): string[] => {
  if (given.length > MAX_FORWARDS) failMember('forward_to', `must have at most ${MAX_FORWARDS} addresses`)
  const targets = given.map((text) => parseEmail(text) ?? failMember('forward_to', 'must only contain email addresses'))
  return [...new Set(targets)]
}

const readRecovery = (given: string | null, own: string): string | null => {
  if (given === null) return null
  const email = parseEmail(given) ?? failMember('recovery_email', 'must be an email address')
  return email === own ? failMember('recovery_email', 'must be a different address') : email
}

type Name = { domain_id: string; local_part: string; kind: 'address' | 'alias' | 'pattern' }

const readLocalPart = (given: string): string => {
  const named = parseLocalPart(given)
  return 'problem' in named ? failMember('local_part', NAME_PROBLEMS[named.problem]) : named.localPart
}

const readAliases = async (
  tx: Tx<Tables>,
  { accountId, domainName, aliases }: { accountId: string; domainName: string; aliases: readonly string[] },
): Promise<Name[]> => {
  const own = new Map((await listDomains(tx, accountId)).map(({ id, name }) => [name, id]))
  const names = aliases.map((given): [string, Name] => {
    const alias = parseAlias(given, domainName)
    if ('problem' in alias) return failMember('aliases', `${JSON.stringify(given)} ${ALIAS_PROBLEMS[alias.problem]}`)
    const { domain, localPart, kind } = alias
    const domainId = own.get(domain) ?? failMember('aliases', `${JSON.stringify(domain)} isn't one of your domains`)
    return [`${localPart}@${domain}`, { domain_id: domainId, local_part: localPart, kind }]
  })
  return [...new Map(names).values()]
}

const refuseManyAliases = (plan: Plan, aliases: readonly Name[], before = 0): void => {
  if (aliases.length > before)
    refuseOver(plan.limits.aliasesPerAddress ?? MAX_ALIASES, aliases.length, 'aliases for an address')
}

const writeNames = async (tx: Tx<Tables>, addressId: string, names: readonly Name[]): Promise<void> => {
  await insertNames(
    tx,
    names.map((name) => ({ ...name, address_id: addressId })),
  ).catch(explainTaken)
}

const ALIAS_PROBLEMS = {
  malformed: "isn't a name or an email address",
  reserved: 'is reserved',
} as const

const explainTaken = (error: unknown): never => {
  if (isConflict(error, 'address_email_key') || isConflict(error, 'address_name_pkey'))
    return fail('conflict', { message: 'This name is already used by another address or alias.', cause: error })
  throw error
}
