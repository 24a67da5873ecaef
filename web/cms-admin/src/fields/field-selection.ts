import { createContext, type RefObject, use, useEffect } from 'react'

/** The text that a person had selected in a field when an action started. */
export type SelectedPart = {
  /** The selected text as the field holds it; for rich text, HTML that can stand alone. */
  content: string
  /** The whole value with something else in its place. */
  replaced: (content: string) => string
  /** The whole value with something after it, on a line of its own. */
  followedBy: (content: string) => string
}

export type ReadSelection = () => SelectedPart | null

/** How the actions of a field learn what is selected in its editor. */
export const FieldSelection = createContext<RefObject<ReadSelection | null> | null>(null)

/** For editors in which a part of the text can be selected. */
export const useFieldSelection = (read: ReadSelection): void => {
  const place = use(FieldSelection)
  useEffect(() => {
    if (!place) return
    place.current = read
    return () => {
      place.current = null
    }
  }, [place, read])
}

/** A part of plain text; null when nothing is selected. */
export const partOf = (text: string, from: number | null, to: number | null): SelectedPart | null => {
  if (from === null || to === null || text.slice(from, to).trim() === '') return null
  return {
    content: text.slice(from, to),
    replaced: (content) => text.slice(0, from) + content + text.slice(to),
    followedBy: (content) =>
      joinLines(text.slice(0, to), content) + (text.slice(to) === '' ? '' : `\n\n${text.slice(to).trimStart()}`),
  }
}

/** Two texts with an empty line between them. */
export const joinLines = (text: string, below: string): string =>
  text.trim() === '' ? below : `${text.trimEnd()}\n\n${below}`
