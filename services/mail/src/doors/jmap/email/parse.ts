import { previewOf } from '../../../formats/mime/mime.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { StoreRefusal } from '../../../store/store.ts'
import { findBlob, type JmapBlob, partBlobId } from '../blobs.ts'
import type { Budget } from '../budget.ts'
import { Json } from '../json.ts'
import { MAX_OBJECTS_IN_GET } from '../limits.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { checkNames, failArgument, readIds, readStrings } from '../standard/arguments.ts'
import { contentOf, type EmailContent, textSize } from './content.ts'
import { contentProperty, headerProperties, newMade } from './email-view.ts'
import { BODY_ARGUMENTS, readBodyView } from './get.ts'
import { looksLikeMail } from './looks-like-mail.ts'
import {
  CONVENIENCE,
  type EmailView,
  isContentProperty,
  isConvenience,
  type ListedProperty,
  PARSED_PROPERTIES,
  readEmailProperties,
} from './properties.ts'

/** Email/parse (RFC 8621 §4.9): messages that are not in a mailbox, such as attached ones. */
export const parseEmails = async (call: JmapCall, args: Args): Promise<Args> => {
  const access = await call.account(args)
  checkNames(args, ['blobIds', 'properties', ...BODY_ARGUMENTS])
  const blobIds = readIds(args, 'blobIds') ?? failArgument('blobIds', 'is required and must be a list of ids')
  if (blobIds.length > MAX_OBJECTS_IN_GET)
    return failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_GET} messages at once.`)
  const properties = readStrings(args, 'properties') ?? PARSED_PROPERTIES
  const view = { ...readEmailProperties(properties), body: readBodyView(args) }
  const parsed: [string, Json][] = []
  const notParsable: string[] = []
  const notFound: string[] = []
  for (const blobId of new Set(blobIds)) {
    const email = await parseBlob(call, access, { blobId, view })
    if (email === 'notFound') notFound.push(blobId)
    else if (email === 'notParsable') notParsable.push(blobId)
    else parsed.push([blobId, email])
    if (call.budget.turn.isOver()) await call.budget.turn.next()
  }
  return {
    accountId: access.addressId,
    parsed: parsed.length > 0 ? Object.fromEntries(parsed) : null,
    notParsable: notParsable.length > 0 ? notParsable : null,
    notFound: notFound.length > 0 ? notFound : null,
  }
}

const parseBlob = async (
  call: JmapCall,
  access: MailboxAccess,
  { blobId, view }: { blobId: string; view: EmailView },
): Promise<Json | 'notFound' | 'notParsable'> => {
  const { budget } = call
  const blob = await findBlob(call, access, blobId)
  if (blob) {
    budget.spend(blob.size)
    await budget.room(blob.size)
  }
  const bytes = await blob?.bytes().catch(asMissing)
  if (!blob || !bytes) return 'notFound'
  const content = await contentOf(bytes)
  if (!looksLikeMail(content.structure)) return 'notParsable'
  budget.check(textSize(content.body, view.body))
  const json = new Json(await showParsed(content, { blobId, blob, view, budget }))
  budget.take(json.text.length)
  return json
}

const asMissing = (error: unknown): null => {
  if (error instanceof StoreRefusal && error.kind === 'no_such_blob') return null
  throw error
}

type Parsed = { blobId: string; blob: JmapBlob; view: EmailView; budget: Budget }

const showParsed = async (content: EmailContent, parsed: Parsed): Promise<Args> => {
  const { blobId, view, budget } = parsed
  const by = { blobIds: (partId: string) => partBlobId(blobId, partId), budget, made: newMade() }
  const email: Args = {}
  for (const name of view.properties)
    email[name] = isContentProperty(name)
      ? await contentProperty(content, name, view.body, by)
      : summaryProperty(content, name, parsed)
  return Object.assign(email, headerProperties(content.fields, view.headers))
}

const summaryProperty = (content: EmailContent, name: ListedProperty, { blobId, blob }: Parsed): unknown => {
  if (isConvenience(name)) {
    const { name: field, form } = CONVENIENCE[name]
    const header = { property: name, name: field, field: field.toLowerCase(), form, isAll: false }
    return headerProperties(content.fields, [header])[name]
  }
  switch (name) {
    case 'blobId':
      return blobId
    case 'size':
      return blob.size
    case 'hasAttachment':
      return content.body.hasAttachment
    case 'preview':
      return previewOf(content.body, content.bytes)
    default:
      // A parsed message is in no mailbox.
      return null
  }
}
