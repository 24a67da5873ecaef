import type { DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type {
  DkimKey as DkimKeyJson,
  Domain as DomainJson,
  DomainUpdateInput,
  DomainWithRecords,
} from '@stoa/mail-model/domains.ts'
import { type List, type ListRequest, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import {
  checkDomain,
  domainJson,
  domainWithRecordsJson,
  keyJson,
  recordDomainEvent,
  recordSet,
  recordSetJson,
  refuseFrequentCheck,
  restateDomain,
  zoneFile,
} from '../../hosting/dns-records/dns-records.ts'
import {
  activateKey,
  addKey,
  checkNewKey,
  type DomainView,
  findKey,
  generateDomainKeys,
  generateFurtherKey,
  listDomainViews,
  listKeys,
  loadDomain,
  removeKey,
} from '../../hosting/domains/domains.ts'
import { findAccountPlan, planOf, requireFeature } from '../../hosting/plans/plans.ts'
import { domainDisplaced, notifyAccount } from '../../hosting/system-mail/system-mail.ts'
import { sessionOf } from '../../principal.ts'
import {
  checkNewDomain,
  createDomain,
  type DomainUpdate,
  deleteDomain,
  readDomainName,
  updateDomain,
} from './operations.ts'

type DomainParams = { params: { domain_id: string } }

const accountIdOf = (ctx: Ctx): string => sessionOf(ctx).account.id

/** The domain that a path names, if it has the key that the path names. */
export const loadDomainOfKey = async (
  ctx: Ctx,
  { params }: { params: { domain_id: string; key_id: string } },
): Promise<DomainView> => {
  const view = await loadDomain(ctx, { params })
  return (await findKey(ctx.db, view.id, params.key_id)) ? view : fail('not_found')
}

/** The domain that a path names, where the plan must include publishing. */
export const loadPublishable = async (ctx: Ctx, input: DomainParams): Promise<DomainView> => {
  const view = await loadDomain(ctx, input)
  const { plan } = (await findAccountPlan(ctx.db, view.account_id)) ?? fail('not_found')
  requireFeature(planOf(plan), 'dns_publish')
  return view
}

export const getDomains = async (
  ctx: Ctx,
  list: ListRequest<'name' | 'created_at' | 'status' | 'addresses_count'>,
): Promise<List<DomainJson>> => {
  const { rows, total } = await listDomainViews(ctx.db, accountIdOf(ctx), list)
  return toList(
    list,
    total,
    rows.map((view) => domainJson(ctx.config, view)),
  )
}

export const readDomain = async (ctx: Ctx, view: DomainView): Promise<DomainWithRecords> =>
  domainWithRecordsJson(ctx.config, view, await listKeys(ctx.db, view.id))

/** Adds a domain with its keys; notifies the account that had the name before without proving it. */
export const addDomain = async (ctx: Ctx, given: string): Promise<DomainWithRecords> => {
  const accountId = accountIdOf(ctx)
  const name = readDomainName(given)
  await checkNewDomain(ctx.db, { accountId, name, now: ctx.now() })
  const keys = await generateDomainKeys()
  const id = await ctx.tx(async (tx) => {
    const input = { accountId, name, keys, now: ctx.now() }
    const { domain, displaced } = await createDomain(tx, ctx.parts.hosting, input)
    if (displaced) {
      const content = domainDisplaced({ domain: domain.name, url: new URL('/domains', ctx.config.publicUrl).href })
      await notifyAccount(ctx.parts, tx, { accountId: displaced.accountId, about: 'domain_status', content })
      await recordDomainEvent(tx, ctx.config, 'domain.deleted', { ...displaced, now: ctx.now() })
    }
    await recordDomainEvent(tx, ctx.config, 'domain.created', { accountId, domainId: domain.id, now: ctx.now() })
    return domain.id
  })
  return readDomain(ctx, await viewOf(ctx, id))
}

export const changeDomain = async (
  ctx: Ctx,
  domainId: string,
  input: DomainUpdateInput & { fallback_domain_id?: string | null },
): Promise<DomainWithRecords> => {
  const change: DomainUpdate = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const accountId = accountIdOf(ctx)
  const now = ctx.now()
  await ctx.tx(async (tx) => {
    await updateDomain(tx, { accountId, domainId, change, now })
    await recordDomainEvent(tx, ctx.config, 'domain.updated', { accountId, domainId, now })
  })
  return readDomain(ctx, await viewOf(ctx, domainId))
}

/** The domain can be restored for a week, unless it is to be purged at once. */
export const removeDomain = async (
  ctx: Ctx,
  domainId: string,
  { purge }: { purge?: '0' | '1' | undefined },
): Promise<{ object: 'domain'; id: string; deleted: true }> => {
  const accountId = accountIdOf(ctx)
  const which = { accountId, domainId, now: ctx.now() }
  await ctx.tx(async (tx) => {
    await deleteDomain(tx, { ...which, ...(purge === '1' && { purgeAt: which.now }) })
    await recordDomainEvent(tx, ctx.config, 'domain.deleted', which)
  })
  return { object: 'domain', id: domainId, deleted: true }
}

export const getRecordSet = async (ctx: Ctx, view: DomainView): Promise<DnsRecordSet> =>
  recordSetJson(ctx.config, view, await listKeys(ctx.db, view.id))

export const getZone = async (ctx: Ctx, view: DomainView): Promise<string> =>
  zoneFile(view.name, recordSet(ctx.config, view, await listKeys(ctx.db, view.id)))

export const checkNow = async (ctx: Ctx, domainId: string): Promise<DnsRecordSet> => {
  await refuseFrequentCheck(ctx.parts, domainId)
  await checkDomain(ctx.parts, { accountId: accountIdOf(ctx), domainId })
  return getRecordSet(ctx, await viewOf(ctx, domainId))
}

/** A domain has a few keys: they are sorted here. */
export const getKeys = async (
  ctx: Ctx,
  view: DomainView,
  list: ListRequest<'created_at' | 'selector'>,
): Promise<List<DkimKeyJson>> => {
  const { search, sort, direction, page, per_page } = list
  const all = (await listKeys(ctx.db, view.id)).filter(({ selector }) => selector.includes(search?.toLowerCase() ?? ''))
  const sortedBy = (key: (typeof all)[number]): string =>
    sort === 'selector' ? key.selector.padStart(MAX_SELECTOR) : key.created_at.toISOString()
  const sorted = all.sort((a, b) => compare(sortedBy(a), sortedBy(b)) || compare(a.id, b.id))
  if (direction === 'desc') sorted.reverse()
  const shown = sorted.slice((page - 1) * per_page, page * per_page)
  return toList(
    list,
    all.length,
    shown.map((key) => keyJson(key, view.records ?? {})),
  )
}

export const switchKey = async (ctx: Ctx, domain: DomainView, keyId: string): Promise<DkimKeyJson> => {
  const accountId = accountIdOf(ctx)
  const key = await ctx.tx(async (tx) => {
    const activated = await activateKey(tx, { accountId, domainId: domain.id, keyId, now: ctx.now() })
    await restateDomain(tx, ctx.config, domain, await listKeys(tx, domain.id))
    await recordDomainEvent(tx, ctx.config, 'domain.updated', { accountId, domainId: domain.id, now: ctx.now() })
    return activated
  })
  return keyJson(key, domain.records ?? {})
}

/** Adds a key that stands by, so that another one can be replaced. */
export const addFurtherKey = async (ctx: Ctx, domain: DomainView): Promise<DkimKeyJson> => {
  const accountId = accountIdOf(ctx)
  await checkNewKey(ctx.db, domain.id)
  const pair = await generateFurtherKey()
  const key = await ctx.tx(async (tx) => {
    const added = await addKey(tx, ctx.parts.hosting, { accountId, domainId: domain.id, pair, now: ctx.now() })
    await recordDomainEvent(tx, ctx.config, 'domain.updated', { accountId, domainId: domain.id, now: ctx.now() })
    return added
  })
  return keyJson(key, {})
}

export const deleteKey = async (
  ctx: Ctx,
  { id: domainId }: DomainView,
  keyId: string,
): Promise<{ object: 'dkim_key'; id: string; deleted: true }> => {
  const accountId = accountIdOf(ctx)
  await ctx.tx(async (tx) => {
    await removeKey(tx, { accountId, domainId, keyId })
    await recordDomainEvent(tx, ctx.config, 'domain.updated', { accountId, domainId, now: ctx.now() })
  })
  return { object: 'dkim_key', id: keyId, deleted: true }
}

/** `s2` comes before `s10`. */
const MAX_SELECTOR = 16

const viewOf = (ctx: Ctx, domainId: string): Promise<DomainView> => loadDomain(ctx, { params: { domain_id: domainId } })

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
