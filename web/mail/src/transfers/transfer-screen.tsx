import type { Transfer } from '@stoa/mail-model/transfers.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { ScreenSkeleton } from '@stoa/ui/feedback/screen-skeleton.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { formatBytes, formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FolderInput, RotateCw, Square } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { hasName } from '../api.ts'
import { Gone } from '../not-found-notice.tsx'
import { CancelTransfer } from './cancel-transfer.tsx'
import {
  describeDuration,
  describeResult,
  describeSpeed,
  handledBy,
  isActive,
  type Sample,
  securityWords,
  speedOf,
  statusWords,
  withSample,
} from './progress.ts'
import { transferQuery } from './queries.ts'

/** One transfer: how far it is, or what came of it. */
export const TransferScreen = () => {
  const { transferId = '' } = useParams({ strict: false })
  const query = useQuery(transferQuery(transferId))
  if (query.data) return <TransferView key={transferId} transfer={query.data} readAt={query.dataUpdatedAt} />
  if (!query.error) return <ScreenSkeleton label="Loading transfer" tiles={0} />
  if (hasName(query.error, 'not_found'))
    return <Gone icon={<FolderInput />} thing="transfer" to="/transfers" list="transfers" />
  return (
    <Crash isScreen title="Couldn't load this transfer" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

const TransferView = ({ transfer, readAt }: { transfer: Transfer; readAt: number }) => {
  const navigate = useNavigate()
  const [stopping, setStopping] = useState(false)
  const { label, tone } = statusWords[transfer.status]
  const again = () => void navigate({ to: '/transfers', search: () => ({ new: '1', again: transfer.id }) })
  return (
    <>
      <title>{`${transfer.address} · Transfers · Stoa Mail`}</title>
      <PageHeader
        crumbs={[{ label: 'Transfers', to: '/transfers' }]}
        title={`Transfer to ${transfer.address}`}
        badge={<Status tone={tone}>{label}</Status>}
        description={`From ${transfer.username} at ${transfer.host}`}
        actions={
          isActive(transfer) ? (
            <Button variant="danger-quiet" icon={<Square />} onClick={() => setStopping(true)}>
              Stop transfer
            </Button>
          ) : (
            <Button icon={<RotateCw />} onClick={again}>
              Start again with these settings
            </Button>
          )
        }
      />
      <div className="flex flex-col gap-6">
        <Outcome transfer={transfer} />
        <ProgressPanel transfer={transfer} readAt={readAt} />
        <Details transfer={transfer} />
      </div>
      <CancelTransfer transfer={stopping ? transfer : undefined} onClose={() => setStopping(false)} />
    </>
  )
}

const Outcome = ({ transfer }: { transfer: Transfer }) => {
  const { status, error } = transfer
  if (status === 'completed')
    return (
      <Notice tone={transfer.messages_failed > 0 ? 'warning' : 'success'} title="Transfer complete">
        {describeResult(transfer)} {transfer.messages_failed > 0 ? TOO_LARGE : ''}
      </Notice>
    )
  if (status === 'failed')
    return (
      <Notice tone="danger" title={transfer.messages_copied === 0 ? 'Transfer failed' : 'Transfer incomplete'}>
        {error ?? 'The transfer stopped because of an unexpected error. Start it again: nothing is copied twice.'}
      </Notice>
    )
  if (status === 'cancelled')
    return <Notice title="Transfer stopped">{describeResult(transfer)} Start it again to copy the rest.</Notice>
  if (error !== null)
    return (
      <Notice tone="warning" title="Waiting for the other server">
        {error}
      </Notice>
    )
  return null
}

const TOO_LARGE = "They are too large for this service, or the other server didn't send them."

const barStates = {
  queued: 'running',
  running: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
} as const

const ProgressPanel = ({ transfer, readAt }: { transfer: Transfer; readAt: number }) => {
  const handled = handledBy(transfer)
  const total = transfer.messages_total
  const speed = useSpeed(transfer, readAt)
  const left = total === null ? null : total - handled
  return (
    <Panel>
      <div className="flex flex-col gap-5">
        <Progress
          label={labelOf(transfer)}
          done={handled}
          total={total ?? undefined}
          unit="messages"
          state={barStates[transfer.status]}
          detail={isActive(transfer) ? describeSpeed(speed, left) || waitingWords(transfer) : undefined}
        />
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-5">
          <Count label="Copied">{formatNumber(transfer.messages_copied)}</Count>
          <Count label="Already here">{formatNumber(transfer.messages_skipped)}</Count>
          <Count label="Not copied" isBad={transfer.messages_failed > 0}>
            {formatNumber(transfer.messages_failed)}
          </Count>
          <Count label="Folders">
            {formatNumber(transfer.folders_done)}
            {transfer.folders_total === null ? '' : ` of ${formatNumber(transfer.folders_total)}`}
          </Count>
          <Count label="Size">{formatBytes(transfer.bytes_copied)}</Count>
        </dl>
      </div>
    </Panel>
  )
}

const waitingWords = ({ status, messages_total: total }: Transfer): string => {
  if (status === 'queued') return 'Starts in a moment.'
  return total === null ? 'Reading the folders on the other server.' : 'Estimating speed…'
}

const labelOf = ({ status, current_folder: folder }: Transfer): string => {
  if (status === 'running') return folder === null ? 'Copying' : `Copying ${folder}`
  return status === 'queued' ? 'Waiting to start' : statusWords[status].label
}

type CountProps = { label: string; isBad?: boolean; children: ReactNode }

const Count = ({ label, isBad = false, children }: CountProps) => (
  <div className="flex min-w-0 flex-col">
    <dt className="text-faint text-xs">{label}</dt>
    <dd className={`font-medium text-md tabular-nums ${isBad ? 'text-danger-ink' : 'text-ink'}`}>{children}</dd>
  </div>
)

/** From what was read one after the other while this screen is open. */
const useSpeed = (transfer: Transfer, readAt: number) => {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const next = { at: readAt, messages: handledBy(transfer), bytes: transfer.bytes_copied }
  if (samples.at(-1)?.at !== readAt) setSamples(withSample(samples, next))
  return speedOf(samples)
}

const Details = ({ transfer }: { transfer: Transfer }) => {
  const duration = describeDuration(transfer)
  return (
    <Panel title="Details">
      <Facts
        facts={[
          { label: 'To', value: <TextLink to={`/addresses/${transfer.address_id}`}>{transfer.address}</TextLink> },
          { label: 'From', value: `${transfer.host}, port ${transfer.port}, ${securityWords[transfer.security]}` },
          { label: 'Username', value: transfer.username },
          {
            label: 'Password',
            value: isActive(transfer) ? 'Kept encrypted until the transfer ends' : 'Erased when the transfer ended',
          },
          { label: 'Created', value: <RelativeTime at={transfer.created_at} /> },
          ...(transfer.finished_at === null
            ? []
            : [
                {
                  label: 'Ended',
                  value: (
                    <>
                      <RelativeTime at={transfer.finished_at} />
                      {duration === null ? '' : `, after ${duration}`}
                    </>
                  ),
                },
              ]),
        ]}
      />
    </Panel>
  )
}
