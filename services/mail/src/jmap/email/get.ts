import type { MailboxAccess } from '../../shares/access.ts'
import { getMessages, getMessagesAt, getWholeMessages, type ListedMessage } from '../../store/list.ts'
import { queryMessages } from '../../store/query.ts'
import { messageBlobId, partBlobId } from '../blobs.ts'
import { MAX_OBJECTS_IN_GET } from '../limits.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { readBoolean, readStrings, readUnsigned } from '../standard/arguments.ts'
import { getAnswer, readGet } from '../standard/get.ts'
import { stateOf } from '../standard/state.ts'
import { type EmailContent, readContent, textSize } from './content.ts'
import { contentProperty, headerProperties, listedProperty } from './email-view.ts'
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
  if (request.ids !== null && !needsContent(view)) {
    const { modseq, messages } = await readListed(call, access, request.ids)
    return getAnswer(request, { state: String(modseq), objects: showListed(messages, view) })
  }
  const state = await stateOf(call.parts.database.db, access.addressId)
  const ids = request.ids ?? (await allIds(call, access))
  const objects = await showEmails(call, access, ids.filter(isObjectId), view)
  return getAnswer({ ...request, ids }, { state, objects })
}

/** RFC 8620 §5.1: all there are, unless they are more than one may ask for. */
const allIds = async ({ parts }: JmapCall, { addressId }: MailboxAccess): Promise<string[]> => {
  const { ids } = await queryMessages(parts, { addressId, filter: {}, limit: MAX_OBJECTS_IN_GET + 1 })
  if (ids.length > MAX_OBJECTS_IN_GET)
    failMethod('requestTooLarge', 'There are too many messages to give all of them: ask for some by their ids.')
  return ids
}

/** Messages read at a time. */
const READERS = 8

/** Messages by id as a view shows them. Those that are not there, or not visible, are left out. */
export const showEmails = async (
  { parts }: Pick<JmapCall, 'parts'>,
  { addressId, viewerId }: MailboxAccess,
  ids: readonly string[],
  view: EmailView,
): Promise<Map<string, Args>> => {
  const { db } = parts.database
  const shown = new Map<string, Args>()
  if (ids.length === 0) return shown
  if (!needsContent(view)) return showListed(await getMessages(db, addressId, ids, viewerId), view)
  const messages = await getWholeMessages(db, addressId, ids, viewerId)
  const visible = messages.filter(({ folderIds }) => folderIds.length > 0)
  const take = takeRoom(MAX_ANSWER_BYTES)
  await eachOf(visible, READERS, async (message) => {
    const content = await readContent(parts, message, { body: view.body, isPartsOnly: isPartsOnly(view) }, take)
    const email = showEmail(message, content, view)
    take(JSON.stringify(email).length - textSize(content.body, view.body))
    shown.set(message.id, email)
  })
  return shown
}

/** What lists are made of needs one statement: it is asked for again and again. */
const readListed = ({ parts }: JmapCall, { addressId, viewerId }: MailboxAccess, ids: readonly string[]) =>
  getMessagesAt(parts.database.db, addressId, ids.filter(isObjectId), viewerId)

const showListed = (messages: readonly ListedMessage[], view: EmailView): Map<string, Args> =>
  new Map(messages.map((message) => [message.id, showEmail(message, null, view)]))

/** Of one answer: whoever wants more of large messages asks for fewer, or sets `maxBodyValueBytes`. */
export const MAX_ANSWER_BYTES = 64 * 2 ** 20

/** Counts what is about to be given; requestTooLarge when that is too much. */
export const takeRoom = (bytes: number): ((taken: number) => void) => {
  let left = bytes
  return (taken) => {
    left -= Math.max(0, taken)
    if (left < 0) failMethod('requestTooLarge', 'The messages are too large: ask for fewer, or for less of each.')
  }
}

const showEmail = (message: ListedMessage, content: EmailContent | null, view: EmailView): Args => {
  const email: Args = {}
  const blobId = messageBlobId(message.id)
  for (const name of view.properties) {
    if (!isContentProperty(name)) email[name] = listedProperty(message, name)
    // Without content nobody asked for more than the texts of no part.
    else email[name] = content ? contentProperty(content, name, view.body, (id) => partBlobId(blobId, id)) : {}
  }
  return content ? Object.assign(email, headerProperties(content.fields, view.headers)) : email
}
