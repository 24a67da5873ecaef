import { formatAbsolute } from '@stoa/ui/text/format.ts'
import { changedMembers, valuesOf } from '../session/values.ts'
import { useEditor } from './editor-context.ts'
import { type StatusWords, statusWords } from './status-words.ts'

/** How the open entry stands, with what is typed and not saved yet. */
export const useStatusWords = (): StatusWords => {
  const { entry, values } = useEditor().state
  const changes = entry?.live ? changedMembers(values, valuesOf(entry.live)).length : 0
  return statusWords(entry, changes, (at) => formatAbsolute(new Date(at)))
}
