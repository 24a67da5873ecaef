import type { Suggestion } from '@stoa/mail-model/contacts.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { suggestionsQuery } from '../../queries.ts'

const PAUSE_MS = 150
const SHOWN = 8

/** People that fit what is typed, those one writes with most first. */
export const useContacts = (text: string, enabled: boolean): readonly Suggestion[] => {
  const search = usePause(text.trim().slice(0, 100))
  const { data } = useQuery({
    ...suggestionsQuery(search),
    enabled: enabled && search !== '',
    placeholderData: keepPreviousData,
  })
  // The answer may still be that to fewer letters
  const words = text.trim().toLowerCase().split(/\s+/)
  return (data?.data ?? [])
    .filter(({ name, email }) => words.every((word) => `${name ?? ''} ${email}`.toLowerCase().includes(word)))
    .slice(0, SHOWN)
}

/** The value after nobody has typed for a moment. */
const usePause = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
