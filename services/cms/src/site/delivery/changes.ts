import type { Change } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'

/** Counters of this process that change with the content, whoever changes it. */
export type ContentVersions = {
  /** Another value after every change of content, drafts included. */
  content(): number
  /** Another value after every change that the public can see. */
  public(): number
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

export const watchContent = (bus: Bus): ContentVersions => {
  let content = 1
  let shown = 1
  let site = 1
  const forget = () => {
    content += 1
    shown += 1
    site += 1
  }
  const leave = bus.subscribe((change) => {
    if (OTHER_TOPICS.has(change.topic)) return
    content += 1
    if (isShown(change)) shown += 1
    if (SITE_TOPICS.has(change.topic)) site += 1
  }, forget)
  return {
    content() {
      if (!bus.connected) content += 1
      return content
    },
    public: () => shown,
    site: () => site,
    isCurrent: () => bus.connected,
    forget,
    close: leave,
  }
}

/** People are shown as authors. What does not say that it is private, such as a change cut to its ids, may be public. */
const isShown = ({ topic, data }: Change): boolean => topic === 'user' || data.isPublic !== false
