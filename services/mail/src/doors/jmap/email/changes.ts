import type { Args, JmapCall } from '../method.ts'
import { changesAnswer, findChanges, readChanges } from '../standard/changes.ts'

/** Email/changes (RFC 8621 §4.3). */
export const changedEmails = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readChanges(call, args)
  return changesAnswer(request, await findChanges(call.parts.database.db, request, ['message']))
}
