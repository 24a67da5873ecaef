import { MAILBOX_SETTINGS_DEFAULTS } from '@stoa/mail-model/mailbox-settings.ts'
import { useStored } from '@stoa/ui/browser/stored.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CalendarClock, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLabels } from '../actions/known-labels.ts'
import { pendingQuery } from '../list/submissions.ts'
import { placeOfFolder, placeOfLabel, SCHEDULED_PLACE } from '../places.ts'
import { foldersQuery, mailboxQuery, mailSettingsQuery } from '../queries.ts'
import { FolderDialogs, type FolderQuestion } from './folder-dialogs.tsx'
import { FolderRow } from './folder-row.tsx'
import { type FolderNode, folderTree } from './folder-tree.ts'
import { LabelRow } from './label-row.tsx'
import { PlaceLink } from './place-link.tsx'
import { type DropTarget, useDrop } from './use-drop.ts'

/** The places of the mailbox: folders, what is scheduled, labels. */
export const FolderNav = ({ onGo }: { onGo?: () => void }) => {
  const { place } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data } = useQuery(foldersQuery)
  const countedBy = useQuery(mailSettingsQuery).data ?? MAILBOX_SETTINGS_DEFAULTS
  const [question, setQuestion] = useState<FolderQuestion>()
  const [folded, setFolded] = useStored('webmail:folded', readIds)
  const folders = data?.data ?? []
  const tree = folderTree(folders)
  const go = (word: string) => navigate({ to: '/webmail/$place', params: { place: word } })
  const fold = (id: string) => setFolded(folded.includes(id) ? folded.filter((other) => other !== id) : [...folded, id])
  const branch = (nodes: readonly FolderNode[], depth: number): ReactNode =>
    nodes.map((node) => {
      const { folder, children } = node
      const isFolded = folded.includes(folder.id)
      return (
        <li key={folder.id}>
          <FolderRow
            node={node}
            countedBy={countedBy}
            depth={depth}
            isCurrent={place === placeOfFolder(folder) || place === folder.id}
            isFolded={isFolded}
            onFold={() => fold(folder.id)}
            onAsk={setQuestion}
            onGo={onGo}
          />
          {children.length > 0 && !isFolded ? <ul>{branch(children, depth + 1)}</ul> : null}
        </li>
      )
    })
  return (
    <nav aria-label="Folders" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-2 pb-4">
      {data ? (
        <ul className="flex flex-col gap-px">
          {branch(
            tree.filter(({ folder }) => folder.role !== null),
            0,
          )}
          <li>
            <ScheduledLink isCurrent={place === SCHEDULED_PLACE} onGo={onGo} />
          </li>
        </ul>
      ) : (
        <Loading />
      )}
      <Section title="Folders" drop={TOP} action={<NewButton onClick={() => setQuestion({ kind: 'new' })} />}>
        {branch(
          tree.filter(({ folder }) => folder.role === null),
          0,
        )}
      </Section>
      <Labels place={place} go={go} onGo={onGo} />
      {question ? (
        <FolderDialogs
          question={question}
          folders={folders}
          onClose={() => setQuestion(undefined)}
          onMade={(folder) => void go(placeOfFolder(folder))}
          onLeave={async (folder) => {
            if (place === folder.id) await go('inbox')
          }}
        />
      ) : null}
    </nav>
  )
}

const readIds = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : []

const TOP: DropTarget = { kind: 'top' }

type SectionProps = { title: string; drop?: DropTarget; action?: ReactNode; children: ReactNode }

const Section = ({ title, drop, action, children }: SectionProps) => {
  const { isOver, handlers } = useDrop(drop)
  return (
    <section>
      <div
        {...handlers}
        className={cx(
          'flex h-7 items-center justify-between rounded-md pl-2',
          isOver && 'bg-accent-soft outline-2 outline-accent',
        )}
      >
        <h2 className="font-medium text-faint text-xs">{title}</h2>
        {action}
      </div>
      <ul className="flex flex-col gap-px">{children}</ul>
    </section>
  )
}

const NewButton = ({ onClick }: { onClick: () => void }) => (
  <IconButton size="sm" label="New folder" icon={<Plus />} onClick={onClick} />
)

const ScheduledLink = ({ isCurrent, onGo }: { isCurrent: boolean; onGo: (() => void) | undefined }) => {
  const mailbox = useQuery({ ...mailboxQuery, refetchOnMount: false })
  // Fetched by its own screen; the newer of the two is right
  const listed = useQuery({ ...pendingQuery, enabled: false })
  const count = listed.dataUpdatedAt > mailbox.dataUpdatedAt ? listed.data?.total : mailbox.data?.scheduled
  return (
    <PlaceLink
      place={SCHEDULED_PLACE}
      icon={<CalendarClock aria-hidden />}
      label="Scheduled"
      count={count ?? 0}
      isCurrent={isCurrent}
      onGo={onGo}
    />
  )
}

type LabelsProps = { place: string | undefined; go: (place: string) => Promise<void>; onGo: (() => void) | undefined }

const Labels = ({ place, go, onGo }: LabelsProps) => {
  const labels = useLabels()
  if (labels.length === 0) return null
  return (
    <Section title="Labels">
      {labels.map((label) => (
        <li key={label.name}>
          <LabelRow
            label={label}
            isCurrent={place === placeOfLabel(label.name)}
            onGo={onGo}
            onDeleted={() => {
              if (place === placeOfLabel(label.name)) void go('inbox')
            }}
          />
        </li>
      ))}
    </Section>
  )
}

const Loading = () => (
  <div role="status" className="flex flex-col gap-3 p-2">
    <span className="sr-only">Loading</span>
    {['w-3/5', 'w-2/5', 'w-1/2', 'w-2/3', 'w-1/3'].map((width) => (
      <Skeleton key={width} className={width} />
    ))}
  </div>
)
