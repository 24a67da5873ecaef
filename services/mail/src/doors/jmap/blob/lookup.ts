import { isUuid } from '@stoa/kit/ids.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { getMessages, type ListedMessage, messagesOfBlob } from '../../../store/store.ts'
import { findBlob, messageIdOfBlob } from '../blobs.ts'
import { MAX_OBJECTS_IN_GET } from '../limits.ts'
import { type Args, CAPABILITIES, failMethod, type JmapCall, type JmapMethod } from '../method.ts'
import { checkNames, failArgument, readIds, readStrings } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'

/** RFC 9404 §4.3: what a blob is used by. */
const MATCHES: Readonly<Record<string, (message: ListedMessage) => readonly string[]>> = {
  Mailbox: ({ folderIds }) => folderIds,
  Thread: ({ threadId }) => [threadId],
  Email: ({ id }) => [id],
}

export const blobLookup: JmapMethod = {
  name: 'Blob/lookup',
  capability: CAPABILITIES.blob,
  async run(call, args) {
    const access = await call.account(args)
    checkNames(args, ['typeNames', 'ids'])
    const typeNames = readStrings(args, 'typeNames') ?? failArgument('typeNames', 'is required')
    const ids = readIds(args, 'ids') ?? failArgument('ids', 'is required')
    if (typeNames.some((name) => !Object.hasOwn(MATCHES, name))) return failMethod('unknownDataType')
    if (ids.length > MAX_OBJECTS_IN_GET) return failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_GET} at once.`)
    const list: Args[] = []
    const notFound: string[] = []
    for (const id of new Set(ids.map((each) => realId(call, each)))) {
      const messages = await findUses(call, access, id)
      if (messages) list.push({ id, matchedIds: matchedIds(messages, typeNames) })
      else notFound.push(id)
    }
    return { accountId: access.addressId, list, notFound }
  },
}

/** The visible messages that a blob is, or is part of; null when there is no such blob. */
const findUses = async (call: JmapCall, access: MailboxAccess, blobId: string): Promise<ListedMessage[] | null> => {
  const blob = await findBlob(call, access, blobId)
  if (!blob) return null
  const { db } = call.parts.database
  const own = messageIdOfBlob(blobId)
  const same = blob.stored ? await messagesOfBlob(db, { ownerId: access.addressId, key: blob.stored.key }) : []
  const ids = new Set([...(own === null ? [] : [own]), ...same].filter(isUuid))
  return getMessages(db, access.addressId, [...ids])
}

const matchedIds = (messages: readonly ListedMessage[], typeNames: readonly string[]): Args =>
  Object.fromEntries(
    typeNames.map((name) => [name, [...new Set(messages.flatMap((message) => MATCHES[name]?.(message) ?? []))]]),
  )
