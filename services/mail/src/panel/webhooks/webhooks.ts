import type { Tx } from '@stoa/kit/db/database.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import {
  createEndpoint,
  type Endpoint,
  findEndpoint,
  lockEndpoint,
  retireEndpoints,
  rotateSecret,
  toEndpoint,
  updateEndpoint,
} from '@stoa/kit/webhooks/endpoints.ts'
import { newSigningSecret } from '@stoa/kit/webhooks/sign.ts'
import { checkTarget, type TargetRefusal } from '@stoa/kit/webhooks/target.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type {
  Webhook,
  WebhookInput,
  WebhookListRequest,
  WebhookUpdate,
  WebhookWithSecret,
} from '@stoa/mail-model/webhooks.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { findAccountPlan, lockPlan, planOf, refuseOver, requireFeature } from '../../hosting/plans/plans.ts'
import { announceWebhooks } from '../../hosting/webhook-events/webhook-events.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { countWebhooks, listWebhookRows } from './queries.ts'
import { detailsOf, type EndpointDetails, webhookJson } from './schema.ts'
import { createSender, webhookEgress } from './sender.ts'

const SECRET_BYTES = 24
/** `whsec_` and four characters: enough to distinguish secrets. */
const PREFIX_LENGTH = 10
/** The limit for accounts whose plan has none: every event is written once per endpoint. */
const MAX_WEBHOOKS = 100

const accountIdOf = (ctx: Ctx): string => sessionOf(ctx).account.id

/** The endpoint that a path names, if it is the account's. */
export const loadWebhook = async (ctx: Ctx, { params }: { params: { webhook_id: string } }): Promise<Endpoint> =>
  (await findEndpoint<Tables>(ctx.db, { owner: accountIdOf(ctx), id: params.webhook_id })) ?? fail('not_found')

/** Refuses with 402 where the plan has no webhooks. */
export const loadWebhookPlan = async (ctx: Ctx): Promise<void> => {
  const { plan } = (await findAccountPlan(ctx.db, accountIdOf(ctx))) ?? fail('not_found')
  requireFeature(planOf(plan), 'webhooks')
}

export const getWebhooks = async (ctx: Ctx, list: WebhookListRequest): Promise<List<Webhook>> => {
  const { rows, total } = await listWebhookRows(ctx.db, accountIdOf(ctx), list)
  return toList(
    list,
    total,
    rows.map((row) => webhookJson(toEndpoint(row))),
  )
}

/** The secret is in this answer and in no other: it is stored sealed. */
export const addWebhook = async (ctx: Ctx, body: WebhookInput): Promise<WebhookWithSecret> => {
  const accountId = accountIdOf(ctx)
  const url = readTarget(ctx, body.endpoint)
  const secret = newSigningSecret(SECRET_BYTES)
  const details: EndpointDetails = { description: body.description }
  const { sealer } = createSender(ctx.parts)
  const endpoint = await ctx.tx(async (tx) => {
    const plan = await lockPlan(tx, accountId)
    requireFeature(plan, 'webhooks')
    refuseOver(plan.limits.webhooks ?? MAX_WEBHOOKS, (await countWebhooks(tx, accountId)) + 1, 'webhooks')
    const created = await createEndpoint<Tables>(tx, sealer, {
      owner: accountId,
      url,
      events: body.events,
      details,
      status: body.status ?? 'enabled',
      secret,
      secretHint: prefixOf(secret),
      now: ctx.now(),
    })
    announceWebhooks(tx, accountId, [created.id], 'created')
    return created
  })
  return { ...webhookJson(endpoint), signing_secret: secret.reveal() }
}

/** Changes the members sent. Switching off ends what waits; switching on forgets past failures. */
export const changeWebhook = async (ctx: Ctx, id: string, body: WebhookUpdate): Promise<Webhook> => {
  const accountId = accountIdOf(ctx)
  const { events, description, status } = body
  const url = body.endpoint === undefined ? undefined : readTarget(ctx, body.endpoint)
  const key = { owner: accountId, id }
  return ctx.tx(async (tx) => {
    const plan = await lockPlan(tx, accountId)
    const before = (await lockEndpoint<Tables>(tx, key)) ?? fail('not_found')
    if (status === 'enabled' && before.status === 'disabled') requireFeature(plan, 'webhooks')
    const details: EndpointDetails = { ...detailsOf(before), ...(description !== undefined && { description }) }
    const changes = { details, ...(url !== undefined && { url }), ...(events && { events }), ...(status && { status }) }
    const changed = (await updateEndpoint<Tables>(tx, key, changes, ctx.now())) ?? fail('not_found')
    announceWebhooks(tx, accountId, [id], 'updated')
    return webhookJson(changed)
  })
}

/** Deletes an endpoint. Nobody sees it or its events any more; its log is removed bit by bit. */
export const removeWebhook = async (ctx: Ctx, id: string) => {
  const accountId = accountIdOf(ctx)
  await ctx.tx(async (tx) => {
    const [gone] = await retireEndpoints<Tables>(tx, { owner: accountId, id })
    if (gone === undefined) fail('not_found')
    announceWebhooks(tx, accountId, [id], 'deleted')
  })
  return { object: 'webhook', id, deleted: true } as const
}

/** From now on everything is signed with a new secret, also what waits already. */
export const rotateWebhook = async (ctx: Ctx, id: string) => {
  const accountId = accountIdOf(ctx)
  const secret = newSigningSecret(SECRET_BYTES)
  const { sealer } = createSender(ctx.parts)
  const fresh = { secret, secretHint: prefixOf(secret), now: ctx.now() }
  await ctx.tx(async (tx) => {
    if (!(await rotateSecret<Tables>(tx, sealer, { owner: accountId, id }, fresh))) fail('not_found')
    announceWebhooks(tx, accountId, [id], 'updated')
  })
  return { object: 'webhook', id, signing_secret: secret.reveal() } as const
}

/** Removes the webhooks of an account that is being deleted: its events are not sent from now on. */
export const removeAllWebhooks = async (tx: Tx<Tables>, accountId: string): Promise<void> => {
  await retireEndpoints<Tables>(tx, { owner: accountId })
}

const readTarget = (ctx: Ctx, text: string): string => {
  const egress = webhookEgress(ctx.config)
  const checked = checkTarget(egress, text)
  if ('url' in checked) return checked.url
  const isAnyHttp = checked.refused === 'scheme' && egress.allowPrivate
  return failMember('endpoint', isAnyHttp ? 'must start with http:// or https://' : PROBLEMS[checked.refused])
}

const PROBLEMS: Record<TargetRefusal, string> = {
  invalid_url: 'must be a URL like https://www.example.com/hook',
  scheme: 'must start with https://',
  port: 'must use port 443 or 8443',
  credentials: 'must not contain a username or password',
  not_public: 'must be on the public internet, unless WEBHOOK_ALLOW_PRIVATE is set',
}

const prefixOf = (secret: Secret): string => secret.reveal().slice(0, PREFIX_LENGTH)
