import type { DesignRecord } from '@stoa/cms-model/design.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { TITLE_KEY } from '@stoa/cms-model/visual.ts'
import type { PartState, WebsiteState } from '@stoa/cms-model/website.ts'
import type { EntryChanges } from '../../entries/queries.ts'
import { storedSurface } from '../design/values.ts'
import type { Stored, Values } from './drafts.ts'

/** A stored record that the site shows. Parts that show the same record share its source. */
export type SiteSource =
  | { kind: 'menu'; name: string; label: string }
  | { kind: 'entry'; id: string; type: string; status: 'draft' | 'published' | null }
  | { kind: 'settings' }
  | { kind: 'design'; surface: string; label: string }

export type MenuPart = Extract<PartState, { source: { kind: 'menu' } }>
export type EntryPart = Extract<PartState, { source: { kind: 'entry' } }>
export type SettingsPart = Extract<PartState, { source: { kind: 'settings' } }>

export const isMenuPart = (part: PartState): part is MenuPart => part.source.kind === 'menu'
export const isEntryPart = (part: PartState): part is EntryPart => part.source.kind === 'entry'
export const isSettingsPart = (part: PartState): part is SettingsPart => part.source.kind === 'settings'

export const menuKey = (name: string): string => `menu:${name}`
export const entryKey = (id: string): string => `entry:${id}`
export const SETTINGS_KEY = 'settings'
export const designKey = (surface: string): string => `${DESIGN}${surface}`
/** The surface of the design that a key is of. */
export const surfaceOf = (key: string): string | undefined =>
  key.startsWith(DESIGN) ? key.slice(DESIGN.length) : undefined

const DESIGN = 'design:'

/** The key of what a part shows; null while there is nothing to save it in. */
export const keyOfPart = (part: PartState): string | null => {
  if (isMenuPart(part)) return menuKey(part.state.name)
  if (isSettingsPart(part)) return SETTINGS_KEY
  return isEntryPart(part) && part.state.entryId !== null ? entryKey(part.state.entryId) : null
}

export type Sources = Readonly<Record<string, { source: SiteSource; stored: Stored }>>

/** Everything that can be saved on the site, by key, with what the service holds of it. */
export const sourcesOf = (website: WebsiteState, design: DesignRecord): Sources => {
  const sources: Record<string, { source: SiteSource; stored: Stored }> = {}
  for (const part of website.parts) {
    const key = keyOfPart(part)
    const found = sourceOfPart(part)
    if (key === null || found === null) continue
    const before = sources[key]?.stored.values ?? {}
    sources[key] = { ...found, stored: { ...found.stored, values: { ...before, ...found.stored.values } } }
  }
  for (const surface of design.surfaces)
    sources[designKey(surface.id)] = {
      source: { kind: 'design', surface: surface.id, label: surface.label },
      stored: storedSurface(surface),
    }
  return sources
}

const sourceOfPart = (part: PartState): { source: SiteSource; stored: Stored } | null => {
  if (isMenuPart(part)) {
    const { name, label, version, items } = part.state
    return { source: { kind: 'menu', name, label }, stored: { version, values: { items } } }
  }
  if (isSettingsPart(part))
    return { source: { kind: 'settings' }, stored: { version: part.state.version, values: part.state.values } }
  if (!isEntryPart(part) || part.state.entryId === null) return null
  const { entryId, type, status, version, values } = part.state
  return { source: { kind: 'entry', id: entryId, type, status }, stored: { version, values } }
}

/** The part of an entry's values that this screen knows. */
export const storedEntry = ({ version, title, data }: Entry, members: readonly string[]): Stored => ({
  version,
  values: Object.fromEntries(members.map((member) => [member, member === TITLE_KEY ? title : data[member]])),
})

export const storedSettings = (settings: Settings, members: readonly string[]): Stored => ({
  version: settings.version,
  values: Object.fromEntries(members.map((member) => [member, Reflect.get(settings, member)])),
})

/** Changed members as an entry takes them; a field without a value is cleared. */
export const entryChanges = (changes: Values): Pick<EntryChanges, 'title' | 'data'> => {
  const { [TITLE_KEY]: title, ...data } = changes
  const fields = Object.entries(data).map(([key, value]) => [key, value ?? null] as const)
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(fields.length > 0 ? { data: Object.fromEntries(fields) } : {}),
  }
}

/** What a source is called in a sentence. */
export const nameOfSource = (source: SiteSource): string => {
  switch (source.kind) {
    case 'menu':
      return `the menu “${source.label}”`
    case 'entry':
      return 'this entry'
    case 'settings':
      return 'the settings'
    case 'design':
      return `the design of “${source.label}”`
  }
}
