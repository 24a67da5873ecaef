import {
  defaultSettings,
  type Settings,
  type SettingsMembers,
  settings,
  settingsProblems,
  type UpdateSettingsInput,
} from '@stoa/cms-model/settings.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { accountOf } from '../../principal.ts'
import { type Editor, isWanted, refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'

/** The settings of the site; the defaults while nobody has saved any. */
export const readSettings = (db: CmsDb): Promise<Settings> => findSettings(db)

/**
 * The settings, unchanged until the transaction ends: code that stores something they must allow, such as an entry in
 * one of the languages, checks it against these.
 */
export const readLockedSettings = async (tx: CmsTx): Promise<Settings> => {
  await lockSettingsShared(tx)
  return findSettings(tx)
}

/** Changes the members sent. */
export const updateSettings = (ctx: Ctx, input: UpdateSettingsInput, wanted: WantedVersion): Promise<Settings> =>
  ctx.tx(async (tx) => {
    await lockSettings(tx)
    const present = await findSettings(tx)
    await refuseStale(tx, present, wanted)
    const next = mergeSettings(present, input)
    const changed = memberNames.filter((name) => !isSame(present[name], next[name]))
    if (changed.length === 0) return present
    const problems = [...settingsProblems(next, input), ...(await mediaProblems(tx, next, changed))]
    if (problems.length > 0) failFields(problems)
    await refuseUsedLocales(tx, present, next)
    const saved = await saveSettings(tx, next, { at: ctx.now(), by: accountOf(ctx).id })
    await recordChange(ctx, tx, {
      action: 'settings.updated',
      target: { kind: 'settings', id: null, label: saved.title },
      changed,
      events: [{ name: 'settings.updated', data: { id: 'settings', title: saved.title }, isPublic: true }],
    })
    return saved
  })

const memberNames = [
  'title',
  'tagline',
  'description',
  'url',
  'locale',
  'locales',
  'logoId',
  'socialImageId',
  'revisionLimit',
  'trashDays',
  'imageSizes',
  'deliveryRatePerMinute',
  'stripLocation',
  'timezone',
] as const satisfies (keyof SettingsMembers)[]

const mergeSettings = (present: Settings, input: UpdateSettingsInput): Settings => ({
  title: input.title ?? present.title,
  tagline: input.tagline ?? present.tagline,
  description: input.description ?? present.description,
  url: given(input.url, present.url),
  locale: input.locale ?? present.locale,
  locales: input.locales ?? present.locales,
  logoId: given(input.logoId, present.logoId),
  socialImageId: given(input.socialImageId, present.socialImageId),
  revisionLimit: input.revisionLimit ?? present.revisionLimit,
  trashDays: given(input.trashDays, present.trashDays),
  imageSizes: input.imageSizes ?? present.imageSizes,
  deliveryRatePerMinute: given(input.deliveryRatePerMinute, present.deliveryRatePerMinute),
  stripLocation: input.stripLocation ?? present.stripLocation,
  timezone: input.timezone ?? present.timezone,
  version: present.version,
})

/** Null is a value; only what was not sent stays as it is. */
const given = <T>(sent: T | undefined, present: T): T => (sent === undefined ? present : sent)

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const refuseStale = async (tx: CmsTx, { version }: Settings, wanted: WantedVersion): Promise<void> => {
  if (isWanted(wanted, version)) return
  const last = await findLastSave(tx)
  await refuseOtherVersion(
    wanted,
    { version, updatedAt: last?.updatedAt ?? NEVER },
    async () => last?.updatedBy ?? null,
  )
}

/** The time of settings that nobody has saved. */
const NEVER = new Date(0)

const mediaProblems = async (tx: CmsTx, next: Settings, changed: readonly string[]) => {
  const named = (['logoId', 'socialImageId'] as const).flatMap((key) => {
    const id = next[key]
    return changed.includes(key) && id !== null ? [{ key, id }] : []
  })
  if (named.length === 0) return []
  const known = await keepMedia(
    tx,
    named.map(({ id }) => id),
  )
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ key }) => ({ key, message: "isn't a file in the media library" }))
}

/** An entry whose language is gone could neither be listed nor saved. */
const refuseUsedLocales = async (tx: CmsTx, present: Settings, next: Settings): Promise<void> => {
  const removed = present.locales.filter((locale) => !next.locales.includes(locale))
  if (removed.length === 0) return
  const used = await listUsedLocales(tx, removed)
  if (used.length === 0) return
  const named = used.map(({ locale, entries }) => `${locale} (${entries} ${entries === 1 ? 'entry' : 'entries'})`)
  fail('INVALID_STATE', {
    message: `There are still entries in ${named.join(', ')}. Change their language, or delete them and empty the trash.`,
    details: { locales: used },
  })
}

/** The key of an advisory lock, unique in this database. */
const SETTINGS_LOCK = 4_300_002

/** One change of the settings at a time, also of settings that are not there yet; nobody uses a language meanwhile. */
const lockSettings = async (tx: CmsTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${SETTINGS_LOCK})`.execute(tx)
}

/** Keeps the settings as they are until the transaction ends; others may do the same. */
const lockSettingsShared = async (tx: CmsTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${SETTINGS_LOCK})`.execute(tx)
}

const findSettings = async (db: CmsDb): Promise<Settings> => {
  const [row] = await db.query<{ settings: unknown; version: number }>({
    name: 'find-settings',
    text: 'select settings, version from site_settings',
  })
  return row ? toSettings(row) : defaultSettings
}

type LastSave = { updatedAt: Date; updatedBy: Editor | null }

/** Who saved the settings last; null when nobody ever did. */
const findLastSave = async (db: CmsDb): Promise<LastSave | null> => {
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
const saveSettings = async (
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
const keepMedia = async (tx: CmsTx, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await tx.selectFrom('media').select('id').where('id', 'in', ids).forKeyShare().execute()
  return new Set(rows.map(({ id }) => id))
}

type UsedLocale = { locale: string; entries: number }

/** Which of these languages entries are in, those in the trash counted: they can be restored. */
const listUsedLocales = async (db: CmsDb, locales: readonly string[]): Promise<UsedLocale[]> =>
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
