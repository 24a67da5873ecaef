import type { Rule } from './rules.ts'

export type Template = { id: string; title: string; description: string; name: string; rules: readonly Rule[] }

const WEEK = 7

/** Templates for filters. Empty values are for the person to fill in. */
export const templates: readonly Template[] = [
  {
    id: 'newsletters',
    title: 'Move newsletters to a folder',
    description: 'Keeps mailing lists out of the inbox.',
    name: 'Newsletters',
    rules: [
      {
        name: 'Newsletters',
        match: 'any',
        conditions: [
          { on: 'exists', header: 'List-Id', not: false },
          { on: 'exists', header: 'List-Unsubscribe', not: false },
        ],
        actions: [{ do: 'file', folder: 'Newsletters', create: true, copy: false }],
      },
    ],
  },
  {
    id: 'forward',
    title: 'Forward to a colleague',
    description: 'Sends a copy of matching messages to someone else.',
    name: 'Forward to a colleague',
    rules: [
      {
        name: 'Forward',
        match: 'all',
        conditions: [{ on: 'subject', test: 'contains', values: ['invoice'], not: false }],
        actions: [{ do: 'redirect', to: '', copy: true }],
      },
    ],
  },
  {
    id: 'large',
    title: 'Large attachments',
    description: 'Collects large messages in one folder.',
    name: 'Large attachments',
    rules: [
      {
        name: 'Large attachments',
        match: 'all',
        conditions: [
          { on: 'attachment', not: false },
          { on: 'size', over: true, bytes: 10 * 1024 ** 2 },
        ],
        actions: [{ do: 'file', folder: 'Large', create: true, copy: false }],
      },
    ],
  },
  {
    id: 'away',
    title: 'Automatic reply',
    description: 'Replies to each sender once a week.',
    name: 'Automatic reply',
    rules: [
      {
        name: 'Automatic reply',
        match: 'all',
        conditions: [],
        actions: [
          {
            do: 'reply',
            subject: 'Away',
            text: "Thank you for your message. I'm away and will reply when I'm back.",
            days: WEEK,
          },
        ],
      },
    ],
  },
]
