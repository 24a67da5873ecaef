import type { AppOverrides, SaveSocialAppInput } from '@stoa/cms-model/social-apps.ts'
import { createSealer, SealError, type Sealer } from '@stoa/kit/crypto/seal.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import { Secret as SecretValue } from '@stoa/kit/secret.ts'
import type { Config, EnvironmentApp } from '../../config.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { sessionOf } from '../../principal.ts'
import { isWanted, refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import type { AppReach, Endpoints, Network, SocialPorts } from '../networks/networks.ts'
import { createNetworkHttp } from '../networks/networks.ts'
import { endpointsOf, mergeOverrides } from './overrides.ts'
import {
  type AppValues,
  deleteStoredApp,
  ensureStoredApp,
  findStoredApp,
  lastEditorOf,
  listStoredApps,
  lockStoredApp,
  pauseStoredApp,
  type StoredApp,
  updateStoredApp,
} from './queries.ts'

export { withVersion } from './overrides.ts'
export { isVersionEnding, versionEndOf, warningsOf } from './warnings.ts'

/** The app that a network is reached with, wherever its parts come from. */
export type App = {
  network: string
  definition: Network
  source: 'stored' | 'env' | 'none'
  clientId: string | null
  clientSecret: Secret | null
  secretLast4: string | null
  /** A secret is stored that the present SECRET cannot open. */
  isSecretLost: boolean
  enabled: boolean
  overrides: AppOverrides
  endpoints: Endpoints
  pausedUntil: Date | null
  /** Null while nothing is stored. */
  version: number | null
}

/** An app that people can connect accounts with. */
export type ReadyApp = App & { clientId: string; clientSecret: Secret }

/** The parts of a context that reading apps needs. */
export type AppsCtx = { readonly db: CmsDb; readonly config: Config } & Pick<SocialPorts, 'socialNetworks'>

/** The last characters of shorter secrets are not shown: too little would be left to guess. */
const MIN_SECRET_TO_SHOW = 12

export const callbackUrlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/social/oauth/callback`

export const isReady = (app: App): app is ReadyApp => app.enabled && app.clientId !== null && app.clientSecret !== null

export const listApps = async (ctx: AppsCtx): Promise<App[]> => {
  const stored = new Map((await listStoredApps(ctx.db)).map((app) => [app.network, app]))
  return Object.keys(ctx.socialNetworks).map((network) => toApp(ctx, network, stored.get(network) ?? null))
}

/** Unknown networks are not found. */
export const getApp = async (ctx: AppsCtx, network: string): Promise<App> => {
  requireNetwork(ctx, network)
  return toApp(ctx, network, await findStoredApp(ctx.db, network))
}

export const saveApp = async (
  ctx: Ctx,
  network: string,
  input: SaveSocialAppInput,
  wanted: WantedVersion,
): Promise<App> => {
  const { label } = requireNetwork(ctx, network)
  const by = sessionOf(ctx).account.id
  return ctx.tx(async (tx) => {
    await ensureStoredApp(tx, network, ctx.now())
    const before = (await lockStoredApp(tx, network)) ?? fail('NOT_FOUND')
    if (before.version > 0 || !isWanted(wanted, before.version)) await refuseOther(tx, wanted, before)
    const values = valuesAfter(ctx, before, input)
    const changed = changedKeys(before, values)
    if (changed.length === 0 && before.version > 0) return toApp(ctx, network, before)
    const after = await updateStoredApp(tx, network, values, { at: ctx.now(), by })
    await recordChange(ctx, tx, { action: 'social.app.saved', target: targetOf(network, label), changed })
    return toApp(ctx, network, after)
  })
}

/** Forgets what is stored. Accounts keep working until their tokens end. */
export const removeApp = async (ctx: Ctx, network: string, wanted: WantedVersion): Promise<void> => {
  const { label } = requireNetwork(ctx, network)
  await ctx.tx(async (tx) => {
    const before = (await lockStoredApp(tx, network)) ?? fail('NOT_FOUND')
    await refuseOther(tx, wanted, before)
    await deleteStoredApp(tx, network)
    await recordChange(ctx, tx, { action: 'social.app.removed', target: targetOf(network, label) })
  })
}

/** What is stored about apps, for those who need no more than whether they may be used. */
export const listAppStates = async (db: CmsDb): Promise<Pick<StoredApp, 'network' | 'enabled' | 'pausedUntil'>[]> =>
  listStoredApps(db)

/** A limit of the app was reached: nobody uses it before `until`. */
export const pauseStored = pauseStoredApp

const requireNetwork = ({ socialNetworks }: Pick<SocialPorts, 'socialNetworks'>, network: string): Network =>
  (Object.hasOwn(socialNetworks, network) ? socialNetworks[network] : undefined) ?? fail('NOT_FOUND')

/** What calls in the name of the app are made with. */
export const reachOf = (
  ctx: Pick<Ctx, 'config' | 'socialEgress' | 'now'>,
  app: ReadyApp,
  signal: AbortSignal,
  endpoints: Endpoints = app.endpoints,
): AppReach => ({
  http: createNetworkHttp(ctx.socialEgress, endpoints, signal),
  endpoints,
  clientId: app.clientId,
  clientSecret: app.clientSecret,
  redirectUri: callbackUrlOf(ctx.config),
  now: ctx.now,
})

const toApp = (ctx: Pick<AppsCtx, 'config' | 'socialNetworks'>, network: string, stored: StoredApp | null): App => {
  const definition = requireNetwork(ctx, network)
  const environment = definition.oauth.hasEnvironment ? (ctx.config.socialApps[network] ?? null) : null
  // A stored app without its own client ID only disables the environment's app, or overrides its endpoints.
  const used = stored !== null && (stored.clientId !== '' || environment === null) ? null : environment
  const overrides = stored?.overrides ?? {}
  return {
    network,
    definition,
    source: used ? 'env' : stored ? 'stored' : 'none',
    ...(used ? environmentCredentials(used) : storedCredentials(ctx.config, stored)),
    enabled: stored?.enabled ?? used !== null,
    overrides,
    endpoints: endpointsOf(definition.oauth, used, overrides),
    pausedUntil: stored?.pausedUntil ?? null,
    version: stored?.version ?? null,
  }
}

type Credentials = Pick<App, 'clientId' | 'clientSecret' | 'secretLast4' | 'isSecretLost'>

const environmentCredentials = ({ clientId, clientSecret }: EnvironmentApp): Credentials => ({
  clientId,
  clientSecret,
  secretLast4: clientSecret && last4(clientSecret.reveal()),
  isSecretLost: false,
})

const storedCredentials = (config: Config, stored: StoredApp | null): Credentials => {
  const clientSecret = stored && openSecret(sealerOf(config), stored)
  return {
    clientId: stored?.clientId || null,
    clientSecret,
    secretLast4: stored?.secretLast4 ?? null,
    isSecretLost: clientSecret === null && (stored?.secretSealed ?? null) !== null,
  }
}

const sealerOf = ({ secret }: Pick<Config, 'secret'>): Sealer => createSealer({ current: secret }, 'social-app')

const openSecret = (sealer: Sealer, { network, secretSealed }: StoredApp): Secret | null => {
  if (secretSealed === null) return null
  try {
    return sealer.open(secretSealed, network)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

const last4 = (secret: string): string | null => (secret.length < MIN_SECRET_TO_SHOW ? null : secret.slice(-4))

const valuesAfter = (ctx: Ctx, before: StoredApp, input: SaveSocialAppInput): AppValues => ({
  clientId: input.clientId ?? before.clientId,
  ...secretAfter(ctx, before, input.clientSecret),
  enabled: input.enabled ?? before.enabled,
  overrides: input.overrides ? mergeOverrides(before.overrides, input.overrides) : before.overrides,
})

const secretAfter = (
  ctx: Ctx,
  before: StoredApp,
  given: string | undefined,
): Pick<AppValues, 'secretSealed' | 'secretLast4'> => {
  if (given === undefined) return { secretSealed: before.secretSealed, secretLast4: before.secretLast4 }
  if (given === '') return { secretSealed: null, secretLast4: null }
  const secretSealed = sealerOf(ctx.config).seal(new SecretValue(given), before.network)
  return { secretSealed, secretLast4: last4(given) }
}

const NAMES: readonly (readonly [keyof AppValues, string])[] = [
  ['clientId', 'clientId'],
  ['secretSealed', 'clientSecret'],
  ['enabled', 'enabled'],
  ['overrides', 'overrides'],
]

const changedKeys = (before: AppValues, after: AppValues): string[] =>
  NAMES.filter(([key]) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).map(([, name]) => name)

const refuseOther = (tx: CmsTx, wanted: WantedVersion, stored: StoredApp): Promise<void> =>
  refuseOtherVersion(wanted, stored, () => lastEditorOf(tx, stored.network))

const targetOf = (network: string, label: string) => ({ kind: 'social-app', id: network, label })
