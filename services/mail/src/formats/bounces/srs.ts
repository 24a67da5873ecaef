import { createHmac, timingSafeEqual } from 'node:crypto'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import type { Secret } from '@stoa/kit/secret.ts'

/** A report about a forwarded message comes back within days; queues give up after five. */
const MAX_AGE_DAYS = 21
/** The day is counted in two letters. */
const DAY_CYCLE = 1024
const DAY_MS = 86_400_000
/** 40 bits: nobody guesses one at the rate at which we answer. */
const HASH_LENGTH = 8
/** RFC 5321 §4.5.3.1.3, without the brackets. */
const MAX_PATH = 254
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * The sender of a message that is forwarded (Sender Rewriting Scheme): an address of ours from which the old one can be
 * read back, so that SPF holds and reports find their way. Empty, the null sender, when there is no room for it.
 */
export const srsForward = (address: string, hostname: string, secret: Secret, now: Date): string => {
  const at = address.lastIndexOf('@')
  if (at < 1) return ''
  const local = address.slice(0, at)
  const domain = address.slice(at + 1).toLowerCase()
  if (domain === hostname.toLowerCase() && (SRS0.test(local) || SRS1.test(local))) return address
  const rewritten = `${rewrite(local, domain, secret, now)}@${hostname}`
  return Buffer.byteLength(rewritten) > MAX_PATH ? '' : rewritten
}

/** The address behind one of our SRS addresses, to which a report goes on; null when it is not ours or too old. */
export const srsReverse = (localPart: string, secret: Secret, now: Date): string | null => {
  if (Buffer.byteLength(localPart) > MAX_PATH) return null
  const first = SRS0.exec(localPart)?.groups
  if (first) {
    const { hash = '', day = '', domain = '', local = '' } = first
    const isOurs = isHash(hash, secret, day, domain, local) && isRecent(day, now) && DOMAIN.test(domain)
    return isOurs ? `${local}@${domain.toLowerCase()}` : null
  }
  const second = SRS1.exec(localPart)?.groups
  if (!second) return null
  const { hash = '', host = '', rest = '' } = second
  return isHash(hash, secret, host, rest) && DOMAIN.test(host) ? `SRS0${rest}@${host.toLowerCase()}` : null
}

const SRS0 = /^srs0[=+-](?<hash>[^=]{1,64})=(?<day>[^=]{1,8})=(?<domain>[^=]{1,253})=(?<local>.+)$/is
const SRS1 = /^srs1[=+-](?<hash>[^=]{1,64})=(?<host>[^=]{1,253})=(?<rest>[=+-].+)$/is
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i

/** An earlier forwarder stays the one who is notified; we only route to it. */
const rewrite = (local: string, domain: string, secret: Secret, now: Date): string => {
  const second = SRS1.exec(local)?.groups
  if (second?.host !== undefined && second.rest !== undefined) return wrap(second.host, second.rest, secret)
  if (SRS0.test(local)) return wrap(domain, local.slice('SRS0'.length), secret)
  const day = dayLetters(now)
  return `SRS0=${hashOf(secret, day, domain, local)}=${day}=${domain}=${local}`
}

const wrap = (host: string, rest: string, secret: Secret): string =>
  `SRS1=${hashOf(secret, host, rest)}=${host}=${rest}`

/** Hosts on the way may change the case of a local part. */
const hashOf = (secret: Secret, ...pieces: string[]): string => {
  const digest = createHmac('sha256', subKey(secret, 'srs')).update(pieces.join('\0').toLowerCase()).digest()
  let text = ''
  for (let index = 0; index < HASH_LENGTH; index += 1) text += BASE32[(digest[index] ?? 0) % BASE32.length]
  return text
}

const isHash = (given: string, secret: Secret, ...pieces: string[]): boolean => {
  const wanted = Buffer.from(hashOf(secret, ...pieces))
  const text = Buffer.from(given.toLowerCase())
  return text.length === wanted.length && timingSafeEqual(text, wanted)
}

const dayNumber = (now: Date): number => Math.floor(now.getTime() / DAY_MS) % DAY_CYCLE

const dayLetters = (now: Date): string => {
  const day = dayNumber(now)
  return `${BASE32[day >> 5]}${BASE32[day & 31]}`
}

const isRecent = (letters: string, now: Date): boolean => {
  const [high, low] = [...letters.toLowerCase()].map((letter) => BASE32.indexOf(letter))
  if (letters.length !== 2 || high === undefined || low === undefined || high < 0 || low < 0) return false
  const age = (dayNumber(now) - (high * 32 + low) + DAY_CYCLE) % DAY_CYCLE
  // A clock that is a little behind ours at midnight.
  return age <= MAX_AGE_DAYS || age === DAY_CYCLE - 1
}
