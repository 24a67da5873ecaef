import type { Db } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Tables } from '../../tables.ts'
import { mayWriteAs, type Route, resolveRecipient } from './routing.ts'

/** Where mail goes and who may write under an address, remembered for a while: each question is a statement. */
export type KnownRoutes = {
  find(recipient: string): Promise<Route>
  mayWriteAs(addressId: string, email: string): Promise<boolean>
  close(): void
}

type Parts = { db: Db<Tables>; hostname: string; bus?: Pick<Bus, 'subscribe' | 'connected'> | undefined }

/** Changes are noticed at once through the bus; these only bound what is remembered. */
const KEPT_MS = 60_000
const MAX_KEPT = 10_000

/** Without a bus, and while changes of other processes cannot be received, nothing is answered from memory. */
export const createKnownRoutes = ({ db, hostname, bus }: Parts): KnownRoutes => {
  const foreign = createMemory<Route>(bus)
  const mailboxes = createMemory<Route>(bus)
  const writers = createMemory<boolean>(bus)
  const leave = bus?.subscribe(
    ({ topic }) => {
      if (topic === 'domain') foreign.forget()
      if (topic === 'domain' || topic === 'address') {
        mailboxes.forget()
        writers.forget()
      }
    },
    () => {
      for (const memory of [foreign, mailboxes, writers]) memory.forget()
    },
  )
  const ask = (recipient: string) => resolveRecipient(db, { hostname }, recipient)
  return {
    find(recipient) {
      const domain = recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase()
      const find = () => mailboxes.get(recipient, () => ask(recipient), isMailbox)
      return foreign.get(domain, find, ({ kind }) => kind === 'foreign')
    },
    mayWriteAs: (addressId, email) =>
      writers.get(`${addressId} ${email}`, () => mayWriteAs(db, addressId, email), Boolean),
    close: () => leave?.(),
  }
}

/** Routes of role addresses are not cached: they depend on the account, too. */
const isMailbox = (route: Route): boolean => route.kind === 'mailbox' && route.via !== 'role'

const createMemory = <V>(bus: Parts['bus']) => {
  const kept = new Map<string, { value: V; until: number }>()
  let generation = 0
  return {
    forget(): void {
      generation += 1
      kept.clear()
    },
    /** Queries unless it is cached; what was invalidated during the query is not kept. */
    async get(key: string, ask: () => Promise<V>, isKept: (value: V) => boolean): Promise<V> {
      const known = bus?.connected ? kept.get(key) : undefined
      if (known && known.until > performance.now()) return known.value
      const asOf = generation
      const value = await ask()
      if (isKept(value) && bus?.connected && asOf === generation) {
        if (kept.size >= MAX_KEPT) kept.clear()
        kept.set(key, { value, until: performance.now() + KEPT_MS })
      }
      return value
    },
  }
}
