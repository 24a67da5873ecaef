import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import {
  getMessages,
  getMessagesAt,
  getWholeMessages,
  type ListedMessage,
  modseqsOf,
  queryMessages,
  type WholeMessage,
} from '../../../store/store.ts'
import { messageBlobId, partBlobId } from '../blobs.ts'
import type { Budget } from '../budget.ts'
import { Json } from '../json.ts'
import { MAX_OBJECTS_IN_GET } from '../limits.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { readBoolean, readStrings, readUnsigned } from '../standard/arguments.ts'
import { type GetRequest, pick, readGet } from '../standard/get.ts'
import { stateOf } from '../standard/state.ts'
import { type EmailContent, readContent, readingWork, textSize } from './content.ts'
import { contentProperty, headerProperties, listedProperty, newMade } from './email-view.ts'
import { isObjectId } from './ids.ts'
import { eachOf } from './parallel.ts'
import {
  type BodyView,
  DEFAULT_PROPERTIES,
  type EmailView,
  isContentProperty,
  isPartsOnly,
  needsContent,
  readBodyProperties,
  readEmailProperties,
} from './properties.ts'

export const BODY_ARGUMENTS = [
  'bodyProperties',
  'fetchTextBodyValues',
  'fetchHTMLBodyValues',
  'fetchAllBodyValues',
  'maxBodyValueBytes',
]

/** The arguments of Email/get and Email/parse that are about bodies. */
export const readBodyView = (args: Args): BodyView => ({
  ...readBodyProperties(readStrings(args, 'bodyProperties')),
  values: {
    text: readBoolean(args, 'fetchTextBodyValues'),
    html: readBoolean(args, 'fetchHTMLBodyValues'),
    all: readBoolean(args, 'fetchAllBodyValues'),
  },
  maxBytes: readUnsigned(args, 'maxBodyValueBytes') ?? 0,
})

/** Email/get (RFC 8621 §4.2). */
export const getEmails = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readGet(call, args, {
    defaults: DEFAULT_PROPERTIES,
    isProperty: () => true,
    more: BODY_ARGUMENTS,
  })
  const view = { ...readEmailProperties(request.properties), body: readBodyView(args) }
  const { access } = request
  if (request.ids !== null && request.ids.length <= PAGE && !needsContent(view)) {
    const { modseq, written } = await writeListed(call, { ...request, ids: request.ids }, view)
    return { accountId: access.addressId, state: String(modseq), ...inOrder(request.ids, written) }
  }
  const state = await stateOf(call.parts.database.db, access.addressId)
  const ids = request.ids ?? (await allIds(call, access))
  const written = new Map<string, Json>()
  await eachEmail(call, access, { ids: ids.filter(isObjectId), view }, (id, email) => {
    const json = new Json(pick(email, request.properties))
    call.budget.take(json.text.length)
    written.set(id, json)
  })
  return { accountId: access.addressId, state, ...inOrder(ids, written) }
}

const inOrder = (ids: readonly string[], written: ReadonlyMap<string, Json>) => ({
  list: ids.flatMap((id) => written.get(id) ?? []),
  notFound: ids.filter((id) => !written.has(id)),
})

/** RFC 8620 §5.1: all there are, unless they are more than one may ask for. */
const allIds = async ({ parts }: JmapCall, { addressId }: MailboxAccess): Promise<string[]> => {
  const { ids } = await queryMessages(parts, { addressId, filter: {}, limit: MAX_OBJECTS_IN_GET + 1 })
  if (ids.length > MAX_OBJECTS_IN_GET)
    failMethod('requestTooLarge', 'Too many messages to return all of them. Request them by id.')
  return ids
}

/** Rows of the database at a time: one may have a megabyte of addresses. */
const PAGE = 50
/** Messages read at a time, unless one of them is large. */
const READERS = 8
const LARGE_BYTES = 1_048_576

type Wanted = { ids: readonly string[]; view: EmailView }
type EachEmail = (id: string, email: Args) => void

