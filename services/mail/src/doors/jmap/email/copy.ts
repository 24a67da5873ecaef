import { quotaOf } from '../../../hosting/plans/plans.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { copyToMailbox, getMessages } from '../../../store/store.ts'
import { messageBlobId } from '../blobs.ts'
import { MAX_OBJECTS_IN_SET } from '../limits.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { checkNames, failArgument, readBoolean, readOptionalString, readRecords } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { checkState, emptyOutcome, shownOutcome, tryOne } from '../standard/set.ts'
import { stateOf } from '../standard/state.ts'
import { type CreatedEmail, refuseMailbox } from './create.ts'
import { readKeywords, readMailboxIds, readReceivedAt } from './filing.ts'
import { isObjectId } from './ids.ts'

const ARGUMENTS = [
  'fromAccountId',
  'ifFromInState',
  'ifInState',
  'create',
  'onSuccessDestroyOriginal',
  'destroyFromIfInState',
]

/** Email/copy (RFC 8620 §5.4, RFC 8621 §4.7): each message for itself. */
export const copyEmails = async (call: JmapCall, args: Args): Promise<Args> => {
  const to = await call.account(args, 'write')
  checkNames(args, ARGUMENTS)
  const from = await fromAccount(call, args, to)
  if ((args.create ?? null) === null) return failArgument('create', 'is required')
  const create = readRecords(args, 'create')
  if (create.length > MAX_OBJECTS_IN_SET)
    return failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_SET} messages at once.`)
  const { db } = call.parts.database
  const oldState = await stateOf(db, to.addressId)
  checkState(readOptionalString(args, 'ifInState'), oldState)
  checkState(readOptionalString(args, 'ifFromInState'), await stateOf(db, from.addressId))
  const outcome = emptyOutcome()
  const originals = new Set<string>()
  for (const [creationId, object] of create)
    await tryOne(outcome.notCreated, creationId, async () => {
      const id = typeof object.id === 'string' ? realId(call, object.id) : failProperties(['id'], 'Must be an id.')
      const created = await copyEmail(call, { from, to, id, object })
      outcome.created[creationId] = created
      call.createdIds.set(creationId, created.id)
      originals.add(id)
    })
  if (readBoolean(args, 'onSuccessDestroyOriginal') && originals.size > 0)
    await call.andThen('Email/set', {
      accountId: from.addressId,
      destroy: [...originals],
      ifInState: readOptionalString(args, 'destroyFromIfInState'),
    })
  const { created, notCreated } = shownOutcome(outcome)
  const newState = await stateOf(db, to.addressId)
  return { fromAccountId: from.addressId, accountId: to.addressId, oldState, newState, created, notCreated }
}

const fromAccount = async (call: JmapCall, { fromAccountId }: Args, to: MailboxAccess): Promise<MailboxAccess> => {
  if (typeof fromAccountId !== 'string') return failArgument('fromAccountId', 'is required and must be an id')
  if (fromAccountId === to.addressId) return failArgument('fromAccountId', 'must be a different account')
  return (await call.findAccount(fromAccountId)) ?? failMethod('fromAccountNotFound', 'The account does not exist.')
}

const PROPERTIES = ['id', 'mailboxIds', 'keywords', 'receivedAt']

const copyEmail = async (
  call: JmapCall,
  { from, to, id, object }: { from: MailboxAccess; to: MailboxAccess; id: string; object: Args },
): Promise<CreatedEmail> => {
  const { database, clock } = call.parts
  const unknown = Object.keys(object).filter((name) => !PROPERTIES.includes(name))
  if (unknown.length > 0) failProperties(unknown, 'This property cannot be changed in a copy.')
  const folderIds = readMailboxIds(call, object.mailboxIds ?? null)
  const receivedAt = readReceivedAt(object.receivedAt ?? null)
  const wanted = {
    messageId: id,
    folderIds,
    ...((object.keywords ?? null) === null ? {} : { keywords: readKeywords(object.keywords) }),
    ...(receivedAt ? { receivedAt } : {}),
  }
  if (!isObjectId(id)) return failSet('notFound')
  const [copied] = await database
    .tx(async (tx) => {
      const isVisible = (await getMessages(tx, from.addressId, [id])).length > 0
      if (!isVisible) return []
      const quotaBytes = await quotaOf(tx, to.addressId)
      return copyToMailbox(tx, { from, to, messages: [wanted], quotaBytes, now: clock.now() })
    })
    .catch(refuseMailbox)
  if (!copied) return failSet('notFound')
  const { newMessageId, threadId, size } = copied
  return { id: newMessageId, blobId: messageBlobId(newMessageId), threadId, size }
}
