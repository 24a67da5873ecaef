import { newToken, timingSafeEqualText } from '@stoa/kit/crypto/tokens.ts'
import { newId } from '@stoa/kit/ids.ts'
import { accessesOf } from '../../../hosting/shares/shares.ts'
import { readMailbox } from '../../../store/store.ts'
import { type Args, CAPABILITIES, failMethod, type JmapCall, type JmapMethod } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { readStrings, utcDate } from '../standard/arguments.ts'
import { pickObjects, readGetArguments } from '../standard/get.ts'
import { applyPatch } from '../standard/patch.ts'
import { readSetArguments, runSet, type SetWork, shownOutcome } from '../standard/set.ts'
import {
  readExpires,
  readSubscription,
  readTypeList,
  SUBSCRIPTION_PROPERTIES,
  subscriptionView,
} from './subscription.ts'
import {
  countSubscriptions,
  deleteSubscription,
  findSubscriptions,
  insertSubscription,
  type SubscriptionRow,
  updateSubscription,
} from './subscription-queries.ts'

/** Devices of one mailbox. */
const MAX_SUBSCRIPTIONS = 30

/** Notifies the push workers. */
export const PUSH_TOPIC = 'push_subscription'

/** RFC 8620 §7.2.1. */
const subscriptionGet: JmapMethod = {
  name: 'PushSubscription/get',
  capability: CAPABILITIES.core,
  async run(call, args) {
    if (readStrings(args, 'properties')?.some((name) => name === 'url' || name === 'keys'))
      return failMethod('forbidden', 'The URL and keys of a subscription are not returned.')
    const request = readGetArguments(call, args, { defaults: SUBSCRIPTION_PROPERTIES })
    const rows = await findSubscriptions(call.parts.database.db, call.signIn, call.parts.clock.now())
    return { ...pickObjects(request, new Map(rows.map((row) => [row.id, subscriptionView(row)]))) }
  },
}

/** RFC 8620 §7.2.2. */
const subscriptionSet: JmapMethod = {
  name: 'PushSubscription/set',
  capability: CAPABILITIES.core,
  async run(call, args) {
    const request = readSetArguments(args)
    return { ...shownOutcome(await runSet(call, request, workOf(call))) }
  },
}

const workOf = (call: JmapCall): SetWork => {
  const { database, clock } = call.parts
  const addressId = call.signIn.address.id
  const find = async (id: string): Promise<SubscriptionRow> =>
    (await findSubscriptions(database.db, call.signIn, clock.now())).find((row) => row.id === id) ?? failSet('notFound')
  return {
    create: (object) => create(call, object),
    async update(id, patch) {
      const row = await find(id)
      const { update, shown } = await readUpdate(call, row, patch)
      await database.tx((tx) => updateSubscription(tx, { addressId, id }, update))
      return shown
    },
    async destroy(id) {
      await find(id)
      await database.tx((tx) => deleteSubscription(tx, { addressId, id }))
    },
  }
}

const create = async (call: JmapCall, object: Args): Promise<Args & { id: string }> => {
  const { database, clock } = call.parts
  const { address, appPasswordId, passwordStamp, scope } = call.signIn
  const input = await readSubscription(call, object)
  const now = clock.now()
  const id = newId()
  await database.tx(async (tx) => {
    if ((await countSubscriptions(tx, address.id)) >= MAX_SUBSCRIPTIONS)
      failSet('overQuota', `At most ${MAX_SUBSCRIPTIONS} devices. Destroy an unused subscription.`)
    await insertSubscription(tx, {
      address_id: address.id,
      id,
      app_password_id: appPasswordId,
      password_stamp: passwordStamp,
      scope,
      device_client_id: input.deviceClientId,
      url: input.url,
      p256dh: input.keys?.p256dh ?? null,
      auth: input.keys?.auth ?? null,
      types: input.types,
      verification_code: newToken(),
      expires_at: input.expiresAt,
      due_at: now,
      created_at: now,
    })
    tx.changes.push({ topic: PUSH_TOPIC, event: 'created', data: { addressId: address.id, subscriptionId: id } })
  })
  return { id, keys: null, expires: utcDate(input.expiresAt) }
}

const CHANGEABLE = ['verificationCode', 'expires', 'types']

const readUpdate = async (call: JmapCall, row: SubscriptionRow, patch: Args) => {
  const after = applyPatch(subscriptionView(row), patch)
  const wrong = Object.keys(patch).filter((name) => !CHANGEABLE.includes(name.split('/', 1)[0] ?? ''))
  if (wrong.length > 0) return failProperties(wrong, 'These properties cannot be changed.')
  const isCode = Object.hasOwn(patch, 'verificationCode')
  if (isCode && !isRightCode(row, after.verificationCode))
    return failProperties(['verificationCode'], 'Wrong verification code.')
  const expiresAt = Object.hasOwn(patch, 'expires') ? readExpires(after.expires ?? null, call.parts.clock.now()) : null
  return {
    update: {
      types: readTypeList(after.types ?? null),
      ...(expiresAt && { expires_at: expiresAt }),
      ...(isCode && !row.verified && { verified: true as const, told: await presentStates(call) }),
    },
    shown: expiresAt && utcDate(expiresAt) !== patch.expires ? { expires: utcDate(expiresAt) } : null,
  }
}

const isRightCode = ({ verification_code }: SubscriptionRow, given: unknown): boolean =>
  typeof given === 'string' && timingSafeEqualText(verification_code, given)

/** The current states: later changes are pushed. */
const presentStates = async ({ parts, signIn }: JmapCall): Promise<Record<string, number>> => {
  const { db } = parts.database
  const states: Record<string, number> = {}
  for (const { addressId } of await accessesOf(db, signIn.address))
    states[addressId] = (await readMailbox(db, addressId)).modseq
  return states
}

export const pushMethods: readonly JmapMethod[] = [subscriptionGet, subscriptionSet]
