import { type PluginManifest, pluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import { type PluginApproval, pluginApproval } from '@stoa/cms-model/plugins.ts'
import type { Config } from '../../config.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'
import { revealSettings, type StoredSettings, storedSettings } from './settings.ts'

export { changeSettings, type StoredSettings, showSettings } from './settings.ts'

/** A plugin whose sandbox dies so often in so much time is switched off. */
export const DEATHS = { most: 5, withinMs: 10 * 60_000 }

/** Times of the sandbox's recent deaths. */
export const recentDeaths = ({ deaths }: Pick<StoredPlugin, 'deaths'>, now: Date): Date[] =>
  deaths.filter((at) => at.getTime() > now.getTime() - DEATHS.withinMs)

/** The length to which messages are cut. */
const MAX_MESSAGE = 2_000

/** What a plugin said, as PostgreSQL can keep it: without U+0000 and lone surrogates. */
export const storable = (text: string, max = MAX_MESSAGE): string =>
  text.slice(0, max).toWellFormed().replaceAll('\0', '\ufffd')

/** `settings.own()`: every key that the plugin declares, with secrets in clear; what is not set has its default, or null. */
export const ownSettings = async (
  { db, config }: { readonly db: CmsDb; readonly config: Pick<Config, 'secret'> },
  name: string,
): Promise<Record<string, string | number | boolean | null>> => {
  const stored = await findStored(db, name)
  return stored?.manifest ? revealSettings(config, stored.manifest, stored.settings) : {}
}

/** A plugin as it is stored. */
export type StoredPlugin = {
  readonly name: string
  readonly enabled: boolean
  /** Null: another version of the service stored what this one does not understand. */
  readonly manifest: PluginManifest | null
  readonly hash: string
  readonly approved: PluginApproval | null
  readonly settings: StoredSettings
  readonly deaths: readonly Date[]
  readonly lastError: string | null
  readonly lastErrorAt: Date | null
  /** The hash of files that could not be started. */
  readonly brokenHash: string | null
  readonly version: number
  /** Null: it was only set up. */
  readonly installedAt: Date | null
  readonly updatedAt: Date
}

const columns = [
  'name',
  'enabled',
  'manifest',
  'hash',
  'approved',
  'settings',
  'deaths',
  'last_error',
  'last_error_at',
  'broken_hash',
  'version',
  'installed_at',
  'updated_at',
] as const

type Row = {
  name: string
  enabled: boolean
  manifest: unknown
  hash: string
  approved: unknown
  settings: unknown
  deaths: Date[]
  last_error: string | null
  last_error_at: Date | null
  broken_hash: string | null
  version: number
  installed_at: Date | null
  updated_at: Date
}

const toStored = (row: Row): StoredPlugin => ({
  name: row.name,
  enabled: row.enabled,
  manifest: pluginManifest.safeParse(row.manifest).data ?? null,
  hash: row.hash,
  approved: pluginApproval.safeParse(row.approved).data ?? null,
  settings: storedSettings.parse(row.settings),
  deaths: row.deaths,
  lastError: row.last_error,
  lastErrorAt: row.last_error_at,
  brokenHash: row.broken_hash,
  version: row.version,
  installedAt: row.installed_at,
  updatedAt: row.updated_at,
})

export const listStored = async (db: CmsDb): Promise<StoredPlugin[]> =>
  (await db.selectFrom('plugin').select(columns).orderBy('name').execute()).map(toStored)

export const listEnabled = async (db: CmsDb): Promise<StoredPlugin[]> =>
  (await db.selectFrom('plugin').select(columns).where('enabled', '=', true).orderBy('name').execute()).map(toStored)

export const findStored = async (db: CmsDb, name: string): Promise<StoredPlugin | null> => {
  const row = await db.selectFrom('plugin').select(columns).where('name', '=', name).executeTakeFirst()
  return row ? toStored(row) : null
}

/** The plugin, which nobody else changes before the transaction ends. */
export const lockStored = async (tx: CmsTx, name: string): Promise<StoredPlugin | null> => {
  const row = await tx.selectFrom('plugin').select(columns).where('name', '=', name).forUpdate().executeTakeFirst()
  return row ? toStored(row) : null
}

/** Who changed the plugin last, if that is known. */
export const lastEditorOf = async (db: CmsDb, name: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('plugin')
    .innerJoin('account', 'account.id', 'plugin.updated_by')
    .select(['account.id', 'account.name'])
    .where('plugin.name', '=', name)
    .executeTakeFirst()
  return row ?? null
}
