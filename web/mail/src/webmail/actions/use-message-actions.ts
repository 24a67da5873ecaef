import type { BulkJob, MessageUpdate } from '@stoa/mail-model/message-actions.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { isPassing, RequestError } from '@stoa/ui/request/request.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sendMailbox } from '../api.ts'
import { folderName } from '../places.ts'
import { foldersQuery } from '../queries.ts'
import { followJob, isBulkJob } from './bulk-job.ts'
import { type Folders, findFolder, roleFolder } from './folder-names.ts'
import { knownStates, readAgain, showChange, stopReading, wasReadSince } from './mail-cache.ts'
import type { KnownStates, MessageChange } from './message-cache.ts'
import { formatMoment } from './snooze-times.ts'
import { type Target, targetBodies, targetCount } from './target.ts'
import { type Action, undoSteps } from './undo-steps.ts'

export type { Target } from './target.ts'

type Options = {
  /** For what happens by itself: nothing is said when it worked. */
  quiet?: boolean
}

/** Actions on messages. Each shows its result at once, and reverts it when the service refuses. */
export type MessageActions = {
  archive: (target: Target) => Promise<void>
  /** Into the trash, also what is there already: nothing is lost by it. */
  trash: (target: Target) => Promise<void>
  /** For good. Ask before. */
  deleteForever: (target: Target) => Promise<void>
  move: (target: Target, folder: string | { id: string }) => Promise<void>
  markSeen: (target: Target, seen: boolean, options?: Options) => Promise<void>
  flag: (target: Target, flagged: boolean) => Promise<void>
  /** Moves to Junk or out of it, and teaches the filter. */
  junk: (target: Target, isJunk: boolean) => Promise<void>
  /** Null brings them back now. */
  snooze: (target: Target, until: Date | null) => Promise<void>
  label: (target: Target, labels: { add?: readonly string[]; remove?: readonly string[] }) => Promise<void>
}

/** The actions on messages, for lists, menus and the reading pane. */
export const useMessageActions = (): MessageActions => {
  const queryClient = useQueryClient()
  return useMemo(() => createActions(queryClient), [queryClient])
}

type Doing = {
  path: 'flags' | 'move' | 'delete' | 'snooze'
  body: Record<string, unknown>
  change: MessageChange
  /** The action that undo reverts; without it there is no undo. */
  action?: Action
  /** "Message archived", "3 messages archived". */
  done: (count: number) => string
  /** While a long one is under way: "Archiving messages". */
  doing: string
  quiet?: boolean
}

const createActions = (queryClient: QueryClient): MessageActions => {
  const start = async (target: Target, plan: (folders: Folders) => Doing): Promise<void> => {
    if (targetCount(target) === 0) return
    let isQuiet = false
    try {
      const folders = await queryClient.ensureQueryData(foldersQuery)
      const doing = plan(folders)
      isQuiet = doing.quiet ?? false
      await perform(queryClient, { target, folders, doing })
    } catch (error) {
      // Background actions fail silently on network errors; the page already shows that the connection is lost
      if (isQuiet && isPassing(error)) return
      toast({ tone: 'danger', title: "Couldn't update the messages", description: messageOf(error) })
    }
  }
  const moveTo = (target: Target, place: (folders: Folders) => string, words: Pick<Doing, 'done' | 'doing'>) =>
    start(target, (folders) => {
      const folderId = place(folders)
      const action: Action = { kind: 'move', folderId }
      return { path: 'move', body: { folder_id: folderId }, change: { folderId }, action, ...words }
    })
  const marks = (target: Target, change: { add?: readonly string[]; remove?: readonly string[] }, words: Words) =>
    start(target, () => {
      const [add, remove] = [change.add ?? [], change.remove ?? []]
      return {
        path: 'flags',
        body: { add, remove },
        change: { add, remove },
        action: { kind: 'flags', add, remove },
        ...words,
      }
    })

  return {
    archive: (target) => moveTo(target, (folders) => roleFolder(folders, 'archive').id, words('archived', 'Archiving')),
    trash: (target) =>
      moveTo(target, (folders) => roleFolder(folders, 'trash').id, words('moved to Trash', 'Moving to Trash')),
    deleteForever: (target) =>
      start(target, () => ({
        path: 'delete',
        body: { permanent: true },
        change: { gone: true },
        ...words('deleted permanently', 'Deleting'),
      })),
    move: (target, folder) =>
      start(target, (folders) => {
        const to = findFolder(folders, typeof folder === 'string' ? folder : folder.id)
        const action: Action = { kind: 'move', folderId: to.id }
        const said = words(`moved to ${folderName(to)}`, `Moving to ${folderName(to)}`)
        return { path: 'move', body: { folder_id: to.id }, change: { folderId: to.id }, action, ...said }
      }),
    markSeen: (target, seen, options) =>
      marks(target, seen ? { add: ['seen'] } : { remove: ['seen'] }, {
        ...words(seen ? 'marked as read' : 'marked as unread', 'Marking messages'),
        quiet: options?.quiet ?? targetCount(target) === 1,
      }),
    flag: (target, flagged) =>
      marks(
        target,
        flagged ? { add: ['flagged'] } : { remove: ['flagged'] },
        words(flagged ? 'flagged' : 'unflagged', 'Marking messages'),
      ),
    junk: (target, isJunk) =>
      start(target, (folders) => ({
        path: 'flags',
        body: isJunk ? { add: ['junk'] } : { remove: ['junk'] },
        change: {
          ...(isJunk ? { add: ['junk'] } : { remove: ['junk'], add: ['$notjunk'] }),
          folderId: roleFolder(folders, isJunk ? 'junk' : 'inbox').id,
        },
        action: { kind: 'junk', isJunk },
        ...words(isJunk ? 'marked as junk' : 'marked as not junk', isJunk ? 'Moving to Junk' : 'Moving to Inbox'),
      })),
    snooze: (target, until) =>
      start(target, (folders) => ({
        path: 'snooze',
        body: { until: until?.toISOString() ?? null },
        change: until
          ? { snoozedUntil: until.toISOString(), folderId: roleFolder(folders, 'snoozed').id }
          : { snoozedUntil: null, remove: ['seen'], folderId: roleFolder(folders, 'inbox').id },
        action: { kind: 'snooze', until: until?.toISOString() ?? null },
        ...words(until ? `snoozed until ${formatMoment(until)}` : 'unsnoozed', 'Snoozing'),
      })),
    label: (target, { add = [], remove = [] }) =>
      marks(target, { add, remove }, words(labelWords(add, remove), 'Labeling messages')),
  }
}

