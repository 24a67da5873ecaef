import type { Entry } from '@stoa/cms-model/entries.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { menuItems } from '@stoa/cms-model/menus.ts'
import { messageOf, type Problem, problemOf } from '@stoa/ui/problem.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { entriesKey, entryQuery } from '../../entries/queries.ts'
import { menuProblems } from '../../menus/items.ts'
import { menusQuery } from '../../menus/queries.ts'
import { settingsQuery } from '../../settings/queries.ts'
import { websiteQuery } from '../pages.ts'
import { changesOf, isChanged, rebased, type Side, type Stored, saved, unsavedSources, type Values } from './drafts.ts'
import { conflictOf, designQuery, publishEntry, readSource, writeSource } from './queries.ts'
import { entryKey, type Source, storedEntry } from './sources.ts'
import type { DraftsHandle } from './use-drafts.ts'

/** Someone else saved a source that this person changed; nothing is saved until it is decided. */
export type SourceConflict = { key: string; source: Source; by: string | undefined; theirs: Stored }

export type Saving = {
  isSaving: boolean
  /** Grows with every save: then the website has something new to show. */
  count: number
  problems: Readonly<Record<string, Problem>>
  clearProblem: (key: string) => void
  conflict: SourceConflict | null
  resolve: (sideOf: (member: string) => Side) => void
  postpone: () => void
  save: (key: string) => void
  saveAll: () => void
  publish: (entryId: string) => void
}

/** Saves what was changed, each source by itself: only what differs, and only over the version that was seen. */
export const useSaving = ({ sources, now, update }: DraftsHandle): Saving => {
  const queryClient = useQueryClient()
  const busy = useRef(false)
  const [isSaving, setIsSaving] = useState(false)
  const [count, setCount] = useState(0)
  const [problems, setProblems] = useState<Readonly<Record<string, Problem>>>({})
  const [conflict, setConflict] = useState<SourceConflict | null>(null)

  const setProblem = (key: string, problem: Problem) => setProblems((all) => ({ ...all, [key]: problem }))
  const clearProblem = (key: string) =>
    setProblems((all) =>
      Object.hasOwn(all, key) ? Object.fromEntries(Object.entries(all).filter(([at]) => at !== key)) : all,
    )

  const write = async (key: string): Promise<boolean> => {
    const source = sources[key]?.source
    const draft = now().sources[key]
    if (!source || !draft || !isChanged(draft)) return true
    const sent = changesOf(draft)
    const members = Object.keys(draft.values)
    const early = problemsBefore(source, sent)
    if (early.length > 0) {
      setProblem(key, { message: 'Some links are incomplete.', fields: early })
      return false
    }
    try {
      const { stored, entry } = await writeSource({ source, version: draft.version, changes: sent, members })
      update((drafts) => saved(drafts, key, sent, stored))
      clearProblem(key)
      setCount((saves) => saves + 1)
      forget(queryClient, source, entry)
      return true
    } catch (error) {
      const found = conflictOf(error, source)
      if (!found) setProblem(key, problemOf(error))
      else
        await readSource(source, members).then(
          (theirs) => setConflict({ key, source, by: found.by, theirs }),
          (failure: unknown) => setProblem(key, problemOf(failure)),
        )
      return false
    }
  }
  /** One after the other, and never two at once. */
  const run = async (act: () => Promise<boolean>, done: string): Promise<void> => {
    if (busy.current) return
    busy.current = true
    setIsSaving(true)
    const isDone = await act().catch((error: unknown) => {
      toast({ tone: 'danger', title: messageOf(error) })
      return false
    })
    busy.current = false
    setIsSaving(false)
    if (isDone) toast({ tone: 'success', title: done })
  }
  const saveThese = async (keys: readonly string[]): Promise<void> => {
    const changedKeys = keys.filter((key) => isChanged(now().sources[key]))
    if (changedKeys.length === 0) return
    await run(async () => {
      let isDone = true
      for (const key of changedKeys) isDone = (await write(key)) && isDone
      return isDone
    }, 'Changes saved')
  }
  const publish = async (id: string): Promise<boolean> => {
    const key = entryKey(id)
    const source = sources[key]?.source
    if (!source || !(await write(key))) return false
    const draft = now().sources[key]
    if (draft?.version == null) return false
    try {
      const entry = await publishEntry(id, draft.version)
      update((drafts) => saved(drafts, key, {}, storedEntry(entry, Object.keys(draft.values))))
      setCount((saves) => saves + 1)
      forget(queryClient, source, entry)
      return true
    } catch (error) {
      setProblem(key, problemOf(error))
      return false
    }
  }
  return {
    isSaving,
    count,
    problems,
    clearProblem,
    conflict,
    resolve: (sideOf) => {
      if (conflict === null) return
      const { key, theirs } = conflict
      update((drafts) => rebased(drafts, key, theirs, sideOf))
      setConflict(null)
      void saveThese([key])
    },
    postpone: () => setConflict(null),
    save: (key) => void saveThese([key]),
    saveAll: () => void saveThese(unsavedSources(now())),
    publish: (id) => void run(() => publish(id), 'Entry published'),
  }
}

/** What is wrong before anything is sent; the service checks the rest. */
const problemsBefore = (source: Source, { items }: Values): FieldProblem[] => {
  const read = source.kind === 'menu' ? menuItems.safeParse(items) : undefined
  return source.kind === 'menu' && read?.success ? menuProblems({ label: source.label, items: read.data }) : []
}

/** What the caches of other screens hold is read again when it is next shown. */
const forget = (queryClient: QueryClient, source: Source, entry: Entry | undefined): void => {
  if (entry) queryClient.setQueryData(entryQuery(entry.id).queryKey, entry)
  const keys = {
    menu: [menusQuery.queryKey, websiteQuery.queryKey],
    entry: [entriesKey, websiteQuery.queryKey],
    settings: [settingsQuery.queryKey, websiteQuery.queryKey],
    design: [designQuery.queryKey],
  }[source.kind]
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
}
