import type { Message } from '@stoa/mail-model/messages.ts'

/** What the service found out about the sender when the message came. */
export type SenderCheck =
  /** The domain of the address vouches for the message. */
  | { verdict: 'verified'; by: string; domain: string }
  /** It says that the message is not from there. */
  | { verdict: 'forged'; by: string; domain: string }
  /** Nobody says anything about it. */
  | { verdict: 'unknown' }

type Field = Message['headers'][number]

/**
 * Reads the results (RFC 8601) that the receiving service wrote. Those stand above the first Received field; what is
 * below came with the message, and anybody can write it.
 */
export const senderCheck = (headers: readonly Field[]): SenderCheck => {
  const received = headers.findIndex(({ name }) => name.toLowerCase() === 'received')
  const results = headers
    .slice(0, Math.max(0, received))
    .find(({ name }) => name.toLowerCase() === 'authentication-results')
  if (!results) return { verdict: 'unknown' }
  const [server = '', ...entries] = results.value.split(';').map((part) => part.trim())
  const by = server.split(/\s/)[0] ?? ''
  const dmarc = entries.find((entry) => /^dmarc=/i.test(entry))
  const domain = /\bheader\.from=([^\s;]+)/i.exec(dmarc ?? '')?.[1] ?? ''
  const result = /^dmarc=([a-z]+)/i.exec(dmarc ?? '')?.[1]?.toLowerCase()
  if (result === 'pass') return { verdict: 'verified', by, domain }
  return result === 'fail' ? { verdict: 'forged', by, domain } : { verdict: 'unknown' }
}

/** The first value of a header field. */
export const headerOf = (headers: readonly Field[], wanted: string): string | undefined =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value
