import { defaultSettings } from '@stoa/cms-model/settings.ts'
import { toSettings } from '../../content/settings/settings.ts'
import { readFields } from '../../content/types/types.ts'
import type { CmsDb } from '../../context.ts'
import type { DeliveredType, Site } from './site.ts'

type TypeRow = Omit<DeliveredType, 'fields'> & { fields: string }
type SiteRow = { types: TypeRow[]; settings: { settings: unknown; version: number } | null }

/** All types and the settings in one statement: a request that finds nothing in memory runs it. */
export const readSite = async (db: CmsDb): Promise<Site> => {
  const [row] = await db.query<SiteRow>({
    name: 'delivery-site',
    text: `select
      (select coalesce(json_agg(json_build_object('name', name, 'label', label, 'kind', kind,
        'previewUrl', preview_url, 'fields', fields::text,
        'misfits', case when search_synced = search_version then misfits end) order by name), '[]') from content_type) as types,
      (select json_build_object('settings', settings, 'version', version) from site_settings) as settings`,
  })
  const types = (row?.types ?? []).map((type): DeliveredType => ({ ...type, fields: readFields(type.fields) }))
  return {
    types: new Map(types.map((type) => [type.name, type])),
    settings: row?.settings ? toSettings(row.settings) : defaultSettings,
  }
}
