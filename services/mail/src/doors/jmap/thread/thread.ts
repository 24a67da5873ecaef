import { isUuid } from '@stoa/kit/ids.ts'
import { threadsOf } from '../../../store/store.ts'
import { CAPABILITIES, failMethod, type JmapMethod } from '../method.ts'
import { changesAnswer, findChanges, readChanges } from '../standard/changes.ts'
import { getAnswer, readGet } from '../standard/get.ts'
import { stateOf } from '../standard/state.ts'

/** RFC 8621 §3.1. All threads at once would be too many. */
const threadGet: JmapMethod = {
  name: 'Thread/get',
  capability: CAPABILITIES.mail,
  async run(call, args) {
    const request = await readGet(call, args, { defaults: ['id', 'emailIds'] })
    if (request.ids === null) return failMethod('requestTooLarge', 'List the thread ids.')
    const { db } = call.parts.database
    const { addressId } = request.access
    const state = await stateOf(db, addressId)
    const threads = await threadsOf(db, addressId, request.ids.filter(isUuid))
    const objects = new Map([...threads].map(([id, emailIds]) => [id, { id, emailIds }]))
    return getAnswer(request, { state, objects })
  },
}

/** RFC 8621 §3.2. */
const threadChanges: JmapMethod = {
  name: 'Thread/changes',
  capability: CAPABILITIES.mail,
  async run(call, args) {
    const request = await readChanges(call, args)
    return changesAnswer(request, await findChanges(call.parts.database.db, request, ['thread']))
  },
}

export const threadMethods: readonly JmapMethod[] = [threadGet, threadChanges]
