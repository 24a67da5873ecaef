import type { Folder } from '@stoa/mail-model/folders.ts'
import type { Label } from '@stoa/mail-model/labels.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'
import type { MessagesFilter } from './queries.ts'

/** A list of messages, as identified by the URL. */
export type Place =
  | { kind: 'folder'; folder: Folder }
  | { kind: 'search' }
  | { kind: 'label'; label: string; name: string }
  | { kind: 'scheduled' }

export const SEARCH_PLACE = 'search'
export const SCHEDULED_PLACE = 'scheduled'
const LABEL_PREFIX = 'label-'

/** Folders that every mailbox has are known by their role, the others by their id. */
export const placeOfFolder = ({ role, id }: Pick<Folder, 'role' | 'id'>): string => role ?? id

export const placeOfLabel = (label: string): string => LABEL_PREFIX + label

/** Parses a place; undefined when there is no such folder. */
export const readPlace = (
  place: string,
  folders: readonly Folder[],
  labels: readonly Pick<Label, 'name' | 'display_name'>[] = [],
): Place | undefined => {
  if (place === SEARCH_PLACE) return { kind: 'search' }
  if (place === SCHEDULED_PLACE) return { kind: 'scheduled' }
  if (place.startsWith(LABEL_PREFIX)) {
    const label = place.slice(LABEL_PREFIX.length)
    return { kind: 'label', label, name: labels.find(({ name }) => name === label)?.display_name ?? label }
  }
  const folder = folders.find(({ role, id }) => role === place || id === place)
  return folder && { kind: 'folder', folder }
}

/** The name of a place for people. */
export const placeName = (place: Place): string => {
  switch (place.kind) {
    case 'folder':
      return folderName(place.folder)
    case 'search':
      return 'All mail'
    case 'label':
      return place.name
    case 'scheduled':
      return 'Scheduled'
  }
}

/** The inbox is called INBOX by the protocols, which nobody would write. */
export const folderName = ({ name, role }: Pick<Folder, 'name' | 'role'>): string =>
  role === 'inbox' && name.toLowerCase() === 'inbox' ? 'Inbox' : shownWord(name)

/** The display path of a folder: `Clients/Offers`. */
export const folderPath = ({ path, name, role }: Pick<Folder, 'path' | 'name' | 'role'>): string =>
  role === 'inbox' ? folderName({ name, role }) : path.split('/').map(shownWord).join('/')

const shownWord = (name: string): string => shownLine(name) || '(no name)'

/** The messages of a place that fit the words of a search. */
export const placeFilter = (place: Place, q: string): MessagesFilter => {
  const words = q.trim()
  switch (place.kind) {
    case 'folder':
      return { folder_id: place.folder.id, ...(words === '' ? {} : { search: words }) }
    case 'label':
      return { search: words === '' ? `label:${place.label}` : `label:${place.label} ${words}` }
    default:
      return words === '' ? {} : { search: words }
  }
}

/** The address of a place, or of a message in it. */
export const placePath = (place: string, messageId?: string): string =>
  `/webmail/${encodeURIComponent(place)}${messageId === undefined ? '' : `/${messageId}`}`
