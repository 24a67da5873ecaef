import { isUuid } from '@stoa/kit/ids.ts'
import { getSubmissions } from '../../../sending/submission/submission.ts'
import { MAX_OBJECTS_IN_GET } from '../limits.ts'
import { type Args, CAPABILITIES, failMethod, type JmapCall, type JmapMethod } from '../method.ts'
import { changesAnswer, findChanges, readChanges } from '../standard/changes.ts'
import { getAnswer, readGet } from '../standard/get.ts'
import { stateOf } from '../standard/state.ts'
import { PROPERTIES, toObject } from './object.ts'
import { querySubmissions, submissionQueryChanges } from './query.ts'
import { setSubmissions } from './set.ts'

const readSubmissions = async (call: JmapCall, args: Args): Promise<Args> => {
  const { db } = call.parts.database
  const request = await readGet(call, args, { defaults: PROPERTIES })
  const { addressId } = request.access
  const state = await stateOf(db, addressId)
  const ids = request.ids?.filter(isUuid) ?? null
  const submissions = await getSubmissions(db, addressId, ids, MAX_OBJECTS_IN_GET + 1)
  // RFC 8620 §5.1: all of them, or none.
  if (submissions.length > MAX_OBJECTS_IN_GET)
    failMethod('requestTooLarge', `There are more than ${MAX_OBJECTS_IN_GET} submissions. Request them by id.`)
  return getAnswer(request, { state, objects: new Map(submissions.map((each) => [each.id, toObject(each)])) })
}

const submissionChanges = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readChanges(call, args)
  return changesAnswer(request, await findChanges(call.parts.database.db, request, ['submission']))
}

const capability = CAPABILITIES.submission

/** EmailSubmission (RFC 8621 §7). */
export const submissionMethods: readonly JmapMethod[] = [
  { name: 'EmailSubmission/get', capability, run: readSubmissions },
  { name: 'EmailSubmission/changes', capability, run: submissionChanges },
  { name: 'EmailSubmission/query', capability, run: querySubmissions },
  { name: 'EmailSubmission/queryChanges', capability, run: submissionQueryChanges },
  { name: 'EmailSubmission/set', capability, run: setSubmissions },
]
