import { type AiKind, type AiLimits, type AiTest, aiTest, DEFAULT_AI_LIMITS } from '@stoa/cms-model/ai.ts'
import { moment } from '@stoa/cms-model/moments.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

/** The provider as it is stored. */
export type StoredProvider = {
  kind: AiKind | null
  model: string | null
  baseUrl: string | null
  credentialFrom: 'key' | 'oauth' | null
  sealed: string | null
  last4: string | null
  lastTest: (AiTest & { at: string }) | null
  limits: AiLimits
  contextTokens: number
  compactTools: boolean
  retentionDays: number
  version: number
  updatedAt: Date
}
export type ProviderValues = Omit<StoredProvider, 'version' | 'updatedAt'>

const columns = [
  'kind',
  'model',
  'base_url',
  'credential_from',
  'sealed',
  'last4',
  'last_test',
  'site_tokens_per_day',
  'user_tokens_per_day',
  'visitor_tokens_per_day',
  'context_tokens',
  'compact_tools',
  'retention_days',
  'version',
  'updated_at',
] as const

/** What a site has before anybody saved anything. */
const NO_PROVIDER: StoredProvider = {
  kind: null,
  model: null,
  baseUrl: null,
  credentialFrom: null,
  sealed: null,
  last4: null,
  lastTest: null,
  limits: DEFAULT_AI_LIMITS,
  // Ollama itself would take 4,096 on most machines: less than the tools alone need.
  contextTokens: 32_768,
  compactTools: false,
  retentionDays: 90,
  version: 0,
  updatedAt: new Date(0),
}

const storedTest = aiTest.extend({ at: moment }).nullable()

const read = async (db: CmsDb, isLocked: boolean): Promise<StoredProvider | null> => {
  const all = db.selectFrom('ai_provider').select(columns)
  const row = await (isLocked ? all.forUpdate() : all).executeTakeFirst()
  if (!row) return null
  return {
    kind: row.kind,
    model: row.model,
    baseUrl: row.base_url,
    credentialFrom: row.credential_from,
    sealed: row.sealed,
    last4: row.last4,
    lastTest: storedTest.parse(row.last_test),
    limits: {
      siteTokensPerDay: row.site_tokens_per_day,
      userTokensPerDay: row.user_tokens_per_day,
      visitorTokensPerDay: row.visitor_tokens_per_day,
    },
    contextTokens: row.context_tokens,
    compactTools: row.compact_tools,
    retentionDays: row.retention_days,
    version: row.version,
    updatedAt: row.updated_at,
  }
}

export const findProvider = async (db: CmsDb): Promise<StoredProvider> => (await read(db, false)) ?? NO_PROVIDER

const rowOf = (values: ProviderValues) => ({
  kind: values.kind,
  model: values.model,
  base_url: values.baseUrl,
  credential_from: values.credentialFrom,
  sealed: values.sealed,
  last4: values.last4,
  last_test: values.lastTest && JSON.stringify(values.lastTest),
  site_tokens_per_day: values.limits.siteTokensPerDay,
  user_tokens_per_day: values.limits.userTokensPerDay,
  visitor_tokens_per_day: values.limits.visitorTokensPerDay,
  context_tokens: values.contextTokens,
  compact_tools: values.compactTools,
  retention_days: values.retentionDays,
})

/** The provider, which nobody else changes before the transaction ends; its row is made if there was none. */
export const lockProvider = async (tx: CmsTx, at: Date): Promise<StoredProvider> => {
  await tx
    .insertInto('ai_provider')
    .values({ ...rowOf(NO_PROVIDER), version: 0, updated_at: at, updated_by: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await read(tx, true)) ?? NO_PROVIDER
}

/** Stores it as the next version. */
export const saveProvider = async (
  tx: CmsTx,
  values: ProviderValues,
  { at, by }: { at: Date; by: string },
): Promise<void> => {
  await tx
    .updateTable('ai_provider')
    .set((set) => ({ ...rowOf(values), version: set('version', '+', 1), updated_at: at, updated_by: by }))
    .execute()
}

/** Longer than a provider may take to give new tokens. */
const RENEWAL_TIMEOUT_MS = 20_000

/** Waits for the process that is asking the provider for new tokens. */
export const lockProviderPatiently = async (tx: CmsTx): Promise<StoredProvider> => {
  await tx.query({
    text: `select set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`,
    values: [`${RENEWAL_TIMEOUT_MS}ms`],
  })
  const statement = { text: 'select id from ai_provider for update', query_timeout: RENEWAL_TIMEOUT_MS + 1_000 }
  await tx.query(statement)
  return findProvider(tx)
}

/** Renewed tokens are no change that anybody made. */
export const saveSealed = async (tx: CmsTx, sealed: string): Promise<void> => {
  await tx.updateTable('ai_provider').set({ sealed }).execute()
}

/** What a test found out about this very version. */
export const saveLastTest = async (tx: CmsTx, version: number, test: AiTest & { at: string }): Promise<void> => {
  await tx
    .updateTable('ai_provider')
    .set({ last_test: JSON.stringify(test) })
    .where('version', '=', version)
    .execute()
}

/** Who saved the provider last, if that is known. */
export const lastEditorOf = async (db: CmsDb): Promise<Editor | null> => {
  const row = await db
    .selectFrom('ai_provider')
    .innerJoin('account', 'account.id', 'ai_provider.updated_by')
    .select(['account.id', 'account.name'])
    .executeTakeFirst()
  return row ?? null
}
