import type { Change } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'

/**
 * What an answer was made of, as changes name it: ids of entries and files, whether they were found or not, and the names
 * below. Types and settings are in every answer, and not among them.
 */
export type Sources = Set<string>

/** All published entries of a type: which there are, and in which order. */
export const entriesOf = (type: string): string => `entries of ${type}`
/** Who has which slug in a type, drafts included. */
export const slugsOf = (type: string): string => `slugs of ${type}`
export const ALL_ENTRIES = 'entries'
export const ALL_MEDIA = 'media'
export const ALL_TERMS = 'terms'
export const ALL_MENUS = 'menus'
export const ALL_PEOPLE = 'people'

/** Counters of this process that change with the content, whichever process changes it. */
export type ContentVersions = {
  /** Another value after every change of content, drafts included. */
  content(): number
  /** A larger value after every change that the public can see. */
  public(): number
  /** Whether something of this, or everything, has changed after that public version. */
  hasChanged(sources: Iterable<string>, since: number): boolean
  /** Another value after every change of types or settings. */
  site(): number
  /** While false, changes of other processes do not arrive: nothing may be answered from memory. */
  isCurrent(): boolean
  /** Everything counts as changed, such as with other definitions of the host. */
  forget(): void
  close(): void
}

/** Changes that say nothing about content. */
const OTHER_TOPICS: ReadonlySet<string> = new Set([
  'webhook',
  'deliveryKey',
  'agentKey',
  'session',
  'presence',
  'host',
  'visitor',
])

const SITE_TOPICS: ReadonlySet<string> = new Set(['type', 'settings'])

/** More different things are not remembered one by one: then everything counts as changed. */
const MAX_REMEMBERED = 20_000

export const watchContent = (bus: Bus): ContentVersions => {
  let content = 1
  let shown = 1
  let site = 1
  /** Everything changed then; what is named has changed again. */
  let allAt = 1
  const changedAt = new Map<string, number>()

  const note = (sources: readonly string[] | null): void => {
    shown += 1
    if (sources === null || changedAt.size >= MAX_REMEMBERED) {
      changedAt.clear()
      allAt = shown
    } else for (const source of sources) changedAt.set(source, shown)
  }
  const forget = () => {
    content += 1
    site += 1
    note(null)
  }
  const leave = bus.subscribe((change) => {
    if (OTHER_TOPICS.has(change.topic)) return
    content += 1
    const sources = sourcesOf(change)
    if (sources === null || sources.length > 0) note(sources)
    if (SITE_TOPICS.has(change.topic)) site += 1
  }, forget)
  return {
    content() {
      if (!bus.connected) content += 1
      return content
    },
    public: () => shown,
    hasChanged(sources, since) {
      if (since === shown) return false
      if (since < allAt) return true
      for (const source of sources) if ((changedAt.get(source) ?? 0) > since) return true
      return false
    },
    site: () => site,
    isCurrent: () => bus.connected,
    forget,
    close: leave,
  }
}

/** The sources that a change affects for the public; null for all of them. */
const sourcesOf = ({ topic, data }: Change): string[] | null => {
  const { id, type } = data
  if (topic === 'user') return [ALL_PEOPLE]
  const isNamed = typeof id === 'string'
  if (topic === 'entry' && isNamed && typeof type === 'string')
    return isShown(data) ? [id, entriesOf(type), ALL_ENTRIES, slugsOf(type)] : [slugsOf(type)]
  if (!isShown(data)) return []
  if (topic === 'media' && isNamed) return [id, ALL_MEDIA]
  if (topic === 'taxonomy') return [ALL_TERMS]
  return topic === 'menu' ? [ALL_MENUS] : null
}

/** A change that is not marked private, such as one cut to its IDs, may be public. */
const isShown = ({ isPublic }: Change['data']): boolean => isPublic !== false