type Words = Pick<Doing, 'done' | 'doing' | 'quiet'>

const words = (what: string, doing: string): Words => ({
  done: (count) => `${count === 1 ? 'Message' : formatCount(count, 'message', 'messages')} ${what}`,
  doing,
})

const labelWords = (add: readonly string[], remove: readonly string[]): string =>
  [add.length > 0 ? `labeled ${add.join(', ')}` : '', remove.length > 0 ? `label ${remove.join(', ')} removed` : '']
    .filter(Boolean)
    .join(', ')

type Performing = { target: Target; folders: Folders; doing: Doing }

const perform = async (queryClient: QueryClient, { target, folders, doing }: Performing): Promise<void> => {
  const known = 'ids' in target ? knownStates(queryClient, target.ids) : new Map()
  underWay += 1
  await stopReading(queryClient)
  const putBack = showChange(queryClient, known, doing.change)
  try {
    const count = await request(target, doing)
    if (!doing.quiet) announceDone(queryClient, { count, folders, doing, known })
  } catch (error) {
    putBack()
    readAgain(queryClient)
    throw error
  } finally {
    underWay -= 1
    refreshSoon(queryClient)
  }
}

/** Sends it, waits for what goes on after the answer, and gives how many messages it was done to. */
const request = async (target: Target, { path, body, doing }: Doing): Promise<number> => {
  let count = 0
  for (const which of targetBodies(target)) {
    const answer = await sendPatiently(`/api/mail/messages/${path}`, { ...which, ...body })
    if (!isBulkJob(answer)) {
      count += answer.updated
      continue
    }
    const job = await followJob(answer, doing)
    count += job.done - job.not_found
  }
  return count
}

type Done = { count: number; folders: Folders; doing: Doing; known: KnownStates }

const announceDone = (queryClient: QueryClient, { count, folders, doing, known }: Done): void => {
  const places = { inbox: roleFolder(folders, 'inbox').id, snoozed: folders.data.find(isSnoozed)?.id }
  const steps = doing.action ? undoSteps(doing.action, known, places, new Date()) : []
  const undo = async () => {
    try {
      for (const { path, body } of steps) await sendPatiently(`/api/mail/messages/${path}`, body)
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't undo", description: messageOf(error) })
    } finally {
      readAgain(queryClient)
    }
  }
  lastUndo = steps.length === 0 ? undefined : undo
  toast({
    title: doing.done(count),
    ...(steps.length === 0 ? {} : { action: { label: 'Undo', onAction: () => void undoOnce(undo) } }),
  })
}

const isSnoozed = ({ role }: { role: string | null }): boolean => role === 'snoozed'

let lastUndo: (() => Promise<void>) | undefined

const undoOnce = async (undo: () => Promise<void>): Promise<void> => {
  if (lastUndo === undo) lastUndo = undefined
  await undo()
}

/** Takes back the last action, for the key `z`. */
export const undoLastAction = async (): Promise<void> => {
  const undo = lastUndo
  if (!undo) return void toast({ title: 'Nothing to undo' })
  await undoOnce(undo)
  toast({ title: 'Undone' })
}

// Actions follow each other quickly, and the live updates report each: only what these did not bring is read
const GATHER_MS = 800
let underWay = 0
let timer: ReturnType<typeof setTimeout> | undefined

const refreshSoon = (queryClient: QueryClient): void => {
  const endedAt = Date.now()
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (underWay === 0 && !wasReadSince(queryClient, endedAt)) readAgain(queryClient)
  }, GATHER_MS)
}

const PATIENCE_MS = 1000
const MAX_TRIES = 4

/** Quick work with the keyboard may exceed the rate limit of the service: it is retried. */
const sendPatiently = async (path: string, body: unknown): Promise<MessageUpdate | BulkJob> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendMailbox<MessageUpdate | BulkJob>('POST', path, { body })
    } catch (error) {
      if (!(error instanceof RequestError && error.status === 429) || attempt === MAX_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
    }
  }
}
