import type { DnsPublish, DnsRecord, PublishAction, PublishInput, RecordKind } from '@stoa/mail-model/dns.ts'
import type { PublishProvider } from '@stoa/mail-model/dns-providers/index.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { RequestError, sentence } from '@stoa/ui/request/request.ts'
import { dataText, mergedSpf } from '../dns/record-text.ts'
import { isNeeded } from '../dns/states.ts'

export type Choices = {
  provider: PublishProvider
  /** Values by field name. They live as long as the dialog and are sent only to the service. */
  credentials: Readonly<Record<string, string>>
  kinds: readonly RecordKind[]
  overwrite: boolean
}

export const publishInputOf = (
  { provider, credentials, kinds, overwrite }: Choices,
  options: { dryRun: boolean; confirmReplace: boolean },
): PublishInput => {
  const given = Object.fromEntries(provider.fields.map(({ name }) => [name, credentials[name]?.trim() ?? '']))
  const [first] = provider.fields
  return {
    provider: provider.id,
    ...(provider.fields.length === 1 && first ? { token: given[first.name] } : { credentials: given }),
    records: [...kinds],
    overwrite,
    dry_run: options.dryRun,
    confirm_replace: options.confirmReplace,
  }
}

export type KindChoice = {
  kind: RecordKind
  isNeeded: boolean
  /** Whether it is published unless somebody says otherwise. */
  isUsual: boolean
}

/** The kinds that a domain has, needed ones first, each once. */
export const kindsOf = (records: readonly DnsRecord[]): readonly KindChoice[] =>
  [...Map.groupBy(records, ({ record }) => record)]
    .map(([kind, members]) => ({
      kind,
      isNeeded: members.some(isNeeded),
      isUsual: members.some(({ required }) => required),
    }))
    .sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded))

/** "Invalid token parameter: the DNS provider rejected it." without the words for programs, at the right field. */
export const publishProblem = (error: unknown, { name, fields }: PublishProvider): unknown => {
  if (!(error instanceof RequestError)) return error
  const about = error.fields[0]?.key
  const words = sentence(
    error.message
      .replace(/^Invalid \w+ parameter: /i, '')
      .replaceAll('the DNS provider', name)
      .replace(/ rejected it\.$/, " rejected it. Check that it's complete, still valid and allowed to edit DNS."),
  )
  const missing = about?.startsWith('credentials.') ? about.slice('credentials.'.length) : undefined
  const key = missing ?? (about === 'token' ? (fields.find(({ secret }) => secret)?.name ?? 'token') : about)
  return new ProblemError(words, key === undefined ? [] : [{ key, message: words }], { cause: error })
}

type ActionLook = { tone: Tone; planned: string; done: string }

export const actionLooks: Readonly<Record<PublishAction, ActionLook>> = {
  created: { tone: 'live', planned: 'Will be added', done: 'Added' },
  updated: { tone: 'scheduled', planned: 'Will be updated', done: 'Updated' },
  unchanged: { tone: 'neutral', planned: 'Already correct', done: 'Already correct' },
  skipped: { tone: 'draft', planned: 'Will be skipped', done: 'Skipped' },
  failed: { tone: 'failed', planned: "Can't be published", done: 'Failed' },
}

export const skippedOf = ({ results }: DnsPublish): number =>
  results.filter(({ action }) => action === 'skipped').length

type Result = DnsPublish['results'][number]

export type PublishChange = {
  key: string
  result: Result
  /** The record's values in DNS before it is deleted or changed. */
  before: readonly string[]
  /** The value to write; null where nothing is written. */
  after: string | null
}

/** Each result with what is there and what is to come, from the records that it is about. */
export const changesOf = ({ results }: DnsPublish, records: readonly DnsRecord[]): readonly PublishChange[] => {
  const seen = new Map<string, number>()
  return results.map((result) => {
    const name = nameOf(result)
    const nth = seen.get(name) ?? 0
    seen.set(name, nth + 1)
    const record = records.filter((one) => nameOf(one) === name)[nth]
    const isWritten = result.action === 'created' || result.action === 'updated'
    const before = result.action === 'updated' && nth === 0 ? (record?.found ?? []) : []
    const after = isWritten && record ? writtenText(record, before) : null
    return { key: `${name} ${nth}`, result, before, after }
  })
}

const nameOf = ({ record, type, name }: Pick<DnsRecord, 'record' | 'type' | 'name'>): string =>
  `${record} ${type} ${name}`

const writtenText = (record: DnsRecord, before: readonly string[]): string =>
  record.record === 'SPF' && before.length > 0 ? mergedSpf(before, record.value) : dataText(record)

/** "3 added, 1 changed, 2 left alone". */
export const summaryOf = (publish: DnsPublish): string => {
  const verb = publish.dry_run ? 'to be ' : ''
  const parts = [
    [publish.created, `${verb}added`],
    [publish.updated, `${verb}updated`],
    [publish.unchanged, 'already correct'],
    [skippedOf(publish), 'skipped'],
    [publish.failed, 'failed'],
  ] as const
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, words]) => `${count} ${words}`)
      .join(', ') || 'Nothing to publish'
  )
}

/** The words of the service name a member of its API, which this screen calls otherwise. */
export const plainMessage = (message: string): string =>
  message.replace(/Set `?overwrite`? to replace it\./, 'Turn on “Replace conflicting records” to replace it.')

/** A result that this browser keeps, so that it can be read later. It has no credentials in it. */
export type KeptPublish = { at: string; publish: DnsPublish }

export const readKept = (stored: unknown): KeptPublish | null => {
  if (!isRecord(stored) || typeof stored.at !== 'string' || !isRecord(stored.publish)) return null
  return isPublish(stored.publish) ? { at: stored.at, publish: stored.publish } : null
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isPublish = (value: Record<string, unknown>): value is DnsPublish =>
  value.object === 'dns_publish' &&
  ['created', 'updated', 'unchanged', 'failed'].every((name) => typeof value[name] === 'number') &&
  typeof value.provider === 'string' &&
  Array.isArray(value.results) &&
  value.results.every((result) => isRecord(result) && String(result.action) in actionLooks)
