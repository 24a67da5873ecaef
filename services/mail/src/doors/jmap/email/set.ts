import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { destroyMessages } from '../../../store/store.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { realId } from '../standard/get.ts'
import { emptyOutcome, readSet, type SetOutcome, type SetRequest, setAnswer, tryOne } from '../standard/set.ts'
import { stateOf } from '../standard/state.ts'
import { createEmail } from './create.ts'
import { isObjectId } from './ids.ts'
import { updateEmails } from './update.ts'

/** Email/set (RFC 8621 §4.6). */
export const setEmails = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readSet(call, args)
  if (!request.access.mayWrite && !isOnlySeen(request))
    return failMethod('accountReadOnly', 'This mailbox is read-only.')
  const outcome = emptyOutcome()
  for (const [creationId, object] of request.create)
    await tryOne(outcome.notCreated, creationId, async () => {
      const created = await createEmail(call, request.access, object)
      outcome.created[creationId] = created
      call.createdIds.set(creationId, created.id)
    })
  const doomed = request.destroy.map((id) => realId(call, id))
  await updateAll(call, request, new Set(doomed), outcome)
  await destroyAll(call, request.access, doomed, outcome)
  return setAnswer(request, await stateOf(call.parts.database.db, request.access.addressId), outcome)
}

/** Marking as read is allowed in every visible mailbox: each viewer has their own `$seen`. */
const isOnlySeen = ({ create, update, destroy }: SetRequest): boolean =>
  create.length === 0 &&
  destroy.length === 0 &&
  update.every(([, patch]) => Object.keys(patch).every((path) => path.toLowerCase() === 'keywords/$seen'))

const updateAll = async (
  call: JmapCall,
  { access, update }: SetRequest,
  doomed: ReadonlySet<string>,
  outcome: SetOutcome,
): Promise<void> => {
  const patches = new Map<string, Args>()
  for (const [given, patch] of update) {
    const id = realId(call, given)
    if (doomed.has(id)) outcome.notUpdated[id] = { type: 'willDestroy' }
    else if (patches.has(id))
      outcome.notUpdated[given] = { type: 'invalidPatch', description: 'Changed twice in one request.' }
    else patches.set(id, patch)
  }
  const { updated, notUpdated } = await updateEmails(call, access, [...patches])
  for (const id of updated) outcome.updated[id] = null
  for (const [id, error] of notUpdated) outcome.notUpdated[id] = error
}

const destroyAll = async (
  { parts }: JmapCall,
  { addressId }: MailboxAccess,
  ids: readonly string[],
  outcome: SetOutcome,
): Promise<void> => {
  const messageIds = ids.filter(isObjectId)
  if (messageIds.length > 0) {
    const now = parts.clock.now()
    const { destroyed } = await parts.database.tx((tx) => destroyMessages(tx, { addressId, messageIds, now }))
    outcome.destroyed.push(...destroyed)
  }
  const gone = new Set(outcome.destroyed)
  for (const id of ids) if (!gone.has(id)) outcome.notDestroyed[id] = { type: 'notFound' }
}
