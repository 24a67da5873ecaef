import type { DesignRecord, DesignSurfaceRecord } from '@stoa/cms-model/design.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import type { Menu } from '@stoa/cms-model/menus.ts'
import type { Settings, UpdateSettingsInput } from '@stoa/cms-model/settings.ts'
import type { VisualPage } from '@stoa/cms-model/visual.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { queryOptions } from '@tanstack/react-query'
import { hasCode, ifMatch, readConflict, sendSignedIn } from '../../api.ts'
import { changeStatus, readEntry, updateEntry } from '../../entries/queries.ts'
import { readMenu, updateMenu } from '../../menus/queries.ts'
import { readSettings, updateSettings } from '../../settings/queries.ts'
import { storedSurface } from '../design/values.ts'
import { fetchPage, isSameOrigin } from '../queries.ts'
import type { Stored, Values } from './drafts.ts'
import { entryChanges, type SiteSource, storedEntry, storedSettings } from './sources.ts'

export const designQuery = queryOptions({
  queryKey: ['design'],
  queryFn: ({ signal }) => sendSignedIn<DesignRecord>('GET', '/api/design', { signal }),
})

type Write = { source: SiteSource; version: number | null; changes: Values; members: readonly string[] }
export type Written = { stored: Stored; entry?: Entry }

/** Saves the changed members of a source, if nobody saved it since this version. */
export const writeSource = async ({ source, version, changes, members }: Write): Promise<Written> => {
  switch (source.kind) {
    case 'menu':
      return { stored: storedMenu(await writeMenu(source, version, changes)) }
    case 'entry': {
      const mode = source.status === 'published' ? ({ mode: 'draft' } as const) : {}
      const entry = await updateEntry(source.id, { ...entryChanges(changes), ...mode }, version ?? 'any')
      return { stored: storedEntry(entry, members), entry }
    }
    case 'settings': {
      const body: UpdateSettingsInput = changes
      return { stored: storedSettings(await updateSettings(body, version ?? 'any'), members) }
    }
    case 'design': {
      const path = `/api/design/${encodeURIComponent(source.surface)}`
      const options = { body: { set: changes }, headers: ifMatch(version ?? 'any') }
      return { stored: storedSurface(await sendSignedIn<DesignSurfaceRecord>('PUT', path, options)) }
    }
  }
}

const writeMenu = ({ name, label }: { name: string; label: string }, version: number | null, changes: Values) =>
  version === null
    ? sendSignedIn<Menu>('POST', '/api/menus', { body: { name, label, ...changes } })
    : updateMenu(name, changes, version)

/** Reads a source from the service. */
export const readSource = async (source: SiteSource, members: readonly string[]): Promise<Stored> => {
  switch (source.kind) {
    case 'menu':
      return storedMenu(await readMenu(source.name))
    case 'entry':
      return storedEntry(await readEntry(source.id), members)
    case 'settings':
      return storedSettings(await readSettings(), members)
    case 'design': {
      const { surfaces } = await sendSignedIn<DesignRecord>('GET', '/api/design')
      const surface = surfaces.find(({ id }) => id === source.surface)
      if (!surface) throw new ProblemError('The website no longer allows this change.')
      return storedSurface(surface)
    }
  }
}

const storedMenu = ({ version, items }: Menu): Stored => ({ version, values: { items } })

/** Whether someone else was quicker, and who; a menu that was made meanwhile counts, too. */
export const conflictOf = (error: unknown, source: SiteSource): { by: string | undefined } | undefined =>
  source.kind === 'menu' && hasCode(error, 'NAME_TAKEN') ? { by: undefined } : readConflict(error)

export const publishEntry = (id: string, version: number) => changeStatus(id, 'publish', version)

export const siteAddress = (settings: Pick<Settings, 'url'>, previewUrl: string): string =>
  (settings.url ?? location.origin).replace(/\/+$/, '') + previewUrl

/** The page with the shared parts, as visitors get it. A website elsewhere is asked by the service. */
export const readSitePage = (address: string, signal: AbortSignal): Promise<VisualPage> =>
  isSameOrigin(address)
    ? fetchPage(address, signal)
    : sendSignedIn<VisualPage>('POST', '/api/visual/page', { body: { site: true }, signal })
