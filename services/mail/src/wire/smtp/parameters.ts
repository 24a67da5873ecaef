import type { Clock } from '@stoa/kit/clock.ts'
import type { MailParameters, RcptParameters } from './door.ts'
import { decodeXtext } from './paths.ts'
import { refuse } from './replies.ts'

type Given = ReadonlyMap<string, string | null>

/** The optional features of this connection. */
export type Offer = { readonly requiresTls: boolean; readonly maxHoldSeconds: number; readonly clock: Clock }

/** The parameters of MAIL; refuses what was not offered (RFC 5321 §4.1.1.11). */
export const readMailParameters = (given: Given, offer: Offer): MailParameters => {
  const known = ['SIZE', 'BODY', 'SMTPUTF8', 'RET', 'ENVID', 'AUTH', 'REQUIRETLS', 'HOLDFOR', 'HOLDUNTIL']
  for (const keyword of given.keys())
    if (!known.includes(keyword)) refuse(555, '5.5.4', `The parameter ${keyword.slice(0, 32)} is not supported`)
  const hasHold = given.has('HOLDFOR') || given.has('HOLDUNTIL')
  if (hasHold && offer.maxHoldSeconds === 0) refuse(555, '5.5.4', 'Holding messages is not supported')
  if (given.has('REQUIRETLS') && !offer.requiresTls) refuse(555, '5.5.4', 'REQUIRETLS is not available')
  return {
    size: sizeOf(given),
    is8bit: oneOf(given, 'BODY', ['7BIT', '8BITMIME']) === '8BITMIME',
    isUtf8: flag(given, 'SMTPUTF8'),
    ret: retOf(given),
    envid: xtext(given, 'ENVID', 100),
    requiresTls: flag(given, 'REQUIRETLS'),
    hold: hasHold ? holdOf(given, offer) : null,
  }
}

/** The parameters of RCPT (RFC 3461 §4.1 and §4.2). */
export const readRcptParameters = (given: Given): RcptParameters => {
  for (const keyword of given.keys())
    if (keyword !== 'NOTIFY' && keyword !== 'ORCPT')
      refuse(555, '5.5.4', `The parameter ${keyword.slice(0, 32)} is not supported`)
  return { notify: notifyOf(given), orcpt: orcptOf(given) }
}

const sizeOf = (given: Given): number | null => {
  const text = given.get('SIZE')
  if (text === undefined) return null
  return /^\d{1,20}$/.test(text ?? '') ? Number(text) : refuse(501, '5.5.4', 'SIZE requires a number')
}

const flag = (given: Given, keyword: string): boolean => {
  if (typeof given.get(keyword) === 'string') refuse(501, '5.5.4', `${keyword} takes no value`)
  return given.has(keyword)
}

const oneOf = (given: Given, keyword: string, values: readonly string[]): string | null => {
  const value = given.get(keyword)
  if (value === undefined) return null
  const found = values.find((allowed) => allowed === value?.toUpperCase())
  return found ?? refuse(501, '5.5.4', `${keyword} must be one of ${values.join(', ')}`)
}

const retOf = (given: Given): 'full' | 'hdrs' | null => {
  const value = oneOf(given, 'RET', ['FULL', 'HDRS'])
  return value === null ? null : value === 'FULL' ? 'full' : 'hdrs'
}

const xtext = (given: Given, keyword: string, max: number): string | null => {
  const value = given.get(keyword)
  if (value === undefined) return null
  if (value === null || value.length > max || decodeXtext(value) === null)
    return refuse(501, '5.5.4', `${keyword} is malformed`)
  return value
}

const NOTIFY = ['SUCCESS', 'FAILURE', 'DELAY']

const notifyOf = (given: Given): string[] | null => {
  const value = given.get('NOTIFY')
  if (value === undefined) return null
  const words = (value ?? '').toUpperCase().split(',')
  if (words.length === 1 && words[0] === 'NEVER') return ['never']
  if (!words.every((word) => NOTIFY.includes(word)) || new Set(words).size !== words.length)
    return refuse(501, '5.5.4', 'NOTIFY must be NEVER, or any of SUCCESS, FAILURE and DELAY')
  return words.map((word) => word.toLowerCase())
}

const orcptOf = (given: Given): string | null => {
  const value = given.get('ORCPT')
  if (value === undefined) return null
  const [, address] = /^[A-Za-z0-9-]{1,32};(.+)$/.exec(value ?? '') ?? []
  if (value === null || address === undefined || value.length > 500 || decodeXtext(address) === null)
    return refuse(501, '5.5.4', 'ORCPT is malformed')
  return value
}

/** RFC 4865 §5: one of both, and not longer than was offered. */
const holdOf = (given: Given, { maxHoldSeconds, clock }: Offer): MailParameters['hold'] => {
  const seconds = given.get('HOLDFOR')
  const moment = given.get('HOLDUNTIL')
  if (seconds !== undefined && moment !== undefined) return refuse(501, '5.5.4', 'Use HOLDFOR or HOLDUNTIL, not both')
  if (seconds !== undefined) {
    if (!/^[1-9]\d{0,8}$/.test(seconds ?? '')) return refuse(501, '5.5.4', 'HOLDFOR requires a number of seconds')
    return Number(seconds) <= maxHoldSeconds
      ? { seconds: Number(seconds) }
      : refuse(554, '5.7.1', 'The hold time is too long')
  }
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/.test(moment ?? ''))
    return refuse(501, '5.5.4', 'HOLDUNTIL requires a date and time')
  const until = new Date(moment ?? '')
  if (Number.isNaN(until.getTime())) return refuse(501, '5.5.4', 'HOLDUNTIL requires a date and time')
  return until.getTime() - clock.now().getTime() <= maxHoldSeconds * 1_000
    ? { until }
    : refuse(554, '5.7.1', 'The hold time is too long')
}
