import type { Entry } from '@stoa/cms-model/entries.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import {
  changeStatus,
  createEntry,
  discardPending,
  duplicateEntry,
  entriesKey,
  restoreEntry,
  type StatusAction,
  scheduleEntry,
  setEntryTerms,
  trashEntry,
  updateEntry,
} from '../queries.ts'
import { nameOf } from '../session/labels.ts'
import { unsavedMembers } from '../session/session-state.ts'
import { membersAt, valuesOf, withMembers } from '../session/values.ts'
import { useEditor } from './editor-context.ts'

/** Everything that is done with an entry besides writing it. Whatever fails is thrown for the dialog that asked. */
export const useEntryActions = () => {
  const { session, type } = useEditor()
  const navigateTo = useNavigateTo()
  const queryClient = useQueryClient()

  /** Runs an action only after the text is saved. Returns undefined when the form shows why it could not be saved. */
  const whenSaved = async (run: (entry: Entry) => Promise<Entry>): Promise<Entry | undefined> => {
    if (await session.save('flush')) return session.runAction(run)
    if (session.state().problems.length > 0) return undefined
    throw new ProblemError("Your changes couldn't be saved, so nothing else was done.")
  }

  return {
    publish: async () => {
      const wasLive = session.state().entry?.status === 'published'
      const entry = await whenSaved(({ id, version }) => changeStatus(id, 'publish', version))
      if (!entry) return
      toast({
        tone: 'success',
        title: `“${nameOf(entry)}” ${wasLive ? 'updated' : 'published'}`,
        ...viewAction(entry),
      })
    },
    schedule: async (action: 'publish' | 'unpublish', at: string | null) => {
      const run = ({ id, version }: Entry) => scheduleEntry(id, action, at, version)
      const entry = at !== null && action === 'publish' ? await whenSaved(run) : await session.runAction(run)
      if (entry) toast({ tone: 'success', title: at === null ? 'Schedule canceled' : 'Scheduled' })
    },
    withdraw: async (action: Exclude<StatusAction, 'publish'>) => {
      const entry = await session.runAction(({ id, version }) => changeStatus(id, action, version))
      toast({ tone: 'success', title: `“${nameOf(entry)}” returned to draft` })
    },
    discard: async () => {
      const entry = await session.runAction(({ id, version }) => discardPending(id, version))
      session.resolve(entry, valuesOf(entry))
      toast({ tone: 'success', title: 'Unpublished changes discarded' })
    },
    setTerms: (taxonomy: string, change: (slugs: readonly string[]) => readonly string[]) =>
      session.runAction((entry) => {
        const own = entry.terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => slug)
        return setEntryTerms(entry.id, taxonomy, change(own), entry.version)
      }),
    update: (changes: { locale?: string; authorId?: string }) =>
      session.runAction(({ id, version, status }) =>
        updateEntry(id, { ...changes, ...(status === 'published' ? { mode: 'draft' } : {}) }, version),
      ),
    duplicate: async () => {
      const { entry } = session.state()
      if (entry === null || !(await saveIfOpen())) return
      try {
        const copy = await duplicateEntry(entry.id)
        void queryClient.invalidateQueries({ queryKey: entriesKey })
        navigateTo(`/content/${type.name}/${copy.id}`)
        toast({ tone: 'success', title: 'Entry duplicated' })
      } catch (error) {
        toast({ tone: 'danger', title: "Couldn't duplicate the entry", description: messageOf(error) })
      }
    },
    translate: async (locale: string) => {
      if (!(await saveIfOpen())) return
      const { entry } = session.state()
      if (entry === null) return
      // Unique values cannot be in two entries
      const data = Object.fromEntries(
        type.fields.filter(({ unique }) => !unique).map(({ key }) => [key, entry.data[key] ?? null]),
      )
      const made = await createEntry({ type: type.name, title: entry.title, data, locale, translationOf: entry.id })
      void queryClient.invalidateQueries({ queryKey: entriesKey })
      navigateTo(`/content/${type.name}/${made.id}`)
    },
    trash: async () => {
      // Pending saves finish first; changes that cannot be saved go with the entry
      await session.save('flush')
      const { entry } = session.state()
      if (entry === null) return
      await trashEntry(entry.id, entry.version)
      session.resolve({ ...entry, deletedAt: new Date().toISOString() }, valuesOf(entry))
      void queryClient.invalidateQueries({ queryKey: entriesKey })
      navigateTo(`/content/${type.name}`)
      toast({
        tone: 'success',
        title: `“${nameOf(entry)}” moved to trash`,
        action: { label: 'Undo', onAction: () => void takeBack(entry) },
      })
    },
    restore: async () => {
      const { entry } = session.state()
      if (entry === null) return
      const restored = await restoreEntry(entry.id)
      const state = session.state()
      // Text typed while someone else moved the entry to the trash is kept, and saved now
      const typed = membersAt(state.values, unsavedMembers(state))
      session.resolve(restored, withMembers(valuesOf(restored), typed))
      toast({ tone: 'success', title: `“${nameOf(restored)}” restored as a draft` })
    },
  }

  async function saveIfOpen(): Promise<boolean> {
    return !session.state().entry || session.state().entry?.deletedAt !== null || session.save('flush')
  }

  async function takeBack(entry: Entry): Promise<void> {
    try {
      await restoreEntry(entry.id)
      void queryClient.invalidateQueries({ queryKey: entriesKey })
      navigateTo(`/content/${type.name}/${entry.id}`)
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't restore the entry", description: messageOf(error) })
    }
  }
}

const viewAction = ({ url }: Entry) =>
  url === null ? {} : { action: { label: 'View', onAction: () => void open(url, '_blank', 'noreferrer') } }
