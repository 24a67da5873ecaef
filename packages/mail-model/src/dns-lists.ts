import { z } from 'zod'
import { asciiDomain } from './email.ts'

/**
 * A list of addresses or domains in DNS, as Postfix writes them: `zone`, `zone=127.0.0.[2..11]` for some answers only,
 * `zone&0.0.0.4` for answers with a bit, and `*4` for its points or `*reject`.
 */
export type DnsList = {
  readonly zone: string
  readonly codes: Codes | null
  /** Null: as many as lists of its kind have. */
  readonly points: number | null
  readonly rejects: boolean
}

/** Which answers count: numbers for each of the four, or bits that they share. */
export type Codes =
  | { readonly kind: 'values'; readonly octets: readonly (readonly Range[])[]; readonly text: string }
  | { readonly kind: 'mask'; readonly octets: readonly number[]; readonly text: string }
type Range = readonly [from: number, to: number]

const MAX_LISTS = 10
const MAX_POINTS = 20
const MAX_TEXT = 300
const FORM = /^(?<zone>[^=&*\s]+)(?:=(?<values>[\d.[\];]+)|&(?<mask>[\d.]+))?(?:\*(?<weight>reject|\d{1,2}(?:\.\d)?))?$/

export const parseDnsList = (text: string): DnsList | null => {
  const found = text.length <= MAX_TEXT ? FORM.exec(text.trim().replace(/\s*([=&*])\s*/g, '$1'))?.groups : undefined
  const zone = asciiDomain((found?.zone ?? '').replace(/\.$/, ''))
  if (!found || zone === null) return null
  const codes = found.values !== undefined ? readValues(found.values) : found.mask ? readMask(found.mask) : null
  if (codes === null && (found.values ?? found.mask) !== undefined) return null
  const rejects = found.weight === 'reject'
  const points = rejects || found.weight === undefined ? null : Number(found.weight)
  return points !== null && (points === 0 || points > MAX_POINTS) ? null : { zone, codes, points, rejects }
}

export const formatDnsList = ({ zone, codes, points, rejects }: DnsList): string => {
  const answers = codes === null ? '' : `${codes.kind === 'mask' ? '&' : '='}${codes.text}`
  return `${zone}${answers}${rejects ? '*reject' : points === null ? '' : `*${points}`}`
}

/** Whether an answer is one of those that count. */
export const matchesCodes = (codes: Codes | null, answer: string): boolean => {
  if (codes === null) return true
  const octets = answer.split('.').map(Number)
  return codes.kind === 'mask'
    ? codes.octets.some((mask, nth) => (mask & (octets[nth] ?? 0)) !== 0)
    : codes.octets.every((ranges, nth) =>
        ranges.some(([from, to]) => (octets[nth] ?? -1) >= from && (octets[nth] ?? -1) <= to),
      )
}

/** Four numbers, each of them one or `[2;5..7]`. */
const readValues = (text: string): Codes | null => {
  const parts = /^(\d{1,3}|\[[\d.;]+\])\.(\d{1,3}|\[[\d.;]+\])\.(\d{1,3}|\[[\d.;]+\])\.(\d{1,3}|\[[\d.;]+\])$/.exec(
    text,
  )
  const octets = parts?.slice(1).map(readRanges) ?? []
  return octets.length === 4 && octets.every((ranges) => ranges !== null) ? { kind: 'values', octets, text } : null
}

const readRanges = (text: string): Range[] | null => {
  const ranges = text
    .replace(/^\[|\]$/g, '')
    .split(';')
    .map((part): Range | null => {
      const [, from, to = from] = /^(\d{1,3})(?:\.\.(\d{1,3}))?$/.exec(part) ?? []
      return from !== undefined && Number(from) <= Number(to) && Number(to) <= 255 ? [Number(from), Number(to)] : null
    })
  return ranges.every((range) => range !== null) ? ranges : null
}

const readMask = (text: string): Codes | null => {
  const octets = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) ? text.split('.').map(Number) : []
  return octets.length === 4 && octets.every((octet) => octet <= 255) && octets.some((octet) => octet > 0)
    ? { kind: 'mask', octets, text }
    : null
}

const listText = (takesReject: boolean) => {
  const problem = `must be a DNS zone like bl.example.org, with codes like bl.example.org=127.0.0.[2..11] and points like bl.example.org*4${takesReject ? ' or bl.example.org*reject' : ''}`
  return z.string({ error: 'must be text' }).transform((given, context) => {
    const list = parseDnsList(given)
    if (list !== null && (takesReject || !list.rejects)) return formatDnsList(list)
    context.addIssue({ code: 'custom', message: problem })
    return z.NEVER
  })
}

const listsOf = (takesReject: boolean) =>
  z
    .array(listText(takesReject), { error: 'must be a list' })
    .max(MAX_LISTS, { error: `must have at most ${MAX_LISTS} lists` })
    .transform((lists) => [...new Set(lists)])

/** Lists of those whose mail is not wanted. */
export const blocklists = listsOf(true)
/** Lists of those whose mail is wanted. */
export const allowlists = listsOf(false)
