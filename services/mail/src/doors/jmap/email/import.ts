import { firstText, LIMITS, type MimeStructure, parseDate, parseMessage } from '../../../formats/mime/mime.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { putMessage } from '../../../store/store.ts'
import { findBlob, type JmapBlob } from '../blobs.ts'
import { MAX_OBJECTS_IN_SET } from '../limits.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { checkNames, failArgument, isId, readOptionalString, readRecords } from '../standard/arguments.ts'
import { checkState, emptyOutcome, shownOutcome, tryOne } from '../standard/set.ts'
import { stateOf } from '../standard/state.ts'
import { type CreatedEmail, fileMessage } from './create.ts'
import { readFiling } from './filing.ts'
import { checkFits } from './fits.ts'
import { looksLikeMail } from './looks-like-mail.ts'

/** Email/import (RFC 8621 §4.8): each message for itself. */
export const importEmails = async (call: JmapCall, args: Args): Promise<Args> => {
  const access = await call.account(args, 'write')
  checkNames(args, ['ifInState', 'emails'])
  if ((args.emails ?? null) === null) return failArgument('emails', 'is required')
  const emails = readRecords(args, 'emails')
  if (emails.length > MAX_OBJECTS_IN_SET)
    return failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_SET} messages at once.`)
  const { db } = call.parts.database
  const oldState = await stateOf(db, access.addressId)
  checkState(readOptionalString(args, 'ifInState'), oldState)
  const outcome = emptyOutcome()
  for (const [creationId, email] of emails)
    await tryOne(outcome.notCreated, creationId, async () => {
      const created = await importEmail(call, access, email)
      outcome.created[creationId] = created
      call.createdIds.set(creationId, created.id)
    })
  const { created, notCreated } = shownOutcome(outcome)
  const newState = await stateOf(db, access.addressId)
  return { accountId: access.addressId, oldState, newState, created, notCreated }
}

const PROPERTIES = ['blobId', 'mailboxIds', 'keywords', 'receivedAt']

const importEmail = async (call: JmapCall, access: MailboxAccess, email: Args): Promise<CreatedEmail> => {
  const { parts } = call
  const unknown = Object.keys(email).filter((name) => !PROPERTIES.includes(name))
  if (unknown.length > 0) failProperties(unknown, 'This property cannot be set on an imported message.')
  const filing = readFiling(call, email, parts.clock.now())
  const blob = isId(email.blobId) ? await findBlob(call, access, email.blobId) : null
  if (!blob) return failProperties(['blobId'], 'The blob does not exist.')
  const { maxMessageBytes } = parts.config
  if (blob.size > maxMessageBytes) return failSet('tooLarge', `A message can have up to ${maxMessageBytes} bytes.`)
  call.budget.spend(blob.size)
  await call.budget.room(blob.size)
  const bytes = await blob.bytes()
  // Only its header is looked at here.
  const structure = parseMessage(bytes.subarray(0, LIMITS.headerBytes))
  if (!looksLikeMail(structure)) return failSet('invalidEmail', 'The blob is not a message.')
  const receivedAt = email.receivedAt ? filing.receivedAt : (lastReceived(structure, bytes) ?? filing.receivedAt)
  if (!blob.stored) await checkFits(call, access, { folderIds: filing.folderIds, size: bytes.length })
  const stored = await storedBlob(call, blob, bytes)
  return fileMessage(call, access, { blob: stored, bytes, filing: { ...filing, receivedAt } })
}

const storedBlob = async ({ parts }: JmapCall, { stored }: JmapBlob, bytes: Buffer) =>
  stored ?? (await putMessage(parts.blobs, bytes, { maxBytes: parts.config.maxMessageBytes }))

/** The first Received field is the newest; its date stands behind the last semicolon. */
const lastReceived = ({ root }: MimeStructure, bytes: Buffer): Date | null => {
  const date = parseDate(firstText(root, bytes, 'received')?.split(';').at(-1) ?? '')
  return date && new Date(date.time)
}
