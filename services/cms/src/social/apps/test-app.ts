import { randomBytes } from 'node:crypto'
import { Secret } from '@stoa/kit/secret.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { LineCut, NetworkFailure } from '../networks/networks.ts'
import { getApp, isReady, reachOf } from './apps.ts'

export type AppTest = { ok: boolean; message: string }

const TIMEOUT_MS = 15_000

/**
 * Shows the network a code that it never gave out. One that knows the app complains about the code, any other about the
 * app: so id and secret are tried without a person's consent.
 */
export const testApp = async (ctx: Ctx, network: string): Promise<AppTest> => {
  const app = await getApp(ctx, network)
  if (!isReady(app)) return fail('SOCIAL_APP_MISSING')
  const { label } = app.definition
  const dummy = () => randomBytes(32).toString('base64url')
  try {
    await app.definition.connect(reachOf(ctx, app, AbortSignal.timeout(TIMEOUT_MS)), {
      code: dummy(),
      codeVerifier: app.definition.oauth.pkce ? new Secret(dummy()) : null,
    })
    return { ok: false, message: `${label} accepted an invalid code. Check the token URL.` }
  } catch (error) {
    if (error instanceof LineCut) return { ok: false, message: `${label} didn't respond. Check the URLs.` }
    if (error instanceof NetworkFailure) return outcomeOf(error, label)
    throw error
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'ADDRESS_REFUSED'])

const outcomeOf = ({ facts }: NetworkFailure, label: string): AppTest => {
  const words = facts.message.slice(0, MAX_WORDS)
  const known = { ok: true, message: `${label} accepted this app.` }
  if (facts.code === 'invalid_grant') return known
  if (facts.kind === 'transient' || facts.kind === 'rate')
    return { ok: false, message: `${label} is busy: ${words}. Try again later.` }
  const isAboutApp = REFUSALS.has(facts.code) || facts.httpStatus === 404 || ABOUT_APP.test(words)
  return isAboutApp ? { ok: false, message: `${label} rejected this app: ${words}` } : known
}

const MAX_WORDS = 300
/** Meta and others have one code for everything, and the reason in the text. */
const ABOUT_APP = /client|secret|\bapp(lication)?\b|redirect/i
