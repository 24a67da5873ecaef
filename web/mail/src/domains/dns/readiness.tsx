import type { DnsProvider, DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { AtSign, CircleCheck, CloudUpload, Inbox, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { isReady } from './states.ts'

type ReadinessProps = {
  domain: Domain
  set: DnsRecordSet
  /** Whether the name needs no DNS. */
  trusted: boolean
  /** The DNS provider of the domain, once it is known. */
  provider: DnsProvider | undefined
  onPublish: () => void
}

/** Whether mail works, and while it does not, the shortest way there. */
export const Readiness = ({ domain, set, trusted, provider, onPublish }: ReadinessProps) => {
  if (trusted || isReady(set.records)) return <Ready domain={domain} set={set} trusted={trusted} />
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <PublishOffer provider={provider} onPublish={onPublish} />
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <Capability
          icon={<Inbox aria-hidden />}
          title="Receiving"
          on={domain.capabilities.receiving === 'enabled'}
          yes="Mail for this domain is accepted."
          no="Starts once Ownership is verified."
        />
        <Capability
          icon={<Send aria-hidden />}
          title="Sending"
          on={domain.capabilities.sending === 'enabled'}
          yes="Mail from this domain is signed and sent."
          no="Starts once Ownership, SPF and DKIM are verified."
        />
      </div>
    </div>
  )
}

const Ready = ({ domain, set, trusted }: Pick<ReadinessProps, 'domain' | 'set' | 'trusted'>) => (
  <Card on className="animate-pop-in" icon={<CircleCheck aria-hidden />}>
    <div className="flex min-w-0 flex-1 basis-60 flex-col">
      <p className="break-words font-medium text-base text-ink">{domain.unicode_name} is ready to send and receive</p>
      <p className="max-w-prose text-muted text-sm">{readyWords(set, trusted)}</p>
    </div>
    {domain.addresses_count === 0 ? (
      <LinkButton variant="primary" icon={<AtSign aria-hidden />} to={`/addresses?domain=${domain.id}&new=1`}>
        New address
      </LinkButton>
    ) : null}
  </Card>
)

const readyWords = ({ status }: DnsRecordSet, trusted: boolean): string => {
  if (trusted)
    return "This domain doesn't need DNS records: outside production, domains under .test, .example and .localhost count as verified. The records below show what a real domain would publish."
  return status === 'verified'
    ? 'All needed records are verified.'
    : 'All needed records are verified. Set up DMARC as well, so that other servers trust your mail.'
}

/** A provider that we can write to is the first choice; the others are always there, below. */
const PublishOffer = ({ provider, onPublish }: Pick<ReadinessProps, 'provider' | 'onPublish'>) => {
  const name = provider?.publish_supported ? provider.name : null
  return (
    <Card icon={<CloudUpload aria-hidden />}>
      <div className="flex min-w-0 flex-1 basis-60 flex-col">
        <h2 className="font-medium text-base text-ink">Publish the DNS records</h2>
        <p className="max-w-prose text-muted text-sm">{offerWords(provider)}</p>
      </div>
      <Button variant={provider && name === null ? 'secondary' : 'primary'} onClick={onPublish}>
        {name === null ? 'Publish automatically' : `Publish at ${name}`}
      </Button>
    </Card>
  )
}

const offerWords = (provider: DnsProvider | undefined): string => {
  if (provider?.publish_supported)
    return `Your DNS is at ${provider.name}. We can add the records there for you, with an API token that is used once and never stored. Or copy them from below.`
  if (provider?.name)
    return `Your DNS is at ${provider.name}. Copy the records from below, or import the zone file there.`
  return 'Copy them to your DNS provider from below, import the zone file, or publish them automatically.'
}

type CapabilityProps = { icon: ReactNode; title: string; on: boolean; yes: string; no: string }

const Capability = ({ icon, title, on, yes, no }: CapabilityProps) => (
  <Card on={on} icon={icon}>
    <div className="flex min-w-0 flex-1 flex-col">
      <p className="flex flex-wrap items-baseline gap-x-2 font-medium text-base text-ink">
        {title}
        <span className={cx('text-sm', on ? 'text-live-ink' : 'text-muted')}>{on ? 'On' : 'Not yet'}</span>
      </p>
      <p className="text-muted text-sm">{on ? yes : no}</p>
    </div>
  </Card>
)

type CardProps = { on?: boolean; icon: ReactNode; className?: string; children: ReactNode }

const Card = ({ on = false, icon, className, children }: CardProps) => (
  <div
    className={cx(
      'flex min-w-0 items-start gap-3 rounded-xl border p-4 shadow-sm',
      on ? 'border-live-line bg-live-soft' : 'border-line bg-surface',
      className,
    )}
  >
    <span
      className={cx(
        'flex size-8 shrink-0 items-center justify-center rounded-lg border [&_svg]:size-4',
        on ? 'border-live-line bg-surface text-live-ink' : 'border-line bg-canvas text-muted',
      )}
    >
      {icon}
    </span>
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">{children}</div>
  </div>
)
