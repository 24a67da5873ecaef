import type { VisitorQuestion } from '@stoa/cms-model/visitor.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Download, MessageCircleQuestion, PenLine, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { may } from '../allowed.tsx'
import { entryPath } from '../content-path.ts'
import { pagerOf } from '../list-pages.ts'
import { meQuery } from '../queries.ts'
import { VISITOR_PATH, VISITOR_SETTINGS_PATH } from './paths.ts'
import { deleteQuestions, questionsFile, questionsKey, questionsQuery } from './queries.ts'
import { VisitorFrame } from './visitor-frame.tsx'
import { WriteDialog } from './write-dialog.tsx'

const columns: readonly [Column<VisitorQuestion>, ...Column<VisitorQuestion>[]] = [
  {
    id: 'question',
    header: 'Question',
    cell: ({ question, locale }) => (
      <span className="block min-w-0 whitespace-normal break-words">
        {question} <Badge>{locale}</Badge>
      </span>
    ),
  },
  {
    id: 'answer',
    header: 'Answer',
    cell: ({ found }) => (found ? <Status tone="live">Answered</Status> : <Status tone="draft">Unanswered</Status>),
  },
  { id: 'sources', header: 'Sources', cell: ({ sources }) => <Sources sources={sources} /> },
  { id: 'count', header: 'Asked', align: 'end', cell: ({ count }) => `${formatNumber(count)}×` },
  { id: 'at', header: 'Last asked', cell: ({ at }) => <RelativeTime at={at} /> },
]

const Sources = ({ sources }: Pick<VisitorQuestion, 'sources'>) => {
  if (sources.length === 0) return '–'
  return (
    <span className="flex max-w-60 flex-col">
      {sources.map((source) => (
        <TextLink key={source.id} to={entryPath(source)} className="truncate">
          {source.title}
        </TextLink>
      ))}
    </span>
  )
}

/** The filter in the URL; unanswered questions are the default. */
const SHOWN: Readonly<Record<string, string>> = { '': 'false', answered: 'true', all: '' }

/** The visitors' questions, and those that the site could not answer. */
export const QuestionsScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const url = useUrlState()
  const [writing, setWriting] = useState<VisitorQuestion>()
  const [isDeleting, setDeleting] = useState(false)
  const from = url.get('from')
  const filter = { found: SHOWN[url.get('show')] ?? 'false', from }
  const query = useQuery(questionsQuery({ ...filter, page: readPage(url.get('page')) }))
  const isNarrowed = url.get('show') !== '' || from !== ''
  const manages = may(me, 'settings.manage')
  return (
    <VisitorFrame
      current={VISITOR_PATH}
      actions={
        <>
          {manages ? (
            <Button variant="danger-quiet" icon={<Trash2 />} onClick={() => setDeleting(true)}>
              Delete all
            </Button>
          ) : null}
          <a href={questionsFile(filter)} download="visitor-questions.csv" className={buttonClass('secondary')}>
            <Download aria-hidden />
            Export CSV
          </a>
        </>
      }
    >
      <DataTable
        label="Questions"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ question }) => question}
        {...(may(me, 'content.write') && {
          rowActions: () => [{ label: 'Write about this', icon: <PenLine />, onRun: setWriting }],
        })}
        toolbar={<Filters from={from} />}
        onClearFilters={isNarrowed ? () => url.set({ show: '', from: '', page: '' }) : undefined}
        empty={
          <EmptyState
            icon={<MessageCircleQuestion />}
            title="No unanswered questions"
            action={manages ? <LinkButton to={VISITOR_SETTINGS_PATH}>Open settings</LinkButton> : undefined}
          >
            Questions that your content doesn't answer yet appear here, so you know what to write next.
          </EmptyState>
        }
        {...(query.data && { pager: pagerOf(query.data, turnIn(url)) })}
      />
      {writing ? <WriteDialog question={writing} onClose={() => setWriting(undefined)} /> : null}
      <DeleteAll open={isDeleting} onOpenChange={setDeleting} />
    </VisitorFrame>
  )
}

const Filters = ({ from }: { from: string }) => {
  const since = useId()
  const url = useUrlState()
  const labelOf = (label: string, total: number | undefined) =>
    total === undefined ? label : `${label} (${formatNumber(total)})`
  const count = (found: string) => questionsQuery({ found, from, page: 1, limit: 1 })
  const unanswered = useQuery(count('false')).data?.meta.total
  const answered = useQuery(count('true')).data?.meta.total
  return (
    <>
      <Select
        aria-label="Show"
        className="max-w-48 phone:max-w-none"
        value={url.get('show')}
        onValue={(show) => url.set({ show, page: '' })}
        options={[
          { value: '', label: labelOf('Unanswered', unanswered) },
          { value: 'answered', label: labelOf('Answered', answered) },
          { value: 'all', label: 'All questions' },
        ]}
      />
      <label htmlFor={since} className="text-muted text-sm">
        Since
      </label>
      <Input
        id={since}
        type="date"
        className="max-w-40"
        value={from}
        onChange={({ target }) => url.set({ from: target.value, page: '' })}
      />
    </>
  )
}

type DeleteAllProps = { open: boolean; onOpenChange: (open: boolean) => void }

const DeleteAll = (props: DeleteAllProps) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      {...props}
      title="Delete all questions?"
      consequence="All questions that visitors asked are permanently deleted, answered or not. Export them first if you still need them."
      confirmLabel="Delete all questions"
      onConfirm={async () => {
        await deleteQuestions()
        await queryClient.invalidateQueries({ queryKey: questionsKey })
        toast({ tone: 'success', title: 'Questions deleted' })
      }}
    />
  )
}
