import { isDeepStrictEqual } from 'node:util'
import { isUuid } from '@stoa/kit/ids.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import {
  cancelSubmission,
  destroySubmission,
  getSubmissions,
  type Submission,
  SubmissionRefusal,
  type SubmissionRefusalKind,
  submitMessage,
} from '../../../sending/submission/submission.ts'
import type { Args, JmapCall } from '../method.ts'
import { failProperties, failSet, type SetError } from '../set-error.ts'
import { failArgument, isId, readIds, readRecords } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { applyPatch } from '../standard/patch.ts'
import { readSet, runSet, type SetOutcome, setAnswer } from '../standard/set.ts'
import { stateOf } from '../standard/state.ts'
import { readEnvelope, toObject } from './object.ts'

/** EmailSubmission/set (RFC 8621 §7.5), with the implicit Email/set that follows it. */
export const setSubmissions = async (call: JmapCall, args: Args): Promise<Args> => {
  const { database } = call.parts
  const more = ['onSuccessUpdateEmail', 'onSuccessDestroyEmail']
  const request = await readSet(call, args, { more, wants: 'write' })
  const { access } = request
  const after = readOnSuccess(args)
  // Email ids by submission id, for every submission that this call touches.
  const emails = new Map<string, string>()
  const found = async (id: string): Promise<Submission> => {
    const [submission] = isUuid(id) ? await getSubmissions(database.db, access.addressId, [id]) : []
    if (!submission) return failSet('notFound', 'The submission does not exist.')
    emails.set(id, submission.messageId)
    return submission
  }
  const outcome = await runSet(call, request, {
    create: (object) =>
      orSetError(async () => {
        const submission = await create(call, object)
        emails.set(submission.id, submission.messageId)
        return unsaid(submission, object)
      }),
    update: (id, patch) => orSetError(async () => update(call, access, await found(id), patch)),
    destroy: (id) =>
      orSetError(async () => {
        const submission = await found(id)
        await database.tx((tx) => destroySubmission(tx, access.addressId, submission.id))
      }),
  })
  const answer = setAnswer(request, await stateOf(database.db, access.addressId), outcome)
  await changeEmails(call, access, { after, outcome, emails })
  return answer
}

const WRITABLE = ['identityId', 'emailId', 'envelope']

const create = async (call: JmapCall, object: Args): Promise<Submission> => {
  const unknown = Object.keys(object).filter((name) => !WRITABLE.includes(name))
  if (unknown.length > 0) failProperties(unknown, 'These properties cannot be set.')
  return submitMessage(call.parts, {
    address: call.signIn.address,
    source: 'jmap',
    identityId: readReference(call, object, 'identityId'),
    messageId: readReference(call, object, 'emailId'),
    envelope: readEnvelope(object.envelope),
  })
}

/** An id, or the creation id of something that was made in the same request. */
const readReference = (call: JmapCall, object: Args, name: string): string => {
  const value = object[name]
  if (typeof value !== 'string') return failProperties([name], `"${name}" is required and must be an id.`)
  const id = realId(call, value)
  return isUuid(id) ? id : failProperties([name], `"${name}" does not exist.`)
}

const unsaid = (submission: Submission, object: Args): Args & { id: string } => {
  const known = Object.entries(toObject(submission)).filter(([name, value]) => !isDeepStrictEqual(object[name], value))
  return { ...Object.fromEntries(known), id: submission.id }
}

/** The only thing that a client can change is its mind. */
const update = async (
  call: JmapCall,
  { addressId }: MailboxAccess,
  submission: Submission,
  patch: Args,
): Promise<null> => {
  const before = toObject(submission)
  const after = applyPatch(before, patch)
  const wrong = Object.keys(after).filter(
    (name) => name !== 'undoStatus' && !isDeepStrictEqual(plain(after[name]), plain(before[name])),
  )
  if (wrong.length > 0) failProperties(wrong, 'These properties cannot be changed.')
  if (after.undoStatus === before.undoStatus) return null
  if (after.undoStatus !== 'canceled') failProperties(['undoStatus'], '"undoStatus" can only be changed to "canceled".')
  await call.parts.database.tx((tx) => cancelSubmission(tx, addressId, submission.id))
  return null
}

/** Without the difference between objects with and without a prototype. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

type OnSuccess = { update: [submissionId: string, patch: Args][]; destroy: readonly string[] }

const readOnSuccess = (args: Args): OnSuccess => {
  const update = readRecords(args, 'onSuccessUpdateEmail')
  for (const [id] of update)
    if (!isId(id.replace(/^#/, ''))) failArgument('onSuccessUpdateEmail', 'must use ids as keys')
  return { update, destroy: readIds(args, 'onSuccessDestroyEmail') ?? [] }
}

/** RFC 8621 §7.5: one Email/set for all that succeeded, its response right after this one's. */
const changeEmails = async (
  call: JmapCall,
  { addressId }: MailboxAccess,
  { after, outcome, emails }: { after: OnSuccess; outcome: SetOutcome; emails: ReadonlyMap<string, string> },
): Promise<void> => {
  if (after.update.length === 0 && after.destroy.length === 0) return
  const succeeded = new Set([
    ...Object.values(outcome.created).map(({ id }) => id),
    ...Object.keys(outcome.updated),
    ...outcome.destroyed,
  ])
  const emailOf = (given: string): string | undefined => {
    const id = realId(call, given)
    return succeeded.has(id) ? emails.get(id) : undefined
  }
  const update: Args = Object.create(null)
  for (const [given, patch] of after.update) {
    const emailId = emailOf(given)
    if (emailId !== undefined) update[emailId] = patch
  }
  const destroy = [...new Set(after.destroy.flatMap((given) => emailOf(given) ?? []))]
  if (Object.keys(update).length === 0 && destroy.length === 0) return
  await call.andThen('Email/set', { accountId: addressId, update, destroy })
}

const orSetError = async <R>(work: () => Promise<R>): Promise<R> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SubmissionRefusal) return failSet(SET_ERRORS[error.kind], error.message, detailsOf(error))
    throw error
  }
}

const SET_ERRORS: Record<SubmissionRefusalKind, string> = {
  no_such_identity: 'invalidProperties',
  no_such_message: 'invalidProperties',
  no_such_submission: 'notFound',
  invalid_email: 'invalidEmail',
  invalid_envelope: 'invalidProperties',
  too_large: 'tooLarge',
  too_many_recipients: 'tooManyRecipients',
  no_recipients: 'noRecipients',
  invalid_recipients: 'invalidRecipients',
  forbidden_mail_from: 'forbiddenMailFrom',
  forbidden_from: 'forbiddenFrom',
  forbidden_to_send: 'forbiddenToSend',
  plan_required: 'forbiddenToSend',
  rate_limited: 'rateLimit',
  cannot_unsend: 'cannotUnsend',
}

const WRONG_PROPERTY: Partial<Record<SubmissionRefusalKind, string>> = {
  no_such_identity: 'identityId',
  no_such_message: 'emailId',
  invalid_envelope: 'envelope',
  // A property of the Email (RFC 8621 §7.5).
  invalid_email: 'from',
}

const detailsOf = ({ kind, details }: SubmissionRefusal): Omit<SetError, 'type'> => {
  const property = WRONG_PROPERTY[kind]
  return {
    ...(property === undefined ? {} : { properties: [property] }),
    ...(details.maxSize === undefined ? {} : { maxSize: details.maxSize }),
    ...(details.maxRecipients === undefined ? {} : { maxRecipients: details.maxRecipients }),
    ...(details.recipients === undefined ? {} : { invalidRecipients: details.recipients }),
  }
}
