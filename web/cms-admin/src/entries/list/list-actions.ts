import type { Me } from '@stoa/cms-model/accounts.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { problemOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { may } from '../../allowed.tsx'
import { entryPath } from '../../content-path.ts'
import { changeStatus, duplicateEntry, entriesKey, restoreEntry, scheduleEntry, trashEntry } from '../queries.ts'
import { titleOf } from './values.ts'

/** Does something to an entry and shows the lists as they are then; says why when it is refused. */
type Run = (entry: EntryItem, work: () => Promise<unknown>, failed: string) => Promise<boolean>

type ListAction = (entry: EntryItem) => void

/** Actions on one entry in a list, with their texts and undo. */
export const useListActions = (
  me: Me,
): Record<'publish' | 'unpublish' | 'trash' | 'unschedule' | 'duplicate', ListAction> => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const run: Run = async (entry, work, failed) => {
    try {
      await work()
      return true
    } catch (error) {
      toast({
        tone: 'danger',
        title: failed,
        description: reasonOf(error),
        action: { label: 'Open', onAction: () => navigateTo(entryPath(entry)) },
      })
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: entriesKey })
      await queryClient.invalidateQueries({ queryKey: ['entry', entry.id] })
    }
  }
  return {
    publish: (entry) => void publish(run, entry),
    unpublish: (entry) => void unpublish(run, entry),
    trash: (entry) => void trash(run, entry, me),
    unschedule: (entry) => void unschedule(run, entry),
    duplicate: (entry) => void duplicate(run, entry, navigateTo),
  }
}

/** The entry where visitors see it. */
export const openWebsite = ({ url }: Pick<EntryItem, 'url'>): void => {
  if (url !== null) open(url, '_blank', 'noreferrer')
}

const publish = async (run: Run, entry: EntryItem): Promise<void> => {
  const work = () => changeStatus(entry.id, 'publish', entry.version)
  if (!(await run(entry, work, `Couldn't publish “${titleOf(entry)}”`))) return
  toast({
    tone: 'success',
    title: `“${titleOf(entry)}” published`,
    ...(entry.url === null ? {} : { action: { label: 'View', onAction: () => openWebsite(entry) } }),
  })
}

const unpublish = async (run: Run, entry: EntryItem): Promise<void> => {
  const work = () => changeStatus(entry.id, 'unpublish', entry.version)
  if (!(await run(entry, work, `Couldn't unpublish “${titleOf(entry)}”`))) return
  const again = () => run(entry, () => changeStatus(entry.id, 'publish', 'any'), "Couldn't publish the entry again")
  toast({
    title: `“${titleOf(entry)}” unpublished`,
    // With unpublished changes, another state would go live than the one that was
    ...(entry.pending ? {} : { action: { label: 'Undo', onAction: () => void again() } }),
  })
}

const trash = async (run: Run, entry: EntryItem, me: Me): Promise<void> => {
  const work = () => trashEntry(entry.id, entry.version)
  if (!(await run(entry, work, `Couldn't move “${titleOf(entry)}” to the trash`))) return
  const undo = async () => {
    await restoreEntry(entry.id)
    const wasLive = entry.status === 'published' && !entry.pending && may(me, 'content.publish')
    if (wasLive) await changeStatus(entry.id, 'publish', 'any')
  }
  toast({
    title: `“${titleOf(entry)}” moved to trash`,
    action: { label: 'Undo', onAction: () => void run(entry, undo, "Couldn't restore the entry") },
  })
}

const unschedule = async (run: Run, entry: EntryItem): Promise<void> => {
  const work = async () => {
    if (entry.status === 'draft') return changeStatus(entry.id, 'draft', entry.version)
    if (entry.publishAt !== null) await scheduleEntry(entry.id, 'publish', null, 'any')
    if (entry.unpublishAt !== null) await scheduleEntry(entry.id, 'unpublish', null, 'any')
    return undefined
  }
  if (await run(entry, work, "Couldn't cancel the schedule"))
    toast({ title: `Schedule for “${titleOf(entry)}” canceled` })
}

const duplicate = async (run: Run, entry: EntryItem, navigateTo: (to: string) => void): Promise<void> => {
  const work = async () => {
    const copy = await duplicateEntry(entry.id)
    toast({
      tone: 'success',
      title: `“${titleOf(copy)}” created as a draft`,
      action: { label: 'Open', onAction: () => navigateTo(entryPath(copy)) },
    })
  }
  await run(entry, work, `Couldn't duplicate “${titleOf(entry)}”`)
}

/** With the fields that are to blame: a list does not show them. */
const reasonOf = (error: unknown): string => {
  const { message, fields } = problemOf(error)
  if (fields.length === 0) return message
  const named = fields.slice(0, 3).map((field) => `${field.key.replace(/^data\./, '')}: ${field.message}`)
  return `${message} ${named.join(' ')}`
}
