import { defaultSettings, type Settings } from '@stoa/cms-model/settings.ts'
import { visualOf } from '@stoa/cms-model/visual.ts'
import type { MaybePromise } from '@stoa/kit/http/route.ts'
import type { HostDefinitions } from '../../content/host-definitions/host-definitions.ts'
import { toSettings } from '../../content/settings/settings.ts'
import { type ContentType, readFields, templateState } from '../../content/types/types.ts'
import type { CmsDb } from '../../context.ts'
import type { ContentVersions } from './changes.ts'
import { markFormatted } from './visible.ts'

/** What delivery shows of a type, or needs to read its entries. */
export type DeliveredType = Pick<ContentType, 'name' | 'label' | 'kind' | 'previewUrl' | 'fields'> & {
  /** Keys of fields with stored values that are shown as empty; null while entries are looked through after a change. */
  misfits: readonly string[] | null
  /** The state in which templates may be read; null where a page shows texts in another way than they are stored. */
  templateState: string | null
}

/** What delivery needs to know about the site before it looks at any entry. */
export type Site = {
  readonly types: ReadonlyMap<string, DeliveredType>
  readonly settings: Settings
}

/** Types and settings, held until one of them changes. */
export type SiteCache = {
  /** At once when it is held. */
  read(): MaybePromise<Site>
}

export const createSiteCache = (
  db: CmsDb,
  versions: ContentVersions,
  host: Pick<HostDefinitions, 'visual'>,
): SiteCache => {
  let held: { site: MaybePromise<Site>; version: number } | undefined

  const readDeclared = async (): Promise<Site> => {
    const site = await readSite(db)
    const types = [...site.types.values()].map((type) => {
      const isFormatted = markFormatted(type.fields, visualOf(host.visual, type.name)?.formatted ?? [])
      return isFormatted ? { ...type, templateState: null } : type
    })
    return { ...site, types: new Map(types.map((type) => [type.name, type])) }
  }

  const load = async (version: number): Promise<Site> => {
    try {
      const site = await readDeclared()
      if (held?.version === version) held = { site, version }
      return site
    } catch (error) {
      if (held?.version === version) held = undefined
      throw error
    }
  }

  return {
    read() {
      const version = versions.site()
      if (!versions.isCurrent()) return readDeclared()
      // Requests while it is being read wait for the same: it began after the last change.
      if (held?.version !== version) held = { site: load(version), version }
      return held.site
    },
  }
}

type TypeRow = Omit<DeliveredType, 'fields' | 'templateState'> & { fields: string; searchVersion: number }
type SiteRow = { types: TypeRow[]; settings: { settings: unknown; version: number } | null }

/** All types and the settings in one statement: a request that finds nothing in memory runs it. */
const readSite = async (db: CmsDb): Promise<Site> => {
  const [row] = await db.query<SiteRow>({
    name: 'delivery-site',
    text: `select
      (select coalesce(json_agg(json_build_object('name', name, 'label', label, 'kind', kind,
        'previewUrl', preview_url, 'fields', fields::text, 'searchVersion', search_version,
        'misfits', case when search_synced = search_version then misfits end) order by name), '[]') from content_type) as types,
      (select json_build_object('settings', settings, 'version', version) from site_settings) as settings`,
  })
  const types = (row?.types ?? []).map(({ searchVersion, ...type }): DeliveredType => {
    const fields = readFields(type.fields)
    return { ...type, fields, templateState: templateState({ name: type.name, fields, searchVersion }) }
  })
  return {
    types: new Map(types.map((type) => [type.name, type])),
    settings: row?.settings ? toSettings(row.settings) : defaultSettings,
  }
}
