import { registered } from '../../formats/links/links.ts'
import type { Facts } from './facts.ts'
import { PHRASES } from './phrases.ts'

/** Why a message looks like spam (or not, with points below zero). */
export type Reason = { readonly name: string; readonly points: number }

export type ContentRule = {
  readonly name: string
  readonly points: number
  readonly applies: (facts: Facts) => boolean
}

/** What the message itself shows, whoever sent it. */
export const contentReasons = (facts: Facts): Reason[] => {
  const reasons = CONTENT_RULES.filter(({ applies }) => applies(facts)).map(({ name, points }) => ({ name, points }))
  const hay = `${facts.subject}\n${facts.text.slice(0, PHRASE_TEXT)}`.toLowerCase()
  let left = MAX_PHRASE_POINTS
  for (const { name, points, pattern } of PHRASES) {
    if (left <= 0 || !pattern.test(hay)) continue
    reasons.push({ name, points: Math.min(points, left) })
    left -= points
  }
  return reasons
}

/** Phrases are looked for only up to here: spam comes to the point early. */
const PHRASE_TEXT = 4_096
/** Words alone never make a message spam: people write about spam too. */
const MAX_PHRASE_POINTS = 4

const domainOf = (email: string | undefined): string | null => {
  const at = email?.lastIndexOf('@') ?? -1
  return email === undefined || at === -1 ? null : registered(email.slice(at + 1).toLowerCase())
}

/** Providers where anybody has an address in a minute. */
const FREE_MAIL: ReadonlySet<string> = new Set(
  'gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com aol.com gmx.com gmx.de gmx.net web.de mail.com mail.ru yandex.ru yandex.com proton.me protonmail.com icloud.com qq.com 163.com 126.com zoho.com'.split(
    ' ',
  ),
)
const SHORTENERS: ReadonlySet<string> = new Set(
  'bit.ly tinyurl.com t.co goo.gl ow.ly is.gd buff.ly cutt.ly rebrand.ly shorturl.at rb.gy t.ly'.split(' '),
)
const PROGRAM =
  /\.(?:exe|scr|com|pif|bat|cmd|cpl|msi|msp|js|jse|vbs|vbe|wsf|wsh|hta|jar|ps1|lnk|reg|iso|img|vhd|ace|xll|one|chm|application)$/
const MACRO = /\.(?:docm|dotm|xlsm|xltm|xlam|pptm|potm|ppam|sldm)$/

const nameMentionsOther = ({ from }: Facts): boolean => {
  const shown = /[\w.+-]{1,64}@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/i.exec(from?.name ?? '')?.[1]
  return shown !== undefined && registered(shown.toLowerCase()) !== domainOf(from?.email)
}

const isShouting = (text: string): boolean => {
  const letters = text.replace(/\P{L}/gu, '')
  return letters.length >= 10 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
}

/** Letters of two alphabets in one word: made to look like another word. */
const hasMixedWord = (text: string): boolean =>
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u.test(
    text,
  )

export const CONTENT_RULES: readonly ContentRule[] = [
  // The same high score as in other filters, so that no other rule makes up for it.
  { name: 'gtube', points: 1_000, applies: ({ hasTestString }) => hasTestString },
  { name: 'no_author', points: 2, applies: ({ from }) => from === null || !from.email.includes('@') },
  { name: 'no_date', points: 0.8, applies: ({ hasDate }) => !hasDate },
  { name: 'no_message_id', points: 0.8, applies: ({ hasMessageId }) => !hasMessageId },
  { name: 'no_recipient', points: 0.8, applies: ({ recipients, isList }) => recipients === 0 && !isList },
  { name: 'many_recipients', points: 0.8, applies: ({ recipients, isList }) => recipients > 30 && !isList },
  { name: 'date_ahead', points: 1.5, applies: ({ daysAhead }) => daysAhead > 2 },
  { name: 'date_long_ago', points: 0.5, applies: ({ daysAhead }) => daysAhead < -60 },
  { name: 'empty_subject', points: 0.4, applies: ({ subject }) => subject.trim() === '' },
  { name: 'shouting_subject', points: 1, applies: ({ subject }) => isShouting(subject) },
  { name: 'loud_subject', points: 0.7, applies: ({ subject }) => /!{2,}|\${2,}|€{2,}|!\s*$.*!/s.test(subject) },
  {
    name: 'hidden_letters',
    points: 1.5,
    applies: ({ subject }) => /\p{L}[\u00ad\u200b\u2060-\u2064\ufeff]+\p{L}/u.test(subject),
  },
  {
    name: 'mixed_alphabets',
    points: 1.5,
    applies: ({ subject, from }) => hasMixedWord(`${subject} ${from?.name ?? ''}`),
  },
  {
    name: 'false_answer',
    points: 0.6,
    applies: ({ subject, isAnswer }) => /^\s*(?:re|aw|sv)\s*:/i.test(subject) && !isAnswer,
  },
  { name: 'name_of_other', points: 2, applies: nameMentionsOther },
  {
    name: 'answers_elsewhere',
    points: 1.2,
    applies: ({ from, replyTo, isList }) => {
      const other = domainOf(replyTo?.email)
      return !isList && other !== null && other !== domainOf(from?.email) && FREE_MAIL.has(other)
    },
  },
  { name: 'link_says_other', points: 2, applies: ({ links }) => links.some(isMisleading) },
  { name: 'link_to_address', points: 1.5, applies: ({ links }) => links.some(({ isAddress }) => isAddress) },
  { name: 'link_with_user', points: 1.5, applies: ({ links }) => links.some(({ hasUser }) => hasUser) },
  { name: 'link_shortened', points: 0.6, applies: ({ links }) => links.some(({ domain }) => SHORTENERS.has(domain)) },
  {
    name: 'link_in_disguise',
    points: 0.6,
    applies: ({ links }) => links.some(({ host }) => /(?:^|\.)xn--/.test(host)),
  },
  { name: 'only_html', points: 0.3, applies: ({ hasHtml, hasPlainText }) => hasHtml && !hasPlainText },
  {
    name: 'only_pictures',
    points: 1.2,
    applies: ({ images, text, hasHtml }) => hasHtml && images > 0 && text.trim().length < 120,
  },
  { name: 'program_attached', points: 5, applies: ({ files }) => files.some(({ name }) => PROGRAM.test(name)) },
  { name: 'macros_attached', points: 1.5, applies: ({ files }) => files.some(({ name }) => MACRO.test(name)) },
  {
    name: 'page_attached',
    points: 1,
    applies: ({ files }) => files.some(({ name, type }) => type === 'text/html' || /\.(?:s?html?|svg|mht)$/.test(name)),
  },
]

const isMisleading = ({ shownDomain, domain }: Facts['links'][number]): boolean =>
  shownDomain !== null && shownDomain !== domain
