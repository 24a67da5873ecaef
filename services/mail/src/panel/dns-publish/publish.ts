import type { Credentials, WriteResult, Zone } from '@stoa/kit/dns-zones/adapter.ts'
import { ProviderFailed, ProviderRefused } from '@stoa/kit/dns-zones/api.ts'
import { findZone, type ZoneAccess } from '@stoa/kit/dns-zones/find-zone.ts'
import type { DnsPublish, PublishAction, PublishInput } from '@stoa/mail-model/dns.ts'
import { type PublishProvider, publishProviderOf, publishProviders } from '@stoa/mail-model/dns-providers/index.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { recordSet, scheduleCheckSoon } from '../../hosting/dns-records/dns-records.ts'
import { type DomainView, listKeys } from '../../hosting/domains/domains.ts'
import { type PublishPlan, planPublish } from './plan.ts'
import { detectProvider } from './provider.ts'

/** Name servers need a moment before they say what was published. */
const LOOK_AFTER_MS = 60_000

/** Writes the records of a domain to its provider. The credentials are used here and kept nowhere. */
export const publishRecords = async (ctx: Ctx, view: DomainView, input: PublishInput): Promise<DnsPublish> => {
  const provider = await chooseProvider(ctx, view, input)
  const credentials = readCredentials(provider, input)
  if (provider.replacesZone && !input.confirm_replace && !input.dry_run)
    failParameter('confirm_replace', 'must be true, because this provider replaces the whole zone at once')
  const all = recordSet(ctx.config, view, await listKeys(ctx.db, view.id))
  const wanted = all.filter(({ record, required }) => (input.records ? input.records.includes(record) : required))
  const zone = await openZone(ctx, provider, { credentials, domain: view.name })
  const { plan, outcomes } = await asProvider(async () => {
    const plan = planPublish(wanted, await zone.records(), { overwrite: input.overwrite, mxHosts: ctx.config.mxHosts })
    return { plan, outcomes: input.dry_run || plan.changes.length === 0 ? [] : await zone.write(plan.changes) }
  })
  if (!input.dry_run)
    await ctx.tx((tx) => scheduleCheckSoon(tx, view.id, new Date(ctx.now().getTime() + LOOK_AFTER_MS)))
  return toJson({ provider: provider.id, isDry: input.dry_run, plan, outcomes })
}

const failParameter = (name: string, problem: string): never =>
  fail('invalid_parameter', { message: `Invalid \`${name}\` parameter: ${problem}.` })

const chooseProvider = async (ctx: Ctx, { name }: DomainView, { provider }: PublishInput): Promise<PublishProvider> => {
  const id = provider ?? (await detectProvider(ctx.parts, name)).provider
  if (id === null) return failParameter('provider', "the DNS provider couldn't be detected; specify it")
  return (
    publishProviderOf(id) ??
    failParameter('provider', `must be one of ${publishProviders.map((one) => one.id).join(', ')}`)
  )
}

const readCredentials = ({ fields }: PublishProvider, { token, credentials }: PublishInput): Credentials => {
  const isPair = fields.length > 1
  const given = isPair ? credentials : token === undefined ? undefined : { token }
  if (given === undefined)
    return fail('missing_required_field', { message: `Missing \`${isPair ? 'credentials' : 'token'}\` field.` })
  const absent = fields.find(({ name }) => given[name] === undefined)
  if (absent) fail('missing_required_field', { message: `Missing \`credentials.${absent.name}\` field.` })
  return given
}

const openZone = ({ config }: Ctx, { id }: PublishProvider, given: ZoneAccess): Promise<Zone> =>
  asProvider(
    async () =>
      (await findZone(config, id, given)) ??
      failParameter('token', "your account at the DNS provider doesn't have this domain"),
  )

/** Turns the provider's errors into ours; for calls before anything is written. */
const asProvider = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProviderRefused) return failParameter('token', 'the DNS provider rejected it')
    if (error instanceof ProviderFailed) return fail('invalid_parameter', { message: error.message })
    throw error
  }
}

const toJson = (done: {
  provider: string
  isDry: boolean
  plan: PublishPlan
  outcomes: readonly WriteResult[]
}): DnsPublish => {
  const { plan, outcomes } = done
  const problems = new Map(plan.changes.map(({ type, fqdn }, index) => [`${type} ${fqdn}`, outcomes[index] ?? null]))
  const results = plan.steps.map(({ wanted, action, message }) => {
    const isWritten = action === 'created' || action === 'updated'
    const problem = isWritten ? (problems.get(`${wanted.type} ${wanted.fqdn}`) ?? null) : null
    return {
      record: wanted.record,
      name: wanted.name,
      type: wanted.type,
      action: problem === null ? action : ('failed' as const),
      message: problem ?? message,
    }
  })
  const count = (action: PublishAction): number => results.filter((result) => result.action === action).length
  return {
    object: 'dns_publish',
    provider: done.provider,
    dry_run: done.isDry,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    results,
  }
}