/** Messages by id as a view shows them, one after the other. Those that are not there, or not visible, are left out. */
export const eachEmail = async (
  call: Pick<JmapCall, 'parts' | 'budget'>,
  { addressId, viewerId }: MailboxAccess,
  { ids, view }: Wanted,
  show: EachEmail,
): Promise<void> => {
  const { db } = call.parts.database
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE)
    if (needsContent(view)) await eachRead(call, await getWholeMessages(db, addressId, page, viewerId), view, show)
    else for (const [id, email] of showListed(await getMessages(db, addressId, page, viewerId), view)) show(id, email)
  }
}

const eachRead = async (
  { parts, budget }: Pick<JmapCall, 'parts' | 'budget'>,
  messages: readonly WholeMessage[],
  view: EmailView,
  show: EachEmail,
): Promise<void> => {
  const visible = messages.filter(({ folderIds }) => folderIds.length > 0)
  const readers = visible.some(({ size }) => size > LARGE_BYTES) ? 1 : READERS
  const content = { body: view.body, isPartsOnly: isPartsOnly(view) }
  await eachOf(visible, readers, async (message) => {
    budget.spend(readingWork(message))
    await budget.room(message.size)
    const read = await readContent(parts, message, content, async (body) => {
      const texts = textSize(body, view.body)
      budget.check(texts)
      await budget.room(texts)
    })
    show(message.id, await showEmail(message, read, view, budget))
    if (budget.turn.isOver()) await budget.turn.next()
  })
}

type ListRequest = Pick<GetRequest, 'access' | 'properties'> & { ids: readonly string[] }

/** Clients request list properties again and again, so one statement reads only the messages that have changed. */
const writeListed = async (
  { parts, budget, shown }: JmapCall,
  { access: { addressId, viewerId }, ids, properties }: ListRequest,
  view: EmailView,
): Promise<{ modseq: number; written: Map<string, Json> }> => {
  const { db } = parts.database
  const wanted = ids.filter(isObjectId)
  const names = properties.join()
  const written = new Map<string, Json>()
  const put = (id: string, json: Json): void => {
    budget.take(json.text.length)
    written.set(id, json)
  }
  const readAll = async (rest: readonly string[]): Promise<number> => {
    const { modseq, messages } = await getMessagesAt(db, addressId, rest, viewerId)
    const emails = showListed(messages, view)
    for (const message of messages) {
      const json = new Json(pick(emails.get(message.id) ?? {}, properties))
      // Other viewers of a mailbox have their own flags.
      if (viewerId === null) shown.set(names, message.id, { modseq: message.modseq, json })
      put(message.id, json)
    }
    return modseq
  }
  const kept = viewerId === null ? wanted.filter((id) => shown.get(names, id)) : []
  if (2 * kept.length < wanted.length || wanted.length === 0) return { modseq: await readAll(wanted), written }
  const { modseq, modseqs } = await modseqsOf(db, addressId, wanted)
  const changed: string[] = []
  for (const [id, at] of modseqs) {
    const known = shown.get(names, id)
    if (known?.modseq === at) put(id, known.json)
    else changed.push(id)
  }
  if (changed.length > 0) await readAll(changed)
  return { modseq, written }
}

const showListed = (messages: readonly ListedMessage[], view: EmailView): Map<string, Args> =>
  new Map(
    messages.map((message) => {
      const email: Args = {}
      // Without content nobody asked for more than the texts of no part.
      for (const name of view.properties) email[name] = isContentProperty(name) ? {} : listedProperty(message, name)
      return [message.id, email]
    }),
  )

const showEmail = async (
  message: ListedMessage,
  content: EmailContent,
  view: EmailView,
  budget: Budget,
): Promise<Args> => {
  const email: Args = {}
  const blobId = messageBlobId(message.id)
  const by = { blobIds: (partId: string) => partBlobId(blobId, partId), budget, made: newMade() }
  for (const name of view.properties)
    email[name] = isContentProperty(name)
      ? await contentProperty(content, name, view.body, by)
      : listedProperty(message, name)
  return Object.assign(email, headerProperties(content.fields, view.headers))
}
