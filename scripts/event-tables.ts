import { webhookEvents as cmsEvents } from '@stoa/cms-model/webhook-events.ts'
import { webhookEvents as mailEvents } from '@stoa/mail-model/webhook-events.ts'

/** Pages with a table of webhook events, which is written from where the events are declared. */
export const eventPages: Readonly<Record<string, Readonly<Record<string, { when: string }>>>> = {
  'docs/webhooks.md': cmsEvents,
  'docs/mail-webhooks.md': mailEvents,
}

const BEGIN = '<!-- events: written by npm run docs -->\n'
const END = '<!-- /events -->'

/** The page with the table as the declarations have it. */
export const withEventTable = (page: string, events: Readonly<Record<string, { when: string }>>): string => {
  const rows = Object.entries(events).map(([name, { when }]) => `| \`${name}\` | ${when} |`)
  const [head, rest] = page.split(BEGIN)
  const tail = rest?.split(END)[1]
  if (head === undefined || tail === undefined) throw new Error(`The page has no lines ${BEGIN.trim()} and ${END}`)
  return `${head}${BEGIN}\n| Event | When |\n|---|---|\n${rows.join('\n')}\n\n${END}${tail}`
}
