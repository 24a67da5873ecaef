import { isAscii } from 'node:buffer'
import { Fault } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { findField, formatMailDate } from '../../formats/mime/mime.ts'
import type { Credentials } from '../../hosting/addresses/addresses.ts'
import { enqueue } from '../../hosting/enqueue/enqueue.ts'
import { takeSendingVolume, UNPAID, type VolumeAnswer } from '../../hosting/plans/plans.ts'
import type { SignedInAddress } from '../../principal.ts'
import { protocolOf, type ReceiveParts, spoolMessage } from '../../receiving/receive/receive.ts'
import { privateFields, readAuthorship } from '../../sending/submission/submission.ts'
import { type ReadHeader, readHeader } from '../../store/store.ts'
import {
  type Door,
  type DoorSession,
  decodeXtext,
  defaultSessionLimits,
  type Envelope,
  type Path,
  Refused,
  type Reply,
  refuse,
  reply,
  type SessionLimits,
  type Taken,
} from '../../wire/smtp/smtp.ts'

export type SubmitParts = Pick<
  ReceiveParts,
  'database' | 'blobs' | 'routes' | 'config' | 'largeMessages' | 'memory' | 'log' | 'clock'
> & {
  readonly credentials: Pick<Credentials, 'check'>
}

export type SubmitOptions = { limits?: Partial<SessionLimits> }

/** The same bound as in the webmail: a month ahead. */
const MAX_HOLD_SECONDS = 30 * 86_400

type SubmitSession = DoorSession<SignedInAddress, string>

/** The door for mail of our own mailboxes (RFC 6409). */
export const createSubmissionDoor = (
  parts: SubmitParts,
  options: SubmitOptions = {},
): Door<SignedInAddress, string> => ({
  name: 'submission',
  hostname: parts.config.hostname,
  maxMessageBytes: parts.config.maxMessageBytes,
  // People at the other end wait for the greeting.
  limits: { ...defaultSessionLimits, greetingMs: 0, ...options.limits },
  log: parts.log,
  clock: parts.clock,
  maxHoldSeconds: MAX_HOLD_SECONDS,
  auth: (session, name, password) => orTemporaryFailure(() => signIn(parts, session, name, password)),
  mail: (session, path) => orTemporaryFailure(() => checkSender(parts, session, path)),
  rcpt: async (_session, path) => {
    const address = await orTemporaryFailure(() => checkRecipient(parts, path))
    return { address, value: address }
  },
  message: (session, envelope, content) => orTemporaryFailure(() => takeMessage(parts, { session, envelope, content })),
})

const orTemporaryFailure = async <R>(work: () => Promise<R>): Promise<R> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unavailable') return refuse(451, '4.3.0', 'Try again later')
    throw error
  }
}

const signIn = async (
  { credentials }: SubmitParts,
  session: SubmitSession,
  email: string,
  password: string,
): Promise<SignedInAddress | Reply> => {
  const answer = await credentials.check({ email, password, scope: 'smtp', ip: session.ip })
  if (answer.ok) return answer.address
  return answer.reason === 'limited'
    ? reply(454, '4.7.0', 'Too many failed sign-ins, try again later')
    : reply(535, '5.7.8', 'Wrong address or password')
}

const userOf = ({ user }: SubmitSession): SignedInAddress => user ?? refuse(530, '5.7.0', 'Authentication required')

const checkSender = async (parts: SubmitParts, session: SubmitSession, path: Path): Promise<void> => {
  const user = userOf(session)
  if (!user.sendEnabled) refuse(550, '5.7.1', 'This mailbox is not allowed to send')
  // Confirmations of reading have no sender (RFC 8098 §2.1).
  if (path.kind === 'null') return
  const isOwn = path.kind === 'mailbox' && (await parts.routes.mayWriteAs(user.id, path.address))
  if (!isOwn) refuse(550, '5.7.1', 'You can only send from your own addresses')
}

const checkRecipient = async (parts: SubmitParts, path: Path): Promise<string> => {
  const address = path.kind === 'postmaster' ? `postmaster@${parts.config.hostname}` : addressOf(path)
  const route = await parts.routes.find(address)
  // A name of ours that leads nowhere is known now; the writer need not wait for a report.
  if (route.kind === 'unknown') refuse(550, '5.1.1', 'No such mailbox')
  return address
}

const addressOf = (path: Path): string =>
  path.kind === 'mailbox' ? path.address : refuse(553, '5.1.3', 'Invalid address')

type Submitted = { session: SubmitSession; envelope: Envelope<string>; content: AsyncIterable<Buffer> }

const takeMessage = async (parts: SubmitParts, { session, envelope, content }: Submitted): Promise<Taken> => {
  const spooled = await spoolMessage(parts, content)
  return spooled.use(async (bytes) => {
    const user = userOf(session)
    const read = readHeader(bytes)
    const from = await checkAuthor(parts, { user, envelope }, read, bytes)
    const blob = await withoutPrivate(parts, spooled.stored, bytes, read)
    const id = await parts.database.tx((tx) =>
      queueMessage(tx, parts, { session, user, envelope, read, from, blob, bytes }),
    )
    return { reply: reply(250, '2.0.0', `Ok, queued as ${id}`) }
  })
}

