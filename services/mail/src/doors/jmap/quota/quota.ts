import { quotaOf } from '../../../hosting/plans/plans.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { usedBytes } from '../../../store/store.ts'
import { type Args, CAPABILITIES, failMethod, type JmapCall, type JmapMethod } from '../method.ts'
import { failArgument, isStrings } from '../standard/arguments.ts'
import { allChanges, changesAnswer, findChanges, readChanges } from '../standard/changes.ts'
import { byText } from '../standard/collation.ts'
import { getAnswer, readGet } from '../standard/get.ts'
import {
  type FilterNode,
  fits,
  queryAnswer,
  queryChangesAnswer,
  readFilter,
  readQuery,
  readQueryChanges,
  readSort,
} from '../standard/query.ts'
import { stateOf, stateText } from '../standard/state.ts'

/** RFC 9425 §4. A mailbox has one quota, which has its id: its storage. */
const PROPERTIES = [
  'id',
  'resourceType',
  'used',
  'hardLimit',
  'warnLimit',
  'softLimit',
  'scope',
  'name',
  'types',
  'description',
] as const
/** From here on users should be warned. */
const WARN_SHARE = 0.9

type Quota = { id: string; used: number; name: string; scope: string; resourceType: string; types: string[] } & Args

/** Empty for a mailbox without a limit. */
const findQuotas = async ({ parts }: JmapCall, { addressId }: MailboxAccess): Promise<Quota[]> => {
  const { db } = parts.database
  const hardLimit = await quotaOf(db, addressId)
  if (hardLimit === null) return []
  return [
    {
      id: addressId,
      resourceType: 'octets',
      used: await usedBytes(db, addressId),
      hardLimit,
      warnLimit: Math.floor(hardLimit * WARN_SHARE),
      softLimit: null,
      scope: 'account',
      name: 'Storage',
      types: ['Email'],
      description: 'Storage limit of this mailbox',
    },
  ]
}

const quotaGet: JmapMethod = {
  name: 'Quota/get',
  capability: CAPABILITIES.quota,
  async run(call, args) {
    const request = await readGet(call, args, { defaults: PROPERTIES })
    const state = await stateOf(call.parts.database.db, request.access.addressId)
    const quotas = await findQuotas(call, request.access)
    return getAnswer(request, { state, objects: new Map(quotas.map((quota) => [quota.id, quota])) })
  },
}

const quotaChanges: JmapMethod = {
  name: 'Quota/changes',
  capability: CAPABILITIES.quota,
  async run(call, args) {
    const request = await readChanges(call, args)
    const changes = await findChanges(call.parts.database.db, request, ['quota'])
    const known = (await findQuotas(call, request.access)).map(({ id }) => id)
    const updated = changes.updated.filter((id) => known.includes(id))
    return { ...changesAnswer(request, { ...changes, updated }), updatedProperties: null }
  },
}

const quotaQuery: JmapMethod = {
  name: 'Quota/query',
  capability: CAPABILITIES.quota,
  async run(call, args) {
    const request = await readQuery(call, args)
    const find = readFinder(args)
    const queryState = await stateOf(call.parts.database.db, request.access.addressId)
    return queryAnswer(request, { ids: find(await findQuotas(call, request.access)), queryState })
  },
}

const quotaQueryChanges: JmapMethod = {
  name: 'Quota/queryChanges',
  capability: CAPABILITIES.quota,
  async run(call, args) {
    const request = await readQueryChanges(call, args)
    const find = readFinder(args)
    const { access, sinceQueryState } = request
    const changes = await allChanges(call.parts.database.db, { access, sinceState: sinceQueryState }, ['quota'])
    return queryChangesAnswer(request, {
      ids: find(await findQuotas(call, access)),
      changed: changes.updated,
      destroyed: changes.destroyed,
      newQueryState: stateText(changes.next),
    })
  },
}

type Condition = (quota: Quota) => boolean

const readFinder = (args: Args): ((quotas: readonly Quota[]) => string[]) => {
  const filter: FilterNode<Condition> | null = readFilter(args, readCondition)
  const [key] = readSort(args, ['name', 'used'])
  return (quotas) =>
    quotas
      .filter((quota) => fits(filter, (condition) => condition(quota)))
      .toSorted((a, b) => {
        const order = key?.property === 'used' ? a.used - b.used : byText(key?.collation ?? null)(a.name, b.name)
        return key?.isAscending === false ? -order : order
      })
      .map(({ id }) => id)
}

/** RFC 9425 §4.3.1. */
const readCondition = (condition: Args): Condition => {
  const tests = Object.entries(condition).map(([name, value]): Condition => {
    if (name === 'type') {
      const wanted = isStrings(value) ? value : [value]
      return ({ types }) => types.some((type) => wanted.includes(type))
    }
    if (name !== 'name' && name !== 'scope' && name !== 'resourceType')
      return failMethod('unsupportedFilter', `Quotas cannot be filtered by "${name.slice(0, 100)}".`)
    if (name === 'name') {
      if (typeof value !== 'string') return failArgument('filter', 'has a name that is not a string')
      return (quota) => quota.name.toLowerCase().includes(value.toLowerCase())
    }
    const wanted = isStrings(value) ? value : [value]
    return (quota) => wanted.includes(quota[name])
  })
  return (quota) => tests.every((test) => test(quota))
}

/** RFC 9425. */
export const quotaMethods: readonly JmapMethod[] = [quotaGet, quotaChanges, quotaQuery, quotaQueryChanges]
