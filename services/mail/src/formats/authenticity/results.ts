import type { DMARCResult, SPFResult } from 'mailauth'
import { type ByteRange, type Bytes, headerText, type MimeStructure } from '../mime/mime.ts'
import type { Signatures } from './signatures.ts'

type Results = {
  readonly ip: string
  readonly helo: string
  readonly mailFrom: string
  readonly spf: SPFResult
  /** Null when the header was too big to look for signatures. */
  readonly signatures: Signatures | null
  readonly dmarc: DMARCResult | null
}

/**
 * Authentication-Results (RFC 8601) above Received-SPF (RFC 7208 §9.1), each ended by CRLF. A value that would need
 * quotes is left out: not every reader knows where quotes and comments end.
 */
export const formatResults = (hostname: string, results: Results): string => {
  const { spf, signatures, dmarc } = results
  const entries = [
    ...dkimEntries(signatures),
    spfEntry(results),
    ...(signatures?.arc ? [`arc=${word(signatures.arc.status.result)}`] : []),
    ...(dmarc ? [dmarcEntry(dmarc)] : []),
  ]
  const pairs = [
    property('client-ip', results.ip),
    property('envelope-from', results.mailFrom),
    property('helo', results.helo),
  ]
  const received = `${word(spf.status.result)}${pairs.map((pair) => (pair === '' ? '' : `${pair};`)).join('')}`
  return (
    `Authentication-Results: ${hostname}${entries.map((entry) => `;\r\n ${fold(entry)}`).join('')}\r\n` +
    `Received-SPF: ${fold(received)}\r\n`
  )
}

const dkimEntries = (signatures: Signatures | null): string[] => {
  if (!signatures) return ['dkim=permerror (header too large)']
  if (signatures.dkim.length === 0) return ['dkim=none (message not signed)']
  return signatures.dkim.map(({ status, signingDomain, selector, algo, signature }, index) => {
    const isPartial = status.result === 'pass' && !signatures.isSound[index]
    return (
      `dkim=${word(status.result)}${isPartial ? ' (does not cover all of the message)' : comment(status.comment)}` +
      property('header.d', signingDomain) +
      property('header.s', selector) +
      property('header.a', algo) +
      property('header.b', signature?.slice(0, 8))
    )
  })
}

/** RFC 8601 §2.7.2: without a sender it is the name of the host that was checked. */
const spfEntry = ({ spf, mailFrom, helo }: Results): string => {
  const identity = mailFrom === '' ? property('smtp.helo', helo) : property('smtp.mailfrom', spf.domain)
  return `spf=${word(spf.status.result)}${identity}`
}

const dmarcEntry = ({ status, policy }: DMARCResult): string =>
  `dmarc=${word(status.result)}${property('policy.dmarc', policy)}${property('header.from', status.header?.from)}`

const property = (name: string, value: string | undefined): string =>
  value !== undefined && PLAIN.test(value) ? ` ${name}=${value}` : ''

/** A token of RFC 2045 §5.1, with the characters of host and mailbox addresses. */
const PLAIN = /^[A-Za-z0-9!#$%&*+./:=?@^_{|}~[\]-]{1,254}$/

const word = (result: string): string => result.replace(/[^a-z]/g, '') || 'none'

const comment = (text: string | undefined): string => (text && /^[\w .,:-]{1,100}$/.test(text) ? ` (${text})` : '')

/**
 * Results in a received message that claim to be ours (RFC 8601 §5): code that shows or forwards the message leaves these
 * ranges out, each a whole field with its line break. Only what stands in the stored prefix is from us.
 */
export const foreignResults = (structure: MimeStructure, bytes: Bytes, hostname: string): ByteRange[] =>
  structure.root.fields.flatMap((field) => {
    if (field.name !== 'authentication-results') return []
    const isClaimed = authservId(headerText(bytes, field)) === hostname.toLowerCase()
    return isClaimed ? [{ start: field.start, end: field.next }] : []
  })

/** Reads the authserv-id: a plain or quoted word, maybe after comments (RFC 8601 §2.2). */
const authservId = (value: string): string => {
  let text = value.trimStart()
  while (text.startsWith('(')) {
    const end = endOfComment(text)
    text = text.slice(end).trimStart()
  }
  const quoted = /^"((?:[^"\\]|\\.){0,300})"/.exec(text)?.[1]?.replace(/\\(.)/g, '$1')
  const word = quoted ?? /^[^\s;()"]{0,300}/.exec(text)?.[0] ?? ''
  return word.toLowerCase().replace(/\.$/, '')
}

const endOfComment = (text: string): number => {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}

/** RFC 5322 §2.1.1: lines of 78 characters where there are spaces to break them at. */
const fold = (entry: string): string => {
  let text = ''
  let length = 0
  for (const word of entry.split(/\s+/)) {
    const isFull = length > 0 && length + 1 + word.length > 76
    text += isFull ? `\r\n  ${word}` : length === 0 ? word : ` ${word}`
    length = isFull ? word.length + 1 : length + 1 + word.length
  }
  return text
}
