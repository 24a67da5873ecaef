import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { QrCode } from '@stoa/ui/display/qr-code.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Download, KeyRound } from 'lucide-react'
import { mailboxQuery } from '../queries.ts'
import { type ClientSetup, type MailServer, readClientSetup } from './autoconfig.ts'

/** The document that mail apps look for; it is for everybody, so that it needs no session of the panel. */
const clientSetupQuery = (email: string) =>
  queryOptions({
    queryKey: ['webmail', 'client-setup', email],
    queryFn: async ({ signal }): Promise<ClientSetup> => {
      const query = new URLSearchParams({ emailaddress: email })
      const response = await fetch(`/mail/config-v1.1.xml?${query}`, { signal }).catch(() => undefined)
      if (!response?.ok) throw new ProblemError("Couldn't load the server settings. Try again in a moment.")
      return readClientSetup(new DOMParser().parseFromString(await response.text(), 'text/xml'))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** How a phone or a mail app gets at the mailbox. */
export const ConnectSection = () => {
  const { data: mailbox } = useSuspenseQuery(mailboxQuery)
  const query = useQuery(clientSetupQuery(mailbox.email))
  return (
    <QueryBoundary query={query} name="Server settings">
      {(setup) => <Setup setup={setup} email={mailbox.email} />}
    </QueryBoundary>
  )
}

const Setup = ({ setup: { servers, jmapUrl }, email }: { setup: ClientSetup; email: string }) => {
  const canRead = servers.some(({ kind }) => kind !== 'smtp')
  const canSend = servers.some(({ kind }) => kind === 'smtp')
  return (
    <>
      <Panel
        title="Create an app password"
        description="Use a separate password for each app, so you can revoke it if you lose a device."
      >
        <LinkButton to="/webmail/settings?section=app-passwords&new=1" icon={<KeyRound />}>
          New app password
        </LinkButton>
      </Panel>
      {canRead && canSend ? <AppleProfile email={email} /> : null}
      <Panel
        title="Other apps"
        description="Most apps find these settings automatically. If yours doesn't, enter them manually."
        flush
      >
        {servers.length === 0 ? (
          <div className="p-5">
            <Notice>Mail apps can't connect to this server. Contact your administrator.</Notice>
          </div>
        ) : null}
        <dl className="divide-y divide-line">
          <Row label="Username" value={email} />
          <Row label="Password" value="An app password, or your mailbox password" isPlain />
          {servers.map((server) => (
            <Row
              key={`${server.kind} ${server.port}`}
              label={names[server.kind]}
              value={server.host}
              note={`Port ${server.port}, ${server.security}`}
            />
          ))}
          {jmapUrl === null ? null : <Row label="JMAP" value={jmapUrl} />}
        </dl>
      </Panel>
    </>
  )
}

const names: Record<MailServer['kind'], string> = {
  imap: 'Incoming (IMAP)',
  pop3: 'Incoming (POP3)',
  smtp: 'Outgoing (SMTP)',
}

type RowProps = { label: string; value: string; note?: string; isPlain?: boolean }

const Row = ({ label, value, note, isPlain = false }: RowProps) => (
  <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-0.5 px-5 py-2 text-sm">
    <dt className="w-36 shrink-0 text-faint phone:w-full">{label}</dt>
    <dd className="flex min-w-0 flex-1 items-center gap-x-2 text-ink phone:flex-wrap">
      {isPlain ? <span className="text-muted">{value}</span> : <span className="min-w-0 break-all">{value}</span>}
      {isPlain ? null : <CopyButton text={value} label={`Copy ${label}`} iconOnly />}
      {note === undefined ? null : (
        <span className="ml-auto shrink-0 text-muted tabular-nums phone:ml-0 phone:basis-full">{note}</span>
      )}
    </dd>
  </div>
)

const AppleProfile = ({ email }: { email: string }) => {
  const path = `/mail/mobileconfig?${new URLSearchParams({ email })}`
  return (
    <Panel
      title="iPhone, iPad and Mac"
      description="Install a profile to set up your mailbox. You'll be asked for the password."
    >
      <div className="flex flex-wrap items-center gap-6">
        <QrCode
          text={new URL(path, location.origin).href}
          label={`QR code of the profile for ${email}`}
          className="size-36 rounded-lg border border-line"
        />
        <div className="flex min-w-0 flex-1 basis-56 flex-col items-start gap-3">
          <p className="text-muted text-sm">
            Scan this with your phone's camera, allow the download, then install the profile in Settings.
          </p>
          <a href={path} download className={buttonClass()}>
            <Download />
            Download profile
          </a>
        </div>
      </div>
    </Panel>
  )
}
