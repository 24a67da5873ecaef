import { isDeepStrictEqual } from 'node:util'
import { newId } from '@stoa/kit/ids.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import {
  activateScript,
  checkScript,
  checkScriptName,
  createScript,
  deleteScript,
  listScripts,
  MAX_SCRIPT_BYTES,
  ScriptRefusal,
  type ScriptRefusalKind,
  updateScript,
} from '../../../receiving/filters/filters.ts'
import type { Args, JmapCall } from '../method.ts'
import { failProperties, failSet, type SetError } from '../set-error.ts'
import { readBoolean, readOptionalString } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { applyPatch } from '../standard/patch.ts'
import { readSet, runSet, type SetOutcome, setAnswer } from '../standard/set.ts'
import { stateOf } from '../standard/state.ts'
import { toObject } from './object.ts'
import { readScriptBlob } from './script-content.ts'

/** SieveScript/set (RFC 9661 §2.4). */
export const setScripts = async (call: JmapCall, args: Args): Promise<Args> => {
  const { database } = call.parts
  const more = ['onSuccessActivateScript', 'onSuccessDeactivateScript']
  const request = await readSet(call, args, { more, wants: 'write' })
  const { access } = request
  const activate = readOptionalString(args, 'onSuccessActivateScript')
  const deactivate = readBoolean(args, 'onSuccessDeactivateScript')
  const outcome = await runSet(call, request, {
    create: (object) => orSetError(() => create(call, access, object)),
    update: (id, patch) => orSetError(() => update(call, access, id, patch)),
    destroy: (id) => orSetError(() => database.tx((tx) => deleteScript(tx, access.addressId, id))),
  })
  const hasFailed = [outcome.notCreated, outcome.notUpdated, outcome.notDestroyed].some(
    (errors) => Object.keys(errors).length > 0,
  )
  if (!hasFailed && deactivate) await change(call, access, { id: null, outcome })
  if (!hasFailed && activate !== null) await change(call, access, { id: realId(call, activate), outcome })
  return setAnswer(request, await stateOf(database.db, access.addressId), outcome)
}

const create = async (call: JmapCall, access: MailboxAccess, object: Args): Promise<Args & { id: string }> => {
  const unknown = Object.keys(object).filter((name) => name !== 'name' && name !== 'blobId')
  if (unknown.length > 0) failProperties(unknown, 'These properties cannot be set.')
  const { name = null, blobId } = object
  if (typeof blobId !== 'string') return failProperties(['blobId'], '"blobId" is required and must be an id.')
  // The service chooses a name that nothing else has.
  const given = name === null ? `script-${newId()}` : readName(name)
  const source = checkScript(await readScriptBlob(call, access, realId(call, blobId)))
  const now = call.parts.clock.now()
  const { id } = await call.parts.database.tx((tx) =>
    createScript(tx, { addressId: access.addressId, name: given, source, now }),
  )
  const made = await find(call, access, id)
  return { id, blobId: made.blobId, isActive: false, ...(made.name === name ? {} : { name: made.name }) }
}

const update = async (call: JmapCall, access: MailboxAccess, id: string, patch: Args): Promise<Args | null> => {
  const before = await find(call, access, id)
  const after = applyPatch(before, patch)
  const wrong = Object.keys(after).filter(
    (name) => name !== 'name' && name !== 'blobId' && !isDeepStrictEqual(after[name], before[name]),
  )
  if (wrong.length > 0) failProperties(wrong, 'These properties cannot be changed.')
  const { name, blobId } = after
  if (typeof blobId !== 'string') return failProperties(['blobId'], '"blobId" must be an id.')
  const source = blobId === before.blobId ? null : checkScript(await readScriptBlob(call, access, realId(call, blobId)))
  await call.parts.database.tx((tx) =>
    updateScript(tx, {
      addressId: access.addressId,
      id,
      ...(name === before.name ? {} : { name: readName(name) }),
      ...(source === null ? {} : { source }),
      now: call.parts.clock.now(),
    }),
  )
  // An upload is not what the script is read by later.
  return source === null ? null : { blobId: (await find(call, access, id)).blobId }
}

const find = async (call: JmapCall, { addressId }: MailboxAccess, id: string): Promise<Args> => {
  const script = (await listScripts(call.parts.database.db, addressId)).find((candidate) => candidate.id === id)
  return script ? toObject(script) : failSet('notFound', 'The script does not exist.')
}

const readName = (value: unknown): string =>
  typeof value === 'string' ? checkScriptName(value) : failProperties(['name'], '"name" must be a string.')

/** What is activated and deactivated is shown among what was created and updated. An id that names nothing is ignored. */
const change = async (
  call: JmapCall,
  { addressId }: MailboxAccess,
  { id, outcome }: { id: string | null; outcome: SetOutcome },
): Promise<void> => {
  try {
    const { activated, deactivated } = await call.parts.database.tx((tx) => activateScript(tx, addressId, id))
    if (deactivated !== null) show(outcome, deactivated, false)
    if (activated !== null) show(outcome, activated, true)
  } catch (error) {
    if (!(error instanceof ScriptRefusal && error.kind === 'no_such_script')) throw error
  }
}

const show = (outcome: SetOutcome, id: string, isActive: boolean): void => {
  const made = Object.values(outcome.created).find((created) => created.id === id)
  if (made) made.isActive = isActive
  else outcome.updated[id] = { ...outcome.updated[id], isActive }
}

const SET_ERRORS: Record<ScriptRefusalKind, string> = {
  no_such_script: 'notFound',
  script_exists: 'alreadyExists',
  script_active: 'sieveIsActive',
  bad_name: 'invalidProperties',
  bad_script: 'invalidSieve',
  too_large: 'tooLarge',
  too_many: 'overQuota',
}

/** The SetError of a refusal. */
export const scriptErrorOf = ({ kind, message, existingId }: ScriptRefusal): SetError => ({
  type: SET_ERRORS[kind],
  description: message,
  ...(kind === 'bad_name' ? { properties: ['name'] } : {}),
  ...(kind === 'too_large' ? { maxSize: MAX_SCRIPT_BYTES } : {}),
  ...(existingId === null ? {} : { existingId }),
})

const orSetError = async <R>(work: () => Promise<R>): Promise<R> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ScriptRefusal)) throw error
    const { type, description, ...more } = scriptErrorOf(error)
    return failSet(type, description, more)
  }
}