/** One author, who is the one that signed in, so that nobody writes in the name of somebody else. */
const checkAuthor = async (
  parts: SubmitParts,
  { user, envelope }: { user: SignedInAddress; envelope: Envelope<string> },
  read: ReadHeader,
  bytes: Buffer,
): Promise<string> => {
  const found = readAuthorship(read.structure.root, bytes)
  if (found.kind === 'unclear') return refuse(550, '5.6.0', found.reason)
  // The sender of the envelope was checked when it was named.
  for (const address of [found.from, ...(found.sender === null ? [] : [found.sender])])
    if (address !== envelope.from && !(await parts.routes.mayWriteAs(user.id, address)))
      return refuse(550, '5.7.1', `You cannot send as ${address}`)
  return found.from
}

/** RFC 5322 §3.6.3: those in Bcc are not disclosed to the others. */
const withoutPrivate = async (
  parts: SubmitParts,
  stored: Promise<{ key: string; size: number }>,
  bytes: Buffer,
  read: ReadHeader,
): Promise<{ key: string; size: number }> => {
  const ranges = privateFields(read.structure.root)
  if (ranges.length === 0) return stored
  const kept: Buffer[] = []
  let at = 0
  for (const { start, end } of ranges) {
    kept.push(bytes.subarray(at, start))
    at = end
  }
  const { key, size } = await parts.blobs.put(Buffer.concat([...kept, bytes.subarray(at)]), { maxBytes: bytes.length })
  return { key, size }
}

type Queued = {
  session: SubmitSession
  user: SignedInAddress
  envelope: Envelope<string>
  read: ReadHeader
  from: string
  blob: { key: string; size: number }
  bytes: Buffer
}

const queueMessage = async (
  tx: Parameters<typeof enqueue>[0],
  parts: SubmitParts,
  { session, user, envelope, read, from, blob, bytes }: Queued,
): Promise<string> => {
  const now = parts.clock.now()
  const { parameters, recipients } = envelope
  const hasId = findField(read.structure.root, 'message-id') !== null
  const made = hasId ? null : `${newId()}@${user.email.slice(user.email.lastIndexOf('@') + 1)}`
  // Sent at once with the message: a refusal ends the transaction, and nothing of it stays.
  const counting = takeSendingVolume(tx, { accountId: user.accountId, recipients: recipients.length, now })
  const queueing = enqueue(tx, {
    accountId: user.accountId,
    addressId: user.id,
    source: 'submission',
    blob,
    prefix: prefixOf(parts.config.hostname, { session, read, messageId: made, now }),
    returnPath: envelope.from,
    recipients: recipients.map(({ address, parameters: { notify, orcpt } }) => ({
      address,
      ...(notify ? { notify } : {}),
      ...(orcpt ? { orcpt: undoXtext(orcpt) } : {}),
    })),
    signingDomainId: user.domainId,
    messageId: made ?? read.envelope.messageId[0] ?? null,
    headerFrom: from,
    subject: read.subject,
    needsUtf8: parameters.isUtf8,
    needs8bit: !isAscii(bytes),
    requiresTls: parameters.requiresTls,
    ...(parameters.envid === null ? {} : { envid: undoXtext(parameters.envid) }),
    ...(parameters.ret === null ? {} : { ret: parameters.ret }),
    ...(parameters.hold === null ? {} : { notBefore: holdUntil(parameters.hold, now) }),
    now,
  })
  const [counted, queued] = await Promise.allSettled([counting, queueing])
  if (counted.status === 'rejected') throw counted.reason
  if (counted.value !== 'ok') throw new Refused(VOLUME[counted.value])
  if (queued.status === 'rejected') throw queued.reason
  return queued.value.id
}

const undoXtext = (text: string): string => decodeXtext(text) ?? text

const holdUntil = (hold: { seconds: number } | { until: Date }, now: Date): Date =>
  'until' in hold ? hold.until : new Date(now.getTime() + hold.seconds * 1_000)

/** RFC 6409 §8: what the writer's program left out. Where the writer is stays private. */
const prefixOf = (
  hostname: string,
  { session, read, messageId, now }: { session: SubmitSession; read: ReadHeader; messageId: string | null; now: Date },
): Buffer => {
  const { isExtended, tls, id } = session
  const date = formatMailDate(now)
  const lines = [
    `Received: by ${hostname} with ${protocolOf({ isExtended, tls, isSignedIn: true })} id ${id};\r\n\t${date}`,
    ...(messageId === null ? [] : [`Message-ID: <${messageId}>`]),
    ...(findField(read.structure.root, 'date') ? [] : [`Date: ${date}`]),
  ]
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(''))
}

const VOLUME: Record<Exclude<VolumeAnswer, 'ok'>, Reply> = {
  daily: reply(450, '4.7.1', 'Daily sending limit reached'),
  monthly: reply(450, '4.7.1', 'Monthly sending limit reached'),
  suspended: reply(550, '5.7.1', 'The account is suspended'),
  unpaid: reply(550, '5.7.1', UNPAID),
}
