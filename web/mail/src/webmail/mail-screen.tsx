import type { Folder } from '@stoa/mail-model/folders.ts'
import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { useStored } from '@stoa/ui/browser/stored.ts'
import { useIsPhone, useMediaQuery } from '@stoa/ui/browser/use-media-query.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { SplitHandle } from '@stoa/ui/shell/split-handle.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FolderX } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { useLabels } from './actions/known-labels.ts'
import { unreadWords } from './folders/folder-tree.ts'
import { ListPane, type ListPaneProps } from './list/list-pane.tsx'
import { ListSkeleton } from './list/list-skeleton.tsx'
import { ReaderBar } from './list/reader-bar.tsx'
import { ScheduledPane } from './list/scheduled-pane.tsx'
import { type MailList, useMailList } from './list/use-mail-list.ts'
import { type Place, placeName, readPlace } from './places.ts'
import { foldersQuery, mailSettingsQuery } from './queries.ts'
import { NothingOpen } from './reading/nothing-open.tsx'
import { ReadingPane } from './reading/reading-pane.tsx'

/** A place of the mailbox: its list, and the message that is open. */
export const MailScreen = () => {
  const { place = 'inbox', messageId } = useParams({ strict: false })
  const folders = useQuery(foldersQuery)
  const settings = useQuery(mailSettingsQuery)
  const labels = useLabels()
  const error = folders.error ?? settings.error
  if (error && !(folders.data && settings.data))
    return (
      <Crash
        title="Couldn't load the mailbox"
        onRetry={() => {
          void folders.refetch()
          void settings.refetch()
        }}
      >
        {messageOf(error)}
      </Crash>
    )
  if (!folders.data || !settings.data) return <Opening />
  const known = readPlace(place, folders.data.data, labels)
  if (!known) return <NoSuchPlace />
  const props = { placeWord: place, place: known, messageId, folders: folders.data.data, settings: settings.data }
  return known.kind === 'scheduled' ? <ScheduledPlace {...props} /> : <ListPlace {...props} />
}

const Opening = () => (
  <div className="flex h-full flex-col bg-surface pt-11 desk:w-1/3 desk:min-w-72 desk:border-line desk:border-r">
    <ListSkeleton layout="stacked" />
  </div>
)

const NoSuchPlace = () => (
  <>
    <title>Not found · Stoa Mail</title>
    <EmptyState
      icon={<FolderX />}
      title="This folder doesn't exist"
      action={<LinkButton to="/webmail/inbox">Go to inbox</LinkButton>}
    >
      It may have been deleted or renamed.
    </EmptyState>
  </>
)

type PlaceProps = {
  placeWord: string
  place: Place
  messageId: string | undefined
  folders: readonly Folder[]
  settings: MailboxSettings
}

const ListPlace = ({ placeWord, place, messageId, folders, settings }: PlaceProps) => {
  const list = useMailList({ place, placeWord, settings, openId: messageId })
  const pane = usePane(settings)
  const { onOpen, onPlace } = useWays(placeWord)
  return (
    <Panes
      pane={pane}
      placeWord={placeWord}
      messageId={messageId}
      title={placeName(place)}
      list={
        <ListPane
          list={list}
          folders={folders}
          settings={settings}
          layout={pane === 'right' ? 'stacked' : pane === 'phone' ? 'stacked' : 'line'}
          openId={messageId}
          isBeside={pane === 'right' || pane === 'below'}
          onOpen={onOpen}
          onPlace={onPlace}
        />
      }
      isEmpty={list.pages.total === 0}
      unread={place.kind === 'folder' ? unreadWords(place.folder, list.view) : undefined}
      bar={messageId === undefined ? null : <ListBar list={list} onOpen={onOpen} />}
    />
  )
}

const ScheduledPlace = ({ placeWord, messageId, folders, settings }: PlaceProps) => {
  const pane = usePane(settings)
  const { onOpen } = useWays(placeWord)
  return (
    <Panes
      pane={pane}
      placeWord={placeWord}
      messageId={messageId}
      title="Scheduled"
      list={<ScheduledPane folders={folders} openId={messageId} onOpen={onOpen} />}
      bar={<ReaderBar name="Scheduled" onBack={() => onOpen(undefined)} />}
    />
  )
}

type ListBarProps = { list: MailList; onOpen: ListPaneProps['onOpen'] }

