import type { Field } from '../fields/field.ts'
import { isRecord } from '../fields/members.ts'
import { typeOf } from '../fields/types/index.ts'
import type { Data } from '../fields/values.ts'
import { placeAddresses } from '../html/place-addresses.ts'
import { entryIdsOf, mediaIdsOf } from '../html/text.ts'

/**
 * What visitors see of an entry's data, as JSON that is written but for the records that it mentions: their places are
 * between two marks each. JSON never has a control character in it, so that the marks are nothing else.
 */
const MARK = '\u0001'
/** Increase it when templates or the way values are read change: stored templates of other formats are not read. */
export const TEMPLATE_FORMAT = 1

/** Where the data of a type mentions other records, or may. */
type LinkField =
  /** One file, or several. */
  | { kind: 'media' }
  /** Files of the library and links to entries inside of a text. */
  | { kind: 'richtext' }
  | { kind: 'reference'; to: string }
  | { kind: 'list'; plan: LinkPlan }
type LinkPlan = ReadonlyMap<string, LinkField>

const plans = new WeakMap<readonly Field[], LinkPlan>()

/** The visible fields that hold ids, also inside of lists; worked out once per set of fields. */
const linkPlanOf = (fields: readonly Field[]): LinkPlan => {
  const known = plans.get(fields)
  if (known) return known
  const plan: LinkPlan = new Map(fields.filter((field) => !field.hidden).flatMap(toLinkField))
  plans.set(fields, plan)
  return plan
}

const toLinkField = (field: Field): [string, LinkField][] => {
  const { key } = field
  const { comparesAs, writing } = typeOf(field)
  if (comparesAs === 'media') return [[key, { kind: 'media' }]]
  if (writing === 'richtext') return [[key, { kind: 'richtext' }]]
  if ('to' in field) return [[key, { kind: 'reference', to: field.to }]]
  return 'fields' in field ? [[key, { kind: 'list', plan: linkPlanOf(field.fields) }]] : []
}

/** The template of data that was read for visitors. */
export const writeTemplate = (fields: readonly Field[], data: Data): string => writeMembers(linkPlanOf(fields), data)

const writeMembers = (plan: LinkPlan, data: Data): string => {
  let text = ''
  for (const key of Object.keys(data)) {
    const link = plan.get(key)
    const value = link ? writeLinks(link, data[key]) : JSON.stringify(inStoredOrder(data[key]))
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${value}`
  }
  return `{${text}}`
}

/** A value with its names in the order that the database gives them, so that it makes no difference who reads it first. */
const inStoredOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inStoredOrder)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .map((name) => ({ name, bytes: utf8.encode(name) }))
      .sort((one, other) => one.bytes.length - other.bytes.length || compareBytes(one.bytes, other.bytes))
      .map(({ name }) => [name, inStoredOrder(value[name])]),
  )
}

const utf8 = new TextEncoder()

const compareBytes = (one: Uint8Array, other: Uint8Array): number => {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}

const writeLinks = (link: LinkField, value: unknown): string | undefined => {
  if (link.kind === 'list') return `[${recordsOf(value).map((item) => writeMembers(link.plan, item))}]`
  if (link.kind === 'richtext') {
    const text = JSON.stringify(value)
    return typeof value === 'string' && mentionsAny(value) ? `${MARK}h${text}${MARK}` : text
  }
  const isMany = Array.isArray(value)
  const ids = idsOf(value)
  if (ids.length === 0) return isMany ? '[]' : 'null'
  const kind = link.kind === 'media' ? (isMany ? 'M' : 'm') : `${isMany ? 'E' : 'e'}${link.to} `
  return MARK + kind + ids.join(',') + MARK
}

const mentionsAny = (html: string): boolean => html.includes('data-media-id') || html.includes('data-entry-id')

/** Ids are cleaned before they are stored and checked when they are read: none has a comma in it. */
const idsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}

const recordsOf = (value: unknown): Data[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** A template to be filled: holes are between the texts. */
export type Template = { readonly texts: readonly string[]; readonly holes: readonly Hole[]; readonly length: number }
type Hole =
  | { kind: 'media'; isMany: boolean; ids: readonly string[] }
  | { kind: 'entry'; isMany: boolean; ids: readonly string[]; to: string }
  | { kind: 'richtext'; html: string }

export const readTemplate = (template: string): Template => {
  const parts = template.split(MARK)
  const texts: string[] = []
  const holes: Hole[] = []
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) texts.push(part)
    else holes.push(readHole(part))
  }
  return { texts, holes, length: template.length }
}

const readHole = (text: string): Hole => {
  const kind = text.charAt(0)
  if (kind === 'h') return { kind: 'richtext', html: JSON.parse(text.slice(1)) }
  const isMany = kind === 'M' || kind === 'E'
  if (kind === 'm' || kind === 'M') return { kind: 'media', isMany, ids: text.slice(1).split(',') }
  const end = text.indexOf(' ')
  return { kind: 'entry', isMany, to: text.slice(1, end), ids: text.slice(end + 1).split(',') }
}

/** The ids that data mentions. Of those that a text links to, only the address is shown. */
export type Mentions = { media: Set<string>; entries: Set<string>; linked: Set<string> }

/** Adds what a template mentions. References to types outside of the scope are not even looked up. */
export const addMentions = (
  { holes }: Template,
  { media, entries, linked }: Mentions,
  inScope: (type: string) => boolean,
): void => {
  for (const hole of holes) {
    if (hole.kind === 'media') for (const id of hole.ids) media.add(id)
    else if (hole.kind === 'richtext') {
      for (const id of mediaIdsOf(hole.html)) media.add(id)
      for (const id of entryIdsOf(hole.html)) linked.add(id)
    } else if (inScope(hole.to)) for (const id of hole.ids) entries.add(id)
  }
}

/** What takes the place of ids, as JSON: null where nothing can be shown. */
export type Records = {
  media(id: string): string | null
  entry(id: string, to: string): string | null
  /** Where a file is now; null when it is gone. */
  mediaUrl(id: string): string | null
  /** Where an entry of any type is shown, null for nowhere; undefined when it cannot be reached. */
  entryUrl(id: string): string | null | undefined
}

/** The data as JSON, with records in the place of ids; one that cannot be shown is null, or left out of several. */
export const fillTemplate = ({ texts, holes }: Template, records: Records): string => {
  let filled = texts[0] ?? ''
  for (let index = 0; index < holes.length; index += 1) {
    const hole = holes[index]
    if (hole) filled += fillHole(hole, records)
    filled += texts[index + 1] ?? ''
  }
  return filled
}

const fillHole = (hole: Hole, records: Records): string => {
  if (hole.kind === 'richtext')
    return JSON.stringify(placeAddresses(hole.html, { media: records.mediaUrl, entry: records.entryUrl }))
  const show = hole.kind === 'media' ? records.media : (id: string) => records.entry(id, hole.to)
  if (!hole.isMany) return show(hole.ids[0] ?? '') ?? 'null'
  return `[${hole.ids
    .map(show)
    .filter((shown) => shown !== null)
    .join(',')}]`
}
