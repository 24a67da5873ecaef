import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  changeKeywords,
  type EntryQuery,
  type FolderEntry,
  listDetails,
  listEntries,
  listSourceEntries,
  type MessageDetails,
  type MessageSource,
} from '../../../store/store.ts'
import { turns } from '../../fairness/fairness.ts'
import { MAX_ANNOUNCED } from '../announcements.ts'
import { SYSTEM_KEYWORDS } from '../flags.ts'
import type { Output } from '../output.ts'
import { hasCondstore, type ImapSession, isUtf8 } from '../session.ts'
import type { FolderView } from '../view.ts'
import { entryPages } from './entry-pages.ts'
import { answerFlags, isFlagsOfMany } from './fetch-flags.ts'
import { type FetchItem, isSection } from './fetch-items.ts'
import {
  type AnswerPart,
  type AnswerStream,
  answerMessage,
  answerPlainly,
  type FetchedMessage,
  isStream,
  UnknownEncoding,
} from './message-answer.ts'
import { type MessageReader, openMessage, SMALL_BYTES } from './message-reader.ts'
import { filledUp, isDamage } from './transforms.ts'

export type FetchRequest = {
  readonly items: readonly FetchItem[]
  /** Sorted. */
  readonly uids: readonly number[]
  /** Only what changed after it; 0 for all. */
  readonly changedSince: number
  readonly isUid: boolean
}

/** Messages that could not be sent; all others were. */
export type FetchTrouble = { damaged: number; undecodable: number; missing: number }

/** Rows of the database at a time: with structures and headers a row has some kilobytes. */
const SOURCE_PAGE = 200
const DETAILS_PAGE = 1_000
const ENTRY_PAGE = 2_500
/** Messages that are answered for until others get their turn. */
const PLAIN_TURN = 500

/** Answers for messages of the selected folder, page by page: however many there are, a page is in memory. */
export const fetchMessages = async (
  session: ImapSession,
  view: FolderView,
  request: FetchRequest,
): Promise<FetchTrouble> => {
  const trouble: FetchTrouble = { damaged: 0, undecodable: 0, missing: 0 }
  const items = shownItems(session, request)
  if (request.changedSince === 0 && items.every(({ kind }) => kind === 'UID')) {
    await answerUids(session, view, request.uids)
    return trouble
  }
  if (isFlagsOfMany(items, request.uids)) {
    const found = await answerFlags(session, view, { ...request, items })
    if (request.changedSince === 0) trouble.missing = request.uids.length - found
    return trouble
  }
  const needs = needsOf(items)
  const setsSeen = !view.isReadOnly && items.some((item) => isSection(item) && !item.isPeek)
  const pageSize = needs.source ? SOURCE_PAGE : needs.details ? DETAILS_PAGE : ENTRY_PAGE
  let found = 0
  const { db } = session.parts.database
  const read = (query: EntryQuery): Promise<PageEntry[]> =>
    needs.source ? listSourceEntries(db, query) : listEntries(db, query)
  for await (const page of entryPages(read, view, { ...request, pageSize })) {
    found += page.length
    const seen = setsSeen ? await markSeen(session, view, page) : new Map<string, FolderEntry>()
    const messages = await readPage(session, view, page, needs)
    if (needs.source) await answerPage(session, messages, { items, seen, trouble })
    else await answerPlainPage(session, messages, items)
  }
  if (request.changedSince === 0) trouble.missing = request.uids.length - found
  return trouble
}

/** They were reported to the client: UIDs of messages that have gone meanwhile stay valid until that is reported. */
const answerUids = async ({ out }: ImapSession, view: FolderView, uids: readonly number[]): Promise<void> => {
  for (let at = 0; at < uids.length; at += ENTRY_PAGE) {
    const some = uids.slice(at, at + ENTRY_PAGE)
    await out.raw(some.map((uid) => `* ${view.uids.sequenceOf(uid)} FETCH (UID ${uid})\r\n`).join(''))
    await nextTurn()
  }
}

