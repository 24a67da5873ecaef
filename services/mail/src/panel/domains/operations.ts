import { newToken } from '@stoa/kit/crypto/tokens.ts'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { fail, failMember } from '../../errors.ts'
import { recordAddressDeletions, restorableUntil, tombstoneAddresses } from '../../hosting/addresses/addresses.ts'
import { insertCheck, nextCheck } from '../../hosting/dns-records/dns-records.ts'
import {
  type Domain,
  type DomainChange,
  findDomain,
  type Hosting,
  insertKeys,
  isRegistrable,
  type KeyPair,
  keyRows,
  lockDomain,
  needsNoProof,
  parseDomainName,
  updateDomainRow,
} from '../../hosting/domains/domains.ts'
import { findAccountPlan, limitsOfAccount, lockPlan, refuseOver, requireFeature } from '../../hosting/plans/plans.ts'
import type { Tables } from '../../tables.ts'
import {
  countDomains,
  countFallbacksTo,
  findDomainOfAnybody,
  insertDomain,
  isAddressOfAccount,
  lockDomainByName,
  tombstoneDomain,
} from './queries.ts'

/** A name that nobody proved to own gives way to another account after this long. */
export const CLAIM_MS = 72 * 60 * 60_000

export type NewDomain = {
  accountId: string
  name: string
  /** From `generateDomainKeys`. */
  keys: readonly [KeyPair, KeyPair]
  now: Date
  /** Whether it needs no proof; by default, a reserved name outside production. */
  isVerified?: boolean
}

/** `displaced` had the name before without proving it, and must be notified. */
export type CreatedDomain = { domain: Domain; displaced: { accountId: string; domainId: string } | null }

/** The canonical form of a domain that can be registered; refuses all others. */
export const readDomainName = (given: string): string => {
  const name = parseDomainName(given) ?? failMember('name', 'must be a domain like example.com')
  return isRegistrable(name) ? name : failMember('name', 'this is a public suffix; enter a domain you own')
}

/** Refuses what `createDomain` would refuse, before keys are made for it: that costs more than all the rest. */
export const checkNewDomain = async (
  db: Db<Tables>,
  { accountId, name, now }: { accountId: string; name: string; now: Date },
): Promise<void> => {
  const account = (await findAccountPlan(db, accountId)) ?? fail('not_found')
  refuseOver(limitsOfAccount(account).domains, (await countDomains(db, accountId)) + 1, 'domains')
  refuseHeld(await findDomainOfAnybody(db, name), { accountId, now })
}

export const createDomain = async (tx: Tx<Tables>, hosting: Hosting, input: NewDomain): Promise<CreatedDomain> => {
  const { accountId, now } = input
  const name = readDomainName(input.name)
  const { limits } = await lockPlan(tx, accountId)
  refuseOver(limits.domains, (await countDomains(tx, accountId)) + 1, 'domains')
  const holder = await lockDomainByName(tx, name)
  refuseHeld(holder, { accountId, now })
  if (holder) await removeDomain(tx, holder, { now, purgeAt: restorableUntil(now) })
  const isVerified = input.isVerified ?? (hosting.trustsReservedNames && needsNoProof(name))
  const domain = await insertOnce(tx, {
    id: newId(),
    account_id: accountId,
    name,
    ownership_token: newToken(),
    verified_at: isVerified ? now : null,
    created_at: now,
    updated_at: now,
  })
  await insertKeys(tx, keyRows(hosting, domain.id, input))
  await insertCheck(tx, {
    domainId: domain.id,
    status: isVerified ? 'verified' : 'not_started',
    nextCheckAt: nextCheck('not_started', { now, createdAt: now }),
  })
  tx.changes.push({ topic: 'domain', event: 'created', data: { domainId: domain.id, accountId } })
  return { domain, displaced: holder ? { accountId: holder.account_id, domainId: holder.id } : null }
}

/** Records that the Ownership record was seen: from now on mail for the domain is ours. */
export const verifyDomain = async (
  tx: Tx<Tables>,
  { accountId, domainId, now }: { accountId: string; domainId: string; now: Date },
): Promise<Domain> => {
  const domain = (await lockDomain(tx, accountId, domainId)) ?? fail('not_found')
  if (domain.verified_at !== null) return domain
  const verified = await updateDomainRow(tx, domainId, { verified_at: now, updated_at: now })
  tx.changes.push({ topic: 'domain', event: 'updated', data: { domainId, accountId } })
  return verified
}

