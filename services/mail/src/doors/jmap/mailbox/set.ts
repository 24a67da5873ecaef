import { isDeepStrictEqual } from 'node:util'
import { newId } from '@stoa/kit/ids.ts'
import {
  createFolder,
  type Folder,
  type FolderUpdate,
  listFolders,
  removeFolder,
  StoreRefusal,
  updateFolder,
} from '../../../store/store.ts'
import { type Args, CAPABILITIES, type JmapCall, type JmapMethod } from '../method.ts'
import { setErrorOf } from '../refusals.ts'
import { failProperties, failSet, type SetError, SetFailure } from '../set-error.ts'
import { readBoolean } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { applyPatch } from '../standard/patch.ts'
import { emptyOutcome, readSet, type SetOutcome, type SetRequest, setAnswer } from '../standard/set.ts'
import { stateOf } from '../standard/state.ts'
import { changedMembers, type MailboxInput, readCreation } from './input.ts'
import { mailboxView } from './view.ts'

/** RFC 8621 §2.5. */
export const mailboxSet: JmapMethod = {
  name: 'Mailbox/set',
  capability: CAPABILITIES.mail,
  async run(call, args) {
    const request = await readSet(call, args, { more: ['onDestroyRemoveEmails'], wants: 'write' })
    const removesEmails = readBoolean(args, 'onDestroyRemoveEmails')
    const outcome = emptyOutcome()
    await runSteps(stepsOf({ call, request, removesEmails, outcome }))
    return setAnswer(request, await stateOf(call.parts.database.db, request.access.addressId), outcome)
  },
}

type Work = { call: JmapCall; request: SetRequest; removesEmails: boolean; outcome: SetOutcome }

/** One object of the /set: tried until it works, or until nothing else does. */
type Step = {
  run(): Promise<void>
  failed(error: SetError): void
  /** The new members of an update, once it is known to fail only because a name is taken. */
  rename?: () => Promise<{ folderId: string; input: MailboxInput; done: (folder: Folder) => void }>
}

/** Errors that may go away once another object of the same /set has changed. */
const PASSING: ReadonlySet<string> = new Set(['alreadyExists', 'mailboxHasChild', 'notFound'])

/**
 * RFC 8620 §5.3: only the state at the end must be valid. What is refused is tried again as long as others succeed;
 * mailboxes that take each other's names are renamed together.
 */
const runSteps = async (all: { steps: Step[]; swap: (steps: Step[]) => Promise<boolean> }): Promise<void> => {
  let pending = all.steps
  for (;;) {
    const refused: [Step, SetError][] = []
    for (const step of pending) {
      const error = await attempt(step.run)
      if (error && PASSING.has(error.type)) refused.push([step, error])
      else if (error) step.failed(error)
    }
    const left = refused.map(([step]) => step)
    if (left.length === 0) return
    const isStuck = left.length === pending.length
    const renames = refused.filter(([step, { type }]) => step.rename && type === 'alreadyExists').map(([step]) => step)
    if (isStuck && !(renames.length > 1 && (await all.swap(renames)))) {
      for (const [step, error] of refused) step.failed(error)
      return
    }
    pending = isStuck ? left.filter((step) => !renames.includes(step)) : left
  }
}

const attempt = async (run: () => Promise<void>): Promise<SetError | null> => {
  try {
    await run()
    return null
  } catch (error) {
    const refusal = setErrorOf(error)
    if (!refusal) throw error
    return refusal
  }
}

const stepsOf = (work: Work): { steps: Step[]; swap: (steps: Step[]) => Promise<boolean> } => {
  const { create, update, destroy } = work.request
  const { database } = work.call.parts
  return {
    steps: [
      ...create.map(([creationId, object]) => creationStep(work, creationId, object)),
      ...update.map(([id, patch]) => updateStep(work, id, patch)),
      ...destroy.map((id) => destroyStep(work, id)),
    ],
    async swap(steps) {
      const { addressId } = work.request.access
      try {
        const renames = await Promise.all(steps.flatMap((step) => (step.rename ? [step.rename()] : [])))
        const folders = await database.tx(async (tx) => {
          for (const { folderId } of renames) await updateFolder(tx, { addressId, folderId, name: newId() })
          const made: Folder[] = []
          for (const { folderId, input } of renames)
            made.push(await updateFolder(tx, { addressId, folderId, ...input }))
          return made
        })
        for (const [index, { done }] of renames.entries()) if (folders[index]) done(folders[index])
        return true
      } catch (error) {
        if (error instanceof StoreRefusal) return false
        throw error
      }
    },
  }
}