/** UID goes with every answer to UID FETCH, MODSEQ with all once CONDSTORE is enabled (RFC 7162 §3.1). */
const shownItems = (session: ImapSession, { items, isUid }: FetchRequest): FetchItem[] => {
  const has = (kind: FetchItem['kind']) => items.some((item) => item.kind === kind)
  const wantsUid = (isUid || session.enabled.has('QRESYNC')) && !has('UID')
  const wantsModseq = hasCondstore(session) && !has('MODSEQ')
  return [
    ...(wantsUid ? [{ kind: 'UID' } as const] : []),
    ...items,
    ...(wantsModseq ? [{ kind: 'MODSEQ' } as const] : []),
  ]
}

type Needs = { readonly source: boolean; readonly details: boolean; readonly bytes: boolean }

const SOURCE_KINDS: ReadonlySet<FetchItem['kind']> = new Set([
  'section',
  'binarySize',
  'ENVELOPE',
  'BODY',
  'BODYSTRUCTURE',
])

const needsOf = (items: readonly FetchItem[]): Needs => ({
  source: items.some(({ kind }) => SOURCE_KINDS.has(kind)),
  details: items.some(({ kind }) => kind === 'PREVIEW' || kind === 'SAVEDATE'),
  bytes: items.some(isSection),
})

/** RFC 9051 §6.4.5: who fetches a body has seen the message. Gives those that changed, with their new flags. */
const markSeen = async (
  { door }: ImapSession,
  { access, noteOwn }: FolderView,
  page: readonly FolderEntry[],
): Promise<Map<string, FolderEntry>> => {
  const unseen = page.filter(({ keywords }) => !keywords.includes('$seen'))
  if (unseen.length === 0) return new Map()
  const { addressId, viewerId } = access
  const messageIds = unseen.map(({ messageId }) => messageId)
  const { modseq, updated } = await door.write(addressId, (tx) =>
    changeKeywords(tx, { addressId, viewerId, messageIds, add: ['$seen'] }),
  )
  noteOwn(modseq)
  return new Map(
    unseen.flatMap((entry) => {
      const keywords = updated.get(entry.messageId)
      return keywords ? [[entry.messageId, { ...entry, keywords, modseq }] as const] : []
    }),
  )
}

/** A row that has been read, with what its bytes are read by if that is needed. */
type PageEntry = FolderEntry | (FolderEntry & MessageSource)

type PageMessage = { entry: FolderEntry; sequence: number; isRecent: boolean } & (
  | { details: MessageDetails | null; reader: null }
  | { details: MessageSource; reader: MessageReader }
)

const readPage = async (
  { parts }: ImapSession,
  view: FolderView,
  page: readonly PageEntry[],
  needs: Needs,
): Promise<PageMessage[]> => {
  const input = { addressId: view.access.addressId, folderId: view.folder.id, uids: page.map(({ uid }) => uid) }
  const details = needs.source || !needs.details ? [] : await listDetails(parts.database.db, input)
  const byDetails = new Map(details.map((each) => [each.uid, each]))
  return page.flatMap((entry): PageMessage[] => {
    const place = { entry, sequence: view.uids.sequenceOf(entry.uid), isRecent: view.isRecent(entry.uid) }
    if ('blobKey' in entry) return [{ ...place, details: entry, reader: openMessage(parts, entry) }]
    if (!needs.details) return [{ ...place, details: null, reader: null }]
    const found = byDetails.get(entry.uid)
    // The message was deleted after the page was read.
    return found ? [{ ...place, details: found, reader: null }] : []
  })
}

