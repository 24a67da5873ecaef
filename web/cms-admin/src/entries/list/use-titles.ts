import { useEffect, useRef } from 'react'
import { titleOf } from './values.ts'

/** Titles of entries, also from pages that were left. */
export const useTitles = (rows: readonly { id: string; title: string }[]): ReadonlyMap<string, string> => {
  const titles = useRef(new Map<string, string>())
  useEffect(() => {
    for (const entry of rows) titles.current.set(entry.id, titleOf(entry))
  }, [rows])
  return titles.current
}
