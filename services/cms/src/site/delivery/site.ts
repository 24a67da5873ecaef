import type { Settings } from '@stoa/cms-model/settings.ts'
import { visualOf } from '@stoa/cms-model/visual.ts'
import type { MaybePromise } from '@stoa/kit/http/route.ts'
import type { HostDefinitions } from '../../content/host-definitions/host-definitions.ts'
import type { ContentType } from '../../content/types/types.ts'
import type { CmsDb } from '../../context.ts'
import type { ContentVersions } from './changes.ts'
import { markFormatted } from './plan.ts'
import { readSite } from './queries-site.ts'

/** What delivery shows of a type, or needs to read its entries. */
export type DeliveredType = Pick<ContentType, 'name' | 'label' | 'kind' | 'previewUrl' | 'fields'> & {
  /** Keys of fields with stored values that are shown as empty; null while entries are looked through after a change. */
  misfits: readonly string[] | null
}

/** What delivery needs to know of the site before it looks at any entry. */
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
    for (const { name, fields } of site.types.values())
      markFormatted(fields, visualOf(host.visual, name)?.formatted ?? [])
    return site
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
      // Whoever asks while it is being read waits for the same: it began after the last change.
      if (held?.version !== version) held = { site: load(version), version }
      return held.site
    },
  }
}
