import type { Readable } from 'node:stream'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { Reply } from '@stoa/kit/http/route.ts'
import { type EventStream, eventStreamReply, openEventStream } from '@stoa/kit/http/sse.ts'
import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import { fail } from '../../errors.ts'
import type { MailboxPrincipal } from '../../principal.ts'
import { changesSince, listFolders, type MailDb, readMailbox, StoreRefusal } from '../../store/store.ts'
import { holdConnection, type Jmap, type Watch } from '../jmap/jmap.ts'
import { withStore } from './refusals.ts'

const TYPES: ReadonlySet<string> = new Set(['Mailbox', 'Email', 'EmailSubmission'])
const MODSEQ = /^\d{1,15}$/

/** Tells what changes in the mailbox, each time with how far it is; `Last-Event-ID` goes on where another stream ended. */
export const openMailboxEvents = (
  jmap: Jmap,
  principal: MailboxPrincipal,
  incoming: Pick<Incoming, 'header'>,
): Promise<Reply<Readable>> =>
  withStore(async () => {
    const { parts, streams } = jmap
    const lastId = incoming.header('last-event-id') ?? ''
    const since = MODSEQ.test(lastId) ? Number(lastId) : await modseqOf(parts.database.db, principal)
    const events = openEventStream()
    const { stream, end } = events
    const leave = holdConnection(parts, principal, end)
    if (!leave) {
      stream.destroy()
      return fail('rate_limit_exceeded', { message: 'Too many open streams.' })
    }
    streams.add(end)
    const close = [leave, () => streams.delete(end)]
    stream.once('close', () => {
      for (const each of close) each()
    })
    try {
      const watch = await tellChanges(jmap, principal, { events, since })
      if (stream.destroyed) watch.close()
      else close.push(watch.close)
    } catch (error) {
      stream.destroy()
      throw error
    }
    return eventStreamReply(events)
  })

const modseqOf = async (db: MailDb, { signIn }: MailboxPrincipal): Promise<number> =>
  (await readMailbox(db, signIn.address.id)).modseq

const tellChanges = async (
  { parts, hub }: Jmap,
  { signIn }: MailboxPrincipal,
  { events: { send, end }, since }: { events: EventStream; since: number },
): Promise<Watch> => {
  const { id: addressId } = signIn.address
  let told = since
  // Without data it is no event, but a browser whose connection breaks before the first one goes on from here.
  await send({ id: String(told) })
  return hub.watch({
    signIn,
    types: TYPES,
    since: new Map([[addressId, told]]),
    async tell(changed, positions) {
      const types = changed[addressId]
      const modseq = positions.get(addressId)
      if (!types || modseq === undefined) return
      const event = await eventOf(parts.database.db, addressId, { types, modseq, since: told })
      told = modseq
      await send({ event: 'change', id: String(modseq), data: JSON.stringify(event) })
    },
    failed(error) {
      parts.log.warn({ err: error }, 'an event stream was ended')
      end()
    },
  })
}

const eventOf = async (
  db: MailDb,
  addressId: string,
  { types, modseq, since }: { types: Record<string, string>; modseq: number; since: number },
): Promise<MailboxEvent> => ({
  modseq,
  folders: types.Mailbox === undefined ? [] : await foldersSince(db, addressId, since),
  messages_changed: types.Email !== undefined,
  submissions_changed: types.EmailSubmission !== undefined,
})

/** All of them if nobody knows any more what changed since then. */
const foldersSince = async (db: MailDb, addressId: string, since: number): Promise<string[]> => {
  try {
    const changes = await changesSince(db, {
      addressId,
      kinds: ['folder', 'folder_counts'],
      since: { modseq: since, objectId: null },
    })
    return [...changes.created, ...changes.updated, ...changes.destroyed]
  } catch (error) {
    if (!(error instanceof StoreRefusal) || error.kind !== 'state_mismatch') throw error
    return (await listFolders(db, addressId)).map(({ id }) => id)
  }
}
