import { defaultSettings, type Settings, settings } from '@stoa/cms-model/settings.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../versions.ts'

/** Any number that no other lock of this database uses. */
const SETTINGS_LOCK = 4_300_002

/** One change of the settings at a time, also of settings that are not there yet; nobody uses a language meanwhile. */
export const lockSettings = async (tx: CmsTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${SETTINGS_LOCK})`.execute(tx)
}

/** Keeps the settings as they are until the transaction ends; others may do the same. */
export const lockSettingsShared = async (tx: CmsTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${SETTINGS_LOCK})`.execute(tx)
}

export const findSettings = async (db: CmsDb): Promise<Settings> => {
  const [row] = await db.query<{ settings: unknown; version: number }>({
    name: 'find-settings',
    text: 'select settings, version from site_settings',
  })
  return row ? toSettings(row) : defaultSettings
}

export type LastSave = { updatedAt: Date; updatedBy: Editor | null }

/** Who saved the settings last; null when nobody ever did. */
export const findLastSave = async (db: CmsDb): Promise<LastSave | null> => {
  const row = await db
    .selectFrom('site_settings')
    .leftJoin('account', 'account.id', 'site_settings.updated_by')
    .select(['site_settings.updated_at', 'account.id', 'account.name'])
    .executeTakeFirst()
  if (!row) return null
  const updatedBy = row.id === null || row.name === null ? null : { id: row.id, name: row.name }
  return { updatedAt: row.updated_at, updatedBy }
}

/** Stores the settings as the version after this one. */
export const saveSettings = async (
  tx: CmsTx,
  { version, ...members }: Settings,
  { at, by }: { at: Date; by: string },
): Promise<Settings> => {
  const row = { settings: JSON.stringify(members), version: version + 1, updated_at: at, updated_by: by }
  const saved = await tx
    .insertInto('site_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(row))
    .returning(['settings', 'version'])
    .executeTakeFirstOrThrow()
  return toSettings(saved)
}

/** Which of these are files of the media library; they stay there until the transaction ends. */
export const keepMedia = async (tx: CmsTx, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await tx.selectFrom('media').select('id').where('id', 'in', ids).forKeyShare().execute()
  return new Set(rows.map(({ id }) => id))
}

export type UsedLocale = { locale: string; entries: number }

/** Which of these languages entries are in, those in the trash counted: they can be restored. */
export const listUsedLocales = async (db: CmsDb, locales: readonly string[]): Promise<UsedLocale[]> =>
  db
    .selectFrom('entry')
    .select(['locale', (select) => select.fn.countAll<number>().as('entries')])
    .where('locale', 'in', locales)
    .groupBy('locale')
    .orderBy('locale')
    .execute()

const stored = z.looseObject({})

/** Members that came with a later release have their default until the next save. */
export const toSettings = (row: { settings: unknown; version: number }): Settings =>
  settings.parse({ ...defaultSettings, ...stored.parse(row.settings), version: row.version })
