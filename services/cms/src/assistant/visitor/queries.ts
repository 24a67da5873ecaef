import { defaultVisitorSettings, type VisitorSettings, visitorSettings } from '@stoa/cms-model/visitor.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

/** The key of an advisory lock, unique in this database. */
const VISITOR_SETTINGS_LOCK = 4_300_018

const stored = z.looseObject({})

/** The settings; the defaults while nobody has saved any. Members that came with a later release have their default. */
export const findVisitorSettings = async (db: CmsDb): Promise<VisitorSettings> => {
  const row = await db.selectFrom('visitor_settings').select(['settings', 'version']).executeTakeFirst()
  if (!row) return defaultVisitorSettings
  return visitorSettings.parse({ ...defaultVisitorSettings, ...stored.parse(row.settings), version: row.version })
}

/** One change of the settings at a time, also of settings that are not there yet. */
export const lockVisitorSettings = async (tx: CmsTx): Promise<VisitorSettings> => {
  await sql`select pg_advisory_xact_lock(${VISITOR_SETTINGS_LOCK})`.execute(tx)
  return findVisitorSettings(tx)
}

/** Stores the settings as the version after this one. */
export const saveVisitorSettings = async (
  tx: CmsTx,
  { version, ...members }: VisitorSettings,
  { at, by }: { at: Date; by: string | null },
): Promise<void> => {
  const row = { settings: JSON.stringify(members), version: version + 1, updated_at: at, updated_by: by }
  await tx
    .insertInto('visitor_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(row))
    .execute()
}

export type LastSave = { updatedAt: Date; updatedBy: Editor | null }

export const findLastVisitorSave = async (db: CmsDb): Promise<LastSave | null> => {
  const row = await db
    .selectFrom('visitor_settings')
    .leftJoin('account', 'account.id', 'visitor_settings.updated_by')
    .select(['visitor_settings.updated_at', 'account.id', 'account.name'])
    .executeTakeFirst()
  if (!row) return null
  const updatedBy = row.id === null || row.name === null ? null : { id: row.id, name: row.name }
  return { updatedAt: row.updated_at, updatedBy }
}
