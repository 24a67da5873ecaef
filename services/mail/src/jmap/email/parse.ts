import { previewOf } from '../../mime/texts.ts'
import type { MailboxAccess } from '../../shares/access.ts'
import { StoreRefusal } from '../../store/refusal.ts'
import { findBlob, type JmapBlob, partBlobId } from '../blobs.ts'
import { MAX_OBJECTS_IN_GET } from '../limits.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { checkNames, failArgument, readIds, readStrings } from '../standard/arguments.ts'
import { contentOf, type EmailContent, type TakeRoom, textSize } from './content.ts'
import { contentProperty, headerProperties } from './email-view.ts'
import { BODY_ARGUMENTS, MAX_ANSWER_BYTES, readBodyView, takeRoom } from './get.ts'
import { looksLikeMail } from './looks-like-mail.ts'
import {
  CONVENIENCE,
  type EmailProperty,
  type EmailView,
  isContentProperty,
  isConvenience,
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
  const take = takeRoom(MAX_ANSWER_BYTES)
  const parsed: [string, Args][] = []
  const notParsable: string[] = []
  const notFound: string[] = []
  for (const blobId of new Set(blobIds)) {
    const email = await parseBlob(call, access, { blobId, view, take })
    if (email === 'notFound') notFound.push(blobId)
    else if (email === 'notParsable') notParsable.push(blobId)
    else parsed.push([blobId, email])
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
  { blobId, view, take }: { blobId: string; view: EmailView; take: TakeRoom },
): Promise<Args | 'notFound' | 'notParsable'> => {
  const blob = await findBlob(call, access, blobId)
  if (blob) call.spend(blob.size)
  const bytes = await blob?.bytes().catch(asMissing)
  if (!blob || !bytes) return 'notFound'
  const content = contentOf(bytes)
  if (!looksLikeMail(content.structure)) return 'notParsable'
  const texts = textSize(content.body, view.body)
  take(texts)
  const email = showParsed(content, { blobId, blob, view })
  take(JSON.stringify(email).length - texts)
  return email
}

const asMissing = (error: unknown): null => {
  if (error instanceof StoreRefusal && error.kind === 'no_such_blob') return null
  throw error
}

type Parsed = { blobId: string; blob: JmapBlob; view: EmailView }

const showParsed = (content: EmailContent, parsed: Parsed): Args => {
  const email: Args = {}
  for (const name of parsed.view.properties) email[name] = parsedProperty(content, name, parsed)
  return Object.assign(email, headerProperties(content.fields, parsed.view.headers))
}

const parsedProperty = (content: EmailContent, name: EmailProperty, { blobId, blob, view }: Parsed): unknown => {
  if (isContentProperty(name)) return contentProperty(content, name, view.body, (partId) => partBlobId(blobId, partId))
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
      // It is in no mailbox.
      return null
  }
}
