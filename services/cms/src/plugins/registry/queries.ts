import type { PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import type { PluginApproval, PluginRun } from '@stoa/cms-model/plugins.ts'
import { z } from 'zod'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { PluginFiles } from '../folder/folder.ts'
import type { StoredSettings } from '../records/records.ts'

type By = { readonly at: Date; readonly by: string | null }

/** Inserts the plugin with version 0 if it is missing. Of two concurrent inserts, the second waits here for the first. */
export const ensureStored = async (tx: CmsTx, manifest: PluginManifest, at: Date): Promise<void> => {
  await tx
    .insertInto('plugin')
    .values({
      name: manifest.name,
      enabled: false,
      manifest: JSON.stringify(manifest),
      hash: '',
      approved: null,
      last_error: null,
      last_error_at: null,
      broken_hash: null,
      version: 0,
      installed_at: null,
      updated_at: at,
      updated_by: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type Installation = {
  readonly manifest: PluginManifest
  readonly hash: string
  readonly approved: PluginApproval
  readonly files: PluginFiles
}

/** On, with these files; what went wrong before is forgotten. */
export const installFiles = async (tx: CmsTx, installation: Installation, { at, by }: By): Promise<void> => {
  const { manifest, hash, approved, files } = installation
  await tx
    .updateTable('plugin')
    .set((set) => ({
      enabled: true,
      manifest: JSON.stringify(manifest),
      hash,
      approved: JSON.stringify(approved),
      deaths: [],
      last_error: null,
      last_error_at: null,
      broken_hash: null,
      installed_at: set.fn.coalesce('installed_at', set.val(at)),
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where('name', '=', manifest.name)
    .execute()
  await tx.deleteFrom('plugin_file').where('plugin', '=', manifest.name).execute()
  await tx
    .insertInto('plugin_file')
    .values([...files].map(([path, bytes]) => ({ plugin: manifest.name, path, bytes })))
    .execute()
}

/** Off; deaths are forgotten, because a person decided. */
export const disableStored = async (tx: CmsTx, name: string, { at, by }: By): Promise<void> => {
  await tx
    .updateTable('plugin')
    .set((set) => ({ enabled: false, deaths: [], version: set('version', '+', 1), updated_at: at, updated_by: by }))
    .where('name', '=', name)
    .execute()
}

export const updateSettings = async (
  tx: CmsTx,
  name: string,
  settings: StoredSettings,
  { at, by }: By,
): Promise<void> => {
  await tx
    .updateTable('plugin')
    .set((set) => ({
      settings: JSON.stringify(settings),
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where('name', '=', name)
    .execute()
}

/** These files could not be started. */
export const updateBroken = async (
  tx: CmsTx,
  name: string,
  { hash, message, at }: { hash: string; message: string; at: Date },
): Promise<void> => {
  await tx.query({
    text: `update plugin set broken_hash = $2, last_error = $3, last_error_at = $4, version = greatest(version, 1)
      where name = $1`,
    values: [name, hash, message, at],
  })
}

/** Rows of a plugin that one statement deletes, so that none takes long. */
const DELETED_AT_ONCE = 5_000

/** The plugin and all that it kept. */
export const deleteStored = async (tx: CmsTx, name: string): Promise<void> => {
  for (const table of ['plugin_document', 'plugin_event'] as const)
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; ) {
      const rows = await tx.query({
        text: `delete from ${table} where ctid = any (array(
          select ctid from ${table} where plugin = $1 limit ${DELETED_AT_ONCE})) returning 1`,
        values: [name],
      })
      deleted = rows.length
    }
  await tx.deleteFrom('plugin').where('name', '=', name).execute()
}

const lines = z.array(z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), text: z.string() }))

/** Newest first; no more are kept. */
export const listRuns = async (db: CmsDb, name: string): Promise<PluginRun[]> => {
  const rows = await db.selectFrom('plugin_run').selectAll().where('plugin', '=', name).orderBy('id', 'desc').execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    name: row.name,
    ms: row.ms,
    outcome: row.outcome,
    message: row.message,
    lines: lines.parse(row.lines),
  }))
}
