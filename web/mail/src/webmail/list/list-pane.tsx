import type { Folder } from '@stoa/mail-model/folders.ts'
import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { Crash } from '@stoa/ui/error-boundary.tsx'
import { formatCount } from '@stoa/ui/format.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useIsPhone } from '@stoa/ui/use-media-query.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { folderName, placeName } from '../places.ts'
import { SearchNotes } from '../search/search-notes.tsx'
import { deleteAct, isForGood, trashAct } from './list-acts.ts'
import { ListEmpty } from './list-empty.tsx'
import { AllNotice, ListHeader } from './list-header.tsx'
import { ListKeys } from './list-keys.tsx'
import { type ListHandle, MessageList, RowSkeleton } from './message-list.tsx'
import type { RowLayout } from './message-row.tsx'
import { useRowHeight } from './row-size.ts'
import { type ListSteps, useListSteps } from './use-list-steps.ts'
import type { MailList } from './use-mail-list.ts'
import { useRowActs } from './use-row-acts.ts'
import { useRowWork } from './use-row-work.ts'

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
  const { list, settings, openId, isBeside, onOpen, onPlace } = props
  const queryClient = useQueryClient()
  const handle = useRef<ListHandle>(null)
  const [asking, setAsking] = useState(false)
  const { total } = list.pages
  const work = useRowWork({ list, openId, isBeside, onOpen: (id) => onOpen(id, { replace: true }) })
  const steps = useListSteps({ list, openId, onOpen, handle })
  useBackAtRow({ list, openId, handle })
  const remove = () => (isForGood(list.place) ? setAsking(true) : void work.run(trashAct))
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
      <AllNotice list={list} total={total ?? 0} />
      <Rows {...props} handle={handle} steps={steps} />
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
        title={`Delete ${formatCount(list.chosen.isAll ? (total ?? 0) : work.rows().length, 'message', 'messages')} for good?`}
        consequence="They are removed from the trash and cannot be brought back."
        confirmLabel="Delete for good"
        onConfirm={() => void work.run(deleteAct)}
      />
    </section>
  )
}

type BackInput = Pick<ListPaneProps, 'list' | 'openId'> & { handle: { current: ListHandle | null } }

/** Whoever comes back from a message is at its row. */
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

/** Enough to fill a screen while the first page is on its way. */
const SKELETONS = 14

const Rows = (props: ListPaneProps & { handle: { current: ListHandle | null }; steps: ListSteps }) => {
  const { list, folders, layout, onOpen, onPlace, handle, steps } = props
  const url = useUrlState()
  const rowHeight = useRowHeight(layout)
  const isPhone = useIsPhone()
  const acts = useRowActs({ list, onOpen })
  const { total, error, retry } = list.pages
  if (error)
    return (
      <Crash title="The messages could not be loaded" onRetry={retry}>
        {messageOf(error)}
      </Crash>
    )
  if (total === undefined)
    return (
      <div role="status" className="min-h-0 flex-1 overflow-hidden">
        <span className="sr-only">Loading</span>
        {Array.from({ length: SKELETONS }, (_, index) => index).map((index) => (
          <div key={index} style={{ height: rowHeight }}>
            <RowSkeleton layout={layout} />
          </div>
        ))}
      </div>
    )
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
      rowHeight={rowHeight}
      paddingEnd={isPhone ? rowHeight : 0}
      label={list.view.conversations ? 'Conversations' : 'Messages'}
      isOwn={role === 'sent' || role === 'drafts'}
      folders={
        list.place.kind === 'folder' ? undefined : new Map(folders.map((folder) => [folder.id, folderName(folder)]))
      }
      acts={acts}
      onStep={steps.step}
      onJump={steps.jump}
      handle={handle}
    />
  )
}
