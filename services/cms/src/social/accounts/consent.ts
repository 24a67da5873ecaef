import { newId } from '@stoa/kit/ids.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { beginConsent, takeConsent } from '../../people/consent/consent.ts'
import { sessionOf } from '../../principal.ts'
import { type App, callbackUrlOf, getApp, isReady, type ReadyApp, reachOf } from '../apps/apps.ts'
import {
  authorizeUrlOf,
  boundedWords,
  type FoundAccount,
  LineCut,
  missingScopes,
  NetworkFailure,
} from '../networks/networks.ts'
import { ensureAccount, saveConnection } from './queries.ts'
import { sealTokens, tokenSealer } from './reach.ts'

const PURPOSE = 'social'
/** Several calls of 15 seconds for a network with many pages. */
const CONNECT_TIMEOUT_MS = 45_000
const MAX_MESSAGE_LENGTH = 300
const MAX_NAME_LENGTH = 200
/** More pages than anybody manages; keeps the transaction small. */
const MAX_ACCOUNTS = 200

const payloadShape = z.object({
  network: z.string(),
  clientId: z.string(),
  appVersion: z.number().nullable(),
})

/** Where the person's browser goes to consent. */
export const startConsent = async (ctx: Ctx, network: string): Promise<string> => {
  const app = await getApp(ctx, network)
  if (!isReady(app)) return fail('SOCIAL_APP_MISSING', { details: { network } })
  const { oauth } = app.definition
  const payload = { network, clientId: app.clientId, appVersion: app.version }
  const issued = await beginConsent(ctx, { purpose: PURPOSE, payload, withPkce: oauth.pkce })
  return authorizeUrlOf(oauth, { ...app, redirectUri: callbackUrlOf(ctx.config) }, issued)
}

export type CallbackQuery = Readonly<Record<string, string | undefined>>

export type ConsentOutcome =
  | { network: string; count: number }
  | {
      network: string | null
      error: 'SOCIAL_STATE_INVALID' | 'SOCIAL_CONSENT_DENIED' | 'SOCIAL_APP_MISSING' | 'SOCIAL_PROVIDER_ERROR'
      message: string
    }

/** The way back from a network. What it says is believed only together with a state that was issued here. */
export const finishConsent = async (ctx: Ctx, query: CallbackQuery): Promise<ConsentOutcome> => {
  const begun = await takeConsent(ctx, query.state, { purpose: PURPOSE, shape: payloadShape, needs: 'social.manage' })
  if (begun === null || !Object.hasOwn(ctx.socialNetworks, begun.network))
    return { network: null, error: 'SOCIAL_STATE_INVALID', message: STATE_INVALID }
  const { network, principal, codeVerifier } = begun
  const denied = deniedText(query)
  if (denied !== null) return { network, error: 'SOCIAL_CONSENT_DENIED', message: bounded(denied) }
  const app = await getApp(ctx, network)
  if (!isReady(app) || !isSameApp(app, begun)) return { network, error: 'SOCIAL_APP_MISSING', message: APP_CHANGED }
  if (!query.code) return { network, error: 'SOCIAL_PROVIDER_ERROR', message: NO_CODE }
  try {
    const reach = reachOf(ctx, app, AbortSignal.timeout(CONNECT_TIMEOUT_MS))
    const found = await app.definition.connect(reach, { code: query.code, codeVerifier })
    if (found.length === 0) return { network, error: 'SOCIAL_PROVIDER_ERROR', message: NOTHING_FOUND }
    return { network, count: await saveAccounts({ ...ctx, principal }, app, found.slice(0, MAX_ACCOUNTS).map(fitting)) }
  } catch (error) {
    if (!(error instanceof NetworkFailure || error instanceof LineCut)) throw error
    ctx.log.warn({ network, reason: bounded(error.message) }, 'an account could not be connected')
    return { network, error: 'SOCIAL_PROVIDER_ERROR', message: bounded(error.message) }
  }
}

const STATE_INVALID = 'This link has expired or was already used. Connect the account again.'
const APP_CHANGED = 'The app was changed or removed in the meantime. Connect the account again.'
const NO_CODE = "The network didn't return a code. Connect the account again."
const NOTHING_FOUND = "The network didn't return an account you can post to."

/** Who denied, and why, in the words of Meta, LinkedIn and RFC 6749 §4.1.2.1. */
const deniedText = ({ error, error_description, error_reason, error_message }: CallbackQuery): string | null => {
  if (!error && !error_reason && !error_message) return null
  return error_description || error_message || error_reason || error || null
}

const isSameApp = (app: App, begun: { clientId: string; appVersion: number | null }): boolean =>
  app.clientId === begun.clientId && app.version === begun.appVersion

/** Connects whatever the person granted. Known accounts get new tokens, and keep what was planned for them. */
const saveAccounts = (ctx: Ctx, app: ReadyApp, found: readonly FoundAccount[]): Promise<number> => {
  const sealer = tokenSealer(ctx.config)
  const inOrder = [...new Map(found.map((account) => [account.remoteId, account])).values()].sort((a, b) =>
    a.remoteId < b.remoteId ? -1 : 1,
  )
  return ctx.tx(async (tx) => {
    for (const account of inOrder) {
      const connection = {
        network: app.network,
        found: account,
        endpoints: app.endpoints,
        clientId: app.clientId,
        missingScopes: missingScopes(app.endpoints.scopes, account.tokens.scopes),
        by: sessionOf(ctx).account.id,
        at: ctx.now(),
      }
      const before = await ensureAccount(tx, newId(), connection)
      await saveConnection(tx, before, connection, sealTokens(sealer, before.id, account.tokens))
      await recordChange(ctx, tx, {
        action: 'social.account.connected',
        target: { kind: 'social-account', id: before.id, label: account.name },
      })
    }
    return inOrder.length
  })
}

const bounded = (text: string): string => boundedWords(text, MAX_MESSAGE_LENGTH)

/** Names are kept and shown; whatever a network calls an account, they fit. */
const fitting = (account: FoundAccount): FoundAccount => ({
  ...account,
  name: boundedWords(account.name, MAX_NAME_LENGTH),
  handle: account.handle && boundedWords(account.handle, MAX_NAME_LENGTH),
})
