import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasCode } from '../api.ts'
import { type MediaRecord, mediaQuery } from './queries.ts'
import { forgetPicked, recentlyPicked } from './recent.ts'

/** The files that were picked last, the latest first; those that are gone are forgotten. */
export const useRecent = (): readonly MediaRecord[] => {
  const [ids] = useState(recentlyPicked)
  const queries = useQueries({ queries: ids.map((id) => mediaQuery(id)) })
  const gone = ids.filter((_, index) => hasCode(queries[index]?.error, 'NOT_FOUND')).join()
  useEffect(() => {
    for (const id of gone.split(',').filter(Boolean)) forgetPicked(id)
  }, [gone])
  return queries.flatMap(({ data }) => (data ? [data] : []))
}
