import { ALL_TYPES, type CreateDeliveryKeyInput, type UpdateDeliveryKeyInput } from '@stoa/cms-model/keys.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import { hashToken, newKey } from '@stoa/kit/crypto/tokens.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { prefixes } from '../../credentials.ts'
import { fail, failFields } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { accountOf, type DeliveryPrincipal, sessionOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import {
  type DeliveryKeyRecord,
  findKey,
  findKeyByHash,
  findKeyEditor,
  insertKey,
  type KeyChanges,
  listKeys,
  listMissingTypes,
  lockKey,
  removeTypeFromKeys,
  updateKey,
} from './queries.ts'

export { createKeyCache } from './key-cache.ts'
export { createKeyAuthenticator, isCountedAtOnce, type KeyRate } from './presented.ts'

/** Whether the key is for entries of this type; it says nothing about whether there is such a type. */
export const readsType = ({ types }: Pick<DeliveryPrincipal, 'types'>, typeName: string): boolean =>
  types.includes(ALL_TYPES) || types.includes(typeName)

export const listDeliveryKeys = async (ctx: Ctx, page: Page): Promise<List<DeliveryKeyRecord>> => {
  const { keys, total } = await listKeys(ctx.db, page)
  return toList(keys, total, page)
}

export const getDeliveryKey = async (ctx: Ctx, id: string): Promise<DeliveryKeyRecord> =>
  (await findKey(ctx.db, id)) ?? fail('NOT_FOUND')

/** Makes a key. Its text is in this answer and nowhere else: the database keeps its SHA-256. */
export const mintDeliveryKey = async (
  ctx: Ctx,
  { name, types }: CreateDeliveryKeyInput,
): Promise<{ record: DeliveryKeyRecord; key: string }> => {
  const by = sessionOf(ctx).account.id
  const key = newKey(prefixes.delivery)
  const record = await ctx.tx(async (tx) => {
    await refuseMissingTypes(tx, types)
    const made = { id: newId(), name, keyHash: hashToken(key), last4: key.slice(-4), types }
    const inserted = await insertKey(tx, made, { at: ctx.now(), by })
    await recordKeyChange(ctx, tx, 'deliveryKey.created', inserted)
    return inserted
  })
  return { record, key }
}

/** Makes the key that BOOTSTRAP_DELIVERY_KEY names, unless there is a record of it: a revoked one stays revoked. */
export const bootstrapDeliveryKey = async (ctx: Ctx): Promise<void> => {
  const key = ctx.config.bootstrapKey?.reveal()
  if (key === undefined || (await findKeyByHash(ctx.db, hashToken(key))) !== null) return
  const made = {
    id: newId(),
    name: 'Created at startup',
    keyHash: hashToken(key),
    last4: key.slice(-4),
    types: [ALL_TYPES],
  }
  const insert = ctx.tx(async (tx) => {
    const inserted = await insertKey(tx, made, { at: ctx.now(), by: null })
    await recordKeyChange(ctx, tx, 'deliveryKey.created', inserted)
  })
  await insert.catch((raised: unknown) => {
    // Another process that starts at this moment has made it.
    if (!isConflict(raised, 'delivery_key_key_hash_key')) throw raised
  })
}

/** Changes name and type scopes; what the key reaches changes with its next request. */
export const updateDeliveryKey = async (
  ctx: Ctx,
  id: string,
  input: UpdateDeliveryKeyInput,
  wanted: WantedVersion,
): Promise<DeliveryKeyRecord> =>
  ctx.tx(async (tx) => {
    const present = await lockForChange(tx, id, wanted)
    if (present.revokedAt !== null) return fail('INVALID_STATE', { message: 'This key is revoked; create a new one' })
    const changes = changesOf(present, input)
    if (changes.types) await refuseMissingTypes(tx, changes.types)
    if (Object.keys(changes).length === 0) return present
    const updated = await updateKey(tx, id, changes, { at: ctx.now(), by: sessionOf(ctx).account.id })
    await recordKeyChange(ctx, tx, 'deliveryKey.updated', updated, Object.keys(changes))
    return updated
  })

/** Ends a key for good. The record stays, so that it is known what it was; a second time changes nothing. */
export const revokeDeliveryKey = async (ctx: Ctx, id: string, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    const present = await lockForChange(tx, id, wanted)
    if (present.revokedAt !== null) return
    const now = ctx.now()
    const revoked = await updateKey(tx, id, { revokedAt: now }, { at: now, by: sessionOf(ctx).account.id })
    await recordKeyChange(ctx, tx, 'deliveryKey.revoked', revoked)
  })

/** A deleted type is in no key's scopes any more. To be called after its row was deleted, so that none can add it again. */
export const forgetTypeInKeys = async (ctx: Ctx, tx: CmsTx, type: string): Promise<void> => {
  const changed = await removeTypeFromKeys(tx, type, { at: ctx.now(), by: accountOf(ctx).id })
  for (const key of changed) await recordKeyChange(ctx, tx, 'deliveryKey.updated', key, ['types'])
}

type KeyAction = 'deliveryKey.created' | 'deliveryKey.updated' | 'deliveryKey.revoked'

/** Listeners of this service are notified as well: caches of the key, and its sockets. */
const recordKeyChange = (
  ctx: Ctx,
  tx: CmsTx,
  action: KeyAction,
  { id, name }: DeliveryKeyRecord,
  changed: readonly string[] = [],
): Promise<void> =>
  recordChange(ctx, tx, {
    action,
    target: { kind: 'deliveryKey', id, label: name },
    changed,
    events: [{ name: action, data: { id }, isPublic: false, isInternal: true }],
  })

const lockForChange = async (tx: CmsTx, id: string, wanted: WantedVersion): Promise<DeliveryKeyRecord> => {
  const present = (await lockKey(tx, id)) ?? fail('NOT_FOUND')
  await refuseOtherVersion(wanted, present, () => findKeyEditor(tx, id))
  return present
}

const changesOf = (present: DeliveryKeyRecord, { name, types }: UpdateDeliveryKeyInput): KeyChanges => ({
  ...(name === undefined || name === present.name ? {} : { name }),
  ...(types === undefined || types.join('\n') === present.types.join('\n') ? {} : { types }),
})

const refuseMissingTypes = async (db: CmsDb, types: readonly string[]): Promise<void> => {
  if (types.includes(ALL_TYPES)) return
  const missing = await listMissingTypes(db, types)
  if (missing.length === 0) return
  const names = missing.slice(0, MAX_NAMED).join(', ')
  failFields([{ key: 'types', message: `unknown content type: ${names}` }])
}

/** Enough to fix the list. */
const MAX_NAMED = 10
