import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import type { CreateWebhookInput, UpdateWebhookInput } from '@stoa/cms-model/webhooks.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import { lastDeliveries } from '@stoa/kit/webhooks/deliveries.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  lockEndpoint,
  rotateSecret,
  updateEndpoint,
} from '@stoa/kit/webhooks/endpoints.ts'
import { newSigningSecret } from '@stoa/kit/webhooks/sign.ts'
import { checkTarget as check, type TargetRefusal } from '@stoa/kit/webhooks/target.ts'
import { listAllTypes } from '../../content/types/types.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { type ChangeHook, recordChange, SITE } from '../../events/events.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { type Editor, refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { detailsOf, type EndpointDetails, targetOf, type Webhook } from './schema.ts'

/** Equal to the length of the signing hash: more would not make a signature stronger. */
const SECRET_BYTES = 32

/** More than a site has. */
const MANY_WEBHOOKS = 10_000

/** The newest webhooks that the dashboard checks. */
const MOST_LOOKED_AT = 100

export type WithSecret = { webhook: Webhook; secret: Secret }

export const listWebhooks = async (ctx: Pick<Ctx, 'db'>, page: Page): Promise<List<Webhook>> => {
  const offset = (page.page - 1) * page.limit
  const { items, total } = await listEndpoints<Tables>(ctx.db, { owner: SITE, limit: page.limit, offset })
  const last = await lastDeliveries<Tables>(ctx.db, items)
  const webhooks = items.map((endpoint) => ({ endpoint, last: last.get(endpoint.id) ?? null }))
  return toList(webhooks, total, page)
}

/** Webhooks whose last delivery failed, or that were disabled for failing. */
export const listFailingWebhooks = async (
  ctx: Pick<Ctx, 'db'>,
): Promise<{ id: string; name: string; enabled: boolean }[]> => {
  const { items } = await listWebhooks(ctx, { page: 1, limit: MOST_LOOKED_AT })
  return items
    .filter(({ endpoint, last }) =>
      endpoint.status === 'enabled' ? last?.status === 'failed' : endpoint.disabledReason !== 'owner',
    )
    .map(({ endpoint }) => ({
      id: endpoint.id,
      name: detailsOf(endpoint).name,
      enabled: endpoint.status === 'enabled',
    }))
}

export const getWebhook = async (ctx: Ctx, id: string): Promise<Webhook> =>
  withLast(ctx, await requireEndpoint(ctx, id))

/** The secret is in the answer and nowhere else: it is stored sealed. */
export const createWebhook = async (ctx: Ctx, input: CreateWebhookInput): Promise<WithSecret> => {
  const url = checkTarget(ctx, input.url)
  const types = input.types ?? []
  await refuseUnknownTypes(ctx, types)
  const secret = newSigningSecret(SECRET_BYTES)
  const details: EndpointDetails = { name: input.name ?? new URL(url).host, types, updatedBy: editorOf(ctx) }
  const endpoint = await ctx.tx(async (tx) => {
    const created = await createEndpoint<Tables>(tx, ctx.webhooks.sealer, {
      owner: SITE,
      url,
      events: input.events,
      details,
      status: input.enabled === false ? 'disabled' : 'enabled',
      secret,
      secretHint: last4(secret),
      now: ctx.now(),
    })
    await recordChange(ctx, tx, { action: 'webhook.created', target: targetOf(created) })
    return created
  })
  return { webhook: { endpoint, last: null }, secret }
}

/** Changes the members sent. Switching off ends what is waiting, switching on forgets past failures. */
export const updateWebhook = async (
  ctx: Ctx,
  id: string,
  input: UpdateWebhookInput,
  wanted: WantedVersion,
): Promise<Webhook> => {
  // The stored types may include some that were deleted.
  const present = detailsOf(await requireEndpoint(ctx, id))
  const url = input.url === undefined ? undefined : checkTarget(ctx, input.url)
  await refuseUnknownTypes(
    ctx,
    (input.types ?? []).filter((name) => !present.types.includes(name)),
  )
  const endpoint = await ctx.tx(async (tx) => {
    const before = await lockForWrite(tx, id, wanted)
    const after = valuesAfter(before, { ...input, url })
    const changed = changedKeys(valuesOf(before), after)
    if (changed.length === 0) return before
    const { name, types, enabled, ...members } = after
    const details: EndpointDetails = { name, types, updatedBy: editorOf(ctx) }
    const status = enabled ? 'enabled' : 'disabled'
    const updated = await updateEndpoint<Tables>(tx, { owner: SITE, id }, { ...members, details, status }, ctx.now())
    if (updated === null) return fail('NOT_FOUND')
    await recordChange(ctx, tx, { action: 'webhook.updated', target: targetOf(updated), changed })
    return updated
  })
  return withLast(ctx, endpoint)
}

/** Deletes the webhook with its log. What is under way is not tried again. */
export const deleteWebhook = async (ctx: Ctx, id: string, wanted: WantedVersion): Promise<void> => {
  await ctx.tx(async (tx) => {
    const endpoint = await lockForWrite(tx, id, wanted)
    await deleteEndpoint<Tables>(tx, { owner: SITE, id })
    await recordChange(ctx, tx, { action: 'webhook.deleted', target: targetOf(endpoint) })
  })
}

/** From now on everything is signed with a new secret, also what waits already. */
export const rotateWebhook = async (ctx: Ctx, id: string, wanted: WantedVersion): Promise<WithSecret> => {
  const secret = newSigningSecret(SECRET_BYTES)
  const endpoint = await ctx.tx(async (tx) => {
    await lockForWrite(tx, id, wanted)
    const rotated = await rotateSecret<Tables>(
      tx,
      ctx.webhooks.sealer,
      { owner: SITE, id },
      {
        secret,
        secretHint: last4(secret),
        now: ctx.now(),
      },
    )
    if (rotated === null) return fail('NOT_FOUND')
    await recordChange(ctx, tx, { action: 'webhook.rotated', target: targetOf(rotated), changed: ['secret'] })
    return rotated
  })
  return { webhook: await withLast(ctx, endpoint), secret }
}

/**
 * A deleted type is named by no webhook any more, except where it is the only one: an empty list would mean all types, and
 * what has no type still reaches the hook.
 */
export const forgetDeletedType: ChangeHook = async (ctx, tx, { action, target: { id: type } }) => {
  if (action !== 'type.deleted' || type === null) return
  const { items } = await listEndpoints<Tables>(tx, { owner: SITE, limit: MANY_WEBHOOKS, offset: 0 })
  for (const { id } of items.filter((each) => isOneOfSeveral(each, type))) {
    const before = await lockEndpoint<Tables>(tx, { owner: SITE, id })
    if (before === null || !isOneOfSeveral(before, type)) continue
    const details = detailsOf(before)
    const types = details.types.filter((name) => name !== type)
    const updated = await updateEndpoint<Tables>(tx, { owner: SITE, id }, { details: { ...details, types } }, ctx.now())
    if (updated)
      await recordChange(ctx, tx, { action: 'webhook.updated', target: targetOf(updated), changed: ['types'] })
  }
}

const isOneOfSeveral = (endpoint: Endpoint, type: string): boolean => {
  const { types } = detailsOf(endpoint)
  return types.length > 1 && types.includes(type)
}

export const requireEndpoint = async (ctx: Ctx, id: string): Promise<Endpoint> =>
  (await findEndpoint<Tables>(ctx.db, { owner: SITE, id })) ?? fail('NOT_FOUND')

const lockForWrite = async (tx: CmsTx, id: string, wanted: WantedVersion): Promise<Endpoint> => {
  const endpoint = (await lockEndpoint<Tables>(tx, { owner: SITE, id })) ?? fail('NOT_FOUND')
  await refuseOtherVersion(wanted, endpoint, async () => detailsOf(endpoint).updatedBy)
  return endpoint
}

const withLast = async (ctx: Ctx, endpoint: Endpoint): Promise<Webhook> => {
  const last = await lastDeliveries<Tables>(ctx.db, [endpoint])
  return { endpoint, last: last.get(endpoint.id) ?? null }
}

const refuseUnknownTypes = async (ctx: Ctx, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return
  const known = new Set((await listAllTypes(ctx.db)).map(({ name }) => name))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) failFields([{ key: 'types', message: `there is no content type '${unknown}'` }])
}

