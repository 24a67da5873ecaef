import type { Field } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/index.ts'
import { type Data, mayBeFormatted, readData } from '@stoa/cms-model/fields/values.ts'
import { cleanInline } from '@stoa/cms-model/html/inline.ts'
import { placeAddresses } from '@stoa/cms-model/html/place-addresses.ts'
import { entryIdsOf, mediaIdsOf } from '@stoa/cms-model/html/text.ts'

/** Where the data of a type mentions other records. */
export type LinkPlan = readonly LinkField[]
type LinkField =
  /** One file, or several. */
  | { kind: 'media'; key: string }
  /** Files of the library and links to entries inside of a text. */
  | { kind: 'richtext'; key: string }
  | { kind: 'reference'; key: string; to: string }
  | { kind: 'list'; key: string; plan: LinkPlan }

const plans = new WeakMap<readonly Field[], LinkPlan>()

/** The visible fields that hold ids, also inside of lists; worked out once per set of fields. */
export const linkPlanOf = (fields: readonly Field[]): LinkPlan => {
  const known = plans.get(fields)
  if (known) return known
  const plan = fields.filter((field) => !field.hidden).flatMap(toLinkField)
  plans.set(fields, plan)
  return plan
}

const toLinkField = (field: Field): LinkField[] => {
  const { key } = field
  const { comparesAs, writing } = typeOf(field)
  if (comparesAs === 'media') return [{ kind: 'media', key }]
  if (writing === 'richtext') return [{ kind: 'richtext', key }]
  if ('to' in field) return [{ kind: 'reference', key, to: field.to }]
  const plan = 'fields' in field ? linkPlanOf(field.fields) : []
  return plan.length > 0 ? [{ kind: 'list', key, plan }] : []
}

/** What visitors see of stored data, with ids where it mentions other records. */
export const readVisible = (fields: readonly Field[], stored: string): Data => {
  const parsed: Data = JSON.parse(stored)
  const data = readData(fields, parsed, 'visible')
  for (const field of fields) if (formatted.has(field)) data[field.key] = inlineHtml(data[field.key])
  return data
}

const formatted = new WeakSet<Field>()

/** Says which text fields hold inline HTML: pages show them as it is. */
export const markFormatted = (fields: readonly Field[], keys: readonly string[]): void => {
  for (const field of fields) if (keys.includes(field.key) && mayBeFormatted(field)) formatted.add(field)
}

/** Saved before the page was declared, or by a process that has no declaration, it may be any text. */
const inlineHtml = (value: unknown): string => {
  if (typeof value !== 'string') return ''
  return /^[^<]*(?:<(?:\/?i|br)>[^<]*)*$/.test(value) ? value : (cleanInline(value) ?? '')
}

/** The ids that data mentions. Of those that a text links to, only the address is shown. */
export type LinkedIds = { media: Set<string>; entries: Set<string>; linked: Set<string> }

/** Adds what the data mentions. References to types outside of the scope are not even looked up. */
export const collectLinks = (plan: LinkPlan, data: Data, found: LinkedIds, inScope: InScope): void => {
  const { media, entries, linked } = found
  for (const link of plan) {
    const value = data[link.key]
    if (link.kind === 'list') {
      for (const item of recordsOf(value)) collectLinks(link.plan, item, found, inScope)
    } else if (link.kind === 'richtext') {
      if (typeof value !== 'string') continue
      for (const id of mediaIdsOf(value)) media.add(id)
      for (const id of entryIdsOf(value)) linked.add(id)
    } else if (link.kind !== 'reference') {
      for (const id of idsOf(value)) media.add(id)
    } else if (inScope(link.to)) {
      for (const id of idsOf(value)) entries.add(id)
    }
  }
}

export type InScope = (type: string) => boolean

/** What takes the place of ids: null where nothing can be shown. */
export type LinkTargets = {
  media(id: string): { url: string } | null
  entry(id: string, to: string): object | null
  /** Where an entry of any type is shown, null for nowhere; undefined when it cannot be reached. */
  entryUrl(id: string): string | null | undefined
}

/** The same data with records in the place of ids; one that cannot be shown is null, or left out of several. */
export const substituteLinks = (plan: LinkPlan, data: Data, targets: LinkTargets): Data => {
  if (plan.length === 0) return data
  const substituted = { ...data }
  for (const link of plan)
    if (Object.hasOwn(data, link.key)) substituted[link.key] = substitutedValue(link, data[link.key], targets)
  return substituted
}

const substitutedValue = (link: LinkField, value: unknown, targets: LinkTargets): unknown => {
  if (link.kind === 'list') return recordsOf(value).map((item) => substituteLinks(link.plan, item, targets))
  if (link.kind === 'richtext') return typeof value === 'string' ? placeAddresses(value, addressesOf(targets)) : value
  const show = link.kind === 'reference' ? (id: string) => targets.entry(id, link.to) : targets.media
  if (!Array.isArray(value)) return typeof value === 'string' ? show(value) : null
  return idsOf(value)
    .map(show)
    .filter((shown) => shown !== null)
}

const addressesOf = ({ media, entryUrl }: LinkTargets) => ({
  media: (id: string) => media(id)?.url ?? null,
  entry: entryUrl,
})

const idsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null

const recordsOf = (value: unknown): Data[] => (Array.isArray(value) ? value.filter(isData) : [])
