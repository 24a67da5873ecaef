import type { Change, CommitHook } from '@stoa/kit/db/database.ts'
import type { Services } from '../../context.ts'
import type { ChangeHook } from '../../events/events.ts'
import type { Json } from '../sandbox/sandbox.ts'
import { insertEventsStatement, type NewEvent } from './queries.ts'

/** Which plugin, acting by itself, makes the changes of a transaction: it is not notified of them. */
type Maker = { readonly name: string; readonly chain: number }
const makers = new WeakMap<readonly Change[], Maker>()

/** Plugins may act on what others did, but two that answer each other must come to an end. */
export const LONGEST_CHAIN = 5

/** Without this, a handler that saves what it was notified of would be notified again, for ever. */
export const rememberMaker: ChangeHook = async ({ principal }, tx) => {
  if (principal.kind === 'plugin' && principal.account === null) makers.set(tx.changes, principal)
}

/**
 * Writes down what the plugins are to be notified of, with the commit that makes it true. Where no plugin of this process
 * declares the event, it is no statement at all.
 */
export const notifyPlugins = ({ plugins, clock, log }: Pick<Services, 'plugins' | 'clock' | 'log'>): CommitHook => ({
  inside(changes) {
    const at = clock.now()
    const maker = makers.get(changes)
    const events = eventsOf(plugins, changes, maker, at)
    if (events.length > 0 && maker && maker.chain >= LONGEST_CHAIN) {
      const notified = [...new Set(events.map(({ plugin }) => plugin))]
      log.warn(
        { plugin: maker.name, notified },
        'plugins keep triggering each other: the rest of the chain is not notified',
      )
      return undefined
    }
    return events.length === 0 ? undefined : insertEventsStatement(events, at)
  },
  after: () => undefined,
})

/** Whether some plugin wants to be notified of this. */
export const isWanted = ({ plugins }: Pick<Services, 'plugins'>, event: string): boolean =>
  plugins.enabled().some(({ manifest }) => isAmong(manifest.events, event))

const eventsOf = (
  plugins: Services['plugins'],
  changes: readonly Change[],
  maker: Maker | undefined,
  at: Date,
): NewEvent[] => {
  const chain = maker ? maker.chain + 1 : 0
  const notified = new Map<string, NewEvent>()
  for (const { name, manifest } of plugins.enabled()) {
    if (name === maker?.name || manifest.events.length === 0) continue
    for (const { topic, event, data } of changes) {
      if (!isAmong(manifest.events, event)) continue
      const record = `${name}/${topic}/${String(data.id)}`
      // An event that a transaction repeats for the same record is sent once.
      notified.set(`${event} ${record}`, { plugin: name, record, event, payload: payloadOf(event, data, at), chain })
    }
  }
  return [...notified.values()]
}

/** Never content: the plugin reads it, with the rights that it has. */
const payloadOf = (event: string, { id, type, slug }: Change['data'], at: Date): Json => ({
  event,
  id: textOr(id),
  type: textOr(type),
  slug: textOr(slug),
  at: at.toISOString(),
})

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const isAmong = (events: readonly string[], event: string): boolean => events.includes(event)
