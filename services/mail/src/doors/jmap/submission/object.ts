import type { EnvelopeAddress, Submission, SubmissionEnvelope } from '../../../sending/submission/submission.ts'
import type { Args } from '../method.ts'
import { failProperties } from '../set-error.ts'
import { isRecord, utcDate } from '../standard/arguments.ts'

export const PROPERTIES = [
  'id',
  'identityId',
  'emailId',
  'threadId',
  'envelope',
  'sendAt',
  'undoStatus',
  'deliveryStatus',
  'dsnBlobIds',
  'mdnBlobIds',
]

/** RFC 8621 §7. */
export const toObject = (submission: Submission): Args => ({
  id: submission.id,
  identityId: submission.identityId,
  emailId: submission.messageId,
  threadId: submission.threadId,
  envelope: submission.envelope,
  sendAt: utcDate(submission.sendAt),
  undoStatus: submission.undoStatus,
  deliveryStatus: statusOf(submission),
  dsnBlobIds: [],
  mdnBlobIds: [],
})

const statusOf = ({ deliveries }: Submission): Args => {
  const status: Args = Object.create(null)
  // Whether somebody looked at it is not known: no reader's report is asked for.
  for (const { email, delivered, smtpReply } of deliveries)
    status[email] = { smtpReply, delivered, displayed: 'unknown' }
  return status
}

/** More recipients than that are not even looked at. */
const MAX_ADDRESSES = 10_000

/** The `envelope` of a new submission; null: it comes from the message. */
export const readEnvelope = (value: unknown): SubmissionEnvelope | null => {
  if (value === undefined || value === null) return null
  if (!isRecord(value)) return failEnvelope('"envelope" must be null or an object')
  const { mailFrom, rcptTo, ...rest } = value
  if (Object.keys(rest).length > 0) return failEnvelope('"envelope" has mailFrom and rcptTo')
  if (!Array.isArray(rcptTo) || rcptTo.length > MAX_ADDRESSES)
    return failEnvelope('"rcptTo" must be a list of addresses')
  return { mailFrom: readAddress(mailFrom), rcptTo: rcptTo.map(readAddress) }
}

const readAddress = (value: unknown): EnvelopeAddress => {
  if (!isRecord(value)) return failEnvelope('an address must be an object')
  const { email, parameters = null, ...rest } = value
  if (typeof email !== 'string' || Object.keys(rest).length > 0)
    return failEnvelope('an address has email and parameters')
  return { email, parameters: readParameters(parameters) }
}

const readParameters = (value: unknown): Record<string, string | null> | null => {
  if (value === null) return null
  if (!isRecord(value)) return failEnvelope('"parameters" must be null or an object')
  const parameters: Record<string, string | null> = {}
  for (const [name, given] of Object.entries(value)) {
    if (given !== null && typeof given !== 'string')
      return failEnvelope('the value of a parameter must be a string or null')
    parameters[name] = given
  }
  return parameters
}

const failEnvelope = (problem: string): never => failProperties(['envelope'], `In the envelope, ${problem}.`)
