import type { PresentPerson } from '@stoa/cms-model/realtime.ts'
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react'
import { PersonAvatar } from '../accounts/person-avatar.tsx'
import { api } from '../api.ts'
import { fieldOf } from './field-of.ts'
import { usePresence, useSeat } from './live.tsx'

/** Tabbing through the fields sends nothing. */
const SETTLED_MS = 400

const FieldPeople = createContext<readonly PresentPerson[]>([])

type FieldPresenceProps = {
  entry: { id: string; type: string } | null | undefined
  fields: readonly { key: string }[]
  children: ReactNode
}

/** Around the fields of an entry: the others see which one has the focus, and `EditingHere` shows where they are. */
export const FieldPresence = ({ entry, fields, children }: FieldPresenceProps) => {
  const people = usePresence(entry)
  const field = useFocusedField(fields)
  const seat = useSeat(entry?.id)
  const sent = useRef<{ seat: string; field: string | null }>(null)
  const isAlone = people.length === 0
  const entryId = entry?.id
  useEffect(() => {
    if (entryId === undefined || seat === null) return
    // A new socket is at no field
    const last = sent.current?.seat === seat ? sent.current.field : null
    if (isAlone || last === field) return
    sent.current = { seat, field }
    api.setPresenceField(entryId, { connectionId: seat, field }).catch(() => undefined)
  }, [entryId, seat, field, isAlone])
  return <FieldPeople value={people}>{children}</FieldPeople>
}

/** The field with the focus, once it stayed there. */
const useFocusedField = (fields: readonly { key: string }[]): string | null => {
  const [field, setField] = useState<string | null>(null)
  const known = useMemo(() => ['title', 'slug', ...fields.map(({ key }) => key)], [fields])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const around = document.activeElement?.closest('[data-path]')
        setField(fieldOf(around?.getAttribute('data-path'), known))
      }, SETTLED_MS)
    }
    document.addEventListener('focusin', look)
    document.addEventListener('focusout', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('focusin', look)
      document.removeEventListener('focusout', look)
    }
  }, [known])
  return field
}

/** The people editing this field: "Ana is editing", beside its label. */
export const EditingHere = ({ field, label }: { field: string; label: string }) => {
  const [first, ...others] = use(FieldPeople).filter((person) => person.field === field)
  if (!first) return null
  return (
    <span className="ml-1 flex min-w-0 items-center gap-1 self-center text-muted text-xs">
      <PersonAvatar person={first} size="sm" />
      <span className="truncate">
        {others.length === 0 ? `${first.name} is editing` : `${first.name} and ${others.length} more are editing`}
        <span className="sr-only"> {label}</span>
      </span>
    </span>
  )
}