/** What a person can change about a webhook. */
type Values = { name: string; url: string; events: string[]; types: string[]; enabled: boolean }

const valuesOf = (endpoint: Endpoint): Values => {
  const { name, types } = detailsOf(endpoint)
  return { name, url: endpoint.url, events: endpoint.events, types, enabled: endpoint.status === 'enabled' }
}

const valuesAfter = (endpoint: Endpoint, input: UpdateWebhookInput): Values => {
  const before = valuesOf(endpoint)
  return {
    name: input.name ?? before.name,
    url: input.url ?? before.url,
    events: input.events ?? before.events,
    types: input.types ?? before.types,
    enabled: input.enabled ?? before.enabled,
  }
}

const VALUE_KEYS = ['name', 'url', 'events', 'types', 'enabled'] as const satisfies (keyof Values)[]

const changedKeys = (before: Values, after: Values): string[] =>
  VALUE_KEYS.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))

const editorOf = (ctx: Ctx): Editor => {
  const { id, name } = sessionOf(ctx).account
  return { id, name }
}

const last4 = (secret: Secret): string => secret.reveal().slice(-4)

/** The address as it will be called, if events may be sent there. */
const checkTarget = (ctx: Ctx, text: string): string => {
  const { egress } = ctx.webhooks
  const checked = check(egress, text)
  if ('url' in checked) return checked.url
  const message = checked.refused === 'scheme' && egress.allowPrivate ? ANY_HTTP : MESSAGES[checked.refused]
  return fail('WEBHOOK_TARGET_REFUSED', { details: { fields: [{ key: 'url', message }] }, cause: checked.cause })
}

const ANY_HTTP = 'must start with http:// or https://'

const MESSAGES: Record<TargetRefusal, string> = {
  invalid_url: 'must be a URL like https://www.example.com/hook',
  scheme: 'must start with https://',
  port: 'must use port 443 or 8443',
  credentials: 'must not contain a username or password',
  not_public: 'must be on the public internet, unless WEBHOOK_ALLOW_PRIVATE is set',
}
