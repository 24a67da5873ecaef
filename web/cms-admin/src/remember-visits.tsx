import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { entryQuery } from './entries/queries.ts'
import { remember } from './recent.ts'
import type { TypeHead } from './registry/screens.tsx'

type VisitProps = { person: string; types: readonly TypeHead[]; path: string }

/** Keeps which entries were opened, for the palette. */
export const RememberVisits = ({ person, types, path }: VisitProps) => {
  const [, type, id] = /^\/content\/([^/]+)\/([0-9a-f-]{36})$/.exec(path) ?? []
  if (type === undefined || id === undefined) return null
  const name = decodeURIComponent(type)
  return (
    <RememberEntry key={id} person={person} type={types.find((known) => known.name === name)} path={path} id={id} />
  )
}

type EntryVisitProps = { person: string; type: TypeHead | undefined; path: string; id: string }

const RememberEntry = ({ person, type, path, id }: EntryVisitProps) => {
  // The screen asks for the entry; here it is only listened to
  const { data } = useQuery({ ...entryQuery(id), enabled: false })
  const title = data?.title
  const hint = type?.label ?? ''
  useEffect(() => {
    if (title !== undefined) remember(person, { to: path, label: title === '' ? 'Untitled' : title, hint })
  }, [person, path, title, hint])
  return null
}
