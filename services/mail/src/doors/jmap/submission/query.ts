import { listSubmissions, type SubmissionSummary } from '../../../sending/submission/submission.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { failArgument, isStrings, parseUtcDate } from '../standard/arguments.ts'
import { allChanges } from '../standard/changes.ts'
import {
  type Comparator,
  type FilterNode,
  fits,
  queryAnswer,
  queryChangesAnswer,
  readFilter,
  readQuery,
  readQueryChanges,
  readSort,
} from '../standard/query.ts'
import { stateOf } from '../standard/state.ts'

type Condition = (submission: SubmissionSummary) => boolean

/** EmailSubmission/query (RFC 8621 §7.3). */
export const querySubmissions = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readQuery(call, args)
  const wanted = readWanted(args)
  const { db } = call.parts.database
  const queryState = await stateOf(db, request.access.addressId)
  return queryAnswer(request, { ids: await find(call, request.access.addressId, wanted), queryState })
}

/** EmailSubmission/queryChanges (RFC 8621 §7.4). */
export const submissionQueryChanges = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readQueryChanges(call, args)
  const wanted = readWanted(args)
  const { access, sinceQueryState: sinceState } = request
  const { db } = call.parts.database
  const newQueryState = await stateOf(db, access.addressId)
  const { created, updated, destroyed } = await allChanges(db, { access, sinceState }, ['submission'])
  const ids = await find(call, access.addressId, wanted)
  return queryChangesAnswer(request, { ids, changed: [...created, ...updated], destroyed, newQueryState })
}

type Wanted = { filter: FilterNode<Condition> | null; sort: readonly Comparator[] }

const readWanted = (args: Args): Wanted => ({
  filter: readFilter(args, readCondition),
  sort: readSort(args, Object.keys(SORT_KEYS)),
})

const find = async (call: JmapCall, addressId: string, { filter, sort }: Wanted): Promise<string[]> => {
  const all = await listSubmissions(call.parts.database.db, addressId)
  const found = all.filter((submission) => fits(filter, (condition) => condition(submission)))
  return found.toSorted((left, right) => compare(left, right, sort)).map(({ id }) => id)
}

/** RFC 8621 §7.3 calls it `sentAt`; some write it as the property is called. */
const SORT_KEYS: Record<string, (submission: SubmissionSummary) => string | number> = {
  emailId: ({ messageId }) => messageId,
  threadId: ({ threadId }) => threadId,
  sentAt: ({ sendAt }) => sendAt.getTime(),
  sendAt: ({ sendAt }) => sendAt.getTime(),
}

const compare = (left: SubmissionSummary, right: SubmissionSummary, sort: readonly Comparator[]): number => {
  for (const { property, isAscending } of sort) {
    const key = SORT_KEYS[property]
    const [a, b] = [key?.(left) ?? 0, key?.(right) ?? 0]
    if (a !== b) return a < b === isAscending ? -1 : 1
  }
  return left.id < right.id ? -1 : 1
}

const readCondition = (condition: Args): Condition => {
  const tests = Object.entries(condition).flatMap(([name, value]) => (value === null ? [] : [readTest(name, value)]))
  return (submission) => tests.every((test) => test(submission))
}

const readTest = (name: string, value: unknown): Condition => {
  switch (name) {
    case 'identityIds':
      return oneOf(name, value, ({ identityId }) => identityId)
    case 'emailIds':
      return oneOf(name, value, ({ messageId }) => messageId)
    case 'threadIds':
      return oneOf(name, value, ({ threadId }) => threadId)
    case 'undoStatus':
      if (typeof value !== 'string') return failArgument('filter', 'has an "undoStatus" that is not a string')
      return ({ undoStatus }) => undoStatus === value
    case 'before': {
      const moment = readMoment(name, value)
      return ({ sendAt }) => sendAt < moment
    }
    case 'after': {
      const moment = readMoment(name, value)
      return ({ sendAt }) => sendAt >= moment
    }
    default:
      return failMethod('unsupportedFilter', `Cannot filter by "${name.slice(0, 100)}".`)
  }
}

const oneOf = (name: string, value: unknown, read: (submission: SubmissionSummary) => string): Condition => {
  if (!isStrings(value)) return failArgument('filter', `has a "${name}" that is not a list of ids`)
  const wanted = new Set(value)
  return (submission) => wanted.has(read(submission))
}

const readMoment = (name: string, value: unknown): Date =>
  parseUtcDate(value) ?? failArgument('filter', `has a "${name}" that is not a UTC date`)
