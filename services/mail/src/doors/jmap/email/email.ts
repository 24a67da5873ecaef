import { type Args, CAPABILITIES, type JmapCall, type JmapMethod } from '../method.ts'
import { changesAnswer, findChanges, readChanges } from '../standard/changes.ts'
import { copyEmails } from './copy.ts'
import { getEmails } from './get.ts'
import { importEmails } from './import.ts'
import { parseEmails } from './parse.ts'
import { queryEmails } from './query.ts'
import { changedQuery } from './query-changes.ts'
import { setEmails } from './set.ts'

const capability = CAPABILITIES.mail

/** Email/changes (RFC 8621 §4.3). */
const changedEmails = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readChanges(call, args)
  return changesAnswer(request, await findChanges(call.parts.database.db, request, ['message']))
}

/** The methods of RFC 8621 §4. */
export const emailMethods: readonly JmapMethod[] = [
  { name: 'Email/get', capability, run: getEmails },
  { name: 'Email/changes', capability, run: changedEmails },
  { name: 'Email/query', capability, run: queryEmails },
  { name: 'Email/queryChanges', capability, run: changedQuery },
  { name: 'Email/set', capability, run: setEmails },
  { name: 'Email/copy', capability, run: copyEmails },
  { name: 'Email/import', capability, run: importEmails },
  { name: 'Email/parse', capability, run: parseEmails },
]