const ListBar = ({ list, onOpen }: ListBarProps) => {
  const { pages, openIndex: index } = list
  const neighbour = (by: 1 | -1) => {
    const item = index === undefined ? undefined : pages.at(index + by)
    return item && (() => onOpen(item.id, { replace: true }))
  }
  return (
    <ReaderBar
      name={list.q === '' ? placeName(list.place) : 'Search results'}
      position={index === undefined ? undefined : { index, total: pages.total ?? 0 }}
      onPrevious={neighbour(-1)}
      onNext={neighbour(1)}
      onBack={() => onOpen(undefined)}
    />
  )
}

type Pane = 'phone' | MailboxSettings['reading_pane']

// Narrower than this, folders, list and message do not fit beside each other
const ROOM = '(width >= 64rem)'

const usePane = ({ reading_pane: wanted }: MailboxSettings): Pane => {
  const isPhone = useIsPhone()
  const hasRoom = useMediaQuery(ROOM)
  if (isPhone) return 'phone'
  return wanted === 'right' && !hasRoom ? 'none' : wanted
}

/** The ways from here: to a message, back to the list, to another place. */
const useWays = (placeWord: string) => {
  const navigate = useNavigate()
  const onOpen: ListPaneProps['onOpen'] = (id, { replace = false } = {}) => {
    const keep = (search: Record<string, unknown>) => search
    void navigate(
      id === undefined
        ? { to: '/webmail/$place', params: { place: placeWord }, search: keep, replace }
        : { to: '/webmail/$place/$messageId', params: { place: placeWord, messageId: id }, search: keep, replace },
    )
  }
  const onPlace: ListPaneProps['onPlace'] = (place, q = '') =>
    void navigate({ to: '/webmail/$place', params: { place }, search: q === '' ? {} : { q } })
  return { onOpen, onPlace }
}

type PanesProps = {
  pane: Pane
  placeWord: string
  messageId: string | undefined
  title: string
  list: React.ReactNode
  /** There is nothing to choose. */
  isEmpty?: boolean
  /** The unread count in words; undefined where it is not counted. */
  unread?: string | undefined
  /** The way back, where the message covers the list. */
  bar: React.ReactNode
}

const SIZES = { min: 20, max: 70 }
const LIST_SIZE = { right: 32, below: 40 }

const Panes = ({ pane, placeWord, messageId, title, list, isEmpty = false, unread, bar }: PanesProps) => {
  const isOver = pane === 'phone' || pane === 'none'
  const [size, setSize] = useStored(`webmail:list-${pane}`, (stored) => readSize(stored, pane))
  return (
    <div className={cx('relative flex h-full min-h-0 min-w-0', pane === 'below' && 'flex-col')}>
      {messageId === undefined ? <title>{`${title} · Stoa Mail`}</title> : null}
      {/* A list that is covered stays as it is: coming back finds the same rows at the same place */}
      <div
        inert={isOver && messageId !== undefined}
        style={isOver ? undefined : { flexBasis: `${size}%` }}
        className={cx(
          'isolate min-h-0 shrink-0',
          isOver ? 'min-w-0 flex-1' : pane === 'right' ? 'min-w-72' : 'min-w-0',
        )}
      >
        {list}
      </div>
      {isOver ? (
        messageId === undefined ? null : (
          <Cover>
            {bar}
            <div className="relative min-h-0 flex-1 overflow-y-auto">
              <Reader place={placeWord} messageId={messageId} />
            </div>
          </Cover>
        )
      ) : (
        <>
          <SplitHandle
            label="List width"
            orientation={pane === 'right' ? 'vertical' : 'horizontal'}
            value={size}
            {...SIZES}
            onValue={setSize}
          />
          <section aria-label="Message" className="relative min-h-0 min-w-0 flex-1 overflow-y-auto bg-surface">
            {messageId !== undefined ? (
              <Reader place={placeWord} messageId={messageId} />
            ) : isEmpty ? null : (
              <NothingOpen unread={unread} />
            )}
          </section>
        </>
      )}
    </div>
  )
}

const readSize = (stored: unknown, pane: Pane): number =>
  typeof stored === 'number' && stored >= SIZES.min && stored <= SIZES.max
    ? stored
    : pane === 'below'
      ? LIST_SIZE.below
      : LIST_SIZE.right

/** A message over its list takes the focus: the row that was pressed cannot be reached any more. */
const Cover = ({ children }: { children: React.ReactNode }) => {
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  return (
    <section
      ref={element}
      tabIndex={-1}
      aria-label="Message"
      className="absolute inset-0 flex min-h-0 flex-col bg-surface outline-none"
    >
      {children}
    </section>
  )
}

/** The message is not drawn again for what happens in the list. */
const Reader = memo(ReadingPane)
