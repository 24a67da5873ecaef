import { isDeepStrictEqual } from 'node:util'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import {
  createIdentity,
  deleteIdentity,
  findIdentity,
  type Identity,
  IdentityRefusal,
  type IdentityRefusalKind,
  listIdentities,
  updateIdentity,
} from '../../../sending/identities/identities.ts'
import { parseMailbox } from '../../../wire/smtp/smtp.ts'
import { type Args, CAPABILITIES, type JmapCall, type JmapMethod } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { changesAnswer, findChanges, readChanges } from '../standard/changes.ts'
import { getAnswer, readGet } from '../standard/get.ts'
import { applyPatch } from '../standard/patch.ts'
import { readSet, runSet, setAnswer } from '../standard/set.ts'
import { stateOf } from '../standard/state.ts'
import { readIdentity } from './properties.ts'

const WRITABLE = ['name', 'replyTo', 'bcc', 'textSignature', 'htmlSignature']
const FIXED = ['id', 'email', 'mayDelete']
const PROPERTIES = [...FIXED, ...WRITABLE]

/** RFC 8621 §6. */
const toObject = ({ id, name, email, replyTo, bcc, textSignature, htmlSignature, isOwn }: Identity): Args => ({
  id,
  name,
  email,
  replyTo,
  bcc,
  textSignature,
  htmlSignature,
  mayDelete: !isOwn,
})

const getIdentities = async (call: JmapCall, args: Args): Promise<Args> => {
  const { database, clock } = call.parts
  const request = await readGet(call, args, { defaults: PROPERTIES })
  // The first call makes the mailbox's own one, before the state is read.
  await listIdentities(database, request.access, clock.now())
  const state = await stateOf(database.db, request.access.addressId)
  const identities = await listIdentities(database, request.access, clock.now())
  return getAnswer(request, { state, objects: new Map(identities.map((each) => [each.id, toObject(each)])) })
}

const identityChanges = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readChanges(call, args)
  return changesAnswer(request, await findChanges(call.parts.database.db, request, ['identity']))
}

const setIdentities = async (call: JmapCall, args: Args): Promise<Args> => {
  const { db } = call.parts.database
  const request = await readSet(call, args, { wants: 'write' })
  const { access } = request
  const outcome = await runSet(call, request, {
    create: (object) => orSetError(() => create(call, access, object)),
    update: (id, patch) => orSetError(() => update(call, access, id, patch)),
    destroy: (id) =>
      orSetError(() =>
        call.parts.database.tx((tx) =>
          deleteIdentity(tx, { addressId: access.addressId, id, now: call.parts.clock.now() }),
        ),
      ),
  })
  return setAnswer(request, await stateOf(db, access.addressId), outcome)
}

const create = async (call: JmapCall, { addressId }: MailboxAccess, object: Args) => {
  const unknown = Object.keys(object).filter((name) => name !== 'email' && !WRITABLE.includes(name))
  if (unknown.length > 0) failProperties(unknown, 'These properties cannot be set.')
  const { email } = object
  if (typeof email !== 'string' || !parseMailbox(email))
    return failProperties(['email'], '"email" is required and must be an email address.')
  const given = { addressId, email, ...readIdentity(object), now: call.parts.clock.now() }
  const identity = await call.parts.database.tx((tx) => createIdentity(tx, given))
  const made = toObject(identity)
  const unsaid = Object.entries(made).filter(([name, value]) => !isDeepStrictEqual(object[name], value))
  return { ...Object.fromEntries(unsaid), id: identity.id }
}

const update = async (call: JmapCall, { addressId }: MailboxAccess, id: string, patch: Args): Promise<null> => {
  const { database, clock } = call.parts
  const known = (await findIdentity(database.db, addressId, id)) ?? failSet('notFound', 'The identity does not exist.')
  const before = toObject(known)
  const after = applyPatch(before, patch)
  const wrong = Object.keys(after).filter(
    (name) => !WRITABLE.includes(name) && !(FIXED.includes(name) && isDeepStrictEqual(after[name], before[name])),
  )
  if (wrong.length > 0) failProperties(wrong, 'These properties cannot be changed.')
  await database.tx((tx) => updateIdentity(tx, { addressId, id, change: readIdentity(after), now: clock.now() }))
  return null
}

const SET_ERRORS: Record<IdentityRefusalKind, string> = {
  no_such_identity: 'notFound',
  // RFC 8621 §6.3.
  forbidden_from: 'forbiddenFrom',
  own_identity: 'forbidden',
  too_many: 'overQuota',
}

const orSetError = async <R>(work: () => Promise<R>): Promise<R> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof IdentityRefusal) return failSet(SET_ERRORS[error.kind], error.message)
    throw error
  }
}

const capability = CAPABILITIES.submission

/** Identity (RFC 8621 §6). */
export const identityMethods: readonly JmapMethod[] = [
  { name: 'Identity/get', capability, run: getIdentities },
  { name: 'Identity/changes', capability, run: identityChanges },
  { name: 'Identity/set', capability, run: setIdentities },
]
