import type { Message } from '@stoa/mail-model/messages.ts'
import { headerOf } from './sender-check.ts'

/** How the sender of a list says one can leave it (RFC 2369): by a page, or by a mail. */
export type Unsubscribe = { kind: 'page'; url: string; host: string } | { kind: 'mail'; address: string }

/** The way to leave a list; a mail tells nobody else anything and so comes first. */
export const unsubscribeOf = (headers: Message['headers']): Unsubscribe | null => {
  const value = headerOf(headers, 'list-unsubscribe') ?? ''
  const targets = [...value.matchAll(/<([^<>]{1,2000})>/g)].map(([, target = '']) => target.replace(/\s+/g, ''))
  const mail = targets.find((target) => /^mailto:[^?\s]+/i.test(target))
  if (mail !== undefined) return { kind: 'mail', address: mail }
  for (const target of targets) {
    const url = URL.canParse(target) ? new URL(target) : null
    if (url?.protocol === 'https:') return { kind: 'page', url: url.href, host: url.host }
  }
  return null
}
