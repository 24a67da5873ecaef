import type { Address } from '@stoa/mail-model/addresses.ts'
import type { ClientConfig } from '@stoa/mail-model/client-config.ts'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { QrCode } from '@stoa/ui/display/qr-code.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { useQuery } from '@tanstack/react-query'
import { Download, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { clientConfigQuery } from './queries.ts'

type SetupProps = { address: Address; config: ClientConfig }

/** Connection settings for mail programs, in the form that each of them expects. */
export const SetupTab = ({ address }: { address: Address }) => {
  const query = useQuery(clientConfigQuery)
  if (query.error) return <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
  if (!query.data) return <SkeletonText lines={8} label="Loading settings" />
  return <Setup address={address} config={query.data} />
}

const programs = [
  { value: 'apple', label: 'iPhone, Mac', Content: (props: SetupProps) => <Apple {...props} /> },
  { value: 'auto', label: 'Thunderbird, Android', Content: (props: SetupProps) => <Automatic {...props} /> },
  { value: 'outlook', label: 'Outlook', Content: (props: SetupProps) => <Outlook {...props} /> },
  { value: 'script', label: 'JMAP', Content: (props: SetupProps) => <Scripts {...props} /> },
] as const

const Setup = ({ address, config }: SetupProps) => {
  const url = useUrlState()
  const program = programs.find(({ value }) => value === url.get('program'))?.value ?? 'apple'
  const closed = config.imap === null && config.pop3 === null
  return (
    <div className="flex flex-col gap-4">
      {address.require_app_password ? (
        <Notice
          tone="warning"
          title="Mail apps need an app password"
          action={
            <LinkButton size="sm" icon={<KeyRound />} to={`/addresses/${address.id}?tab=app-passwords&new=1`}>
              New app password
            </LinkButton>
          }
        >
          The mailbox password only works in webmail.
        </Notice>
      ) : null}
      {closed ? (
        <Notice tone="warning" title="Mail apps can't connect to this server">
          IMAP and POP3 are turned off on this server. Webmail and JMAP still work.
        </Notice>
      ) : null}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Panel title="Automatic setup">
          <Tabs
            label="Mail apps"
            value={program}
            onValue={(next) => url.set({ program: next === 'apple' ? '' : next })}
            tabs={programs.map(({ value, label, Content }) => ({
              value,
              label,
              content: <Content address={address} config={config} />,
            }))}
          />
        </Panel>
        <ByHand address={address} config={config} />
      </div>
    </div>
  )
}

const Steps = ({ children }: { children: ReactNode }) => (
  <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-muted text-sm marker:text-faint">{children}</ol>
)

const Apple = ({ address, config }: SetupProps) => {
  // Without a protocol to read and one to send there is no profile
  const offered = (config.imap ?? config.pop3) !== null && (config.smtp ?? config.submission) !== null
  if (!offered)
    return <p className="text-muted text-sm">Profiles need IMAP and SMTP, which are turned off on this server.</p>
  const path = `/mail/mobileconfig?email=${encodeURIComponent(address.email)}`
  const link = new URL(path, config.webmail.url).href
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-5">
        <div className="flex min-w-0 flex-1 basis-56 flex-col gap-3">
          <Steps>
            <li>Scan the code with your iPhone camera and open the link.</li>
            <li>Allow the profile download.</li>
            <li>Open Settings, tap Profile Downloaded and install it.</li>
            <li>Enter the mailbox password or an app password.</li>
          </Steps>
          <p className="text-muted text-sm">On a Mac, download the profile and open it.</p>
        </div>
        <QrCode
          text={link}
          label={`QR code of the profile for ${address.email}`}
          className="size-40 shrink-0 rounded-lg border border-line"
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <a href={path} download className={buttonClass()}>
          <Download aria-hidden />
          Download profile
        </a>
        <CopyButton size="md" text={link} label="Copy link" />
      </div>
    </div>
  )
}

