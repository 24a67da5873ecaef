import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

/** What was set on a surface, by key, whether the host still declares it or not. */
export type StoredValues = Readonly<Record<string, unknown>>
export type StoredSurface = { id: string; version: number; values: StoredValues }

const SURFACES = `select s.id, s.version, s.updated_at as "updatedAt",
    (select coalesce(json_object_agg(o.key, o.value), '{}') from design_override o where o.surface_id = s.id) as values
  from design_surface s`

export const listSurfaces = (db: CmsDb): Promise<StoredSurface[]> =>
  db.query({ name: 'list-design-surfaces', text: SURFACES })

/** The surface, which nobody else changes before the transaction ends; one that was never changed has its first version. */
export const lockSurface = async (tx: CmsTx, id: string): Promise<StoredSurface & { updatedAt: Date }> => {
  await tx.query({
    name: 'add-design-surface',
    text: 'insert into design_surface (id, updated_at) values ($1, to_timestamp(0)) on conflict do nothing',
    values: [id],
  })
  await tx.query({
    name: 'lock-design-surface',
    text: 'select from design_surface where id = $1 for update',
    values: [id],
  })
  const [surface] = await tx.query<StoredSurface & { updatedAt: Date }>({
    name: 'find-design-surface',
    text: `${SURFACES} where s.id = $1`,
    values: [id],
  })
  if (!surface) throw new Error(`The design surface ${id} was added and is not there`)
  return surface
}

export const putOverride = async (
  tx: CmsTx,
  { surfaceId, key, value, mediaId }: { surfaceId: string; key: string; value: unknown; mediaId: string | null },
): Promise<void> => {
  const row = { value: JSON.stringify(value), media_id: mediaId }
  await tx
    .insertInto('design_override')
    .values({ surface_id: surfaceId, key, ...row })
    .onConflict((conflict) => conflict.columns(['surface_id', 'key']).doUpdateSet(row))
    .execute()
}

export const deleteOverrides = async (tx: CmsTx, surfaceId: string, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return
  await tx.deleteFrom('design_override').where('surface_id', '=', surfaceId).where('key', 'in', keys).execute()
}

/** Takes back what names this file; which keys of which surfaces it was. */
export const deleteOverridesWith = (tx: CmsTx, mediaId: string): Promise<{ surfaceId: string; keys: string[] }[]> =>
  tx.query({
    name: 'delete-design-overrides-with',
    text: `with gone as (delete from design_override where media_id = $1 returning surface_id, key)
      select surface_id as "surfaceId", array_agg(key order by key) as keys from gone group by surface_id order by 1`,
    values: [mediaId],
  })

export const advanceVersion = async (
  tx: CmsTx,
  id: string,
  { at, by }: { at: Date; by: string | null },
): Promise<number> => {
  const row = await tx
    .updateTable('design_surface')
    .set((set) => ({ version: set('version', '+', 1), updated_at: at, updated_by: by }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}

/** Who changed the surface last. */
export const findLastEditor = async (db: CmsDb, id: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('design_surface')
    .innerJoin('account', 'account.id', 'design_surface.updated_by')
    .select(['account.id', 'account.name'])
    .where('design_surface.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** The types of these files, which stay in the library until the transaction ends. */
export const lockFilesShared = async (tx: CmsTx, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('media')
    .select(['id', 'mime_type'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Map(rows.map(({ id, mime_type }) => [id, mime_type]))
}
