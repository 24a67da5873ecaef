import type { Readable } from 'node:stream'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { Reply } from '@stoa/kit/http/route.ts'
import { type EventStream, eventStreamReply, openEventStream } from '@stoa/kit/http/sse.ts'
import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import { fail } from '../../errors.ts'
import type { MailboxPrincipal } from '../../principal.ts'
import { countPendingSubmissions } from '../../sending/submission/submission.ts'
import {
  type ChangeKind,
  type Changes,
  changesSince,
  getMessages,
  listFolders,
  type MailDb,
  readMailbox,
  StoreRefusal,
  threadCounts,
  unreadByFolder,
} from '../../store/store.ts'
import { type Jmap, openConnection, type Watch } from '../jmap/jmap.ts'
import { folderJson } from './lists/folders.ts'
import { messageJson } from './message-json.ts'
import { withStore } from './refusals.ts'

const TYPES: ReadonlySet<string> = new Set(['Mailbox', 'Email', 'EmailSubmission'])
const MODSEQ = /^\d{1,15}$/

/** Reports what changes in the mailbox, each time with its state; `Last-Event-ID` resumes where another stream ended. */
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
    const leave = await openConnection(parts, principal, end)
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
      const watch = await notifyChanges(jmap, principal, { events, since })
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

const notifyChanges = async (
  { parts, hub }: Jmap,
  { signIn }: MailboxPrincipal,
  { events: { send, end }, since }: { events: EventStream; since: number },
): Promise<Watch> => {
  const { id: addressId } = signIn.address
  let position = since
  // Without data it is no event, but a browser whose connection breaks before the first one goes on from here.
  await send({ id: String(position) })
  return hub.watch({
    signIn,
    types: TYPES,
    since: new Map([[addressId, position]]),
    async notify(changed, positions) {
      const types = changed[addressId]
      const modseq = positions.get(addressId)
      if (!types || modseq === undefined) return
      const event = await eventOf(parts.database.db, addressId, { types, modseq, since: position })
      position = modseq
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
): Promise<MailboxEvent> => {
  const hasMessages = types.Email !== undefined
  const hasSubmissions = types.EmailSubmission !== undefined
  return {
    modseq,
    ...(types.Mailbox === undefined ? { folders: [], changed_folders: [] } : await foldersSince(db, addressId, since)),
    messages_changed: hasMessages,
    messages: hasMessages ? await messagesSince(db, addressId, since) : { changed: [], removed: [], threads: [] },
    submissions_changed: hasSubmissions,
    scheduled: hasSubmissions ? await countPendingSubmissions(db, addressId) : null,
  }
}

/** All of them if nobody knows any more what changed since then. */
const foldersSince = async (
  db: MailDb,
  addressId: string,
  since: number,
): Promise<Pick<MailboxEvent, 'folders' | 'changed_folders'>> => {
  const changes = await knownChanges(db, { addressId, kinds: ['folder', 'folder_counts'], since })
  const all = await listFolders(db, addressId)
  if (!changes || changes.hasMore) return { folders: all.map(({ id }) => id), changed_folders: all.map(folderJson) }
  const ids = new Set([...changes.created, ...changes.updated, ...changes.destroyed])
  return { folders: [...ids], changed_folders: all.filter(({ id }) => ids.has(id)).map(folderJson) }
}

/** More messages than a screen shows are not reported one by one. */
const MAX_REPORTED = 50

/** Null: more than are reported, or not known any more. */
const messagesSince = async (db: MailDb, addressId: string, since: number): Promise<MailboxEvent['messages']> => {
  const [messages, threads] = await Promise.all([
    knownChanges(db, { addressId, kinds: ['message'], since }),
    knownChanges(db, { addressId, kinds: ['thread'], since }),
  ])
  if (!messages || !threads || messages.hasMore || threads.hasMore) return null
  const ids = [...messages.created, ...messages.updated]
  const listed = await getMessages(db, addressId, ids)
  const there = new Set(listed.map(({ id }) => id))
  const threadIds = new Set([...threads.created, ...threads.updated, ...listed.map(({ threadId }) => threadId)])
  const [counts, unreadIn] = await Promise.all([
    threadCounts(db, addressId, [...threadIds]),
    unreadByFolder(db, addressId, [...threadIds]),
  ])
  return {
    changed: listed.map((message) => messageJson(message)),
    // Messages that are marked \Deleted in every folder are in no list.
    removed: [...messages.destroyed, ...ids.filter((id) => !there.has(id))],
    threads: [...counts.values()].map(({ id, total, unread }) => ({
      id,
      count: total,
      unread,
      unread_in: unreadIn.get(id) ?? {},
    })),
  }
}

const knownChanges = async (
  db: MailDb,
  { addressId, kinds, since }: { addressId: string; kinds: readonly ChangeKind[]; since: number },
): Promise<Changes | null> => {
  try {
    return await changesSince(db, {
      addressId,
      kinds,
      since: { modseq: since, objectId: null },
      maxChanges: MAX_REPORTED,
    })
  } catch (error) {
    if (!(error instanceof StoreRefusal) || error.kind !== 'state_mismatch') throw error
    return null
  }
}