const Automatic = ({ address, config }: SetupProps) => (
  <div className="flex flex-col gap-3">
    <Steps>
      <li>Choose Add account in Thunderbird, K-9 Mail or FairEmail.</li>
      <li>
        Enter your name, <span className="break-all font-medium text-ink">{address.email}</span> and the password.
      </li>
      <li>The app finds the servers automatically. Confirm to finish.</li>
    </Steps>
    <p className="text-muted text-sm">
      The app looks up <code>autoconfig.{domainOf(address)}</code>. If nothing is found, the domain is missing that{' '}
      <TextLink to={`/domains/${address.domain_id}`}>DNS record</TextLink>. Enter the settings manually.
    </p>
    <Values values={[{ label: 'Autoconfig', value: `${config.autoconfig.url}?emailaddress=${address.email}` }]} />
  </div>
)

const Outlook = ({ address }: SetupProps) => (
  <div className="flex flex-col gap-3">
    <Steps>
      <li>Choose Add account and enter {address.email}.</li>
      <li>
        Outlook finds the settings through Autodiscover. If it suggests another provider, choose Advanced, then IMAP.
      </li>
      <li>Enter the mailbox password or an app password.</li>
    </Steps>
    <p className="text-muted text-sm">
      The app looks up <code>autodiscover.{domainOf(address)}</code>, one of the{' '}
      <TextLink to={`/domains/${address.domain_id}`}>DNS records</TextLink> of the domain.
    </p>
  </div>
)

const Scripts = ({ address, config }: SetupProps) => (
  <div className="flex flex-col gap-3">
    <p className="text-muted text-sm">
      JMAP is mail over HTTP. Start at this URL with the mailbox password, or with an app password as bearer token.
    </p>
    <Values
      values={[
        { label: 'JMAP session', value: config.jmap.url },
        { label: 'Username', value: address.email },
        ...(config.managesieve
          ? [{ label: 'ManageSieve', value: `${config.managesieve.host}:${config.managesieve.port}` }]
          : []),
      ]}
    />
  </div>
)

const SECURITY = { tls: 'SSL/TLS', starttls: 'STARTTLS' } as const

const ByHand = ({ address, config }: SetupProps) => {
  const doors = [
    { title: 'Incoming (IMAP)', door: config.imap },
    { title: 'Incoming (POP3)', door: config.pop3 },
    { title: 'Outgoing (SMTP)', door: config.smtp },
    { title: config.smtp ? 'Outgoing (SMTP with STARTTLS)' : 'Outgoing (SMTP)', door: config.submission },
  ]
  return (
    <Panel title="Manual setup" description="For any other app. Use the mailbox password or an app password.">
      <div className="flex flex-col gap-4">
        <Values values={[{ label: 'Username', value: address.email }]} />
        {doors.map(({ title, door }) =>
          door ? (
            <section key={title} aria-label={title} className="flex flex-col gap-1.5">
              <h3 className="font-medium text-ink text-sm">{title}</h3>
              <Values
                values={[
                  { label: 'Server', value: door.host },
                  { label: 'Port', value: String(door.port) },
                  { label: 'Security', value: SECURITY[door.security] },
                ]}
              />
            </section>
          ) : null,
        )}
        <Values values={[{ label: 'Webmail', value: config.webmail.url }]} />
      </div>
    </Panel>
  )
}

const Values = ({ values }: { values: readonly { label: string; value: string }[] }) => (
  <dl className="flex flex-col divide-y divide-line rounded-lg border border-line">
    {values.map(({ label, value }) => (
      <div key={label} className="flex min-h-9 items-center gap-3 py-0.5 pr-1 pl-3">
        <dt className="w-24 shrink-0 text-faint text-sm">{label}</dt>
        <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
          <span className="min-w-0 break-all font-mono text-ink text-xs">{value}</span>
          <CopyButton text={value} label={`Copy ${label}`} iconOnly />
        </dd>
      </div>
    ))}
  </dl>
)

const domainOf = ({ email, local_part: local }: Address): string => email.slice(local.length + 1)
