import { domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { htmlLinks } from '../links/links.ts'
import { asciiDomain, isDeceptive, isOneSlipAway, skeletonOf } from './confusables.ts'

export type WarningCode =
  /** The sender's name is, or holds, an address of somebody else. */
  | 'name_shows_address'
  /** The sender's name holds another domain. */
  | 'name_shows_domain'
  /** Somebody who is known by this name writes from another address. */
  | 'known_name'
  /** The domain looks like one that is known. */
  | 'lookalike_domain'
  /** The domain is written with letters that pass for others. */
  | 'deceptive_domain'
  /** A link says that it leads elsewhere. */
  | 'misleading_link'

/** A reason to look twice: what is shown or meant to be believed, and what it really is. */
export type Warning = { readonly code: WarningCode; readonly shown: string; readonly actual: string }

export type Person = { readonly name: string | null; readonly email: string }

/** Whom the reader knows. All lists are bounded by the caller. */
export type Circle = {
  /** The mailbox, and everybody else of the account. */
  readonly own: readonly Person[]
  readonly ownDomains: readonly string[]
  /** People whom the mailbox has written to. */
  readonly contacts: readonly Person[]
}

type Sender = {
  readonly from: Person
  /** Mail of a list, or of a service that writes in the name of people, whose domain vouches for it. */
  readonly isVerifiedList: boolean
}

/** Names are a few words; the rest of a longer one is not read by anybody either. */
const MAX_NAME = 300
const MAX_KNOWN = 2_000

/** Caches results, because the same contacts are compared for each opened message. A full cache is cleared. */
const remembered = <T>(work: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= MAX_REMEMBERED) known.clear()
    const made = work(text)
    known.set(text, made)
    return made
  }
}

const MAX_REMEMBERED = 5_000

/** What is odd about a sender. Somebody whom the mailbox has written to is not judged. */
export const senderWarnings = ({ from, isVerifiedList }: Sender, circle: Circle): Warning[] => {
  const email = from.email.toLowerCase()
  if ([...circle.own, ...circle.contacts].some((known) => known.email.toLowerCase() === email)) return []
  const host = asciiDomain(email.slice(email.lastIndexOf('@') + 1))
  const name = (from.name ?? '').slice(0, MAX_NAME)
  return [
    nameWarning(name, email, host),
    isVerifiedList ? null : knownName(name, email, circle),
    domainWarning(host, circle),
  ].filter((warning) => warning !== null)
}

const ADDRESS = /[a-z0-9._%+-]{1,64}@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/i
const DOMAIN = /(?:^|[\s("'<[/])((?:[a-z0-9-]{1,63}\.){0,5}[a-z0-9-]{3,63}\.[a-z]{2,24})(?=$|[\s)"'>\],/!?])/i

const nameWarning = (name: string, email: string, host: string): Warning | null => {
  const address = ADDRESS.exec(name)
  if (address) {
    const [shown, domain = ''] = address
    return isSameSite(domain, host) ? null : { code: 'name_shows_address', shown, actual: email }
  }
  const domain = DOMAIN.exec(name)?.[1]
  // Jane.Li may be her name as well as her address
  if (domain === undefined || email.startsWith(`${domain.toLowerCase()}@`)) return null
  const isOther = parse(domain).isIcann === true && !isSameSite(domain, host)
  return isOther ? { code: 'name_shows_domain', shown: domain, actual: email } : null
}

/** First names alone are too many people's. */
const MIN_WORDS = 2

const knownName = (name: string, email: string, { own, contacts }: Circle): Warning | null => {
  const key = nameKey(name)
  if (key === null) return null
  const host = email.slice(email.lastIndexOf('@') + 1)
  const known = [...own, ...contacts].slice(0, MAX_KNOWN).filter((person) => nameKey(person.name ?? '') === key)
  const [first] = known
  const isNear = known.some((person) => isSameSite(person.email.slice(person.email.lastIndexOf('@') + 1), host))
  return first && !isNear ? { code: 'known_name', shown: first.email, actual: email } : null
}

/** `Smith, Ann` and `Ann Smith` are the same name, also with a letter of another alphabet in it. */
const nameKey = remembered((name: string): string | null => {
  const words = skeletonOf(name.slice(0, MAX_NAME)).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length < MIN_WORDS ? null : words.sort().join(' ')
})

/** Shorter names are one slip away from too many others. */
const MIN_SLIP_LENGTH = 5

const domainWarning = (host: string, { own, ownDomains, contacts }: Circle): Warning | null => {
  const { domain: site, domainWithoutSuffix: label, publicSuffix: suffix } = siteOf(host)
  if (site === null) return null
  const ownSites = [...ownDomains, ...own.map(domainOfPerson)]
  const known = new Set([...ownSites, ...contacts.map(domainOfPerson)].slice(0, MAX_KNOWN).map(asciiDomain))
  const sites = [...known].map(siteOf)
  if (sites.some(({ domain }) => domain === site)) return null
  const skeleton = skeletonOf(domainToUnicode(label ?? ''))
  const isOwn = new Set(ownSites.map((name) => siteOf(asciiDomain(name)).domain))
  for (const other of sites) {
    if (other.domain === null || other.domainWithoutSuffix === null) continue
    const isAlike =
      other.publicSuffix === suffix &&
      (skeletonOf(domainToUnicode(other.domainWithoutSuffix)) === skeleton ||
        (isOwn.has(other.domain) &&
          other.domainWithoutSuffix.length >= MIN_SLIP_LENGTH &&
          isOneSlipAway(other.domainWithoutSuffix, label ?? '')))
    if (isAlike || `.${host}`.includes(`.${other.domain}.`))
      return { code: 'lookalike_domain', shown: other.domain, actual: host }
  }
  return isDeceptive(host) ? { code: 'deceptive_domain', shown: domainToUnicode(host), actual: host } : null
}

const domainOfPerson = ({ email }: Person): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

const siteOf = remembered((host: string) => parse(host, { allowPrivateDomains: true }))

/** Whether both hosts are of one registered domain; without one they must be equal. */
const isSameSite = (one: string, other: string): boolean => {
  const [a, b] = [asciiDomain(one), asciiDomain(other)]
  return a === b || (siteOf(a).domain !== null && siteOf(a).domain === siteOf(b).domain)
}

/** The most warnings shown; one is enough to be careful. */
const MAX_WARNINGS = 3
const MAX_LINKS = 1_000
/** Countries that share their letters with kinds of files: `readme.md` and `setup.sh` are no hosts. */
const FILE_ENDINGS = new Set([
  'ai',
  'app',
  'cc',
  'in',
  'md',
  'ml',
  'mov',
  'pl',
  'ps',
  'py',
  'rs',
  'sh',
  'so',
  'st',
  'tf',
  'zip',
])

/** Links of clean HTML whose text names another site than they lead to. */
export const linkWarnings = (html: string): Warning[] => {
  const found = new Map<string, Warning>()
  for (const { host, domain, shownDomain, shownText } of htmlLinks(html, MAX_LINKS)) {
    if (shownDomain === null || shownDomain === domain || isFileName(shownDomain, shownText ?? '')) continue
    if (parse(shownDomain).isIcann !== true) continue
    found.set(`${shownDomain} ${host}`, { code: 'misleading_link', shown: shownDomain, actual: host })
    if (found.size >= MAX_WARNINGS) break
  }
  return [...found.values()]
}

const isFileName = (domain: string, text: string): boolean =>
  FILE_ENDINGS.has(domain.slice(domain.lastIndexOf('.') + 1)) && !/^(?:https?:|www\.)/i.test(text)
