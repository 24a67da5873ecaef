import { deliveryEvents, type EventData } from '@stoa/cms-model/realtime.ts'
import { webhookEventNames } from '@stoa/cms-model/webhook-events.ts'
import type { Change } from '@stoa/kit/db/database.ts'

/** One event on one topic, before anybody's right to receive it was checked. */
export type Emission = {
  topic: string
  event: string
  data: EventData & Record<string, unknown>
  /** Delivery keys for the type of the data receive it as well. */
  isPublic: boolean
  /** Nobody needs events about their own actions. */
  exceptAccount?: string
}

/** A single event says enough about these topics, whatever changed: clients read them again. */
const SITE_EVENTS: Readonly<Record<string, string>> = {
  settings: 'settings.updated',
  menu: 'menu.updated',
  type: 'type.updated',
  media: 'media.changed',
  taxonomy: 'taxonomy.updated',
  social: 'social.updated',
  plugin: 'plugin.updated',
  design: 'design.updated',
}

const ENTRY_EVENTS: ReadonlySet<string> = new Set(webhookEventNames.filter((name) => name.startsWith('entry.')))

/** How many of the changes that somebody may ask for again are kept: fewer than may wait for one socket. */
export const BROADCAST_HISTORY = { limit: 500, isKept: (change: Change): boolean => emissionsOf(change).length > 0 }

/** Who receives a committed change, and as what. Frames name what changed and never contain it. */
export const emissionsOf = ({ topic, event, data }: Change): Emission[] => {
  const shown: EventData = { id: textOf(data.id), slug: textOf(data.slug), type: textOf(data.type) }
  if (topic === 'entry') return ENTRY_EVENTS.has(event) ? entryEmissions(event, shown, data.isPublic === true) : []
  const siteEvent = Object.hasOwn(SITE_EVENTS, topic) ? SITE_EVENTS[topic] : undefined
  return siteEvent === undefined ? [] : [{ topic: 'site', event: siteEvent, data: shown, isPublic: false }]
}

const entryEmissions = (event: string, data: EventData, isShown: boolean): Emission[] => {
  const isForWebsites = deliveryEvents.includes(event)
  const isPublic = isForWebsites && isShown
  const topics = [
    ...(isForWebsites ? ['site'] : []),
    ...(data.type === null ? [] : [`content:${data.type}`]),
    ...(data.id === null ? [] : [`entry:${data.id}`]),
  ]
  return topics.map((topic) => ({ topic, event, data, isPublic }))
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
