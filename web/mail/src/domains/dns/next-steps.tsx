import type { Domain } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { AtSign, Check as CheckMark, UploadCloud } from 'lucide-react'
import type { ReactNode } from 'react'
import { CheckButton } from './check-parts.tsx'
import { describeTally, type Tally } from './states.ts'
import type { Check } from './use-check.ts'

type NextStepsProps = {
  domain: Domain
  tally: Tally
  /** Whether the name needs no DNS. */
  trusted: boolean
  provider: string | null
  check: Check
  onPublish: () => void
}

/** What a new domain still needs, in the order in which it is done; gone when everything is. */
export const NextSteps = ({ domain, tally, trusted, provider, check, onPublish }: NextStepsProps) => {
  const published = trusted || tally.working > 0
  const verified = trusted || tally.working === tally.needed
  const peopled = domain.addresses_count > 0
  // A domain that is in use is past its first steps, whatever its records say today
  if (peopled && (verified || domain.verified_at !== null)) return null
  const current = verified ? 3 : published ? 2 : 1
  return (
    <Panel title="Next steps">
      <ol className="flex flex-col gap-4">
        <Step
          number={1}
          title="Publish DNS records"
          done={published}
          current={current === 1}
          act={
            <Button variant={current === 1 ? 'primary' : 'secondary'} icon={<UploadCloud />} onClick={onPublish}>
              {provider === null ? 'Publish automatically' : `Publish at ${provider}`}
            </Button>
          }
        >
          {trusted
            ? 'Not needed here: outside production, domains under .test, .example and .localhost count as verified.'
            : 'Publish them at your DNS provider automatically, copy them from below, or import the zone file.'}
        </Step>
        <Step
          number={2}
          title="Verify the records"
          done={verified}
          current={current === 2}
          act={<CheckButton check={check} primary={current === 2} />}
        >
          {trusted ? 'Nothing to check.' : describeTally(tally)} {verified ? '' : 'We re-check automatically.'}
        </Step>
        <Step
          number={3}
          title="Create an address"
          done={peopled}
          current={current === 3}
          act={
            <LinkButton
              variant={current === 3 ? 'primary' : 'secondary'}
              icon={<AtSign aria-hidden />}
              to={`/addresses?domain=${domain.id}&new=1`}
            >
              New address
            </LinkButton>
          }
        >
          A mailbox like you@{domain.unicode_name}, for webmail and any mail app.
        </Step>
      </ol>
    </Panel>
  )
}

type StepProps = { number: number; title: string; done: boolean; current: boolean; act: ReactNode; children: ReactNode }

const Step = ({ number, title, done, current, act, children }: StepProps) => (
  <li
    aria-current={current ? 'step' : undefined}
    className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-2 phone:grid-cols-[auto_minmax(0,1fr)]"
  >
    <span
      className={cx(
        'flex size-6 items-center justify-center rounded-full border font-medium text-xs tabular-nums',
        done && 'border-live-line bg-live-soft text-live-ink',
        !done && current && 'border-transparent bg-accent text-on-accent',
        !done && !current && 'border-line-strong text-faint',
      )}
    >
      {done ? <CheckMark aria-hidden className="size-3.5" /> : <span aria-hidden>{number}</span>}
      <span className="sr-only">{done ? 'Done' : current ? 'Now' : 'Later'}</span>
    </span>
    <div className="flex min-w-0 flex-col">
      <p className={cx('font-medium text-base', done ? 'text-muted' : 'text-ink')}>{title}</p>
      <p className="max-w-prose text-muted text-sm">{children}</p>
    </div>
    {done ? null : <div className="phone:col-start-2">{act}</div>}
  </li>
)
