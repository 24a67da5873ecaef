import { Button } from '@stoa/ui/button/button.tsx'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { CircleAlert, ExternalLink, RotateCw, TriangleAlert } from 'lucide-react'
import { NetworkMark } from '../network-mark.tsx'
import { ACCOUNTS_PATH, appPath } from '../paths.ts'
import { PostState, stepWords } from '../statuses.tsx'
import type { DetailTarget, SocialAttempt } from '../wire.ts'

type TargetRowProps = {
  target: DetailTarget
  label: string
  /** Without it nothing can be sent again by this person. */
  onRetry?: (() => void) | undefined
  retrying: boolean
  /** May look after apps and accounts. */
  manages: boolean
}

/** One account of a post: how far it is, and what its network said. */
export const TargetRow = ({ target, label, onRetry, retrying, manages }: TargetRowProps) => (
  <li className="flex min-w-0 flex-col gap-2.5 px-5 py-4">
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
      <NetworkMark network={target.network} size="md" />
      <span className="flex min-w-0 flex-1 basis-40 flex-col text-sm">
        <span className="truncate font-medium text-ink">{target.account.name}</span>
        <span className="truncate text-faint text-xs">
          {label}
          {target.account.handle === null ? '' : ` · ${target.account.handle}`}
        </span>
      </span>
      <State target={target} />
      {target.url === null ? null : (
        <a href={target.url} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'sm')}>
          <ExternalLink aria-hidden />
          View post
          <span className="sr-only"> on {label} (opens in a new tab)</span>
        </a>
      )}
      {target.status === 'failed' && onRetry ? (
        <Button
          size="sm"
          icon={<RotateCw />}
          loading={retrying}
          aria-label={`Retry ${target.account.name} on ${label}`}
          onClick={onRetry}
        >
          Retry
        </Button>
      ) : null}
    </div>
    {target.error === null || target.status === 'posted' ? null : (
      <Failure target={target} label={label} manages={manages} />
    )}
    {target.warnings.map((warning) => (
      <p key={warning} className="flex items-start gap-1.5 text-draft-ink text-xs">
        <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        <span className="wrap-anywhere min-w-0">{warning}</span>
      </p>
    ))}
    {target.attemptLog.length > (target.status === 'posted' ? 1 : 0) ? <Attempts attempts={target.attemptLog} /> : null}
  </li>
)

const State = ({ target }: { target: DetailTarget }) => {
  if (target.status === 'publishing')
    return (
      <span role="status" className="inline-flex items-center gap-1.5 text-ink text-sm">
        <Spinner />
        {target.step === null ? 'Publishing' : stepWords[target.step]}
      </span>
    )
  if (target.status === 'failed' && target.nextAttemptAt !== null)
    return (
      <span className="inline-flex flex-wrap items-center gap-x-1.5 text-muted text-sm">
        <PostState status="failed" />
        <span>
          retrying <RelativeTime at={target.nextAttemptAt} />
        </span>
      </span>
    )
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 text-faint text-xs">
      <PostState status={target.status} />
      {target.postedAt === null ? null : <RelativeTime at={target.postedAt} />}
    </span>
  )
}

/** The network's own words, and where to fix what it complains about. */
const Failure = ({ target, label, manages }: Pick<TargetRowProps, 'target' | 'label' | 'manages'>) => {
  const { error } = target
  if (error === null) return null
  return (
    <div className="flex min-w-0 items-start gap-2 rounded-lg border border-failed-line bg-failed-soft px-3 py-2 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-failed-ink" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="wrap-anywhere whitespace-pre-line text-ink">{error.message}</p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-xs">
          <Badge tone="failed">{error.code}</Badge>
          <RelativeTime at={error.at} />
          {manages && error.kind === 'auth' ? <TextLink to={ACCOUNTS_PATH}>Reconnect {label}</TextLink> : null}
          {manages && (error.kind === 'config' || error.kind === 'billing') ? (
            <TextLink to={appPath(target.network)}>{label} settings</TextLink>
          ) : null}
        </p>
      </div>
    </div>
  )
}

const Attempts = ({ attempts }: { attempts: readonly SocialAttempt[] }) => (
  <Disclosure
    summary={<span className="text-faint text-xs">{formatCount(attempts.length, 'attempt', 'attempts')}</span>}
  >
    <ol className="mt-2 flex flex-col gap-1.5 border-line border-l pl-3 text-xs">
      {attempts.map((attempt) => (
        <li key={`${attempt.n} ${attempt.startedAt}`} className="flex min-w-0 flex-wrap gap-x-2 text-muted">
          <span className="tabular-nums">#{attempt.n}</span>
          <RelativeTime at={attempt.startedAt} className="text-faint" />
          <span>{attempt.outcome ?? 'In progress'}</span>
          {attempt.error ? <span className="wrap-anywhere basis-full text-faint">{attempt.error.message}</span> : null}
        </li>
      ))}
    </ol>
  </Disclosure>
)
