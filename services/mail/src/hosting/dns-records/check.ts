import type { Clock } from '@stoa/kit/clock.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { DomainStatus } from '@stoa/mail-model/dns.ts'
import type { Config } from '../../config.ts'
import { error, fail } from '../../errors.ts'
import type { Tables } from '../../tables.ts'
import {
  type DkimKey,
  type Domain,
  findDomain,
  listKeys,
  lockDomain,
  needsNoProof,
  updateDomainRow,
} from '../domains/domains.ts'
import { notifyAccount, type SystemMailParts, domainStatus as statusMail } from '../system-mail/system-mail.ts'
import { providerOf } from './detect.ts'
import { recordDomainEvent } from './events.ts'
import { type DnsObservations, freshResolver, observeRecords } from './look-up.ts'
import { claimDue, type DnsCheck, findCheck, setStatus, takeCheckTurn, updateCheck } from './queries.ts'
import { type RecordSetConfig, recordKey, recordSet, type WantedRecord } from './record-set.ts'
import { domainStatus, nextCheck, nextState, type RecordStates } from './statuses.ts'

/** What checks need; `ctx.parts` is enough. */
export type CheckParts = SystemMailParts & {
  readonly database: Database<Tables>
  readonly clock: Clock
  readonly log: Log
  readonly config: RecordSetConfig & Pick<Config, 'dnsResolvers' | 'environment' | 'systemFrom'>
}

/** A domain with what was seen of it. */
export type CheckedDomain = { domain: Domain; records: WantedRecord[]; check: DnsCheck }

type Which = { accountId: string; domainId: string }

/** Somebody who waits for a record to appear asks again and again; each time costs dozens of questions. */
const TURN_MS = 5_000

/** Refuses a second check of a domain within some seconds. */
export const refuseFrequentCheck = async ({ database, clock }: CheckParts, domainId: string): Promise<void> => {
  const now = clock.now()
  const notSince = new Date(now.getTime() - TURN_MS)
  if (await database.tx((tx) => takeCheckTurn(tx, domainId, { now, notSince }))) return
  throw error('rate_limit_exceeded', {
    message: 'This domain was just checked. Try again in a few seconds.',
    headers: { 'retry-after': String(TURN_MS / 1_000) },
  })
}

/** Looks at all records of a domain now and stores what was seen. */
export const checkDomain = async (parts: CheckParts, which: Which): Promise<CheckedDomain> => {
  const { database, config, clock } = parts
  const domain = (await findDomain(database.db, which.accountId, which.domainId)) ?? fail('not_found')
  const keys = await listKeys(database.db, domain.id)
  const wanted = recordSet(config, domain, keys)
  const resolver = freshResolver(config, clock)
  const observed = await observeRecords(resolver, { domain: domain.name, wanted, mxHosts: config.mxHosts })
  return database.tx((tx) => storeObservations(parts, tx, { which, keys, observed }))
}

const storeObservations = async (
  parts: CheckParts,
  tx: Tx<Tables>,
  { which, keys, observed }: { which: Which; keys: readonly DkimKey[]; observed: DnsObservations },
): Promise<CheckedDomain> => {
  const { config, clock } = parts
  const now = clock.now()
  const domain = (await lockDomain(tx, which.accountId, which.domainId)) ?? fail('not_found')
  const before = (await findCheck(tx, domain.id)) ?? fail('not_found')
  // Records that changed meanwhile were not looked up; they wait for the next check.
  const records = recordSet(config, domain, keys)
  const states = statesAfter(records, before.records, { observed, now, createdAt: domain.created_at })
  const status = statusOfDomain(config, domain, { records, states })
  const check = await updateCheck(tx, domain.id, {
    status,
    checkedAt: now,
    nextCheckAt: nextCheck(status, { now, createdAt: domain.created_at }),
    records: states,
    provider: observed.nameservers === null ? undefined : (providerOf(observed.nameservers)?.id ?? null),
  })
  const isProven = records.some(
    (record) => record.record === 'Ownership' && states[recordKey(record)]?.status === 'verified',
  )
  const verified =
    domain.verified_at === null && isProven
      ? await updateDomainRow(tx, domain.id, { verified_at: now, updated_at: now })
      : domain
  if (verified !== domain || status !== before.status) {
    await recordDomainEvent(tx, config, 'domain.updated', { ...which, now })
    tx.changes.push({ topic: 'domain', event: 'updated', data: { domainId: domain.id, accountId: domain.account_id } })
  }
  await notifyOwner(parts, tx, { domain, before: before.status, after: status })
  return { domain: verified, records, check }
}

const statesAfter = (
  records: readonly WantedRecord[],
  before: RecordStates,
  { observed, now, createdAt }: { observed: DnsObservations; now: Date; createdAt: Date },
): RecordStates =>
  Object.fromEntries(
    records.map((record) => {
      const key = recordKey(record)
      return [key, nextState(observed.records.get(key) ?? 'unknown', before[key], { now, createdAt })]
    }),
  )

/** Outside production a name that nobody can own needs no DNS. */
export const isTrusted = ({ environment }: Pick<Config, 'environment'>, name: string): boolean =>
  environment !== 'production' && needsNoProof(name)

const statusOfDomain = (
  config: Pick<Config, 'environment'>,
  { name }: Pick<Domain, 'name'>,
  { records, states }: { records: readonly WantedRecord[]; states: RecordStates },
): DomainStatus => (isTrusted(config, name) ? 'verified' : domainStatus(records, states))

/** The key that signs decides which record is needed, and with it the status. */
export const restateDomain = async (
  tx: Tx<Tables>,
  config: CheckParts['config'],
  domain: Domain,
  keys: readonly DkimKey[],
): Promise<void> => {
  const check = await findCheck(tx, domain.id)
  if (!check) return
  const records = recordSet(config, domain, keys)
  const status = statusOfDomain(config, domain, { records, states: check.records })
  if (status !== check.status) await setStatus(tx, domain.id, status)
}

/** A mail when everything is right for the first time, and when it stops being so. */
const notifyOwner = async (
  parts: CheckParts,
  tx: Tx<Tables>,
  { domain, before, after }: { domain: Domain; before: DomainStatus; after: DomainStatus },
): Promise<void> => {
  if (before === after || (before !== 'verified' && after !== 'verified')) return
  const url = new URL(`/domains/${domain.id}`, parts.config.publicUrl).href
  const content = statusMail({ domain: domain.name, status: after, url })
  await notifyAccount(parts, tx, { accountId: domain.account_id, about: 'domain_status', content })
}

const BATCH = 16
/** A check takes ten seconds at most. */
const CLAIM_MS = 10 * 60_000

/** Looks at the domains whose time has come, several at once. Answers how many there were. */
export const checkDueDomains = async (parts: CheckParts): Promise<number> => {
  const { database, clock, log } = parts
  let checked = 0
  for (;;) {
    const now = clock.now()
    const claim = { now, until: new Date(now.getTime() + CLAIM_MS), limit: BATCH }
    const due = await database.tx((tx) => claimDue(tx, claim))
    await Promise.all(
      due.map(async ({ id, accountId }) => {
        try {
          await checkDomain(parts, { accountId, domainId: id })
        } catch (failure) {
          // A domain that cannot be checked, such as one deleted meanwhile, must not hold up the others.
          log.warn({ err: failure, domainId: id }, 'a domain could not be checked')
        }
      }),
    )
    checked += due.length
    if (due.length < BATCH) return checked
  }
}
