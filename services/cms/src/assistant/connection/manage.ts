import type { AiConnection, AiConnectionInput, AiKind } from '@stoa/cms-model/ai.ts'
import { EgressRefused } from '@stoa/kit/egress/errors.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { sessionOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { checkBaseUrl, DEFAULT_BASE_URL } from '../providers/providers.ts'
import { connectedOf } from './connection.ts'
import { NO_CREDENTIAL, type SealedCredential, sealKey } from './credential.ts'
import {
  findProvider,
  lastEditorOf,
  lockProvider,
  type ProviderValues,
  type StoredProvider,
  saveProvider,
} from './queries.ts'
import { suggestions } from './suggestions.ts'

const LABELS: Readonly<Record<AiKind, string>> = {
  a: 'Anthropic',
  b: 'OpenAI',
  local: 'Local model server',
  cloud: 'Ollama Cloud',
}

/** What people may know about the connected provider. */
export const showConnection = async (ctx: Pick<Ctx, 'db' | 'config'>): Promise<AiConnection> =>
  toJson(ctx, await findProvider(ctx.db))

export const saveConnection = async (
  ctx: Ctx,
  input: AiConnectionInput,
  wanted: WantedVersion,
): Promise<AiConnection> => {
  const by = sessionOf(ctx).account.id
  await ctx.tx(async (tx) => {
    const before = await lockProvider(tx, ctx.now())
    await refuseOther(tx, wanted, before)
    const values = valuesAfter(ctx, before, input)
    const changed = changedKeys(before, values)
    if (changed.length === 0 && before.version > 0) return
    const isOther = changed.some((key) => CONNECTION.has(key))
    await saveProvider(tx, { ...values, lastTest: isOther ? null : values.lastTest }, { at: ctx.now(), by })
    const action = isOther ? 'ai.connected' : 'ai.updated'
    await recordChange(ctx, tx, { action, target: targetOf(input), changed })
  })
  return showConnection(ctx)
}

/** Forgets the provider and its credential; limits are the site's and stay. */
export const disconnect = (ctx: Ctx, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    const before = await lockProvider(tx, ctx.now())
    await refuseOther(tx, wanted, before)
    const { kind, model } = before
    if (kind === null) return
    const values = { ...before, kind: null, model: null, baseUrl: null, ...NO_CREDENTIAL, lastTest: null }
    await saveProvider(tx, values, { at: ctx.now(), by: sessionOf(ctx).account.id })
    await recordChange(ctx, tx, { action: 'ai.disconnected', target: targetOf({ kind, model: model ?? '' }) })
  })

const refuseOther = (tx: CmsTx, wanted: WantedVersion, stored: StoredProvider): Promise<void> =>
  refuseOtherVersion(wanted, stored, () => lastEditorOf(tx))

export const targetOf = ({ kind, model }: { kind: AiKind; model: string }) => ({
  kind: 'ai',
  id: null,
  label: `${LABELS[kind]} (${model})`,
})

const valuesAfter = (ctx: Ctx, before: StoredProvider, input: AiConnectionInput): ProviderValues => ({
  kind: input.kind,
  model: input.model,
  baseUrl: baseUrlAfter(ctx, before, input),
  ...credentialAfter(ctx, before, input),
  lastTest: before.lastTest,
  limits: { ...before.limits, ...given(input.limits) },
  contextTokens: input.contextTokens ?? before.contextTokens,
  compactTools: input.compactTools ?? before.compactTools,
  retentionDays: input.retentionDays ?? before.retentionDays,
})

/** Members that are there. */
const given = <T extends object>(values: T = {} as T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Only a local server has an address that can be chosen. */
export const baseUrlAfter = (
  { ai }: Pick<Ctx, 'ai'>,
  before: Pick<StoredProvider, 'kind' | 'baseUrl'>,
  { kind, baseUrl }: Pick<AiConnectionInput, 'kind' | 'baseUrl'>,
): string | null => {
  if (kind !== 'local') {
    if (baseUrl) failFields([{ key: 'baseUrl', message: 'can only be used with a local model server' }])
    return null
  }
  if (baseUrl === undefined) return (before.kind === 'local' ? before.baseUrl : null) ?? DEFAULT_BASE_URL
  if (baseUrl === null || baseUrl === '') return DEFAULT_BASE_URL
  try {
    return checkBaseUrl(ai.egress, baseUrl)
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    return failFields([{ key: 'baseUrl', message: 'must be a URL like http://127.0.0.1:11434' }])
  }
}

/** A credential belongs to one kind of provider: another kind never gets it. */
const credentialAfter = (
  { config }: Pick<Ctx, 'config'>,
  before: StoredProvider,
  { kind, apiKey }: AiConnectionInput,
): SealedCredential => {
  if (kind === 'local') {
    if (apiKey) failFields([{ key: 'apiKey', message: "isn't needed for a local model server" }])
    return NO_CREDENTIAL
  }
  if (apiKey === undefined) return before.kind === kind ? credentialOf(before) : NO_CREDENTIAL
  return apiKey === '' ? NO_CREDENTIAL : sealKey(config, kind, apiKey)
}

const credentialOf = ({ credentialFrom, sealed, last4 }: StoredProvider): SealedCredential => ({
  credentialFrom,
  sealed,
  last4,
})

const NAMES: readonly (readonly [keyof ProviderValues, string])[] = [
  ['kind', 'kind'],
  ['model', 'model'],
  ['baseUrl', 'baseUrl'],
  ['sealed', 'apiKey'],
  ['limits', 'limits'],
  ['contextTokens', 'contextTokens'],
  ['compactTools', 'compactTools'],
  ['retentionDays', 'retentionDays'],
]
/** A change of any of these invalidates the last test's result. */
const CONNECTION: ReadonlySet<string> = new Set(['kind', 'model', 'baseUrl', 'apiKey'])

const changedKeys = (before: ProviderValues, after: ProviderValues): string[] =>
  NAMES.filter(([key]) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).map(([, name]) => name)

const toJson = (ctx: Pick<Ctx, 'config'>, stored: StoredProvider): AiConnection => {
  const { kind, model, baseUrl, credentialFrom, last4, lastTest } = stored
  return {
    connected: connectedOf(ctx, stored) !== null,
    kind,
    model,
    baseUrl,
    credential: credentialFrom && { from: credentialFrom, last4: last4 ?? '' },
    oauthAvailable: ctx.config.aiOauth !== null,
    suggestions,
    capabilities: capabilitiesOf(lastTest),
    lastTest,
    limits: stored.limits,
    contextTokens: stored.contextTokens,
    compactTools: stored.compactTools,
    retentionDays: stored.retentionDays,
    version: stored.version,
  }
}

/** A test that broke off says nothing about the model. */
const capabilitiesOf = (test: StoredProvider['lastTest']): AiConnection['capabilities'] =>
  test?.ok ? { assistant: test.assistant, field: test.fieldAssistant } : { assistant: true, field: true }
