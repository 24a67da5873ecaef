import type { Entry } from '@stoa/cms-model/entries.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { menuItems } from '@stoa/cms-model/menus.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { type Problem, problemOf } from '@stoa/ui/request/problem.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { entriesKey, entryQuery } from '../../entries/queries.ts'
import { menuProblems } from '../../menus/items.ts'
import { menusQuery } from '../../menus/queries.ts'
import { settingsQuery } from '../../settings/queries.ts'
import { websiteQuery } from '../pages.ts'
import { changesOf, isChanged, rebased, type Side, type Stored, saved, unsavedSources, type Values } from './drafts.ts'
import { conflictOf, designQuery, publishEntry, readSource, writeSource } from './queries.ts'
import { entryKey, type SiteSource, storedEntry } from './sources.ts'
import type { DraftsHandle } from './use-drafts.ts'

/** Someone else saved a source that this person changed; nothing is saved until it is decided. */
export type SourceConflict = { key: string; source: SiteSource; by: string | undefined; theirs: Stored }

type Outcome = 'done' | 'refused' | 'conflict'

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
export const useSaving = ({ sources, stack, now, update, settle }: DraftsHandle): Saving => {
  const queryClient = useQueryClient()
  const { isSaving, run } = useRun()
  const { problems, setProblem, clearProblem } = useProblems()
  const [count, setCount] = useState(0)
  const [conflict, setConflict] = useState<SourceConflict | null>(null)

  const write = async (key: string): Promise<Outcome> => {
    const source = sources[key]?.source
    const draft = now().sources[key]
    if (!draft || !isChanged(draft)) return 'done'
    if (!source) {
      setProblem(key, { message: 'This was deleted in the meantime.', fields: [] })
      return 'refused'
    }
    const sent = changesOf(draft)
    const members = Object.keys(draft.values)
    const early = problemsBefore(source, sent)
    if (early.length > 0) {
      setProblem(key, { message: 'Some links are incomplete.', fields: early })
      return 'refused'
    }
    try {
      const { stored, entry } = await writeSource({ source, version: draft.version, changes: sent, members })
      settle(key, (drafts) => saved(drafts, key, sent, stored))
      clearProblem(key)
      setCount((saves) => saves + 1)
      forget(queryClient, source, entry)
      return 'done'
    } catch (error) {
      const found = conflictOf(error, source)
      try {
        if (!found) throw error
        setConflict({ key, source, by: found.by, theirs: await readSource(source, members) })
        return 'conflict'
      } catch (failure) {
        setProblem(key, problemOf(failure))
        return 'refused'
      }
    }
  }
  const saveThese = async (keys: readonly string[]): Promise<void> => {
    const unsaved = keys.filter((key) => isChanged(now().sources[key]))
    if (unsaved.length === 0) return
    // A save ends the undo step: text typed afterwards is undone separately
    stack.endStep()
    await run(async () => {
      const outcomes: Outcome[] = []
      for (const key of unsaved) {
        outcomes.push(await write(key))
        // One question at a time: what comes after it is saved with the next press
        if (outcomes.at(-1) === 'conflict') break
      }
      return outcomes
    }, 'Changes saved')
  }
  const publish = async (id: string): Promise<Outcome> => {
    const key = entryKey(id)
    const outcome = await write(key)
    const source = sources[key]?.source
    const draft = now().sources[key]
    if (outcome !== 'done' || !source || draft?.version == null) return outcome
    try {
      const entry = await publishEntry(id, draft.version)
      settle(key, (drafts) => saved(drafts, key, {}, storedEntry(entry, Object.keys(draft.values))))
      setCount((saves) => saves + 1)
      forget(queryClient, source, entry)
      return 'done'
    } catch (error) {
      setProblem(key, problemOf(error))
      return 'refused'
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
    publish: (id) => void run(async () => [await publish(id)], 'Entry published'),
  }
}

/** One action at a time; its result is announced. */
const useRun = () => {
  const busy = useRef(false)
  const [isSaving, setIsSaving] = useState(false)
  const run = async (action: () => Promise<readonly Outcome[]>, done: string): Promise<void> => {
    if (busy.current) return
    busy.current = true
    setIsSaving(true)
    const outcomes = await action()
    busy.current = false
    setIsSaving(false)
    if (outcomes.includes('refused')) toast({ tone: 'danger', title: "Some changes couldn't be saved" })
    else if (!outcomes.includes('conflict')) toast({ tone: 'success', title: done })
  }
  return { isSaving, run }
}

/** Refusals by the keys of the sources. */
const useProblems = () => {
  const [problems, setProblems] = useState<Readonly<Record<string, Problem>>>({})
  return {
    problems,
    setProblem: (key: string, problem: Problem) => setProblems((all) => ({ ...all, [key]: problem })),
    clearProblem: (key: string) =>
      setProblems((all) =>
        Object.hasOwn(all, key) ? Object.fromEntries(Object.entries(all).filter(([at]) => at !== key)) : all,
      ),
  }
}

/** Mistakes that the browser can find; the service checks the rest. */
const problemsBefore = (source: SiteSource, { items }: Values): FieldProblem[] => {
  const read = source.kind === 'menu' ? menuItems.safeParse(items) : undefined
  return source.kind === 'menu' && read?.success ? menuProblems({ label: source.label, items: read.data }) : []
}

/** What the caches of other screens hold is read again when it is next shown. */
const forget = (queryClient: QueryClient, source: SiteSource, entry: Entry | undefined): void => {
  if (entry) queryClient.setQueryData(entryQuery(entry.id).queryKey, entry)
  const keys = {
    menu: [menusQuery.queryKey, websiteQuery.queryKey],
    entry: [entriesKey, websiteQuery.queryKey],
    settings: [settingsQuery.queryKey, websiteQuery.queryKey],
    design: [designQuery.queryKey],
  }[source.kind]
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
}
