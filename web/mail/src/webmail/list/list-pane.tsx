import type { Folder } from '@stoa/mail-model/folders.ts'
import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { folderName, placeName } from '../places.ts'
import { SearchNotes } from '../search/search-notes.tsx'
import { deleteAction, isForGood, trashAction } from './list-actions.ts'
import { ListEmpty } from './list-empty.tsx'
import { AllNotice, ListHeader } from './list-header.tsx'
import { ListKeys } from './list-keys.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { type ListHandle, MessageList } from './message-list.tsx'
import { type RowLayout, useRowHeight } from './row-size.ts'
import { type ListSteps, useListSteps } from './use-list-steps.ts'
import type { MailList } from './use-mail-list.ts'
import { useRowActions } from './use-row-actions.ts'
import { type RowAction, type RowWork, useRowWork } from './use-row-work.ts'

export type ListPaneProps = {
  list: MailList
  folders: readonly Folder[]
  settings: MailboxSettings
  layout: RowLayout
  openId: string | undefined
  /** Whether a message opens beside the list, so that both are seen. */
  isBeside: boolean
  onOpen: (id: string | undefined, options?: { replace?: boolean }) => void
  onPlace: (place: string, q?: string) => void
}

/** The list of a place with everything that can be done to its rows. */
export const ListPane = (props: ListPaneProps) => {
  const { list, settings, openId, onOpen, onPlace } = props
  const queryClient = useQueryClient()
  const handle = useRef<ListHandle>(null)
  const [asking, setAsking] = useState(false)
  const { total } = list.pages
  const { work, question } = useAskedWork(props)
  const steps = useListSteps({ list, openId, onOpen, handle })
  useBackAtRow({ list, openId, handle })
  const remove = () => (isForGood(list.place) ? setAsking(true) : void work.run(trashAction))
  const asked = list.chosen.isAll ? (total ?? 0) : work.rows().length
  return (
    <section aria-label={placeName(list.place)} className="relative flex h-full min-h-0 min-w-0 flex-col bg-surface">
      <ListHeader
        list={list}
        total={total}
        settings={settings}
        work={work}
        onPage={steps.choosePage}
        onDelete={remove}
        onRefresh={() =>
          Promise.all(
            ['messages', 'folders'].map((part) => queryClient.invalidateQueries({ queryKey: ['webmail', part] })),
          )
        }
      />
      <SearchNotes q={list.q} placeWord={list.placeWord} place={list.place} onPlace={onPlace} />
      <Rows {...props} handle={handle} steps={steps} work={work} />
      <AllNotice list={list} total={total ?? 0} />
      <ListKeys
        list={list}
        work={work}
        openId={openId}
        onStep={steps.step}
        onOpen={steps.openCursor}
        onBack={() => onOpen(undefined)}
        onChoose={steps.chooseCursor}
        onDelete={remove}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Permanently delete ${formatCount(asked, 'message', 'messages')}?`}
        consequence={`${asked === 1 ? 'It is' : 'They are'} removed from Trash. You can restore deleted messages for 30 days in Settings.`}
        confirmLabel="Delete permanently"
        onConfirm={() => void work.run(deleteAction)}
      />
      {question}
    </section>
  )
}

/** More than a hand has chosen: what is done to them all at once is asked about, because it cannot be undone. */
const MANY = 100

/** The work on rows, with a question before very many of them go. */
const useAskedWork = ({ list, openId, isBeside, onOpen }: ListPaneProps) => {
  const work = useRowWork({ list, openId, isBeside, onOpen: (id) => onOpen(id, { replace: true }) })
  const [asked, setAsked] = useState<RowAction>()
  const { total = 0 } = list.pages
  const run: RowWork['run'] = async (action) => {
    if (list.chosen.isAll && action.label !== undefined && total > MANY) setAsked(action)
    else await work.run(action)
  }
  const [one, many] = list.view.conversations ? ['conversation', 'conversations'] : ['message', 'messages']
  const question = (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={() => setAsked(undefined)}
      tone="primary"
      title={`${asked?.label}: ${formatCount(total, one, many)}?`}
      consequence="You can't undo this for so many messages at once."
      confirmLabel={asked?.label ?? ''}
      onConfirm={() => {
        if (asked) void work.run(asked)
      }}
    />
  )
  return { work: { ...work, run }, question }
}

type BackInput = Pick<ListPaneProps, 'list' | 'openId'> & { handle: { current: ListHandle | null } }

/** Coming back from a message scrolls to its row. */
const useBackAtRow = ({ list, openId, handle }: BackInput): void => {
  const last = useRef<number>(undefined)
  useEffect(() => {
    const left = last.current
    last.current = openId === undefined ? undefined : list.openIndex
    if (openId !== undefined || left === undefined) return
    list.setCursor(left)
    handle.current?.reveal(left)
  })
}

/** Headings of days make sense where rows are in the order of their days, and show them. */
const hasDays = ({ view, place }: MailList): boolean =>
  (view.order === 'newest' || view.order === 'oldest') && !(place.kind === 'folder' && place.folder.role === 'snoozed')

type RowsProps = ListPaneProps & { handle: { current: ListHandle | null }; steps: ListSteps; work: RowWork }

const Rows = (props: RowsProps) => {
  const { list, folders, settings, layout, onOpen, onPlace, handle, steps, work } = props
  const url = useUrlState()
  const { density } = settings
  const { row: rowHeight, header } = useRowHeight(layout, density)
  const isPhone = useIsPhone()
  const actions = useRowActions({ list, onOpen })
  const { total, error, retry } = list.pages
  if (error)
    return (
      <Crash title="Couldn't load messages" onRetry={retry}>
        {messageOf(error)}
      </Crash>
    )
  if (total === undefined) return <ListSkeleton layout={layout} density={density} />
  if (total === 0)
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ListEmpty
          list={list}
          onClearSearch={() => onPlace(list.place.kind === 'search' ? 'inbox' : list.placeWord)}
          onClearNarrow={() => url.set({ show: '' })}
          onEverywhere={list.place.kind === 'search' ? undefined : () => onPlace('search', list.q)}
        />
      </div>
    )
  const role = list.place.kind === 'folder' ? list.place.folder.role : null
  return (
    <MessageList
      list={list}
      total={total}
      layout={layout}
      density={density}
      rowHeight={rowHeight}
      headerHeight={hasDays(list) ? header : 0}
      paddingEnd={isPhone ? rowHeight : 0}
      label={list.view.conversations ? 'Conversations' : 'Messages'}
      isOwn={role === 'sent' || role === 'drafts'}
      folders={
        list.place.kind === 'folder' ? undefined : new Map(folders.map((folder) => [folder.id, folderName(folder)]))
      }
      actions={actions}
      onSwipe={(item, { action }) => void work.runOn([item], action)}
      onStep={steps.step}
      onJump={steps.jump}
      handle={handle}
    />
  )
}
