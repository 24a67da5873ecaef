import type { WebhookEvent } from '@stoa/cms-model/webhook-events.ts'
import { newId } from '@stoa/kit/ids.ts'
import { enqueueEvent } from '@stoa/kit/webhooks/deliveries.ts'
import type { CmsTx, Ctx } from '../context.ts'
import type { Principal } from '../principal.ts'
import type { Tables } from '../tables.ts'

/** Owner of all webhook endpoints: one database is one site. */
export const SITE = 'site'

export type Actor = { kind: 'user' | 'agent' | 'system'; id: string | null; name: string }
export type Via = 'session' | 'agent' | 'system' | 'assistant' | 'plugin'

/** What a webhook includes of the changed record: enough to find and revalidate it, never its content. */
export type EventData = {
  id: string
  slug?: string
  type?: string
  title?: string
  status?: string
  locale?: string
  url?: string | null
  /** The status of a social post on each network. */
  targets?: readonly { network: string; status: string; url: string | null; error: unknown }[]
}
export type PreviousData = { slug?: string; status?: string; url?: string | null }

export type ChangeRecord = {
  /** Activity's word for it, e.g. `entry.published`. */
  action: string
  target: { kind: string; id: string | null; label: string }
  /** Members that changed. */
  changed?: readonly string[]
  /**
   * Published to sockets, caches and webhooks after commit; if absent, only Activity records it. Several in their
   * order.
   */
  events?: readonly ChangeEvent[]
}

export type ChangeEvent = {
  data: EventData
  previous?: PreviousData | null
  /** Whether the change affects what the public can read; delivery caches then drop what they hold. */
  isPublic: boolean
} & (
  | { /** A webhook event of this name is sent. */ name: WebhookEvent; isInternal?: never }
  | { /** For sockets and caches only. */ isInternal: true; name: string }
)

/**
 * What another slice does about a change, in the transaction that makes it: both happen or neither. It runs last, after
 * the change was recorded for all subscribers.
 */
export type ChangeHook = (ctx: Ctx, tx: CmsTx, change: ChangeRecord) => Promise<void>

declare module '../context.ts' {
  interface Ports {
    readonly hooks: readonly ChangeHook[]
  }
}

/** Writes down who did what, and nothing more: for what no listener needs, and for work outside a request. */
export const recordActivity = (
  { principal, now }: Pick<Ctx, 'principal' | 'now'>,
  tx: CmsTx,
  { action, target, changed = [] }: Pick<ChangeRecord, 'action' | 'target' | 'changed'>,
): Promise<void> =>
  insertActivity(tx, {
    id: newId(),
    at: now(),
    actor: actorOf(principal),
    via: viaOf(principal),
    action,
    target,
    changed: [...changed],
  })

/**
 * Records every change, inside the transaction that makes it: who did it (Activity), webhook deliveries, what live
 * listeners receive once it is committed, and what other slices do about it (hooks).
 */
export const recordChange = async (ctx: Ctx, tx: CmsTx, change: ChangeRecord): Promise<void> => {
  const at = ctx.now()
  const changed = [...(change.changed ?? [])]
  await recordActivity(ctx, tx, change)
  for (const { name, data, previous = null, isPublic, isInternal } of change.events ?? []) {
    tx.changes.push({ topic: name.split('.')[0] ?? name, event: name, data: { ...data, isPublic } })
    if (isInternal) continue
    const enqueued = await enqueueEvent<Tables>(tx, {
      owner: SITE,
      type: name,
      now: at,
      filter: ({ details }) => wantsType(details, data.type),
      payload: (id) => eventBody(ctx, { id, name, at, data, previous, changed }),
    })
    if (enqueued.length > 0) announceDeliveries(tx)
  }
  for (const hook of ctx.hooks) await hook(ctx, tx, change)
}

export type WebhookMessage = {
  /** The ID of the delivery. */
  id: string
  name: string
  at: Date
  data: EventData
  previous: PreviousData | null
  changed: readonly string[]
}

/** The body of every webhook event: the same members whatever happened. */
export const eventBody = (
  { principal, config }: Pick<Ctx, 'principal' | 'config'>,
  { id, name, at, data, previous, changed }: WebhookMessage,
): string =>
  JSON.stringify({
    id: `evt_${id}`,
    event: name,
    createdAt: at.toISOString(),
    site: config.publicUrl,
    actor: actorOf(principal),
    data,
    previous,
    changed,
  })

/** Notifies the processes that webhook deliveries wait. It means nothing to other listeners. */
export const DELIVERIES_DUE = 'webhook.due'

/** Has the workers of all processes look for deliveries as soon as this transaction is committed. */
export const announceDeliveries = (tx: CmsTx): void => {
  if (tx.changes.some(({ event }) => event === DELIVERIES_DUE)) return
  tx.changes.push({ topic: 'webhook', event: DELIVERIES_DUE, data: {} })
}

const actorOf = (principal: Principal): Actor => {
  switch (principal.kind) {
    case 'session':
      return { kind: 'user', id: principal.account.id, name: principal.account.name }
    case 'agent':
      // A key acts under its own name, on behalf of a person.
      return { kind: 'agent', id: principal.keyId, name: `${principal.keyName} (${principal.account.name})` }
    case 'plugin':
      return principal.account
        ? { kind: 'user', id: principal.account.id, name: principal.account.name }
        : { kind: 'system', id: null, name: `plugin:${principal.name}` }
    case 'system':
      return { kind: 'system', id: null, name: principal.name }
    case 'delivery':
      throw new Error('Nothing is changed by a delivery key')
    case 'anonymous':
      throw new Error('Nothing is changed by nobody')
  }
}

const viaOf = (principal: Principal): Via => {
  switch (principal.kind) {
    case 'session':
      return principal.via ?? 'session'
    case 'agent':
    case 'plugin':
      return principal.kind
    default:
      return 'system'
  }
}

/** A hook may ask for some content types only; what has no type reaches every hook. */
const wantsType = (details: Record<string, unknown>, type: string | undefined): boolean => {
  const { types } = details
  return type === undefined || !Array.isArray(types) || types.length === 0 || types.includes(type)
}

type NewActivity = {
  id: string
  at: Date
  actor: Actor
  via: Via
  action: string
  target: { kind: string; id: string | null; label: string }
  changed: string[]
}

const insertActivity = async (tx: CmsTx, activity: NewActivity): Promise<void> => {
  const { id, at, actor, via, action, target, changed } = activity
  await tx
    .insertInto('activity')
    .values({
      id,
      at,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      via,
      action,
      target_kind: target.kind,
      target_id: target.id,
      target_label: target.label,
      changed,
    })
    .execute()
}
