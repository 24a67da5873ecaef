import type { Message } from '@stoa/mail-model/messages.ts'
import type { Condition, Rule } from '../../filters/rules.ts'
import type { MessageFilterJson } from '../actions/target.ts'
import { domainOf } from './remote-images.ts'
import { headerOf } from './sender-check.ts'
import { bareSubject } from './subject.ts'

/** A property that "messages like this" can share. */
export type Likeness = {
  id: 'list' | 'sender' | 'domain' | 'subject'
  label: string
  condition: Condition
  /** A search for existing messages of this kind; null when search has no such condition. */
  search: string | null
}

/** The shared properties of messages like this one, the most specific first. */
export const likenessesOf = (message: Pick<Message, 'from' | 'subject' | 'headers'>): Likeness[] => {
  const list = listIdOf(headerOf(message.headers, 'list-id'))
  const email = message.from?.email.toLowerCase()
  const subject = bareSubject(message.subject ?? '')
    .slice(0, MAX_SUBJECT)
    .trim()
  return [
    ...(list === undefined
      ? []
      : [
          {
            id: 'list' as const,
            label: `from the list ${list.name}`,
            condition: list.condition,
            search: null,
          },
        ]),
    ...(email === undefined ? [] : fromLikenesses(email)),
    ...(subject === ''
      ? []
      : [
          {
            id: 'subject' as const,
            label: `with “${subject}” in the subject`,
            condition: compare('subject', 'contains', subject),
            search: `subject:${quotedWords(subject)}`,
          },
        ]),
  ]
}

/** The rule that files them, in the words that the rule builder of the panel reads back. */
export const fileRule = (likeness: Likeness, { name, folderPath, markRead }: FileChoice): Rule => ({
  name,
  match: 'all',
  conditions: [likeness.condition],
  actions: [
    ...(markRead ? [{ do: 'seen' as const }] : []),
    { do: 'file', folder: folderPath, create: true, copy: false },
    { do: 'stop' },
  ],
})

type FileChoice = { name: string; folderPath: string; markRead: boolean }

/** The messages in a folder that are like it; null when a search cannot find them. */
export const existingLike = ({ search }: Likeness, folderId: string): MessageFilterJson | null =>
  search === null ? null : { folder_id: folderId, search }

/** A filter by a longer one would hardly meet a second message. */
const MAX_SUBJECT = 100

/** The list id between the angle brackets (RFC 2919), brackets included so that no other list matches; or the whole value. */
const listIdOf = (value: string | undefined): { name: string; condition: Condition } | undefined => {
  const text = value?.trim() ?? ''
  const id = /<([^<>\s]{1,255})>$/.exec(text)?.[1]
  if (id !== undefined) return { name: id, condition: compare('list', 'contains', `<${id}>`) }
  return text === '' || text.length > 255 ? undefined : { name: text, condition: compare('list', 'is', text) }
}

const compare = (on: 'from' | 'list' | 'subject', test: 'is' | 'contains' | 'ends', value: string): Condition => ({
  on,
  test,
  values: [value],
  not: false,
})

const fromLikenesses = (email: string): Likeness[] => [
  {
    id: 'sender',
    label: `from ${email}`,
    condition: compare('from', 'is', email),
    search: `from:${quotedWords(email)}`,
  },
  {
    id: 'domain',
    label: `from anyone at ${domainOf(email).slice(1)}`,
    condition: compare('from', 'ends', domainOf(email)),
    search: `from:${quotedWords(domainOf(email).slice(1))}`,
  },
]

const quotedWords = (text: string): string => `"${text.replace(/["\\]/g, ' ')}"`