export type DomainUpdate = Omit<DomainChange, 'verified_at'>

export const updateDomain = async (
  tx: Tx<Tables>,
  { accountId, domainId, change, now }: { accountId: string; domainId: string; change: DomainUpdate; now: Date },
): Promise<Domain> => {
  // Before any domain is locked, so that two changes of an account cannot wait for each other.
  const plan = await lockPlan(tx, accountId)
  const before = (await lockDomain(tx, accountId, domainId)) ?? fail('not_found')
  const { catch_all_address_id: catchAll, fallback_domain_id: fallback } = change
  // A catch-all that was set up on another plan is kept.
  if (catchAll && catchAll !== before.catch_all_address_id) {
    requireFeature(plan, 'catch_all')
    if (!(await isAddressOfAccount(tx, accountId, catchAll))) fail('not_found')
  }
  if (fallback && fallback !== before.fallback_domain_id) {
    requireFeature(plan, 'fallback_domain')
    await checkFallback(tx, { accountId, domainId, fallback })
  }
  const isTracked = (key: 'open_tracking' | 'click_tracking'): boolean => change[key] === true && !before[key]
  if (isTracked('open_tracking') || isTracked('click_tracking')) requireFeature(plan, 'tracking')
  const updated = await updateDomainRow(tx, domainId, { ...change, updated_at: now })
  tx.changes.push({ topic: 'domain', event: 'updated', data: { domainId, accountId } })
  return updated
}

/** Deletes a domain with its addresses. Nobody sees them any more; they can be restored, by default for a week. */
export const deleteDomain = async (
  tx: Tx<Tables>,
  {
    accountId,
    domainId,
    now,
    purgeAt = restorableUntil(now),
  }: { accountId: string; domainId: string; now: Date; purgeAt?: Date },
): Promise<void> => {
  await lockPlan(tx, accountId)
  const domain = (await lockDomain(tx, accountId, domainId)) ?? fail('not_found')
  await removeDomain(tx, domain, { now, purgeAt })
}

/** A name that the account has already, that somebody proved to own, or that was claimed a short while ago. */
const refuseHeld = (holder: Domain | undefined, { accountId, now }: { accountId: string; now: Date }): void => {
  if (!holder) return
  const isFresh = now.getTime() - holder.created_at.getTime() < CLAIM_MS
  if (holder.account_id === accountId || holder.verified_at !== null || isFresh) failTaken()
}

const failTaken = (): never => fail('conflict', { message: 'This `name` is already taken.' })

const insertOnce = async (tx: Tx<Tables>, row: Parameters<typeof insertDomain>[1]): Promise<Domain> => {
  try {
    return await insertDomain(tx, row)
  } catch (error) {
    return isConflict(error, 'domain_name_key') ? failTaken() : Promise.reject(error)
  }
}

const removeDomain = async (
  tx: Tx<Tables>,
  { id, account_id }: Domain,
  { now, purgeAt }: { now: Date; purgeAt: Date },
): Promise<void> => {
  await tombstoneDomain(tx, id, { now, purgeAt })
  await recordAddressDeletions(tx, { accountId: account_id, domainId: id, now })
  await tombstoneAddresses(tx, { domainId: id, now, purgeAt })
  tx.changes.push({ topic: 'domain', event: 'deleted', data: { domainId: id, accountId: account_id } })
}

/** One step only: a chain could become a circle. */
const checkFallback = async (
  tx: Tx<Tables>,
  { accountId, domainId, fallback }: { accountId: string; domainId: string; fallback: string },
): Promise<void> => {
  const target = (await findDomain(tx, accountId, fallback)) ?? fail('not_found')
  if (target.id === domainId) failMember('fallback_domain_id', "a domain can't be its own fallback")
  const isChain = target.fallback_domain_id !== null || (await countFallbacksTo(tx, domainId)) > 0
  if (isChain) failMember('fallback_domain_id', "fallback domains can't be chained")
}