const creationStep = ({ call, request: { access }, outcome }: Work, creationId: string, object: Args): Step => ({
  async run() {
    requireManage(access)
    const input = readCreation(call, object)
    const made = await naming(call, access.addressId, input, () =>
      call.parts.database.tx((tx) => createFolder(tx, { addressId: access.addressId, ...input })),
    )
    const view = mailboxView(made, access)
    const unsaid = Object.entries(view).filter(
      ([name, value]) => !Object.hasOwn(object, name) || object[name] !== value,
    )
    outcome.created[creationId] = Object.fromEntries(unsaid)
    call.createdIds.set(creationId, made.id)
  },
  failed(error) {
    outcome.notCreated[creationId] = finalError(error)
  },
})

const updateStep = (work: Work, given: string, patch: Args): Step => {
  const { call, request, outcome } = work
  const { access } = request
  const { database } = call.parts
  const find = async (): Promise<{ folder: Folder; input: MailboxInput }> => {
    requireManage(access)
    const id = realId(call, given)
    if (request.destroy.some((each) => realId(call, each) === id)) throw new SetFailure({ type: 'willDestroy' })
    const folder = (await listFolders(database.db, access.addressId)).find((each) => each.id === id)
    if (!folder) return failSet('notFound')
    const view = mailboxView(folder, access)
    return { folder, input: changedMembers(call, view, applyPatch(view, patch)) }
  }
  const done = (folder: Folder): void => {
    const isOther = typeof patch.name === 'string' && !isDeepStrictEqual(patch.name, folder.name)
    outcome.updated[folder.id] = isOther ? { name: folder.name } : null
  }
  return {
    async run() {
      const { folder, input } = await find()
      const update: FolderUpdate = { addressId: access.addressId, folderId: folder.id, ...input }
      const target = {
        name: input.name ?? folder.name,
        parentId: input.parentId === undefined ? folder.parentId : input.parentId,
      }
      done(await naming(call, access.addressId, target, () => database.tx((tx) => updateFolder(tx, update))))
    },
    async rename() {
      const { folder, input } = await find()
      return { folderId: folder.id, input, done }
    },
    failed(error) {
      outcome.notUpdated[realId(call, given)] = finalError(error)
    },
  }
}

const destroyStep = ({ call, request: { access }, removesEmails, outcome }: Work, given: string): Step => ({
  async run() {
    requireManage(access)
    const id = realId(call, given)
    const { database, clock } = call.parts
    await removeFolder(database, {
      addressId: access.addressId,
      folderId: id,
      messages: removesEmails ? 'destroy' : 'refuse',
      now: clock.now(),
    })
    outcome.destroyed.push(id)
  },
  failed(error) {
    outcome.notDestroyed[realId(call, given)] = error
  },
})

/** A parent that never came. */
const finalError = (error: SetError): SetError =>
  error.type === 'notFound' && error.properties ? { ...error, type: 'invalidProperties' } : error

const requireManage = ({ mayManage }: { mayManage: boolean }): void => {
  if (!mayManage) failSet('forbidden', 'You cannot change mailboxes in this account.')
}

/** Returns which mailbox has the name, and which property a refusal is about. */
const naming = async <T>(
  call: JmapCall,
  addressId: string,
  { name, parentId = null }: { name: string; parentId?: string | null },
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error
    if (error.kind === 'bad_name')
      return failProperties([/inside/.test(error.message) ? 'parentId' : 'name'], error.message)
    if (error.kind === 'role_taken') return failProperties(['role'], error.message)
    if (error.kind === 'no_such_folder') return failProperties(['parentId'], 'The mailbox does not exist.')
    if (error.kind === 'too_many') return failSet('overQuota', error.message)
    if (error.kind !== 'folder_exists') throw error
    const folders = await listFolders(call.parts.database.db, addressId)
    const existing = folders.find((folder) => folder.parentId === parentId && folder.name === name.normalize('NFC'))
    const inbox = folders.find(({ role }) => role === 'inbox')
    return failSet('alreadyExists', error.message, { existingId: (existing ?? inbox)?.id ?? '' })
  }
}