/** Answers a page that needs no message bytes: the only wait is for the client. */
const answerPlainPage = async (
  session: ImapSession,
  messages: readonly PageMessage[],
  items: readonly FetchItem[],
): Promise<void> => {
  const options = { utf8: isUtf8(session) }
  const showsFlags = items.some(({ kind }) => kind === 'FLAGS')
  const send = async (some: readonly PageMessage[]): Promise<void> => {
    const keywords = new Set(showsFlags ? some.flatMap(({ entry }) => entry.keywords) : [])
    if (keywords.size > MAX_ANNOUNCED - SYSTEM_KEYWORDS.length && some.length > 1) {
      const half = some.length >> 1
      await send(some.slice(0, half))
      return send(some.slice(half))
    }
    await session.view?.announce([...keywords])
    await session.out.raw(some.map((message) => answerPlainly(message, items, options)).join(''))
  }
  for (let at = 0; at < messages.length; at += PLAIN_TURN) {
    await send(messages.slice(at, at + PLAIN_TURN))
    await nextTurn()
  }
}

type PageOptions = { items: readonly FetchItem[]; seen: ReadonlyMap<string, FolderEntry>; trouble: FetchTrouble }

const answerPage = async (
  session: ImapSession,
  messages: readonly PageMessage[],
  { items, seen, trouble }: PageOptions,
): Promise<void> => {
  const ahead = readAhead(items.some(isSection) ? messages : [])
  const options = { utf8: isUtf8(session) }
  const turn = turns.begin(session.signIn?.address.id ?? '')
  const withFlags = items.some(({ kind }) => kind === 'FLAGS') ? items : [...items, { kind: 'FLAGS' } as const]
  for (const [index, message] of messages.entries()) {
    ahead(index)
    const changed = seen.get(message.entry.messageId)
    const shown: FetchedMessage = changed ? { ...message, entry: changed } : message
    try {
      if (changed || withFlags === items) await session.view?.announce(shown.entry.keywords)
      const answer = await answerMessage(shown, changed ? withFlags : items, options)
      await sendAnswer(session.out, answer, () => (trouble.damaged += 1))
    } catch (error) {
      if (isDamage(error)) trouble.damaged += 1
      else if (error instanceof UnknownEncoding) trouble.undecodable += 1
      else throw error
    } finally {
      message.reader?.forget()
    }
    // One with a thousand parts takes as long as a hundred others.
    if (turn.isOver()) await turn.next()
  }
}

/** Small messages are read while others are being sent: so many, and so many bytes of them, at a time. */
const AHEAD_MESSAGES = 8
const AHEAD_BYTES = 2 * SMALL_BYTES

const readAhead = (messages: readonly PageMessage[]): ((index: number) => void) => {
  let next = 0
  return (index) => {
    let bytes = 0
    for (let at = index; at < messages.length && at < index + AHEAD_MESSAGES; at += 1) {
      const reader = messages[at]?.reader
      if (!reader) continue
      bytes += reader.isSmall ? reader.source.size : 0
      if (bytes > AHEAD_BYTES && at > index) return
      if (at >= next && reader.isSmall) reader.load()
      next = Math.max(next, at + 1)
    }
  }
}

/** Text and bytes that belong together are sent together, unless they are many. */
const sendAnswer = async (out: Output, answer: readonly AnswerPart[], onDamage: () => void): Promise<void> => {
  let held: (string | Buffer)[] = []
  let size = 0
  const send = async (): Promise<void> => {
    const isText = held.every((part) => typeof part === 'string')
    const all = isText ? held.join('') : Buffer.concat(held.map(bytesOf))
    held = []
    size = 0
    await out.raw(all)
  }
  for (const part of answer) {
    if (!isStream(part)) {
      held.push(part)
      size += part.length
    }
    if (isStream(part) || size > JOINED_BYTES) await send()
    if (isStream(part)) await sendStream(out, part, onDamage)
  }
  await send()
}

const JOINED_BYTES = 65_536
const bytesOf = (part: string | Buffer): Buffer => (typeof part === 'string' ? Buffer.from(part) : part)

const sendStream = async (out: Output, { pieces, size, isBinary, close }: AnswerStream, onDamage: () => void) => {
  try {
    await out.stream(Readable.from(filledUp(pieces, size, onDamage), { objectMode: false }), size, { isBinary })
  } finally {
    await close()
  }
}
