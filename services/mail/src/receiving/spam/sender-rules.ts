import type { Authenticity } from '../../formats/authenticity/authenticity.ts'
import type { Reason } from './content-rules.ts'

/** What is known of the sender. */
export type Sender = { readonly authenticity: Authenticity; readonly ip: string; readonly helo: string }

export type SenderRule = {
  readonly name: string
  readonly points: number
  readonly applies: (sender: Sender) => boolean
}

export const senderReasons = (sender: Sender): Reason[] =>
  SENDER_RULES.filter(({ applies }) => applies(sender)).map(({ name, points }) => ({ name, points }))

export const SENDER_RULES: readonly SenderRule[] = [
  { name: 'dmarc_quarantine', points: 10, applies: ({ authenticity }) => authenticity.dmarc.disposition !== 'none' },
  {
    name: 'dmarc_fail',
    points: 1.5,
    applies: ({ authenticity: { dmarc } }) => dmarc.result === 'fail' && dmarc.disposition === 'none',
  },
  { name: 'spf_fail', points: 1.5, applies: ({ authenticity }) => authenticity.spf.result === 'fail' },
  { name: 'spf_softfail', points: 0.7, applies: ({ authenticity }) => authenticity.spf.result === 'softfail' },
  {
    name: 'dkim_fail',
    points: 0.5,
    applies: ({ authenticity: { dkim } }) => dkim.length > 0 && dkim.every(({ result }) => result === 'fail'),
  },
  { name: 'not_authenticated', points: 1, applies: ({ authenticity }) => !isAuthenticated(authenticity) },
  { name: 'author_authenticated', points: -0.5, applies: ({ authenticity }) => authenticity.dmarc.result === 'pass' },
  // RFC 5321 §4.1.1.1: a name with dots, or an address in brackets that no mail server of others needs.
  { name: 'helo_no_name', points: 1, applies: ({ helo }) => !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\.?$/i.test(helo) },
  { name: 'helo_address', points: 1, applies: ({ helo }) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(helo) },
  {
    name: 'helo_local',
    points: 1,
    applies: ({ helo }) => /(?:^|\.)(?:localhost|localdomain|local|lan|internal)$/i.test(helo),
  },
]

/** Some domain answers for the message, be it that of the author or not. */
export const isAuthenticated = ({ spf, dkim }: Authenticity): boolean =>
  spf.result === 'pass' || dkim.some(({ result }) => result === 'pass')
